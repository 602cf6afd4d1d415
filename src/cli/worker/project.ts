import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findUnsupported } from '../../core/fixtures/unsupported-value.ts'
import { isRecord } from '../../core/json/json.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { findConfigFile, readConfigFile } from '../../load/config/config-file.ts'
import { resolveConfig, type ResolvedConfig } from '../../load/config/resolve-config.ts'
import { createTypeScriptLoad, isTypeScript } from '../../load/config/read-data-file.ts'
import { RECORDED } from '../../load/recorded-answers.ts'
import { throwErrors } from '../../loader/check/diagnose.ts'
import { exists, toLabel } from '../../loader/discover/discover.ts'
import { loadFixtures } from '../../loader/load.ts'
import type { LoadedFile } from '../../loader/read/read-file.ts'

/** Reads the configuration of a folder for `mock init --worker`. @throws MockError for several, or a wrong one */
export async function readProjectConfig(folder: string): Promise<FileConfig> {
  const file = await findConfigFile(folder)
  return file === undefined ? {} : readConfigFile(file, folder)
}

/** Reads the fixtures and finds what a worker cannot serve. @throws MockError with the position of every error */
export async function readProject(folder: string, given: FileConfig): Promise<WorkerProject> {
  const config = await resolveConfig(given, folder)
  const { id, relations, foreignKeySuffix, routes } = config
  const { files, diagnostics } = await loadFixtures(config.fixtures, {
    cwd: folder,
    id,
    relations,
    foreignKeySuffix,
  })
  throwErrors(diagnostics)
  const imported: ImportedFile[] = []
  const omitted = [...(await findRecorded(config, folder)), ...findServerOptions(config)]
  const rules = typeof routes === 'string' ? [{ path: routes, kind: 'routes', name: '' }] : []
  for (const file of [...files.values(), ...(rules as ImportedFile[])]) {
    if (await isImportable(file.path)) imported.push(file)
    else {
      const label = toLabel(file.path, folder)
      omitted.push(`${label} (a worker imports .json, and modules that export data)`)
    }
  }
  if (config.use?.some(({ name }) => name === 'sessions') && !(await isConfigJson(folder))) {
    omitted.push('the options of sessions() (please copy them to "sessions" of the worker)')
  }
  return { folder, files: imported, omitted }
}

/** The parts of a project from which the entry of a worker is written. */
export interface WorkerProject {
  folder: string
  files: readonly ImportedFile[]
  /** The parts of the project that no worker can serve, each with the reason. */
  omitted: readonly string[]
}

/** A file that the entry of a worker imports; `routes` is the file of the option of that name. */
export type ImportedFile = Pick<LoadedFile, 'path' | 'name' | 'scenario'> & {
  kind: LoadedFile['kind'] | 'routes'
}

/** Whether a bundler can import a file as data: not JSON5, nor a module that exports a function or a promise. */
async function isImportable(path: string): Promise<boolean> {
  if (isJsonFile(path)) return path.endsWith('.json')
  const url = pathToFileURL(path)
  // Node caches modules by URL: the query imports a file anew which the configuration may have imported.
  url.searchParams.set('v', 'worker')
  const load = isTypeScript(path)
    ? await createTypeScriptLoad(path)
    : (module: URL) => import(module.href) as Promise<unknown>
  const module = (await load(url)) as Record<string, unknown>
  const exported = module['default']
  const isCompiled = isRecord(exported) && exported['__esModule'] === true
  const { default: value, ...named } = isCompiled ? exported : module
  return findUnsupported(value ?? named) === undefined
}

/** Whether a file is JSON or JSON5 by its extension, and no module. */
export function isJsonFile(path: string): boolean {
  return /\.json[c5]?$/i.test(path)
}

/** Whether the configuration is a JSON file, in which a worker can read the options of behaviours. */
async function isConfigJson(folder: string): Promise<boolean> {
  return isJsonFile((await findConfigFile(folder)) ?? '')
}

/** Finds the folders of recorded answers, which a worker does not serve. */
async function findRecorded({ fixtures }: ResolvedConfig, folder: string): Promise<string[]> {
  const folders = fixtures.map((path) => join(path, RECORDED))
  const found = await Promise.all(folders.map(exists))
  return folders
    .filter((_, at) => found[at])
    .map((path) => `${toLabel(path, folder)} (recorded answers are served by a server alone)`)
}

/** Finds the options of the configuration that only a server has, and describes why a worker lacks each. */
function findServerOptions({ middlewares, static: folders }: ResolvedConfig): string[] {
  return [
    ...(middlewares === undefined ? [] : ['the option "middlewares" (a worker has no Express)']),
    ...(folders === undefined
      ? []
      : ['the option "static" (please set "assets" in wrangler.jsonc)']),
  ]
}
