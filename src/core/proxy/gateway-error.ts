import { codeOf, toMessage } from '../errors/error-details.ts'
import { MockError } from '../errors/mock-error.ts'

/** Converts a failed request behind a proxy to an error: a 502 with the reason, or a 504 if the connection timed out. */
export function toGatewayError(upstream: string, error: unknown): MockError {
  const code = findCode(error)
  if (timeouts.test(code)) return slowUpstream(upstream)
  const known = reasons.find(([codes]) => codes.test(code))?.[1]
  const reason = known ?? toMessage(error)
  return new MockError(
    `Failed to get a response from ${upstream}: ${reason}${code === '' ? '' : ` (${code})`}.`,
    { status: 502, code: 'UPSTREAM_FAILED', cause: error },
  )
}

/** Whether an error says that a server gave no response. */
export function isUnreachable(error: unknown): boolean {
  return /^UPSTREAM_(?:FAILED|TIMEOUT)$/.test(codeOf(error))
}

/** Creates the 504 of a proxy whose server took too long; `milliseconds` is the time limit. */
export function slowUpstream(upstream: string, milliseconds?: number): MockError {
  const limit = milliseconds === undefined ? 'in time' : `within ${milliseconds / 1000} s`
  return new MockError(
    `Failed to get a response from ${upstream}: it did not respond ${limit}. Please check the server, or raise the timeout.`,
    { status: 504, code: 'UPSTREAM_TIMEOUT' },
  )
}

/** The reasons why a server gives no response, with advice, by error code. */
const reasons: readonly [codes: RegExp, reason: string][] = [
  [/^ECONNREFUSED$/, 'it refused the connection. Please check that it runs'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'its host name is unknown. Please check the URL and the network'],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    'no network leads to it. Please check the network',
  ],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'it closed the connection'],
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/,
    'its certificate is not trusted. Please set NODE_EXTRA_CA_CERTS, or pass --insecure (insecure: true)',
  ],
  [
    /^(?:EPROTO|ERR_SSL_\w+)$/,
    'it does not speak TLS. Please check whether the URL begins with http',
  ],
  [/^(?:HPE_|ERR_HTTP_|ERR_INVALID_CHAR$)/, 'its response is not valid HTTP'],
]

const timeouts = /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT)$/

/** Finds the code of an error, or of its cause, because `fetch` wraps the error of the connection. */
function findCode(error: unknown): string {
  const own = codeOf(error)
  if (own !== '') return own
  const { cause, errors } = (error ?? {}) as { cause?: unknown; errors?: unknown[] }
  if (cause !== undefined && cause !== error) return findCode(cause)
  // The connection failed at each address of the host.
  return errors?.[0] === undefined ? '' : findCode(errors[0])
}
