import type { HeaderList } from '../http/contract/messages.ts'
import { ownValue } from '../json/json.ts'
import { type Ends, hostOf, moveUrl, originOf, pathOf } from './ends.ts'

/**
 * Converts the headers of a request for the server behind a proxy: `Host`, `Origin` and `Referer` name that
 * server if they name the proxy, because virtual hosts and checks against forged requests (CSRF) read them.
 * Leaves out headers of the connection.
 */
export function toUpstreamHeaders(
  headers: HeaderList,
  { own, upstream, added = {}, codings }: UpstreamHeaderOptions,
): HeaderList {
  const replaced = new Set(['host', ...Object.keys(added).map((name) => name.toLowerCase())])
  const kept = withoutConnectionHeaders(headers)
    .filter(([name]) => !replaced.has(name.toLowerCase()))
    .flatMap(([name, value]): HeaderList => {
      const lower = name.toLowerCase()
      if (lower === 'origin') return [[name, moveUrl(value, own, originOf(upstream))]]
      if (lower === 'referer') return [[name, moveUrl(value, own, upstream)]]
      if (lower !== 'accept-encoding' || !codings) return [[name, value]]
      const accepted = keepCodings(value, codings)
      return accepted === '' ? [] : [[name, accepted]]
    })
  return [['Host', hostOf(upstream)], ...kept, ...Object.entries(added)]
}

/** The options of {@link toUpstreamHeaders}. */
export interface UpstreamHeaderOptions extends Ends {
  /** Headers that are set on every request, in place of those of the client. */
  added?: Readonly<Record<string, string>> | undefined
  /** The content codings to accept in responses; undefined for all that the client accepts. */
  codings?: readonly string[] | undefined
}

/** Removes the codings that are not known from `Accept-Encoding` (RFC 9110 §12.5.3). */
function keepCodings(value: string, codings: readonly string[]): string {
  return value
    .split(',')
    .filter((element) => {
      const [name = ''] = element.trim().toLowerCase().split(/[\s;]/, 1)
      return name === '*' || name === 'identity' || codings.includes(name.replace(/^x-/, ''))
    })
    .map((element) => element.trim())
    .join(', ')
}

/**
 * Converts the headers of a response for the clients of a proxy, so that clients stay with the proxy: URLs of
 * the server behind the proxy and its cookies become those of the proxy. Leaves out headers of the connection.
 */
export function toClientHeaders(headers: HeaderList, ends: Ends): HeaderList {
  return withoutConnectionHeaders(headers).flatMap(([name, value]): HeaderList => {
    const rewrite = ownValue(rewrites, name.toLowerCase())
    const rewritten = rewrite ? rewrite(value, ends) : value
    return rewritten === undefined ? [] : [[name, rewritten]]
  })
}

/** Rewrites the value of a header for the clients of a proxy; undefined removes the header. */
type Rewrite = (value: string, ends: Ends) => string | undefined

const moved: Rewrite = (value, { own, upstream }) => moveUrl(value, upstream, own)

/** The headers that name the server behind a proxy, by lower-case name, and how each is rewritten. */
const rewrites: Readonly<Record<string, Rewrite>> = {
  'access-control-allow-origin': (value, { own, upstream }) =>
    moveUrl(value, originOf(upstream), own),
  'content-location': moved,
  location: moved,
  link: (value, ends) =>
    value.replaceAll(/<([^<>]*)>/g, (_, target: string) => `<${moved(target, ends)}>`),
  refresh: (value, ends) =>
    value.replace(
      /(url\s*=\s*["']?)([^"']+)/i,
      (_, start: string, url: string) => start + moved(url, ends),
    ),
  'set-cookie': toOwnCookie,
  // Another address of the server (RFC 7838), which would bypass the proxy.
  'alt-svc': () => undefined,
}

/**
 * Rewrites a `Set-Cookie` (RFC 6265 §4.1) of the server behind a proxy, so that clients of the proxy store the
 * cookie and send it back: without the `Domain` of that server and, over plain http, without `Secure`,
 * `Partitioned` and `SameSite=None`, which need https. A cookie whose name begins with `__Host-` or `__Secure-`
 * keeps these, as clients refuse it otherwise.
 */
export function toOwnCookie(line: string, { own, upstream }: Ends): string {
  const [pair = '', ...attributes] = line.split(';')
  const needsSecure = /^\s*__(?:host|secure)-/i.test(pair)
  const isPlain = own.startsWith('http:') && !needsSecure
  const kept = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase())
    if (name === 'path' && pathOf(upstream) !== '') return [toOwnPath(attribute, { own, upstream })]
    if (name === 'domain' && coversHost(value, upstream)) return []
    if (isPlain && (name === 'secure' || name === 'partitioned')) return []
    return isPlain && name === 'samesite' && value === 'none' ? [' SameSite=Lax'] : [attribute]
  })
  return [pair, ...kept].join(';')
}

/** Returns the path of a cookie without the path of the server behind the proxy. */
function toOwnPath(attribute: string, { own, upstream }: Ends): string {
  return attribute.replace(/(=\s*)(\S+)/, (_, start: string, path: string) => {
    return start + moveUrl(path, upstream, own)
  })
}

/** Whether the domain of a cookie covers the host of an origin (RFC 6265 §5.1.3). */
function coversHost(domain: string, origin: string): boolean {
  const host = hostOf(origin).replace(/:\d*$/, '').toLowerCase()
  const parent = domain.replace(/^\./, '')
  return host === parent || host.endsWith(`.${parent}`)
}

/** Removes the headers of one connection alone (RFC 9110 §7.6.1), and those that `Connection` names. */
export function withoutConnectionHeaders(headers: HeaderList): HeaderList {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(','))
      .map((name) => name.trim().toLowerCase()),
  )
  return headers.filter(([written]) => {
    const name = written.toLowerCase()
    return !ofConnection.test(name) && !named.has(name)
  })
}

/**
 * Headers that hold for one connection alone, headers between a client and a forward proxy, and `Trailer`: a
 * proxy decides anew whether a message is sent in chunks, which can have trailers.
 */
const ofConnection =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/
