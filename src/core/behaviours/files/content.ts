import type { FileBytes } from '../../fixtures/file-folder.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { BodyStream, HeaderList, MockResponse } from '../../http/contract/messages.ts'
import { rangeOf } from '../../http/response/byte-range.ts'
import { withConditions } from '../../http/response/settle.ts'

/** A file with its name, type and bytes. */
export interface NamedFile {
  name: string
  type: string
  bytes: FileBytes
}

/** Serves a file, or a range of it, with validators (RFC 9110 §8.8, §14); its name is that of a download. */
export function serveFile(exchange: Exchange, { name, type, bytes }: NamedFile): MockResponse {
  const { size } = bytes
  const validators: HeaderList = [['ETag', bytes.tag]]
  if (bytes.modified !== undefined) {
    validators.push(['Last-Modified', new Date(bytes.modified).toUTCString()])
  }
  const headers: HeaderList = [
    ...validators,
    ['Cache-Control', 'no-cache'],
    ['Accept-Ranges', 'bytes'],
    ['Content-Type', type],
    ['Content-Disposition', toDisposition('inline', name)],
    ['X-Content-Type-Options', 'nosniff'],
    // A page of another port with `Cross-Origin-Embedder-Policy` shows the file, too.
    ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ]
  // A browser runs no script of such a document, and gives it an origin of its own.
  if (/html|xml|svg/i.test(type)) headers.push(['Content-Security-Policy', 'sandbox'])
  const whole = { status: 200, headers, body: toStream(bytes, 0, size) }
  const settled = exchange.needsBody ? whole : withConditions(exchange.request, whole)
  if (settled.status !== 200) return settled
  const range = rangeOf(exchange, validators, size)
  if (range === undefined) return whole
  if (range === 'unsatisfiable') {
    return { status: 416, headers: [['Content-Range', `bytes */${size}`]], body: '' }
  }
  const { start, end } = range
  const partial: HeaderList = [...headers, ['Content-Range', `bytes ${start}-${end}/${size}`]]
  return { status: 206, headers: partial, body: toStream(bytes, start, end + 1) }
}

function toStream(bytes: FileBytes, start: number, end: number): BodyStream {
  const size = end - start
  return { size, [Symbol.asyncIterator]: () => bytes.read(start, end)[Symbol.asyncIterator]() }
}

/** Writes a `Content-Disposition` that names a file (RFC 6266 §4.3, RFC 8187). */
export function toDisposition(type: 'inline' | 'attachment', name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7E]|["\\%]/g, '_')
  if (ascii === name) return `${type}; filename="${name}"`
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
