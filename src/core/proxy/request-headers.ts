import type { HeaderList } from '../http/contract/messages.ts'
import { withoutConnectionHeaders } from './connection-headers.ts'
import { type Ends, hostOf, moveUrl, originOf } from './ends.ts'

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
