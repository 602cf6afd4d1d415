import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyTooLarge, invalidBody } from '../../../core/http/resource/body.ts'
import type { MockRequest } from '../../../core/http/contract/messages.ts'
import { decodeText } from '../../web/body.ts'
import { parseMultipart } from '../../web/multipart.ts'
import { readParts } from './form-parts.ts'
import type { OriginOf } from './origin.ts'
import { clearTimeout, setTimeout } from 'node:timers'

/** Converts a request of `node:http` to a `MockRequest`; `read` reads its body, up to a limit in bytes. */
export function toMockRequest(
  request: IncomingMessage,
  headers: MockRequest['headers'],
  originOf: OriginOf,
  read: (limit: number) => Promise<Buffer> = (limit) => readBytes(request, limit),
  onAbort?: MockRequest['onAbort'],
): MockRequest {
  const { method = 'GET', url = '/', httpVersion } = request
  const { path, search } = splitTarget(url)
  const host = hostOf(request)
  return {
    method,
    path,
    search,
    origin: originOf(request, host),
    httpVersion: httpVersion === '1.1' ? undefined : httpVersion,
    headers: host === (headers['host'] ?? '') ? headers : { ...headers, host },
    text: (limit) => read(limit).then(decodeText),
    bytes: read,
    form: (limit) =>
      read(limit).then((bytes) => parseMultipart(bytes, headers['content-type'] ?? '')),
    onAbort,
  }
}

/** Splits a request target, in any of its forms, into path and query. */
export function splitTarget(url: string): Pick<MockRequest, 'path' | 'search'> {
  const target = url.startsWith('/') ? url : withoutAuthority(url)
  const queryStart = target.indexOf('?')
  if (queryStart < 0) return { path: escape(target), search: '' }
  return {
    path: escape(target.slice(0, queryStart)),
    search: escape(target.slice(queryStart)),
  }
}

/** The host of an absolute target (RFC 9112 §3.2.2), of `Host`, or of `:authority` (RFC 9113 §8.3.1). */
export function hostOf({ url = '/', headers }: IncomingMessage): string {
  const inTarget = url.startsWith('/') ? undefined : absolute.exec(url)?.[1]
  return inTarget ?? headers.host ?? String(headers[':authority'] ?? '')
}

/** The path and query of a target in absolute form, as sent to proxies (RFC 9112 §3.2.2), or of `*`. */
function withoutAuthority(target: string): string {
  const rest = absolute.exec(target)?.[2] ?? target
  return rest.startsWith('/') ? rest : `/${rest}`
}

const absolute = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)(.*)$/i

/** Percent-encodes bytes that a URL may not contain (URL §4.4), as the other faces do. */
function escape(text: string): string {
  // Most targets stay as they are, which `test` finds in half the time of `replaceAll`.
  if (!forbiddenByte.test(text)) return text
  return text.replaceAll(new RegExp(forbiddenByte, 'g'), (char) => {
    return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

const forbiddenByte = /[^!$%&'()*+,\-./\w:;=?@[\]^`{|}~]/

/**
 * Reads the body of a request. Calls `onRead` before it reads, for a client that waits for 100 Continue
 * (RFC 9110 §10.1.1).
 * @throws MockError 413 when the body has more bytes than `limit`, 400 when the connection breaks off
 */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  onRead?: () => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const refuse = (): void => {
      // Discards the rest, because some clients read the response only after they have sent everything.
      request.removeAllListeners('data').resume()
      reject(bodyTooLarge(limit))
    }
    if (Number(request.headers['content-length'] ?? 0) > limit) return refuse()
    if (request.destroyed) return reject(connectionLost())
    onRead?.()
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) refuse()
      else chunks.push(chunk)
    })
    request.on('end', () => {
      const [whole] = chunks
      resolve(whole && chunks.length === 1 ? whole : Buffer.concat(chunks))
    })
    request.on('error', (cause) => reject(connectionLost(cause)))
    // Some runtimes emit only `close`. The check avoids an error object for every body, which would cost
    // a tenth of its time.
    request.on('close', () => request.readableEnded || reject(connectionLost()))
  })
}

/** The readers of a body that do not hold it. Not for a request whose body a middleware may have read. */
export function toStreams(
  request: IncomingMessage,
  onRead?: () => void,
): Pick<MockRequest, 'stream' | 'parts'> {
  const { 'content-type': type = '' } = request.headers
  return {
    stream: (limit) => readChunks(request, limit, onRead),
    parts: (isStreamed, limit) =>
      readParts(readChunks(request, Infinity, onRead), type, isStreamed, limit),
  }
}

/** Reads the body of a request chunk by chunk, as the client of the iteration asks for it; errors as of `readBytes`. */
async function* readChunks(
  request: IncomingMessage,
  limit: number,
  onRead?: () => void,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit)
  onRead?.()
  let length = 0
  try {
    // The connection has to outlive an iteration that ends early, as it sends the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length
      if (length > limit) break
      yield chunk as Buffer
    }
  } catch (cause) {
    throw connectionLost(cause)
  } finally {
    // Discards the rest, because some clients read the response only after they have sent everything.
    request.resume()
  }
  if (length > limit) throw bodyTooLarge(limit)
  if (!request.complete) throw connectionLost()
}

function connectionLost(cause?: unknown): Error {
  return invalidBody('the connection broke off', 'Please send it again.', cause)
}

// Imported, because fake timers replace the globals and Jest's jsdom removes them.

/**
 * Creates the `onAbort` of a request, by which the mock notices that the client has gone. The client aborts
 * the request by closing the connection, or the stream of HTTP/2, before the response is complete. A client
 * that has gone looks like a client that has only ended its side and waits, as netcat does, until the server
 * writes twice: the first write makes the other machine reset the connection, and the second write fails. So
 * the probes are interim responses (RFC 9110 §15.2).
 */
export function toOnAbort(response: ServerResponse): MockRequest['onAbort'] {
  return (listener) => {
    const { socket, httpVersion } = response.req
    let timer: NodeJS.Timeout | undefined
    const probeAfter = (milliseconds: number): void => {
      timer = setTimeout(() => {
        response.writeProcessing()
        probeAfter(2 * milliseconds)
      }, milliseconds).unref()
    }
    const probe = (): void => probeAfter(PROBE_AFTER_MS)
    const stop = (): void => {
      clearTimeout(timer)
      response.off('close', end)
      socket.off('end', probe)
    }
    // A connection outlives its responses.
    const end = (): void => {
      stop()
      listener()
    }
    if (response.destroyed) listener()
    response.once('close', end)
    // Of pipelined requests, only the first that is not answered yet has the socket.
    const canProbe = httpVersion === '1.1' && response.socket !== null
    if (canProbe && socket.readableEnded) probe()
    else if (canProbe) socket.once('end', probe)
    return stop
  }
}

/** After how many milliseconds the server probes whether a client that has ended its side is still there. */
const PROBE_AFTER_MS = 50
