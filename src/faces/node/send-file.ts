import { type Stats, createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { type HeaderList, type MockRequest, headerOf } from '../../core/http/contract/messages.ts'
import { evaluateConditions } from '../../core/http/response/settle.ts'
import type { StaticFile } from './static-file.ts'

/**
 * Sends a static file or a range of it, unless the conditions of the request decide otherwise (RFC 9110
 * §13.2.2). An error while the file is read aborts the response.
 */
export function sendFile(
  { path, stats }: StaticFile,
  type: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { size } = stats
  const validators = toValidators(stats)
  const common: HeaderList = [...validators, ['Cache-Control', 'no-cache']]
  const end = (status: number, headers: HeaderList): void =>
    void response.writeHead(status, [...common, ...headers].flat()).end()

  const verdict = evaluateConditions(request.headers as MockRequest['headers'], validators, true)
  if (verdict === 'unmodified') return end(304, [])
  if (verdict === 'failed') return end(412, [['Content-Length', '0']])
  const range = rangeOf(request, validators, size)
  if (range === 'unsatisfiable') {
    return end(416, [
      ['Content-Range', `bytes */${size}`],
      ['Content-Length', '0'],
    ])
  }
  const { start, end: last } = range ?? { start: 0, end: size - 1 }
  const length = last - start + 1
  const headers: HeaderList = [
    ['Content-Length', String(length)],
    ['Accept-Ranges', 'bytes'],
  ]
  if (type !== undefined) headers.push(['Content-Type', type])
  if (range) headers.push(['Content-Range', `bytes ${start}-${last}/${size}`])
  if (request.method === 'HEAD' || length === 0) return end(200, headers)
  response.writeHead(range ? 206 : 200, [...common, ...headers].flat())
  // `pipeline` closes the file when the client disconnects, and the connection when the file is unreadable.
  pipeline(createReadStream(path, { start, end: last }), response, () => {})
}

/** The size and the time of a file identify its content, to the precision of the file system. */
function toValidators({ size, mtimeMs, mtime }: Stats): HeaderList {
  return [
    ['ETag', `"${size}-${mtimeMs}"`],
    ['Last-Modified', mtime.toUTCString()],
  ]
}

/** The range of a GET, unless `If-Range` names another version of the file (RFC 9110 §13.1.5). */
function rangeOf(
  { method, headers }: IncomingMessage,
  validators: HeaderList,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const { range, 'if-range': version } = headers
  if (method !== 'GET' || range === undefined) return undefined
  const isCurrent = ['ETag', 'Last-Modified'].some((name) => headerOf(validators, name) === version)
  return version === undefined || isCurrent ? toByteRange(range, size) : undefined
}

/** Parses `Range`; undefined for several ranges, another unit or an invalid one (RFC 9110 §14.2 allows that). */
function toByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  // Without a first position, the number is the length of a suffix.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  if (start >= size) return 'unsatisfiable'
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return { start, end }
}

/** A range of a file: the positions of its first and its last byte. */
interface ByteRange {
  start: number
  end: number
}
