import type { HeaderList } from '../http/contract/messages.ts'

/**
 * Headers that hold for one connection alone (RFC 9110 §7.6.1), headers between a client and a forward proxy, and
 * `Trailer`, as a proxy decides anew whether a message is sent in chunks, which can have trailers.
 */
const ofConnection =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/

/** Removes the headers that hold for one connection alone, and those that `Connection` names. */
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
