import type { Scenario, Scenarios } from '../../core/behaviours/scenarios/scenarios.ts'
import { configError } from '../../core/errors/mock-error.ts'
import { suggest } from '../../core/errors/nearest.ts'
import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import { isRecord, type Json } from '../../core/json/json.ts'
import { configChecks } from '../../core/mock/config.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { createWorker, type MockWorker } from './create-worker.ts'
import type { WorkerConfig, WorkerOptions } from './options.ts'

/**
 * Creates the worker of a project, as `mock server` would serve it, from imports of its files.
 * @throws MockError for a name of a behaviour or dialect that is not imported, and for a wrong option
 */
export async function createProjectWorker(
  imports: ProjectImports,
  options: WorkerOptions = {},
): Promise<MockWorker> {
  return createWorker(...(await toWorkerArguments(imports, options)))
}

/** Converts the imports of a project to the arguments of `createWorker`. */
export async function toWorkerArguments(
  { config: module, files, behaviours, dialects }: ProjectImports,
  options: WorkerOptions,
): Promise<[WorkerConfig, WorkerOptions]> {
  const exported = exportOf(module)
  const config = (await (typeof exported === 'function' ? exported() : exported)) as ProjectConfig
  const read = files.map((file) => ({ ...file, data: exportOf(file.data) }))
  const { use = {}, sessionTtl: ttl } = config
  const named = 'sessions' in use && isRecord(use.sessions) ? use.sessions : {}
  const names = [...Object.keys(configChecks), 'corsOrigin'] as (keyof ProjectConfig)[]
  const same = names.filter((name) => config[name] !== undefined)
  return [
    {
      ...Object.fromEntries(same.map((name) => [name, config[name]])),
      fixtures: toFixtures(read.filter(({ scenario }) => scenario === undefined)),
      dialect: toDialect(config.dialect, dialects),
      use: toUse(config, read, behaviours),
    } as WorkerConfig,
    { ...options, sessions: { ...named, ...(ttl !== undefined && { ttl }), ...options.sessions } },
  ]
}

/** The first argument of `createProjectWorker`: what the entry of a worker imports. */
export interface ProjectImports {
  /** The module of the configuration, `mock.config.*`. */
  config: unknown
  files: readonly ProjectFile[]
  /** The module `fixtura/behaviours`, or those of its exports that the project uses. */
  behaviours: Readonly<Record<string, unknown>>
  /** The module `fixtura/dialects`, or those of its exports that the project uses. */
  dialects: Readonly<Record<string, unknown>>
}

/** An imported file of a project. */
export interface ProjectFile {
  /**
   * A database has resources by name, and its own name is a prefix of theirs; `routes` is the file that the
   * option of that name gives. @default 'resource'
   */
  kind?: 'resource' | 'database' | 'schema' | 'routes'
  /** The name of the resource. */
  name: string
  /** The scenario that the file belongs to. */
  scenario?: string
  /** The module, whose default export or named exports are the data. */
  data: unknown
}

/** A configuration file, in which JSON names behaviours and their options. */
type ProjectConfig = Omit<FileConfig, 'use'> & {
  use?: readonly Behaviour[] | Readonly<Record<string, unknown>>
}

/** The value of an imported module: its default export, else its named exports. */
function exportOf(module: unknown): unknown {
  if (!isRecord(module)) return module
  if (!('default' in module)) return { ...module }
  const value = module['default']
  // CommonJS that was compiled from an ES module.
  return isRecord(value) && value['__esModule'] === true ? exportOf(value) : value
}

function toFixtures(files: readonly ProjectFile[]): Record<string, Json> {
  const resources = files.flatMap(({ kind = 'resource', name, data }) => {
    if (kind === 'resource') return [[name, withoutSchema(data)]]
    if (kind !== 'database' || !isRecord(data)) return []
    const keys = Object.keys(data).filter((key) => key !== '$schema' && !/^[._]/.test(key))
    return keys.map((key) => [name + key, data[key]])
  })
  return Object.fromEntries(resources) as Record<string, Json>
}

