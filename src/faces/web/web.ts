import type { Check } from '../../core/errors/check.ts'
import { isBytes, type MockRequest, type MockResponse } from '../../core/http/contract/messages.ts'
import { readBytes, readForm, readText } from './body.ts'
import { toStream } from './stream.ts'

/** Makes a mock's request from one of the Fetch standard. */
export function toMockRequest(request: Request): MockRequest {
  const { origin, path, search } = splitUrl(request.url)
  const headers: Record<string, string> = { host: origin.slice(origin.indexOf('//') + 2) }
  request.headers.forEach((value, name) => {
    // happy-dom keeps the case in which a name was written.
    headers[name.toLowerCase()] = value
  })
  return {
    method: request.method,
    path,
    search,
    origin,
    headers,
    text: (limit) => readText(request, limit),
    form: (limit) => readForm(request, limit),
    bytes: (limit) => readBytes(request, limit),
  }
}

/** The parts of the absolute URL that a `Request` has; much cheaper than a `URL`. */
export function splitUrl(url: string): { origin: string; path: string; search: string } {
  const parts = /^([^/]*\/\/[^/]*)([^?#]*)([^#]*)/.exec(url)
  const [, origin = '', path = '', search = ''] = parts ?? []
  return { origin, path, search }
}

/** Makes a response of the Fetch standard from a mock's; a stream breaks off with the signal. */
export function toResponse(response: MockResponse, signal: AbortSignal): Response {
  return new Response(toBodyInit(response, signal), response)
}

/**
 * The body of a response as the Fetch standard takes it; some statuses have none (Fetch §2.2.3). A
 * stream ends with the signal too, as not every reader's `cancel` comes through to it.
 */
export function toBodyInit(
  { status, body }: MockResponse,
  signal: AbortSignal,
): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (status === 204 || status === 205 || status === 304) return null
  if (body === null || typeof body === 'string') return body
  if (isBytes(body)) return body as Uint8Array<ArrayBuffer>
  return toStream(body, signal)
}

/** What can be asked for as an origin. */
export const isOrigin: Check = [
  (value) => {
    try {
      return new URL(String(value)).host !== ''
    } catch {
      return false
    }
  },
  'an origin such as https://api.example.com',
]
