import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MockError } from '../../core/errors/mock-error.ts'
import { decode } from '../../core/url/pattern.ts'
import { splitTarget } from './http/request.ts'

/** Responds with a static file if there is one; calls `otherwise` if not. */
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: () => void,
) => void

/**
 * Serves the files of one or several folders; the first folder that has a file wins.
 * @throws MockError when a folder does not exist
 */
export async function createStatic(folders: string | readonly string[]): Promise<StaticFiles> {
  const all = await Promise.all([folders].flat().map(createStaticFiles))
  return (request, response, otherwise) => {
    const next = all.reduceRight<() => void>(
      (after, files) => () => files(request, response, after),
      otherwise,
    )
    next()
  }
}

/**
 * Serves the current files of a folder, and `index.html` for folders. Follows links, as other file
 * servers do; hides files and folders whose name begins with a dot, except `.well-known`.
 * @throws MockError when there is no such folder
 */
async function createStaticFiles(folder: string): Promise<StaticFiles> {
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
    // sirv decodes with `decodeURI`, which leaves some characters encoded, such as `%40` for `@`. So
    // the path is decoded here, and its percent signs are encoded again.
    const pathname = path.replaceAll('%', '%25')
    Object.assign(request, { _parsedUrl: { raw: url, pathname } })
    if (!isValidRange(request.headers.range)) delete request.headers.range
    // An error while the file is read ends the response, and not the process.
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

/** Whether there is a single byte range with a first position; a server may ignore others (RFC 9110 §14.2). */
function isValidRange(range = ''): boolean {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range) ?? []
  return first !== undefined && (last === '' || Number(first) <= Number(last))
}
