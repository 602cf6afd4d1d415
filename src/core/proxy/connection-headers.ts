import type { HeaderList } from '../http/contract/messages.ts'

/**
 * Removes the headers that a proxy must not pass on, because they hold for one connection alone (RFC 9110
 * §7.6.1), and those that `Connection` names.
 */
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
