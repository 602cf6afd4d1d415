import { type Stats, createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { HeaderList, MockRequest } from '../../core/http/contract/messages.ts'
import { rangeOf } from '../../core/http/response/byte-range.ts'
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

  const headers = request.headers as MockRequest['headers']
  const verdict = evaluateConditions(headers, validators, true)
  if (verdict === 'unmodified') return end(304, [])
  if (verdict === 'failed') return end(412, [['Content-Length', '0']])
  const { method = 'GET' } = request
  const range = rangeOf({ method, headers }, validators, size)
  if (range === 'unsatisfiable') {
    return end(416, [
      ['Content-Range', `bytes */${size}`],
      ['Content-Length', '0'],
    ])
  }
  const { start, end: last } = range ?? { start: 0, end: size - 1 }
  const length = last - start + 1
  const lines: HeaderList = [
    ['Content-Length', String(length)],
    ['Accept-Ranges', 'bytes'],
  ]
  if (type !== undefined) lines.push(['Content-Type', type])
  if (range) lines.push(['Content-Range', `bytes ${start}-${last}/${size}`])
  if (method === 'HEAD' || length === 0) return end(200, lines)
  response.writeHead(range ? 206 : 200, [...common, ...lines].flat())
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
