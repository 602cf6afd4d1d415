import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { toMessage } from '../../../core/errors/error-details.ts'
import type { Access, Answerer } from '../../../core/http/contract/answerer.ts'
import {
  type BodyStream,
  isStream,
  type MockResponse,
} from '../../../core/http/contract/messages.ts'
import { inBatches } from './batch.ts'
import { chooseCoding, encode, withHeldTag, withPlainTags } from './coding.ts'
import { noteEndless } from './open-streams.ts'
import { refuseRequest } from './refuse.ts'
import { toMockRequest } from './request.ts'

/** Answers one request of `node:http`; `onRead` is called before its body is read. */
export function answer(
  mock: Answerer,
  request: IncomingMessage,
  response: ServerResponse,
  access: Access,
  onRead?: () => void,
): void {
  try {
    const asked = toMockRequest(request, withPlainTags(request.headers), onRead)
    const answered = mock.handle(asked, access)
    if (!(answered instanceof Promise)) return write(answered, request, response)
    answered
      .then((ready) => write(ready, request, response))
      .catch((error: unknown) => giveUp(error, response))
  } catch (error) {
    giveUp(error, response)
  }
}

/** Says what is wrong with an answer that cannot be sent, unless there is nobody left to tell. */
function giveUp(error: unknown, response: ServerResponse): void {
  if (response.headersSent) return void response.destroy()
  refuseRequest(response, 500, `Failed to send the answer: ${toMessage(error)}.`)
}

function write(plain: MockResponse, request: IncomingMessage, response: ServerResponse): void {
  if (plain.status === 0) return void response.destroy()
  const answered = withHeldTag(plain, request.headers['if-none-match'])
  const accepted = request.headers['accept-encoding']
  const coding = chooseCoding(accepted, answered)
  if (coding === undefined) return sendSoon(answered, response)
  encode(answered, coding)
    .then((encoded) => sendSoon(encoded, response))
    .catch((error: unknown) => giveUp(error, response))
}

const sendSoon = inBatches((answer, response) => {
  try {
    send(answer, response)
  } catch (error) {
    giveUp(error, response)
  }
})

function send({ status, headers, body }: MockResponse, response: ServerResponse): void {
  const lines: string[] = []
  for (const [name, value] of headers) lines.push(name, value)
  if (isStream(body)) {
    response.writeHead(status, lines)
    // As fast as the client takes it; whichever breaks off, the other does too.
    pipeline(toReadable(body), response, () => undefined)
    return noteEndless(headers, response)
  }
  if (body === null) {
    if (hasBody(status, response)) lines.push('Content-Length', '0')
    return void response.writeHead(status, lines).end()
  }
  const length = Buffer.byteLength(body)
  lines.push('Content-Length', String(length))
  response.writeHead(status, lines)
  // A text goes out in one piece with the header, and soonest where each character is a byte.
  if (typeof body !== 'string') response.end(body)
  else response.end(body, length === body.length ? 'latin1' : 'utf8')
}

/** A `ReadableStream`, whose name Jest's jsdom lacks, would end only with its next chunk if it were iterated over. */
function toReadable(body: BodyStream): Readable {
  const isOfWeb = 'getReader' in body
  return isOfWeb ? Readable.fromWeb(body as WebStream) : Readable.from(body, { objectMode: false })
}

/** Whether a client looks for a body behind the header (RFC 9112 §6.3). */
function hasBody(status: number, { req }: ServerResponse): boolean {
  return req.method !== 'HEAD' && status !== 204 && status !== 304
}
