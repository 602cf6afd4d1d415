import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve, isAbsolute, join, relative, sep } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'
import { decode } from '../../core/url/pattern.ts'
import { splitTarget } from './http/request.ts'
import { type Stats, createReadStream, realpathSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import type { HeaderList, MockRequest } from '../../core/http/contract/messages.ts'
import { rangeOf } from '../../core/http/response/byte-range.ts'
import { evaluateConditions } from '../../core/http/response/settle.ts'

/**
 * Serves files of folders as they are at the request, and `index.html` for folders; the first folder with the
 * file wins. Hides names with a dot, except `.well-known`. Links may lead out of a folder only if
 * `followsLinks` is set.
 * @throws MockError when a folder does not exist
 */
export async function createStatic(
  folders: string | readonly string[],
  followsLinks = false,
): Promise<StaticFiles> {
  const roots = await Promise.all([folders].flat().map(toRoot))
  const { lookup } = await import('mrmime')

  function find({ method, url = '/' }: IncomingMessage): StaticFile | undefined {
    const path = decode(splitTarget(url).path)
    if ((method !== 'GET' && method !== 'HEAD') || isHidden(path)) return undefined
    for (const root of roots) {
      const file = findStaticFile(root, path, followsLinks)
      if (file) return file
    }
    return undefined
  }

  return (request, response, otherwise) => {
    const file = find(request)
    if (!file) return otherwise()
    const type = lookup(file.path)
    const isText = type?.startsWith('text/')
    sendFile(file, isText ? `${type};charset=utf-8` : type, request, response)
  }
}

/** Responds with a static file if there is one; calls `otherwise` if not. */
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: () => void,
) => void

/** The absolute path of a folder. @throws MockError when there is no such folder */
async function toRoot(folder: string): Promise<string> {
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (isFolder) return resolve(folder)
  throw new MockError(
    `Failed to serve files from "${folder}": there is no such folder. Please check --static.`,
    { code: 'STATIC_MISSING' },
  )
}

function isHidden(path: string): boolean {
  return path.split(/[/\\]/).some((segment) => segment.startsWith('.') && segment !== '.well-known')
}

/**
 * Sends a static file or a range of it, unless the conditions of the request decide otherwise (RFC 9110
 * §13.2.2). An error while the file is read aborts the response.
 */
function sendFile(
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

/**
 * Finds the file in a static folder that a decoded URL path names: the file itself, `index.html` of a folder,
 * or the file with the extension `.html`. With `followsLinks`, a symbolic link may lead out of the folder.
 */
function findStaticFile(
  folder: string,
  path: string,
  followsLinks: boolean,
): StaticFile | undefined {
  const base = path.replace(/\/$/, '')
  for (const extension of ['', '.html', '.htm']) {
    for (const name of [base + extension, `${base}/index${extension}`]) {
      // The path of the folder itself is empty, which names no file.
      if (name === extension) continue
      const file = join(folder, name)
      const stats = orUndefined(() => statSync(file))
      if (!stats?.isFile() || !isInside(file, folder)) continue
      if (followsLinks || orUndefined(() => isInside(realpathSync(file), realpathSync(folder)))) {
        return { path: file, stats }
      }
    }
  }
  return undefined
}

/** A file in a static folder. */
interface StaticFile {
  path: string
  stats: Stats
}

/** Returns undefined for a path that names no file, or that cannot be the path of a file. */
function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file)
  return path.split(sep, 1)[0] !== '..' && !isAbsolute(path)
}
