import { resolve } from 'node:path'
import { createLearner } from '../../core/learn/learner.ts'
import type { ExchangeSummary } from '../../core/learn/learned.ts'
import { toAddress } from '../../core/learn/parse/parse-exchange.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { type Written, writeLearned } from '../../record/files/write-learned.ts'
import { countOrigins } from '../../record/har/choose-origin.ts'
import { readHar } from '../../record/har/read-har.ts'
import type { Arguments, OptionValue } from '../arguments/arguments.ts'
import { usageError } from '../arguments/usage-errors.ts'
import { toPrintable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'

/** `mock import`: learns from HTTP archives, and writes fixtures, a configuration and recorded answers. */
export async function runImport({ paths, values }: Arguments, terminal: Terminal): Promise<number> {
  const { io, print, printError, paint } = terminal
  const cwd = io.cwd()
  if (paths.length === 0) {
    throw usageError(
      'Failed to import: no file is named. Please write "npx fixtura import traffic.har".',
    )
  }
  const redact = toNames(values['redact'])
  const hars = await Promise.all(
    paths.map((path) => readHar(resolve(cwd, path), toLabel(resolve(cwd, path), cwd))),
  )
  const exchanges = hars.flatMap((har) => har.exchanges)
  const origins = countOrigins(exchanges)
  const origin = toOrigin(values['origin']) ?? origins[0]?.[0]
  const only = [values['only'] ?? []].flat().filter((one) => typeof one === 'string')
  const learner = createLearner({ ...(origin !== undefined && { origin }), only, redact })
  const summaries = exchanges.map((exchange) => learner.add(exchange))
  const learned = learner.learned()
  const isAny = learned.resources.length + learned.reads.length + learned.answers.length > 0
  if (!isAny) {
    printError(describeNothing(origin, origins))
    return 1
  }

  const out = typeof values['out'] === 'string' ? values['out'] : 'fixtures'
  const written = await writeLearned(learned, { out, cwd, redact })
  for (const file of written.files) print(`${paint.green('wrote')}  ${toPrintable(file)}`)
  if (written.files.length === 0) print(paint.dim('Nothing has changed.'))
  print('')
  print(`${summarize(summaries)} of ${origin ?? 'the API'}.`)
  const others = origins.filter(([other]) => other !== origin)
  if (others.length > 0) {
    const listed = others.map(([other, count]) => `${other} (${count})`).join(', ')
    print(`Left out: ${listed}. --origin takes another.`)
  }
  printMissing(hars, print)
  for (const line of describe(written)) print(line)
  print(`\nNext: ${paint.bold('npx fixtura server')}`)
  return 0
}

/** The lines that a recording ends with: what the mock answers, and what is uncertain. */
export function describe({ reads, different, questions }: Written): string[] {
  const { fromRecords, fromAnswers, outdated } = reads
  const older = outdated === 0 ? '' : `, ${outdated} of them older than a write`
  const all = fromRecords + fromAnswers + different.length
  const lines = [
    `The mock answers ${all - different.length} of ${all} recorded reads alike: ${fromRecords} from records, ${fromAnswers} from recorded answers${older}.`,
    ...different.map(({ path }) => `Answered from edits by hand: GET ${toPrintable(path)}`),
  ]
  for (const { text, option } of questions) {
    lines.push(`? ${toPrintable(text)}${option === '' ? '' : ` Option: ${toPrintable(option)}`}`)
  }
  return lines
}

function summarize(summaries: readonly ExchangeSummary[]): string {
  const count = (kind: ExchangeSummary['kind']): number =>
    summaries.filter((one) => one.kind === kind).length
  const learned = count('records') + count('removed')
  return `${summaries.length} requests: ${learned} show records, ${count('answer')} are answers, ${count('nothing')} teach nothing`
}

function printMissing(
  hars: readonly { missing: string[]; unanswered: number }[],
  print: (text: string) => void,
): void {
  const missing = hars.flatMap((har) => har.missing)
  const unanswered = hars.reduce((sum, har) => sum + har.unanswered, 0)
  if (missing.length > 0) {
    print(`The archive has no body for ${missing.length} of them:`)
    for (const request of missing.slice(0, 10)) print(`  ${toPrintable(request)}`)
  }
  if (unanswered > 0) print(`${unanswered} requests have no response.`)
}

function describeNothing(
  origin: string | undefined,
  origins: readonly (readonly [string, number])[],
): string {
  const known = origins.map(([one]) => one).join(', ')
  if (origin === undefined) return 'Failed to import: no response is JSON with a body.'
  return `Failed to import: no response of ${toPrintable(origin)} is JSON that --only allows.${known === '' ? '' : ` The origins with JSON are: ${known}.`}`
}

function toOrigin(value: OptionValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const address = toAddress(value)
  if (address) return address.origin
  throw usageError(
    `Failed to read --origin: "${value}" is no origin. Please write one such as https://api.example.com.`,
  )
}

/** Names from values such as `email,phone`. */
function toNames(value: OptionValue | undefined): string[] {
  return [value ?? []]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
