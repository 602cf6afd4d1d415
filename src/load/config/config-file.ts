import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { callAll } from '../../core/errors/check.ts'
import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import type { graphql as graphqlFactory } from '../../core/behaviours/graphql/graphql.ts'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { configError, MockError } from '../../core/errors/mock-error.ts'
import { isRecord } from '../../core/json/json.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { describeUnsupported } from '../../loader/discover/extensions.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { checkFileConfig } from './check-config.ts'
import { fromJsonServer, isJsonServerConfig, JSON_SERVER_CONFIG } from './json-server-config.ts'
import { readDataFile } from './read-data-file.ts'

/** Finds `mock.config.*` or `json-server.json` in a folder, or undefined. @throws MockError when there are several */
export async function findConfigFile(folder: string): Promise<string | undefined> {
  const names = await listFiles(folder)
  const [name, ...others] = configNames.filter((one) => names.includes(one))
  if (name === undefined) {
    return names.includes(JSON_SERVER_CONFIG) ? resolve(folder, JSON_SERVER_CONFIG) : undefined
  }
  if (others.length > 0) {
    throw tooMany([name, ...others], 'Please keep one, or choose one with --config.')
  }
  return resolve(folder, name)
}

/** Reads a configuration file, whose paths start from its folder. @throws MockError with place and code frame */
export async function readConfigFile(path: string, cwd: string): Promise<FileConfig> {
  const full = resolve(cwd, path)
  const label = toLabel(full, cwd)
  const extension = extname(full)
  if (FOREIGN.includes(extension)) {
    throw configError(
      `Failed to read "${label}": ${describeUnsupported(label)}. Please write it as mock.config.json or mock.config.mjs.`,
    )
  }
  const value = await readDataFile(full, cwd)
  try {
    const isForeign = isJsonServerConfig(full)
    const given = isForeign && isRecord(value) ? fromJsonServer(value) : value
    const config = await toConfig(given, dirname(full))
    return { ...config, cwd: resolve(isForeign ? cwd : dirname(full), config.cwd ?? '.') }
  } catch (error) {
    throw configError(`${label}: ${toMessage(error)}`, error)
  }
}

/** Whether a path leads to a configuration file: its name is `mock.config.` with any extension. */
export function isConfigFile(path: string): boolean {
  return /^mock\.config\.\w+$/.test(basename(path))
}

/** The names of all configuration files of a folder. */
export async function listConfigFiles(folder: string): Promise<string[]> {
  const names = await listFiles(folder)
  return configNames.filter((one) => names.includes(one))
}

function listFiles(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => [])
}

/** Creates the error for several configuration files. */
export function tooMany(files: readonly string[], advice = 'Please name one.'): MockError {
  const names = files.join('" and "')
  return configError(
    `Failed to read the configuration: there are several files, "${names}". ${advice}`,
  )
}

/** Converts `use` from JSON (`{ "delay": "200-800" }`) into behaviours, removes `$schema`, and checks all options. */
export async function toConfig(value: unknown, folder = '.'): Promise<FileConfig> {
  // An object of a class is left as it is, for the check.
  const isJson = isRecord(value) && ('$schema' in value || isRecord(value['use']))
  const { $schema: _schema, ...config } = isJson ? value : {}
  if (!isJson || !isRecord(config['use'])) {
    const checked = (isJson ? config : value) as FileConfig
    checkFileConfig(checked)
    return checked
  }
  const { use, ...rest } = config
  const { toBehaviours } = await import('../../core/behaviours/to-behaviours.ts')
  const checkRest = (): Behaviour[] => {
    checkFileConfig(rest)
    return []
  }
  const loaded = use['graphql'] ? await loadGraphql(use['graphql'], folder) : {}
  return { ...rest, use: callAll([() => toBehaviours(use, loaded), checkRest]).flat() }
}

/** Renders the page GraphiQL. @throws MockError 404 with the command that installs its package */
async function renderGraphiql(options: { endpoint: string }): Promise<string> {
  const name = '@graphql-yoga/render-graphiql'
  try {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
    return renderGraphiQL(options)
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    const advice = `Please run \`npm install --save-dev ${name}\`, and reload.`
    throw new MockError(
      `Failed to show GraphiQL: the package "${name}" is not installed. ${advice}`,
      {
        status: 404,
        code: 'NOT_FOUND',
        cause,
      },
    )
  }
}

/**
 * Loads `graphql()`, and the file that its option `schema` names.
 * @throws MockError with the command that installs the package `graphql`
 */
async function loadGraphql(
  options: unknown,
  folder: string,
): Promise<{ graphql: typeof graphqlFactory }> {
  const given = isRecord(options) ? options['schema'] : undefined
  const [file] = (typeof given === 'string' && /^\S+\.(?:gql|graphqls?)$/.exec(given)) || []
  const schema = file && (await readFile(resolve(folder, file), 'utf8').catch(() => ''))
  if (schema === '')
    throw configError(`Failed to read the schema "${file}": there is no such file.`)
  try {
    const { graphql } = await import('../../core/behaviours/graphql/graphql.ts')
    return {
      graphql: (own) => graphql({ graphiql: renderGraphiql, ...own, ...(schema && { schema }) }),
    }
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw configError(
      'Failed to use "graphql": the package "graphql" is not installed. Please run `npm install --save-dev graphql@16`.',
      cause,
    )
  }
}

/** Extensions of configuration files of other tools. */
const FOREIGN = ['.yaml', '.yml', '.toml']

const configNames = [
  '.js',
  '.mjs',
  '.cjs',
  '.json',
  '.jsonc',
  '.json5',
  '.ts',
  '.mts',
  '.cts',
  ...FOREIGN,
].map((extension) => `mock.config${extension}`)
