import { MockError } from '../errors/mock-error.ts'
import { type HeaderList, headerOf } from '../http/contract/messages.ts'

/** Creates the mark of one proxy, by which it recognizes requests that it has passed on itself (RFC 8586). */
export function createLoopMark(): LoopMark {
  const mark = `fixtura-${Math.random().toString(36).slice(2)}`
  return {
    // `Via` would do too, but servers such as nginx do not compress what they send to a proxy.
    toHeader: (headers) => {
      const earlier = headerOf(headers, name)
      return { [name]: earlier === undefined ? mark : `${earlier}, ${mark}` }
    },
    findLoop(value, upstream) {
      if (!value?.includes(mark)) return undefined
      return new MockError(
        `Failed to pass the request on to ${upstream}: the request has come back to this proxy. Please give the URL of the real API.`,
        { status: 508, code: 'PROXY_LOOP' },
      )
    },
  }
}

/** The mark of a proxy in the requests that it passes on. */
export interface LoopMark {
  /** Returns the header with the mark, which keeps the marks of other proxies. */
  toHeader(headers: HeaderList): Record<string, string>
  /** Returns the 508 of a request whose header `CDN-Loop` has the mark. */
  findLoop(value: string | undefined, upstream: string): MockError | undefined
}

const name = 'CDN-Loop'
