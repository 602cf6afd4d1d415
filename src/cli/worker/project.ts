import { join } from 'node:path'
import { isThenable } from '../../core/fixtures/unsupported-value.ts'
import { isRecord } from '../../core/json/json.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { findConfigFile, readConfigFile } from '../../load/config/config-file.ts'
import { readDataFile } from '../../load/config/read-data-file.ts'
import { resolveConfig, type ResolvedConfig } from '../../load/config/resolve-config.ts'
import { RECORDED } from '../../load/recorded-answers.ts'
import { throwErrors } from '../../loader/check/diagnose.ts'
import { exists, toLabel } from '../../loader/discover/discover.ts'
import { type LoadResult, loadFixtures } from '../../loader/load.ts'
import { type DataImport, findDataImport, importAgain, isJsonFile } from './data-import.ts'

/**
 * Reads the configuration file of a folder, from which `mock init --worker` writes a worker.
 * @throws MockError for several files, and for a wrong one with its position
 */
export async function readProjectConfig(folder: string): Promise<ProjectConfig> {
  const file = await findConfigFile(folder)
  if (file === undefined) return { config: {}, use: {} }
  const config = await readConfigFile(file, folder)
  if (!isJsonFile(file)) return { config, use: {}, module: await inspectModule(file) }
  const value = await readDataFile(file, folder)
  return { config, use: isRecord(value) && isRecord(value['use']) ? value['use'] : {} }
}

/**
 * Reads the fixtures of a project whose configuration was read, and finds the parts that a worker cannot
 * serve.
 * @throws MockError with the position of every error
 */
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
  return {
    ...project,
    folder,
    config,
    files,
    omitted: [...(await findRecorded(config, folder)), ...serverOptions(config)],
    dataImports: await findDataImports(files, config),
  }
}

/** The configuration and the fixtures of a project, from which a worker is written. */
export interface WorkerProject extends ProjectConfig {
  folder: string
  config: ResolvedConfig
  files: LoadResult
  /** The parts of the project that no worker can serve, each with the reason. */
  omitted: string[]
  /** The files that a bundler can import as data, by absolute path. */
  dataImports: ReadonlyMap<string, DataImport>
}

/** The configuration of a project, with the module that exports it or its text in JSON. */
export interface ProjectConfig {
  config: FileConfig
  /** The module that exports the configuration, whose values the worker imports; undefined for JSON. */
  module?: ConfigModule
  /** The options of behaviours by name, in a configuration in JSON. */
  use: Readonly<Record<string, unknown>>
}

/** A module that exports a configuration. */
export interface ConfigModule {
  path: string
  /** Whether the module has named exports alone. */
  isNamed: boolean
  /** The exported value: the configuration, a function that returns it, or a promise of it. */
  kind: 'object' | 'function' | 'promise'
}

async function inspectModule(path: string): Promise<ConfigModule> {
  const module = await importAgain(path, 'config')
  if (!('default' in module)) return { path, isNamed: true, kind: 'object' }
  const exported = module['default']
  if (typeof exported === 'function') return { path, isNamed: false, kind: 'function' }
  return { path, isNamed: false, kind: isThenable(exported) ? 'promise' : 'object' }
}

async function findDataImports(
  { files }: LoadResult,
  { routes }: ResolvedConfig,
): Promise<ReadonlyMap<string, DataImport>> {
  const all = [
    ...Array.from(files.values(), ({ path, kind }) => [path, kind] as const),
    ...(typeof routes === 'string' ? [[routes, 'rules'] as const] : []),
  ]
  const found = await Promise.all(
    all.map(async ([path, kind]) => [path, await findDataImport(path, kind)] as const),
  )
  return new Map(found.flatMap(([path, form]) => (form ? [[path, form]] : [])))
}

async function findRecorded({ fixtures }: ResolvedConfig, folder: string): Promise<string[]> {
  const folders = fixtures.map((path) => join(path, RECORDED))
  const found = await Promise.all(folders.map(exists))
  return folders
    .filter((_, at) => found[at])
    .map((path) => `${toLabel(path, folder)} (recorded answers are served by a server alone)`)
}

/** Describes the options of a server that a worker has in another place, or not at all. */
function serverOptions({ middlewares, static: files }: ResolvedConfig): string[] {
  return [
    ...(middlewares === undefined ? [] : ['the option "middlewares" (a worker has no Express)']),
    ...(files === undefined ? [] : ['the option "static" (please set "assets" in wrangler.jsonc)']),
  ]
}
