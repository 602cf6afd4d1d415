import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MockError } from '../../core/errors/mock-error.ts'
import { decode } from '../../core/url/pattern.ts'
import { splitTarget } from './http/request.ts'

/** Answers a request with a file where there is one, else lets somebody else. */
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: () => void,
) => void

/**
 * Serves the files of a folder as they are now, `index.html` for folders. Links are followed, as by
 * other servers of files; what has a dot in front of its name or its folder's is not there.
 * @throws MockError when there is no such folder
 */
export async function createStaticFiles(folder: string): Promise<StaticFiles> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isFolder) {
    throw new MockError(
      `Failed to serve files from "${folder}": there is no such folder. Please check --static.`,
      { code: 'STATIC_MISSING' },
    )
  }
  const { default: sirv } = await import('sirv')
  const files = sirv(folder, { dev: true, etag: true })
  return (request, response, otherwise) => {
    const { method, url = '/' } = request
    const path = decode(splitTarget(url).path)
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || isHidden(path)) return otherwise()
    // Left to itself, it takes some signs as they are written: `%40` in the place of an at sign.
    const pathname = path.replaceAll('%', '%25')
    Object.assign(request, { _parsedUrl: { raw: url, pathname } })
    if (!isSoundRange(request.headers.range)) delete request.headers.range
    // A file that vanishes or may not be read breaks its own answer off, not the server.
    response.once('pipe', (file: NodeJS.ReadableStream & { destroy(): void }) => {
      file.once('error', () => response.destroy())
      response.once('close', () => file.destroy())
    })
    files(request, response, otherwise)
  }
}

function isHidden(path: string): boolean {
  return path.split(/[/\\]/).some((segment) => segment.startsWith('.') && segment !== '.well-known')
}

/** One range from a first byte on (RFC 9110 §14.2); of others a server may think nothing. */
function isSoundRange(range = ''): boolean {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range) ?? []
  return first !== undefined && (last === '' || Number(first) <= Number(last))
}
