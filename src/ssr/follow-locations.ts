import type { Hop } from './hop.ts'
import { toMock } from './to-mock.ts'

/**
 * Sends a request to the mock, and follows redirects as `fetch` does (Fetch Standard §4.4, HTTP-redirect
 * fetch), except that each `Location` that names an API of the application leads to the mock. `fetch` itself
 * would follow such a `Location` to the API.
 * @throws TypeError as `fetch`: after 20 redirects, or if the body is a stream, which is already sent
 */
export async function followLocations(
  fetch: typeof globalThis.fetch,
  first: Hop,
): Promise<Response> {
  const copy = first.request?.body ? first.request.clone() : undefined
  let hop: Hop = { ...first, init: { ...first.init, redirect: 'manual' } }
  let { origin } = new URL(hop.url)
  for (let count = 0; count <= maxRedirects; count++) {
    const [target, init] = toMock(hop)
    const response = await fetch(target, init)
    const location = redirects.has(response.status) ? response.headers.get('location') : null
    if (location === null) return count === 0 ? response : asRedirected(response)
    // Not awaited: the promise would wait for the copy that a framework may keep of the response.
    response.body?.cancel().catch(() => {})
    const base = new URL(typeof target === 'string' ? target : target.url)
    const next = new URL(location, base)
    if (!/^https?:$/.test(next.protocol)) throw failure('URL scheme must be a HTTP(S) scheme')
    hop = await toNextHop(hop, next.href, response.status, copy)
    // A URL at the mock stands for the API that the mock replaces.
    if (next.origin !== base.origin && next.origin !== origin) {
      for (const name of credentialHeaders) (hop.init.headers as Headers).delete(name)
    }
    if (next.origin !== base.origin) ({ origin } = next)
  }
  throw failure('redirect count exceeded')
}

const maxRedirects = 20
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const bodyHeaders = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]
const credentialHeaders = ['authorization', 'proxy-authorization', 'cookie', 'host']

/** Returns the request that a redirect leads to, which depends on the status. */
async function toNextHop(
  { request, init }: Hop,
  url: string,
  status: number,
  copy: Request | undefined,
): Promise<Hop> {
  const method = init.method ?? request?.method ?? 'GET'
  const headers = new Headers(init.headers ?? request?.headers)
  const signal = init.signal ?? request?.signal ?? null
  const next = { ...init, method, headers, signal }
  const isGet = /^(?:get|head)$/i.test(method)
  if (status === 303 ? !isGet : status < 303 && /^post$/i.test(method)) {
    for (const name of bodyHeaders) headers.delete(name)
    return { url, request: undefined, init: { ...next, method: 'GET', body: null } }
  }
  if (isStream(init.body)) throw failure('the body is a stream, which is already sent')
  const body = init.body ?? (request && (await copy?.arrayBuffer())) ?? null
  return { url, request: undefined, init: { ...next, body } }
}

function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Marks the response of a redirected request, which `fetch` does not: it gets a new request for each redirect. */
function asRedirected(response: Response): Response {
  return Object.defineProperty(response, 'redirected', { value: true })
}

function failure(reason: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(reason) })
}
