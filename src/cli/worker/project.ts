import { join } from 'node:path'
import { isRecord } from '../../core/json/json.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { findConfigFile, readConfigFile } from '../../load/config/config-file.ts'
import { readDataFile } from '../../load/config/read-data-file.ts'
import { resolveConfig, type ResolvedConfig } from '../../load/config/resolve-config.ts'
import { RECORDED } from '../../load/recorded-answers.ts'
import { throwErrors } from '../../load/throw-errors.ts'
import { exists } from '../../loader/discover/exists.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { type LoadResult, loadFixtures } from '../../loader/load.ts'
import { importExport } from '../../loader/read/import-data.ts'

/** The configuration of a project. */
export interface ProjectConfig {
  config: FileConfig
  /** The file, if it is a module, whose values the worker imports. */
  module?: string
  /** Whether the module exports a function, which returns the configuration. */
  isFunction: boolean
  /** The options of behaviours by name, in a configuration that is data. */
  use: Readonly<Record<string, unknown>>
}

/** The configuration and the fixtures of a project, from which a worker is written. */
export interface WorkerProject extends ProjectConfig {
  folder: string
  config: ResolvedConfig
  files: LoadResult
  /** What of the project no worker can serve, with the reason. */
  omitted: string[]
  /** The absolute paths of fixtures that a bundler cannot import as data. */
  unbundled: ReadonlySet<string>
}

/**
 * Reads the configuration file of a folder.
 * @throws MockError for several files, and for a wrong one with its position
 */
export async function readProjectConfig(folder: string): Promise<ProjectConfig> {
  const file = await findConfigFile(folder)
  if (file === undefined) return { config: {}, isFunction: false, use: {} }
  const config = await readConfigFile(file, folder)
  const exported = await readDataFile(file, folder, importExport)
  if (!isData(file))
    return { config, module: file, isFunction: typeof exported === 'function', use: {} }
  const use = isRecord(exported) && isRecord(exported['use']) ? exported['use'] : {}
  return { config, isFunction: false, use }
}

/** Reads the fixtures of a configuration. @throws MockError with the position of every error */
export async function readProject(folder: string, project: ProjectConfig): Promise<WorkerProject> {
  const config = await resolveConfig(project.config, folder)
  const { id, relations, foreignKeySuffix } = config
  const files = await loadFixtures(config.fixtures, {
    cwd: folder,
    id,
    relations,
    foreignKeySuffix,
  })
  throwErrors(files.diagnostics)
  const paths = [...files.files.keys()]
  const can = await Promise.all(paths.map(isBundled))
  return {
    ...project,
    folder,
    config,
    files,
    omitted: [...(await findRecorded(config, folder)), ...serverOptions(config)],
    unbundled: new Set(paths.filter((_, at) => !can[at])),
  }
}

async function findRecorded({ fixtures }: ResolvedConfig, folder: string): Promise<string[]> {
  const folders = fixtures.map((path) => join(path, RECORDED))
  const found = await Promise.all(folders.map(exists))
  return folders
    .filter((_, at) => found[at])
    .map((path) => `${toLabel(path, folder)} (recorded answers are served by a server alone)`)
}

/** The options of a server that a worker has in another place, or not at all. */
function serverOptions({ middlewares, static: files }: ResolvedConfig): string[] {
  return [
    ...(middlewares === undefined ? [] : ['the option "middlewares" (a worker has no Express)']),
    ...(files === undefined ? [] : ['the option "static" (please set "assets" in wrangler.jsonc)']),
  ]
}

function isData(path: string): boolean {
  return /\.json[c5]?$/i.test(path)
}

/** Whether a bundler can import a file as data: JSON, and a module that exports no function. */
async function isBundled(path: string): Promise<boolean> {
  if (isData(path)) return /\.json$/i.test(path)
  const imported = await importExport(path, 'worker')
  return 'value' in imported && typeof imported.value !== 'function'
}
