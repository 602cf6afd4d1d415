import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'

/**
 * Creates the origin of a request for links. `Forwarded` (RFC 7239) and `X-Forwarded-*`, which a client can
 * forge, count only with `trustProxy`. A host that no URL can have is replaced by the server's address.
 */
export function createOriginOf(trustProxy = false): OriginOf {
  // A client repeats its host, so the last origin is kept.
  let last = { host: '', isSecure: false, origin: '' }
  return (request, host) => {
    // The sockets of Bun have the property in any case.
    const isSecure = (request.socket as Partial<TLSSocket>).encrypted === true
    const scheme = isSecure ? 'https' : 'http'
    if (trustProxy) {
      const { proto = scheme, host: authority = toAuthority(request, host) } = forwardedBy(request)
      return `${proto}://${authority}`
    }
    if (last.host === host && host !== '' && last.isSecure === isSecure) return last.origin
    const origin = `${scheme}://${toAuthority(request, host)}`
    last = { host, isSecure, origin }
    return origin
  }
}

/** The scheme and authority of a request, such as `http://localhost:3000`; `host` is the host it names, or ''. */
export type OriginOf = (request: IncomingMessage, host: string) => string

/** A host name or address with an optional port, in the characters that DNS and URLs share. */
const isAuthority = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

function toAuthority({ socket }: IncomingMessage, host: string): string {
  if (isAuthority.test(host)) return host
  const { localAddress = 'localhost', localPort } = socket
  // An IPv6 socket gives IPv4 addresses a prefix; a zone such as `%eth0` means nothing to the client.
  const address = localAddress.replace(/^::ffff:(?=\d+\.)|%.*$/g, '')
  return `${address.includes(':') ? `[${address}]` : address}:${localPort ?? ''}`
}

/** The scheme and the host of the request that the proxy nearest to the client received. */
interface Forwarded {
  proto?: string
  host?: string
}

/** Reads the headers of proxies; ignores a malformed header, and a value that cannot be in an origin. */
function forwardedBy({ headers }: IncomingMessage): Forwarded {
  const first = (name: string): string =>
    String(headers[name] ?? '')
      .split(',', 1)[0]
      ?.trim() ?? ''
  return {
    ...toForwarded(first('x-forwarded-proto'), first('x-forwarded-host')),
    ...toForwarded(...parseForwarded(headers['forwarded'])),
  }
}

function toForwarded(proto = '', host = ''): Forwarded {
  return {
    ...(/^https?$/i.test(proto) && { proto: proto.toLowerCase() }),
    ...(isAuthority.test(host) && { host }),
  }
}

/** One parameter of `Forwarded`, which may be missing, and the separator after it (RFC 7239 §4). */
const parameter = /[\t ]*(?:([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+)))?[\t ]*(;|,|$)/y

/** The parameters `proto` and `host` of the first element; empty for a malformed element. */
function parseForwarded(header = ''): Parameters<typeof toForwarded> {
  const values = new Map<string, string>()
  parameter.lastIndex = 0
  for (;;) {
    const match = parameter.exec(header)
    if (!match) return []
    const [, name = '', quoted, plain, separator] = match
    values.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '')
    if (separator !== ';') return [values.get('proto'), values.get('host')]
  }
}
