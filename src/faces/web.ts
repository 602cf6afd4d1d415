import { largeBody, wrongBody } from '../core/http/body-error.ts'
import {
  type FormField,
  isBytes,
  type MockRequest,
  type MockResponse,
} from '../core/http/messages.ts'

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
  }
}

/** The parts of the absolute URL that a `Request` has; much cheaper than a `URL`. */
export function splitUrl(url: string): { origin: string; path: string; search: string } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#', start)
  const end = hash < 0 ? url.length : hash
  const mark = url.indexOf('?', start)
  const query = mark < 0 || mark > end ? end : mark
  return {
    origin: url.slice(0, start),
    path: url.slice(start, query),
    search: url.slice(query, end),
  }
}

async function readText(request: Request, limit: number): Promise<string> {
  if (request.body === null) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(request, limit))
  } catch (cause) {
    throw cause instanceof TypeError
      ? wrongBody('it is not UTF-8', 'Please check its encoding.', cause)
      : cause
  }
}

async function readForm(request: Request, limit: number): Promise<FormField[]> {
  const bytes = await readBytes(request, limit)
  if (bytes.byteLength === 0) return []
  try {
    // As a response, which has `formData` in every runtime, once the size is known.
    const form = await new Response(bytes, { headers: request.headers }).formData()
    return await Promise.all(Array.from(form, toField))
  } catch (cause) {
    throw wrongBody('it is no form of its type', 'Please check its boundary.', cause)
  }
}

async function toField([name, value]: [string, FormDataEntryValue]): Promise<FormField> {
  if (typeof value === 'string') return [name, value]
  const { name: file, size, type } = value
  let binary = ''
  for (const byte of new Uint8Array(await value.arrayBuffer())) binary += String.fromCharCode(byte)
  return [name, { name: file, type, size, url: `data:${type};base64,${btoa(binary)}` }]
}

async function readBytes(request: Request, limit: number): Promise<ArrayBuffer> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength <= limit) return bytes
  throw largeBody(limit)
}

/** Makes a response of the Fetch standard from a mock's. */
export function toResponse(response: MockResponse): Response {
  return new Response(toBodyInit(response), response)
}

/**
 * The body of a response as the Fetch standard takes it; some statuses have none (Fetch §2.2.3). A
 * stream ends with the signal too, as not every reader's `cancel` comes through to it.
 */
export function toBodyInit(
  { status, body }: MockResponse,
  signal?: AbortSignal,
): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (status === 204 || status === 205 || status === 304) return null
  if (body === null || typeof body === 'string') return body
  if (isBytes(body)) return body as Uint8Array<ArrayBuffer>
  return body instanceof ReadableStream ? body : toStream(body, signal)
}

function toStream(
  body: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  signal?.addEventListener('abort', () => void chunks.return?.(), { once: true })
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