/** Leaves out the schema of a JSON file, which is for editors. */
function withoutSchema(data: unknown): unknown {
  if (!isRecord(data)) return data
  const { $schema: _, ...rest } = data
  return rest
}

function toDialect(
  dialect: FileConfig['dialect'] = 'rest',
  dialects: ProjectImports['dialects'],
): unknown {
  const find = (name: string): unknown =>
    findExport(
      dialects,
      name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      'fixtura/dialects',
    )
  if (typeof dialect === 'string') return find(dialect)
  // A dialect of a module has other members; the options of `rest` have this key alone.
  if (!('rest' in dialect)) return dialect
  const { preset, ...options } = dialect.rest
  const rest = find('rest') as (options: object) => unknown
  return rest({ ...options, ...(preset !== undefined && { preset: find(preset) }) })
}

/** The behaviours of the configuration and of files, in the order of a server. An option replaces a behaviour. */
function toUse(
  { use = {}, routes, delay, proxy, scenario }: ProjectConfig,
  files: readonly ProjectFile[],
  behaviours: ProjectImports['behaviours'],
): Behaviour[] {
  const create = (name: string, options: unknown): Behaviour => {
    const factory = findExport(behaviours, name, 'fixtura/behaviours') as (
      options?: unknown,
    ) => Behaviour
    return options === true ? factory() : factory(options)
  }
  const rules = files.find(({ kind }) => kind === 'routes')?.data ?? routes
  const first = [
    ...(isRecord(rules) ? [create('rewrite', withoutSchema(rules))] : []),
    ...(delay === undefined ? [] : [create('delay', delay)]),
  ]
  const replaced = ['sessions', ...first.map(({ name }) => name)]
  const configured = Array.isArray(use)
    ? (use as Behaviour[])
    : Object.entries(use)
        .filter(([name, options]) => options !== false && name !== 'sessions')
        .map(([name, options]) => create(name, options))
  const own = configured.filter(({ name }) => !replaced.includes(name))
  const schemas = toSchemas(files)
  const sets = toScenarios(files)
  const extended = own.map((one) => {
    if (!isScenarios(one)) return one
    const copy = one.copy()
    copy.extend(sets, scenario)
    return copy
  })
  const isAdded = Object.keys(sets).length > 0 && !own.some(isScenarios)
  return [
    ...first,
    ...extended.filter(({ name }) => name !== 'proxy'),
    ...(Object.keys(schemas).length > 0 ? [create('schema', schemas)] : []),
    ...(isAdded ? [create('scenarios', { sets, ...(scenario && { active: scenario }) })] : []),
    // A proxy answers the requests that no other behaviour answers.
    ...(proxy === undefined
      ? extended.filter(({ name }) => name === 'proxy')
      : [create('proxy', { to: proxy })]),
  ]
}

function toSchemas(files: readonly ProjectFile[]): Record<string, unknown> {
  const names = Object.keys(toFixtures(files.filter(({ scenario }) => scenario === undefined)))
  const used = files.filter(({ kind, name }) => kind === 'schema' && names.includes(name))
  return Object.fromEntries(used.map(({ name, data }) => [name, data]))
}

function toScenarios(files: readonly ProjectFile[]): Record<string, Scenario> {
  const names = new Set(files.flatMap(({ scenario = [] }) => scenario))
  return Object.fromEntries(
    Array.from(names, (name) => [
      name,
      { fixtures: toFixtures(files.filter(({ scenario }) => scenario === name)) },
    ]),
  )
}

function isScenarios(behaviour: Behaviour): behaviour is Scenarios {
  return behaviour.name === 'scenarios' && 'extend' in behaviour
}

function findExport(
  module: Readonly<Record<string, unknown>>,
  name: string,
  from: string,
): unknown {
  if (Object.hasOwn(module, name)) return module[name]
  const names = Object.keys(module)
  throw configError(
    `Failed to find "${name}" among the imports from "${from}". ${suggest(name, names)}`,
  )
}
