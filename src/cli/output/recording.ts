import type { LearnedResource } from '../../core/learn/learned.ts'
import { countOf } from '../../core/text/count-of.ts'
import type { Recorded } from '../../record/session/recorder.ts'
import type { Paint, Terminal } from './terminal.ts'
import { toColumn } from './column.ts'
import { toPrintable } from './printable.ts'

/** The banner of `mock record`: the URLs of the proxy and of the real API. */
export function describeRecording(facts: RecordingFacts, { bold, dim, cyan }: Paint): string {
  const { url, target, out, version } = facts
  return [
    '',
    `  ${bold('Fixtura')} ${dim(version)}  ${cyan(url)}`,
    '',
    `  Records ${toPrintable(target)}: use ${url} in its place.`,
    `  Fixtures are written to ${toPrintable(out)}; Ctrl-C ends the recording.`,
    '',
  ].join('\n')
}

/** The summary at the end of `mock record`: what was learned, what is uncertain, and the next command. */
export async function describeRecorded(
  { count, learned, written }: Recorded,
  { out }: { out: string },
  { paint: { bold, dim, yellow }, commands }: Terminal,
): Promise<string> {
  const { resources, answers, questions } = { ...learned, questions: written.questions }
  const requests = countOf(count, 'request')
  if (resources.length + answers.length === 0) {
    return `\n  ${bold('Recorded')} nothing from ${requests}: no response was JSON of the paths to learn.\n`
  }
  const paths = await toColumn(resources.map(({ name }) => toPrintable(`/${name}`)))
  const rows = resources.map((one, at) => `  ${paths.texts[at]}  ${dim(describeContent(one))}`)
  const { fromAnswers: kept, outdated } = written.reads
  const older = outdated === 0 ? '' : `, ${outdated} of them older than a write`
  const next = out === 'fixtures' ? 'npx fixtura server' : `npx fixtura server ${toPrintable(out)}`
  return [
    '',
    `  ${bold('Recorded')} ${requests}`,
    '',
    ...rows,
    ...(kept > 0
      ? [`  ${kept} ${kept === 1 ? 'response is' : 'responses are'} kept as recorded${older}`]
      : []),
    ...(questions.length > 0 ? ['', `  ${yellow('Uncertain')}`] : []),
    ...questions.map(({ text, option }) => `  ${toPrintable(text)} ${dim(toPrintable(option))}`),
    '',
    `  Next: ${bold(commands.write(next))}`,
    '',
  ].join('\n')
}

/** The content of the banner. */
export interface RecordingFacts {
  /** The URL of the proxy, which clients use in place of the real API. */
  url: string
  /** The URL of the real API. */
  target: string
  out: string
  version: string
}

function describeContent({ kind, value }: LearnedResource): string {
  if (kind !== 'collection' || !Array.isArray(value)) return kind
  return countOf(value.length, 'record')
}
