import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'
import { decode } from '../../core/url/pattern.ts'
import { splitTarget } from './http/request.ts'
import { sendFile } from './send-file.ts'
import { findStaticFile, type StaticFile } from './static-file.ts'

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
