import type { Answerer } from '../../core/http/contract/answerer.ts'
import {
  type FormField,
  headerOf,
  isBodiless,
  isBytes,
  isStream,
  type MockRequest,
  type MockResponse,
} from '../../core/http/contract/messages.ts'
import { bodyTooLarge } from '../../core/http/resource/body.ts'
import { toChunks } from '../../core/http/response/streams.ts'
import { decodeUtf8, toBinaryString } from '../../core/text/binary-string.ts'
import { platform } from '../web/platform.ts'
import { splitUrl, toBodyInit } from '../web/web.ts'

/** A `fetch` of React Native, Expo or a library. */
export type AnyFetch = (input: unknown, init?: FetchInit) => Promise<Response>

/** The members of the second argument of `fetch` that count. */
export interface FetchInit {
  method?: string
  headers?: unknown
  body?: unknown
  signal?: AbortSignal | null
  credentials?: string
  redirect?: string
}

/** A request as an application gives it to `fetch` or `XMLHttpRequest`. */
export interface NativeRequest extends FetchInit {
  url: string
}

/** Answers the requests of an application that the mock owns, with the cookies that it has set. */
export interface NativeAnswerer {
  /** Whether the mock answers requests for a URL. */
  owns(url: string): boolean
  /** Answers a request, and follows its redirects to URLs of the mock. Also returns the last URL. */
  answer(request: NativeRequest): Promise<{ url: string; response: MockResponse }>
  stop(): void
}

/** Creates the answerer of an application; `origin` limits it to requests to that origin. */
export function createAnswerer(mock: Answerer, origin: string | undefined): NativeAnswerer {
  const cookies = new Map<string, string>()
  let isStopped = false
  const owns = (url: string): boolean => {
    const parts = splitUrl(toAbsolute(url))
    const isOrigin = origin === undefined || parts.origin === origin.replace(/\/$/, '')
    return !isStopped && isOrigin && mock.owns(parts.path, parts.search)
  }

  async function answer(
    request: NativeRequest,
    redirects = 0,
  ): ReturnType<NativeAnswerer['answer']> {
    const url = toAbsolute(request.url)
    const sendsCookies = request.credentials !== 'omit'
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const own = toMockRequest({ ...request, url }, sendsCookies ? cookie : '')
    const response = await mock.handle(own, { origins: 'any' })
    if (sendsCookies) keepCookies(response, cookies)
    const location = headerOf(response.headers, 'location')
    const isRedirect = [301, 302, 303, 307, 308].includes(response.status) && location !== undefined
    const isFollowed = isRedirect && (request.redirect ?? 'follow') === 'follow' && redirects < 20
    if (!isFollowed || !owns(location)) return { url, response }
    const isPost = response.status < 303 && own.method === 'POST'
    const becomesGet = isPost || (response.status === 303 && own.method !== 'HEAD')
    const next = { ...request, url: location, ...(becomesGet && { method: 'GET', body: null }) }
    return answer(next, redirects + 1)
  }

  return {
    owns,
    answer,
    stop() {
      isStopped = true
    },
  }
}

/** Keeps the cookies that a response sets (RFC 6265 §5.3), by name, as the mock is one host. */
function keepCookies({ headers }: MockResponse, cookies: Map<string, string>): void {
  for (const [header, line] of headers) {
    const [, name = '', value = ''] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? []
    if (header.toLowerCase() !== 'set-cookie' || name === '') continue
    const [, expires] = /;\s*expires=([^;]+)/i.exec(line) ?? []
    const isOver = /;\s*max-age=(?:0|-\d+)/i.test(line) || Date.parse(expires ?? '') <= Date.now()
    if (isOver) cookies.delete(name)
    else cookies.set(name, value)
  }
}

/** React Native has no page: a path that begins with a slash belongs to this origin. */
function toAbsolute(url: string): string {
  return url.startsWith('/') ? `http://localhost${url}` : url
}

/** Creates a `fetch` that is answered by the mock where the mock owns the URL. */
export function createFetch(answerer: NativeAnswerer, real: AnyFetch): AnyFetch {
  return async (input, init = {}) => {
    const request = await toRequest(input, init)
    if (!answerer.owns(request.url)) return real(input, init)
    const { signal } = request
    if (signal?.aborted) throw aborted()
    const answering = answerer.answer(request).then(async ({ url, response }) => {
      if (response.status === 0) throw new TypeError('Network request failed')
      const body = await toBody(response, signal)
      // The `Response` of React Native takes the URL here; others ignore the member.
      return new Response(body, { ...response, url } as ResponseInit)
    })
    if (!signal) return answering
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(aborted()))
      answering.then(resolve, reject)
    })
  }
}

function aborted(): Error {
  return Object.assign(new Error('The request was aborted.'), { name: 'AbortError' })
}

