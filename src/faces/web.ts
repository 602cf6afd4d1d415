import { MockError } from '../core/errors.ts'
import type { MockBody, MockRequest, MockResponse } from '../core/http/messages.ts'

/** Makes a mock's request from one of the Fetch standard. */
export function toMockRequest(request: Request): MockRequest {
  const { origin, pathname, search, host } = new URL(request.url)
  const headers: Record<string, string> = { host }
  request.headers.forEach((value, name) => {
    headers[name] = value
  })
  return {
    method: request.method,
    path: pathname,
    search,
    origin,
    headers,
    text: (limit) => readText(request, limit),
  }
}

async function readText(request: Request, limit: number): Promise<string> {
  if (request.body === null) return ''
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength <= limit) return new TextDecoder().decode(bytes)
  throw new MockError(`Failed to read the body: it has more than ${limit} bytes.`, { status: 413 })
}

/** Makes a response of the Fetch standard from a mock's. */
export function toResponse({ status, headers, body }: MockResponse): Response {
  return new Response(toBodyInit(body), { status, headers })
}

/** The body as the Fetch standard takes it. */
export function toBodyInit(
  body: MockBody,
): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (body === null || typeof body === 'string') return body
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : toStream(body)
}

function toStream(body: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
