import type { LogEntry } from '../../core/log/log.ts'
import { createRedactor } from '../../core/log/redact.ts'
import { headerOf } from '../../core/http/contract/messages.ts'
import type { ProxiedExchange } from '../../proxy/exchange.ts'
import { knownCodings } from '../../proxy/decode-body.ts'
import { serveProxy } from '../../proxy/proxy-server.ts'
import { createRecorder } from '../../record/session/recorder.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { toRecordSettings } from '../arguments/record-settings.ts'
import { createLogLines } from '../output/log-line.ts'
import { toPrintableLines } from '../output/printable.ts'
import { describeRecorded, describeRecording } from '../output/recording.ts'
import type { Terminal } from '../output/terminal.ts'
import { startOnFreePort } from '../session/free-port.ts'
import { createShutdown } from '../session/shutdown.ts'
import { versionOf } from '../version.ts'

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
    print(describeRecording({ url, target, out: settings.out, version: versionOf() }, paint))
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
