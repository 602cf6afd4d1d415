import type { LogEntry } from '../../core/log/log.ts'
import { createRedactor } from '../../core/log/redact.ts'
import { headerOf } from '../../core/http/contract/messages.ts'
import type { ProxiedExchange } from '../../proxy/exchange.ts'

const redactor = createRedactor()

/**
 * Converts an exchange that passed the proxy of `mock record` to an entry of the request log, so that the
 * terminal shows it like a request of `mock server`. Replaces secrets in the URL; `summary` says what was
 * learned.
 */
export function toLogEntry(exchange: ProxiedExchange, summary: string): LogEntry {
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
