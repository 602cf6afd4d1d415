import { resolve } from 'node:path'
import { createLearner } from '../../core/learn/learner.ts'
import type { ExchangeSummary } from '../../core/learn/learned.ts'
import { toAddress } from '../../core/learn/parse-exchange.ts'
import { countOf } from '../../core/text/count-of.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { type Written, writeLearned } from '../../record/files/write-learned.ts'
import { countOrigins, readHar } from '../../record/har/read-har.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import type { OptionValue } from '../arguments/option.ts'
import { toNames, toTexts } from '../arguments/option-values.ts'
import { usageError } from '../arguments/usage-errors.ts'
import { toPrintable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'

/** `mock import`: writes fixtures, a configuration and recorded answers from HAR files; 1 if they teach nothing. */
export async function runImport({ paths, values }: Arguments, terminal: Terminal): Promise<number> {
  const { io, print, printError, paint, commands } = terminal
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
  const only = toTexts(values['only'])
  const learner = createLearner({ ...(origin !== undefined && { origin }), only, redact })
  const summaries = exchanges.map((exchange) => learner.add(exchange))
  const learned = learner.learned()
  const hasLearned = learned.resources.length + learned.reads.length + learned.answers.length > 0
  if (!hasLearned) {
    printError(describeNothing(origin, origins))
    return 1
  }

  const out = typeof values['out'] === 'string' ? values['out'] : 'fixtures'
  const written = await writeLearned(learned, { out, cwd, redact })
  const lines = [
    ...written.files.map((file) => `${paint.green('wrote')}  ${toPrintable(file)}`),
    ...(written.files.length === 0 ? [paint.dim('Nothing has changed.')] : []),
    '',
    summarize(summaries, origin),
    ...describeOtherOrigins(origins.filter(([other]) => other !== origin)),
    ...describeMissing(hars),
    ...describeReads(written),
    '',
    `Next: ${paint.bold(commands.write('npx fixtura server'))}`,
  ]
  print(lines.join('\n'))
  return 0
}

/** An origin, and the number of its responses that are JSON. */
type OriginCount = ReturnType<typeof countOrigins>[number]

function summarize(summaries: readonly ExchangeSummary[], origin = 'the API'): string {
  const count = (kind: ExchangeSummary['kind']): number =>
    summaries.filter((one) => one.kind === kind).length
  const withRecords = count('records') + count('removed')
  return `${countOf(summaries.length, 'request')} of ${origin}: ${withRecords} with records, ${count('answer')} kept as recorded, ${count('nothing')} ignored.`
}

function describeOtherOrigins(others: readonly OriginCount[]): string[] {
  if (others.length === 0) return []
  const listed = others.map(([origin, count]) => `${origin} (${count})`).join(', ')
  return [`Left out: ${listed}. --origin takes another.`]
}

function describeMissing(hars: readonly { missing: string[]; unanswered: number }[]): string[] {
  const missing = hars.flatMap((har) => har.missing)
  const unanswered = hars.reduce((sum, har) => sum + har.unanswered, 0)
  return [
    ...(missing.length > 0 ? [`The archive has no body for ${missing.length} of them:`] : []),
    ...missing.slice(0, 10).map((request) => `  ${toPrintable(request)}`),
    ...(unanswered > 0 ? [`Without a response: ${countOf(unanswered, 'request')}.`] : []),
  ]
}

/** The lines about the recorded reads: which of them the mock answers alike, and what is uncertain. */
function describeReads({ reads, different, questions }: Written): string[] {
  const { fromRecords, fromAnswers, outdated } = reads
  const older = outdated === 0 ? '' : `, ${outdated} of them older than a write`
  const alike = fromRecords + fromAnswers
  return [
    `The mock answers ${alike} of ${alike + different.length} recorded reads alike: ${fromRecords} from records, ${fromAnswers} from recorded answers${older}.`,
    ...different.map(
      ({ path }) =>
        `Answered differently, because a file was edited by hand: GET ${toPrintable(path)}`,
    ),
    ...questions.map(
      ({ text, option }) =>
        `? ${toPrintable(text)}${option === '' ? '' : ` Option: ${toPrintable(option)}`}`,
    ),
  ]
}

function describeNothing(origin: string | undefined, origins: readonly OriginCount[]): string {
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
