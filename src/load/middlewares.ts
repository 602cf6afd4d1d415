import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { configError } from '../core/errors/mock-error.ts'
import { isRecord } from '../core/json/json.ts'
import type { Middleware, MiddlewareFile } from '../core/mock/serve-options.ts'
import { toLabel } from '../loader/discover/discover.ts'
import { importExport } from '../loader/read/import-data.ts'
import { readDataFile } from './config/read-data-file.ts'

/** Loads functions, and modules that export one or several. @throws MockError for a file that exports something else */
export async function loadMiddlewares(
  list: string | readonly (string | Middleware)[],
  cwd: string,
): Promise<(Middleware | MiddlewareFile)[]> {
  const loaded: (Middleware | MiddlewareFile)[] = []
  // One after the other, so that the error always names the first wrong file.
  for (const one of typeof list === 'string' ? [list] : list) {
    loaded.push(typeof one === 'function' ? one : await loadFile(resolve(cwd, one), cwd))
  }
  return loaded
}

async function loadFile(path: string, cwd: string): Promise<MiddlewareFile> {
  const file = toLabel(path, cwd)
  const exported = await readDataFile(toModule(path), cwd, importExport)
  // A CommonJS module that was compiled from an ES module has its default export in `default`.
  const value = isRecord(exported) && 'default' in exported ? exported['default'] : exported
  const handlers = [value].flat(Infinity)
  if (handlers.length > 0 && handlers.every((one) => typeof one === 'function')) {
    return { file, handlers: handlers as Middleware[] }
  }
  throw configError(
    `Failed to load the middleware "${file}": it exports no function. Please export a function (request, response, next), or an array of functions.`,
  )
}

/** The file of a module that is named as `require` takes it: without its extension, or by its folder. */
function toModule(path: string): string {
  try {
    return createRequire(join(path, '_')).resolve(path)
  } catch {
    return path
  }
}