/** The body for the `Response` of the runtime: without streams, a body that is sent slowly is awaited. */
async function toBody(
  response: MockResponse,
  signal: AbortSignal | null | undefined,
): Promise<BodyInit | null> {
  const { body } = response
  if (isBodiless(response.status) || body === null) return null
  if (!isStream(body)) return body as BodyInit
  if (typeof ReadableStream === 'function' && signal) return toBodyInit(response, signal)
  let text = ''
  await readChunks(body, (chunk) => (text += chunk))
  return text
}

/** Reads a body chunk by chunk, as text; resolves at its end. */
export async function readChunks(
  body: MockResponse['body'],
  onChunk: (text: string) => void,
): Promise<void> {
  if (body === null) return
  if (!isStream(body)) return onChunk(toText(body))
  const chunks = toChunks(body)
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    onChunk(toText(next.value))
  }
}

/** The text of a body; bytes that are not UTF-8 become one character each. */
export function toText(body: string | Uint8Array): string {
  if (!isBytes(body)) return body
  const binary = toBinaryString(body)
  return decodeUtf8(binary) ?? binary
}

async function toRequest(input: unknown, init: FetchInit): Promise<NativeRequest> {
  if (typeof input !== 'object' || input === null || !('headers' in input)) {
    return { ...init, url: String(input) }
  }
  const request = input as Request
  const hasBody = init.body === undefined && !['GET', 'HEAD'].includes(request.method)
  const { url, method, headers, signal, credentials } = request
  const body = hasBody ? await request.clone().text() : undefined
  return { url, method, headers, signal, credentials, ...(hasBody && { body }), ...init }
}

function toMockRequest(request: NativeRequest, cookie: string): MockRequest {
  const { method = 'GET', body, signal } = request
  const { origin, path, search } = splitUrl(request.url)
  const headers = toHeaders(request.headers)
  headers['host'] = origin.slice(origin.indexOf('//') + 2)
  if (cookie !== '') headers['cookie'] ??= cookie
  const fields = fieldsOf(body)
  if (fields) headers['content-type'] = 'multipart/form-data; boundary=form'
  else if (isQuery(body))
    headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8'
  else if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8'
  const bytes = async (limit: number): Promise<Uint8Array> => {
    const all = await toBytes(body)
    if (all.byteLength > limit) throw bodyTooLarge(limit)
    return all
  }
  return {
    method: /^(?:delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method,
    path: path === '' ? '/' : path,
    search,
    origin,
    headers,
    bytes,
    text: async (limit) => toText(await bytes(limit)),
    form: () => fields ?? [],
    onAbort(listener) {
      signal?.addEventListener('abort', listener)
      return () => signal?.removeEventListener('abort', listener)
    },
  }
}

/** The headers of `fetch` by lower-case name: an object, a list of pairs, or `Headers`. */
function toHeaders(given: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  const add = (value: unknown, name: string): void => {
    headers[name.toLowerCase()] = String(value)
  }
  if (Array.isArray(given)) for (const [name, value] of given) add(value, String(name))
  else if (given instanceof Headers) given.forEach(add)
  else for (const [name, value] of Object.entries(given ?? {})) add(value, name)
  return headers
}

function isQuery(body: unknown): boolean {
  return typeof URLSearchParams === 'function' && body instanceof URLSearchParams
}

/** The fields of a form: React Native keeps them as `_parts`, whose files are named by a URI. */
function fieldsOf(body: unknown): FormField[] | undefined {
  if (typeof body !== 'object' || body === null || !('append' in body) || isQuery(body)) {
    return undefined
  }
  const { _parts: parts } = body as { _parts?: [string, unknown][] }
  const entries = parts ?? [...(body as unknown as Iterable<[string, unknown]>)]
  return entries.map(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [name, String(value)]
    const { uri = '', type = '', name: file = 'file', size = 0 } = value as Partial<NativeFile>
    return [name, { name: file, type, size, url: uri }]
  })
}

/** A file of a form in React Native. */
interface NativeFile {
  uri: string
  name: string
  type: string
  size: number
}

async function toBytes(body: unknown): Promise<Uint8Array> {
  if (body === null || body === undefined) return new Uint8Array()
  if (isBytes(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  const isBlob = typeof body === 'object' && 'size' in body && 'type' in body
  return isBlob
    ? readBlob(body as Blob)
    : platform.encode((body as string | URLSearchParams).toString())
}

/** Reads a blob by the `FileReader` of React Native, which reads texts and data URLs alone. */
function readBlob(blob: Blob): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('error', () => reject(new TypeError('Network request failed')))
    reader.addEventListener('load', () => {
      const [, encoded = ''] = (reader.result as string).split(',')
      resolve(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)))
    })
    reader.readAsDataURL(blob)
  })
}
