import type { LogEntry } from '../../core/log/log.ts'
import { createRedactor } from '../../core/log/redact.ts'
import { headerOf } from '../../core/http/contract/messages.ts'
import type { ProxiedExchange } from '../../proxy/exchange.ts'
import { knownCodings } from '../../proxy/decode-body.ts'
import { serveProxy } from '../../proxy/proxy-server.ts'
import { createRecorder, type Recorded } from '../../record/session/recorder.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { toRecordSettings } from '../arguments/record-settings.ts'
import { createLogLines } from '../output/log-line.ts'
import { toPrintableLines, toPrintable } from '../output/printable.ts'
import type { Terminal, Paint } from '../output/terminal.ts'
import { startOnFreePort } from '../session/free-port.ts'
import { createShutdown } from '../session/shutdown.ts'
import { readPackage } from '../package-facts.ts'
import type { LearnedResource } from '../../core/learn/learned.ts'
import { countOf } from '../../core/text/count-of.ts'
import { toColumn } from '../output/column.ts'

/** `mock record`: a proxy in front of a real API, which writes fixtures from its responses until a signal. */
export async function runRecord(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, paint, errorPaint, printError } = terminal
  const settings = toRecordSettings(args, io.env)
  const { isQuiet, target, upstream, path } = settings
  const print = isQuiet ? () => undefined : terminal.print
  const describeRequest = createLogLines(terminal)
  const recorder = createRecorder({
    ...settings,
    origin: upstream,
    cwd: io.cwd(),
    onExchange: (exchange, { text }) => {
      if (!isQuiet) print(describeRequest(toLogEntry(exchange, text)))
    },
    onProblem: (message) => printError(errorPaint.red(toPrintableLines(message))),
  })
  const shutdown = createShutdown(io)
  try {
    const serving = await startOnFreePort(
      settings,
      (free) =>
        serveProxy({
          ...settings,
          port: free,
          codings: knownCodings,
          onExchange: recorder.add,
        }),
      print,
    )
    const url = serving.url + path
    print(
      describeRecording({ url, target, out: settings.out, version: readPackage().version }, paint),
    )
    await shutdown.requested
    await serving.close()
    print(await describeRecorded(await recorder.close(), settings, terminal))
    return 0
  } finally {
    shutdown.release()
  }
}

const redactor = createRedactor()

/** Converts an exchange of the proxy to an entry of the log without secrets; `summary` says what was learned. */
function toLogEntry(exchange: ProxiedExchange, summary: string): LogEntry {
  const { startedAt: time, method, path, status, ms, body } = exchange
  const url = redactor.redactUrl(path)
  const reason = [summary, adviceOf(exchange)].filter(Boolean).join('; ')
  return { time, method, url, headers: {}, status, ms, bytes: body.size(), reason }
}

/** Advises to record the https URL of an API that redirects to it; otherwise empty. */
function adviceOf({ url, status, headers }: ProxiedExchange): string {
  const location = headerOf(headers, 'Location') ?? ''
  const isRedirect = status >= 300 && status < 400 && url.startsWith('http:')
  if (!isRedirect || location !== url.replace('http:', 'https:')) return ''
  return `the API redirects to https, please record ${new URL(location).origin}`
}

/** The banner of `mock record`: the URLs of the proxy and of the real API. */
function describeRecording(facts: RecordingFacts, { bold, dim, cyan }: Paint): string {
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
async function describeRecorded(
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
    ...questions.map(({ text, option }) =>
      `  ${toPrintable(text)} ${dim(toPrintable(option))}`.trimEnd(),
    ),
    '',
    `  Next: ${bold(commands.write(next))}`,
    '',
  ].join('\n')
}

/** The content of the banner. */
interface RecordingFacts {
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
