import type { HeaderList } from '../http/contract/messages.ts'
import { ownValue } from '../json/json.ts'
import { withoutConnectionHeaders } from './connection-headers.ts'
import { type Ends, moveUrl, originOf } from './ends.ts'
import { toOwnCookie } from './set-cookie.ts'

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
