import type { IncomingMessage } from 'node:http'
import { largeBody, wrongBody } from '../../../core/http/resource/body-error.ts'
import type { MockRequest } from '../../../core/http/contract/messages.ts'
import { parseMultipart } from '../../web/multipart.ts'

/**
 * Makes a mock's request from one of `node:http`; `onRead` is called before the body is read, for a
 * client that waits until it may send it (RFC 9110 §10.1.1).
 */
export function toMockRequest(
  request: IncomingMessage,
  headers: MockRequest['headers'],
  onRead?: () => void,
): MockRequest {
  const { method = 'GET', url = '/' } = request
  const { path, search } = splitTarget(url)
  const host = hostOf(request)
  const isSecure = 'encrypted' in request.socket
  const read = (limit: number): Promise<Buffer> => readBytes(request, limit, onRead)
  return {
    method,
    path,
    search,
    origin: `${isSecure ? 'https' : 'http'}://${host || 'localhost'}`,
    headers: host === (headers['host'] ?? '') ? headers : { ...headers, host },
    text: (limit) => read(limit).then(decode),
    bytes: read,
    form: (limit) =>
      read(limit).then((bytes) => parseMultipart(bytes, headers['content-type'] ?? '')),
  }
}

/** The path and the query of a request's target, whatever its form. */
export function splitTarget(url: string): Pick<MockRequest, 'path' | 'search'> {
  const target = url.startsWith('/') ? url : withoutAuthority(url)
  const at = target.indexOf('?')
  if (at < 0) return { path: escape(target), search: '' }
  return { path: escape(target.slice(0, at)), search: escape(target.slice(at)) }
}

/**
 * The host that a request is for: beside a target that names one the header does not count (RFC 9112
 * §3.2.2), and HTTP/2, which Vite speaks, has another in its place (RFC 9113 §8.3.1).
 */
export function hostOf({ url = '/', headers }: IncomingMessage): string {
  const named = url.startsWith('/') ? undefined : absolute.exec(url)?.[1]
  return named ?? headers.host ?? String(headers[':authority'] ?? '')
}

/** The path of a target in absolute form, as a proxy is asked (RFC 9112 §3.2.2), or of `*`. */
function withoutAuthority(target: string): string {
  const rest = absolute.exec(target)?.[2] ?? target
  return rest.startsWith('/') ? rest : `/${rest}`
}

const absolute = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/i

/** Bytes that have no place in a URL, as every other face has escaped them (URL §4.4). */
function escape(text: string): string {
  if (!/[^!$%&'()*+,\-./\w:;=?@[\]^`{|}~]/.test(text)) return text
  return text.replaceAll(/[^!$%&'()*+,\-./\w:;=?@[\]^`{|}~]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

function readBytes(
  request: IncomingMessage,
  limit: number,
  onRead: (() => void) | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const refuse = (): void => {
      // The rest is thrown away, so that the client has sent everything when it reads the answer.
      request.removeAllListeners('data').resume()
      reject(largeBody(limit))
    }
    if (Number(request.headers['content-length'] ?? 0) > limit) return refuse()
    if (request.destroyed) return reject(brokenOff())
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
    request.on('error', (cause) => reject(brokenOff(cause)))
    // Not every runtime tells of an error, too. To make one for every body would cost a tenth of it.
    request.on('close', () => request.readableEnded || reject(brokenOff()))
  })
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw wrongBody('it is not UTF-8', 'Please check its encoding.', cause)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function brokenOff(cause?: unknown): Error {
  return wrongBody('the connection broke off', 'Please send it again.', cause)
}
