import type { Check } from '../../core/errors/check.ts'
import {
  type BodyStream,
  type MockRequest,
  type MockResponse,
  isBodiless,
  isBytes,
} from '../../core/http/contract/messages.ts'
import { toChunks } from '../../core/http/response/streams.ts'
import { readBytes, readForm, readText } from './body.ts'

/** Converts a WHATWG `Request` to a `MockRequest`, which reads the body only on demand. */
export function toMockRequest(request: Request): MockRequest {
  const { origin, path, search } = splitUrl(request.url)
  const headers: Record<string, string> = { host: origin.slice(origin.indexOf('//') + 2) }
  request.headers.forEach((value, name) => {
    // happy-dom does not lower-case header names.
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
    onAbort(listener) {
      const { signal } = request
      if (signal.aborted) listener()
      signal.addEventListener('abort', listener)
      return () => signal.removeEventListener('abort', listener)
    },
  }
}

/** Splits the absolute URL of a `Request`; much cheaper than `new URL`. */
export function splitUrl(url: string): { origin: string; path: string; search: string } {
  const parts = /^([^/]*\/\/[^/]*)([^?#]*)([^#]*)/.exec(url)
  const [, origin = '', path = '', search = ''] = parts ?? []
  return { origin, path, search }
}

/** Converts a `MockResponse` to a `Response`; the signal aborts a stream. */
export function toResponse(response: MockResponse, signal: AbortSignal): Response {
  return new Response(toBodyInit(response, signal), response)
}

/** The body of a `Response`, null for statuses without one (Fetch §2.2.3); the signal aborts a stream. */
export function toBodyInit(
  { status, body }: MockResponse,
  signal: AbortSignal,
): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (isBodiless(status)) return null
  if (body === null || typeof body === 'string') return body
  if (isBytes(body)) return body as Uint8Array<ArrayBuffer>
  return toStream(body, signal)
}

/** The check of an option that is an origin. */
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

/** Converts a stream to that of a `Response`; an abort ends it with an error, as in `fetch` (Fetch §5.6). */
function toStream(
  body: BodyStream | ReadableStream<string | Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const chunks = toChunks(body)
  const end = async (): Promise<void> => void (await chunks.return?.())
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const breakOff = (): void => {
        controller.error(signal.reason)
        // The client is gone, so that an error on closing the source has no reader.
        end().catch(() => undefined)
      }
      if (signal.aborted) breakOff()
      else signal.addEventListener('abort', breakOff)
    },
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value)
    },
    cancel: end,
  })
  // Cloudflare sends the length of such streams alone.
  const { FixedLengthStream } = globalThis as unknown as Partial<Cloudflare>
  const size = 'size' in body ? body.size : undefined
  if (size === undefined || !FixedLengthStream) return stream
  return stream.pipeThrough(new FixedLengthStream(size))
}

/** The globals that the runtime of Cloudflare alone has. */
interface Cloudflare {
  FixedLengthStream: new (size: number) => ReadableWritablePair<Uint8Array, Uint8Array>
}
