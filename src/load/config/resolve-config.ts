import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { wrongValue } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { exists } from '../../loader/discover/discover.ts'
import { findConfigFile, isConfigFile, readConfigFile, tooMany } from './config-file.ts'
import { isJsonServerConfig, JSON_SERVER_CONFIG } from './json-server-config.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { mergeResources } from '../../core/mock/merge-resources.ts'
import { withSchemas } from '../../core/resources/resolve.ts'
import { isPaths } from '../../faces/node/serve-checks.ts'
import { checkFileConfig } from './check-config.ts'

/** Makes absolute paths; without fixtures, takes `mock.config.*`, `fixtures/`, `db.json` or the files of Supabase. @throws MockError without any */
export async function resolveConfig(
  from: LoadFrom = [],
  folder: string = process.cwd(),
): Promise<ResolvedConfig> {
  const config = await withResources(await toConfig(from, folder))
  const start = resolve(folder, config.cwd ?? '.')
  const hasDocument = config.openapi !== undefined
  const found = config.fixtures === undefined ? await findFixtures(start, hasDocument) : {}
  const { fixtures = found.fixtures ?? [] } = config
  const paths = typeof fixtures === 'string' ? [fixtures] : fixtures
  return {
    ...found,
    ...config,
    cwd: folder,
    fixtures: paths.map((path) => resolve(start, path)),
    ...resolvePaths(config, start),
  }
}

/** Moves the options of resources that have another place to it: ids, relations and schemas, which check fixtures too. */
async function withResources(given: FileConfig): Promise<FileConfig> {
  const config = mergeResources(given)
  const { resources = {}, use = [] } = config
  const entries = Object.entries(resources)
  if (entries.every(([, own]) => own.schema === undefined)) return config
  const { schema } = await import('../../core/behaviours/schema/schema.ts')
  const all = use.some((one) => 'extend' in one) ? use : [schema(), ...use]
  return {
    ...config,
    use: withSchemas(entries, all),
    resources: Object.fromEntries(
      entries.map(([name, { schema: _schema, ...own }]) => [name, own]),
    ),
  }
}

/** The folder of the JSON Schemas that editors read, beside the journals of `--persist`. Git ignores it. */
export const EDITOR_FOLDER = '.fixtura/schemas'

/** The paths of fixtures or of a configuration file (`mock.config.*`), or the configuration itself. */
export type LoadFrom = string | readonly string[] | FileConfig

/** A configuration with the absolute paths of its fixtures. */
export interface ResolvedConfig extends FileConfig {
  fixtures: readonly string[]
  /** The folder that paths in messages start from. */
  cwd: string
}

/**
 * Reads the configuration of a folder: `mock.config.*` over the `json-server.json` of json-server, or the file
 * that the user names. A named file of json-server adds its options to `mock.config.*`, which names the dialect.
 * @throws MockError with place and code frame
 */
export async function readConfig(folder: string, named?: string): Promise<FileConfig> {
  if (named !== undefined && !isJsonServerConfig(named)) return readConfigFile(named, folder)
  const found = await findConfigFile(folder)
  const isOwn = found !== undefined && !isJsonServerConfig(found)
  const own = isOwn ? await readConfigFile(found, folder) : {}
  const path = named ?? join(folder, JSON_SERVER_CONFIG)
  if (named === undefined && !(await exists(path))) return own
  const read = await readConfigFile(path, folder)
  const foreign = { ...read, ...resolvePaths(read, folder) }
  const config = named === undefined ? { ...foreign, ...own } : { ...own, ...foreign }
  return { ...config, cwd: own.cwd ?? folder }
}

type PathOptions = Pick<
  FileConfig,
  'static' | 'cert' | 'key' | 'routes' | 'middlewares' | 'types' | 'openapi'
>

