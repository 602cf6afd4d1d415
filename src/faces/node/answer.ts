import type { IncomingMessage, ServerResponse } from 'node:http'
import { MockError } from '../../core/errors.ts'
import type { MockBody, MockRequest, MockResponse } from '../../core/http/messages.ts'
import type { Answerer } from '../../core/http/answerer.ts'

/** Answers one request of `node:http`. */
export async function answer(
  mock: Answerer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answered = mock.handle(toMockRequest(request), { origins: 'loopback' })
    const ready = answered instanceof Promise ? await answered : answered
    await write(ready, request, response)
  } catch {
    // The connection broke, or the body was meant to: there is nobody left to tell.
    response.destroy()
  }
}

function toMockRequest(request: IncomingMessage): MockRequest {
  const { method = 'GET', url = '/', headers } = request
  const at = url.indexOf('?')
  return {
    method,
    path: at < 0 ? url : url.slice(0, at),
    search: at < 0 ? '' : url.slice(at),
    origin: `http://${headers.host ?? 'localhost'}`,
    headers: headers as MockRequest['headers'],
    text: (limit) => readText(request, limit),
  }
}

function readText(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) return void chunks.push(chunk)
      request.removeAllListeners('data').resume()
      reject(
        new MockError(`Failed to read the body: it has more than ${limit} bytes.`, { status: 413 }),
      )
    })
    request.once('end', () => resolve(Buffer.concat(chunks).toString()))
    request.once('error', reject)
  })
}

function write(
  { status, headers, body }: MockResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | void {
  if (status === 0) return void request.destroy()
  response.writeHead(status, headers.flat())
  if (body === null) return void response.end()
  if (typeof body === 'string' || body instanceof Uint8Array) return void response.end(body)
  return stream(body, response)
}

async function stream(
  body: Exclude<MockBody, string | Uint8Array | null>,
  response: ServerResponse,
): Promise<void> {
  for await (const chunk of body) {
    if (response.destroyed) break
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end()
}
