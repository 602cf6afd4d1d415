import { largeBody, wrongBody } from '../core/http/body-error.ts'
import type { FormField, MockBody, MockRequest, MockResponse } from '../core/http/messages.ts'

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
    form: (limit) => readForm(request, limit),
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