/** Makes the options that are a path absolute. */
export function resolvePaths(config: FileConfig, start: string): PathOptions {
  const names = ['static', 'cert', 'key', 'routes', 'middlewares', 'types', 'openapi'] as const
  const given = names.map((name) => [name, toAbsolute(config[name], start)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as PathOptions
}

/** Makes a path or a list of paths absolute; returns any other value as it is. */
function toAbsolute(value: unknown, start: string): unknown {
  if (Array.isArray(value)) return value.map((one) => toAbsolute(one, start))
  return typeof value === 'string' ? resolve(start, value) : value
}

/** Splits paths into configuration file and fixtures. @throws MockError for an empty path, or several such files */
export function splitPaths(
  paths: readonly string[],
  named?: string,
): { file: string | undefined; rest: string[] } {
  if (!isPaths[0](paths)) throw wrongValue('the paths of the fixtures', paths, isPaths[1])
  const files = [...(named === undefined ? [] : [named]), ...paths.filter(isConfigFile)]
  if (files.length > 1) throw tooMany(files)
  return { file: files[0], rest: paths.filter((path) => !isConfigFile(path)) }
}

async function toConfig(from: LoadFrom, folder: string): Promise<FileConfig> {
  if (typeof from !== 'string' && !isList(from)) {
    checkFileConfig(from)
    return from
  }
  const paths = typeof from === 'string' ? [from] : from
  const { file, rest } = splitPaths(paths)
  const isRead = file !== undefined || paths.length === 0
  const config = isRead ? await readConfig(folder, file) : {}
  return { ...config, ...(await splitDocument(rest, folder)) }
}

/** Splits paths into a document (YAML, or JSON that says so) and fixtures. @throws MockError for several documents */
export async function splitDocument(
  paths: readonly string[],
  folder: string,
): Promise<Pick<FileConfig, 'openapi' | 'fixtures'>> {
  const absolute = paths.map((path) => resolve(folder, path))
  const areDocuments = await Promise.all(absolute.map(isDocument))
  const [openapi, second] = absolute.filter((_, at) => areDocuments[at])
  if (second !== undefined) {
    throw new MockError(
      `Failed to choose an OpenAPI document: there are "${openapi}" and "${second}". Please name one of them.`,
      { code: 'CONFIG_INVALID' },
    )
  }
  const fixtures = absolute.filter((_, at) => !areDocuments[at])
  return { ...(openapi !== undefined && { openapi }), ...(fixtures.length > 0 && { fixtures }) }
}

async function isDocument(path: string): Promise<boolean> {
  if (/\.ya?ml$/i.test(path)) return true
  if (!/\.json$/i.test(path)) return false
  const text = await readFile(path, 'utf8').catch(() => '')
  return /^\s*\{/.test(text) && /"(?:openapi|swagger)"\s*:\s*"[23]\./.test(text.slice(0, 100_000))
}

async function findFixtures(
  folder: string,
  hasDocument: boolean,
): Promise<Pick<FileConfig, 'fixtures' | 'dialect'>> {
  const firstOf = async (names: readonly string[]): Promise<string[]> => {
    for (const name of names) if (await exists(join(folder, name))) return [name]
    return []
  }
  const fixtures = await firstOf(hasDocument ? ['fixtures'] : ['fixtures', 'db.json'])
  if (hasDocument || fixtures.length > 0) return { fixtures }
  const project = [...(await firstOf(['supabase/seed.sql'])), ...(await firstOf(TYPES))]
  if (project.length > 0) return { fixtures: project, dialect: 'supabase' }
  throw new MockError(
    `Failed to find fixtures in "${folder}": there is no mock.config.js, fixtures/ or db.json. Please name a folder or a file, or run \`npx fixtura init\`.`,
    { code: 'FIXTURES_MISSING' },
  )
}

/** The usual places of the types that `supabase gen types` writes. */
const TYPES = [
  ...['supabase', '.', 'src', 'types', 'src/types', 'lib', 'src/lib', 'utils', 'app'].map(
    (folder) => `${folder}/database.types.ts`,
  ),
  ...['types', 'src/types', 'lib', 'src/lib'].map((folder) => `${folder}/supabase.ts`),
]

function isList(from: readonly string[] | FileConfig): from is readonly string[] {
  return Array.isArray(from)
}
