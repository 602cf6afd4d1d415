import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { findUnsupported } from '../../core/fixtures/unsupported-value.ts'
import { isRecord } from '../../core/json/json.ts'
import { createTypeScriptLoad, isTypeScript } from '../../load/config/read-data-file.ts'
import { isIgnoredKey } from '../../loader/check/shape.ts'
import type { FixtureFile } from '../../loader/discover/discover.ts'
import { toText } from '../../loader/read/read-file.ts'

/**
 * Finds out how the entry of a worker imports a file that a server can load. Returns undefined for a file
 * that a bundler cannot import as data: JSON5, a module that exports a function, and a module that exports a
 * promise.
 */
export async function findDataImport(
  path: string,
  kind: FixtureFile['kind'] | 'rules',
): Promise<DataImport | undefined> {
  const isJson = path.endsWith('.json')
  if (isJsonFile(path) && !isJson) return undefined
  const module = isJson ? { default: await parseFile(path) } : await importAgain(path, 'worker')
  const isNamed = !('default' in module)
  const value = isNamed ? { ...module } : module['default']
  if (!isJson && findUnsupported(value)) return undefined
  const keys = isRecord(value) && kind !== 'schema' ? Object.keys(value) : []
  return { isNamed, ignored: keys.filter(kind === 'database' ? isHidden : isSchemaKey) }
}

/** The import of a file with data in the entry of a worker. */
export interface DataImport {
  /** Whether the file is a module with named exports alone. */
  isNamed: boolean
  /** The keys that a server ignores and `createMock` does not: `$schema`, and `_notes` in a database. */
  ignored: readonly string[]
}

/** Whether a file is JSON or JSON5 by its extension, and no module. */
export function isJsonFile(path: string): boolean {
  return /\.json[c5]?$/i.test(path)
}

/**
 * Imports a module that was imported without an error before; the same `version` does not run the module again. Returns
 * the exports that a bundler sees: of CommonJS that was compiled from an ES module, the exports of the ES module.
 */
export async function importAgain(path: string, version: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(path)
  url.searchParams.set('v', version)
  const load = isTypeScript(path)
    ? await createTypeScriptLoad(path)
    : (given: URL) => import(given.href) as Promise<unknown>
  const module = (await load(url)) as Record<string, unknown>
  const exported = module['default']
  return isRecord(exported) && exported['__esModule'] === true ? exported : module
}

async function parseFile(path: string): Promise<unknown> {
  return JSON.parse(toText(await readFile(path)))
}

/** Whether a key of a database is no resource. `createMock` ignores `$schema` itself. */
function isHidden(key: string): boolean {
  return isIgnoredKey(key) && !isSchemaKey(key)
}

function isSchemaKey(key: string): boolean {
  return key === '$schema'
}
