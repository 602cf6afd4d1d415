import { isUtf8 } from 'node:buffer'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord } from '../../core/json/json.ts'
import { diagnoseEncoding, diagnoseSyntax } from '../../loader/check/diagnose.ts'
import { type FixtureFile, toLabel } from '../../loader/discover/discover.ts'
import { describeUnsupported } from '../../loader/discover/extensions.ts'
import { formatDiagnostic } from '../../loader/check/format.ts'
import { importModule } from '../../loader/read/import-data.ts'
import { parseText } from '../../loader/text/parse.ts'
import { findPathProblem } from '../../loader/discover/path-problem.ts'
import { toText } from '../../loader/read/read-file.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { checkFileConfig } from './file-config.ts'
import { createTypeScriptLoad, isTypeScript } from './typescript.ts'

/** Whether a path is that of a configuration file: a file named `mock.config.` with any extension. */
export function isConfigFile(path: string): boolean {
  return /^mock\.config\.\w+$/.test(basename(path))
}

/**
 * The configuration file of a folder, or undefined where there is none.
 * @throws MockError when there are several files
 */
export async function findConfigFile(folder: string): Promise<string | undefined> {
  const [name, ...others] = await listConfigFiles(folder)
  if (name === undefined) return undefined
  if (others.length > 0) {
    throw tooMany([name, ...others], 'Please keep one, or choose one with --config.')
  }
  return resolve(folder, name)
}

/** The names of all configuration files of a folder. */
export async function listConfigFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  return EXTENSIONS.map((extension) => `mock.config${extension}`).filter((name) =>
    names.includes(name),
  )
}

/** Creates the error for several configuration files. */
export function tooMany(files: readonly string[], advice = 'Please name one.'): MockError {
  const names = files.join('" and "')
  return toError(`Failed to read the configuration: there are several files, "${names}". ${advice}`)
}

/**
 * Reads a configuration file; its relative paths start from its own folder.
 * @throws MockError with file, line, column and code frame
 */
export async function readConfigFile(path: string, cwd: string): Promise<FileConfig> {
  const full = resolve(cwd, path)
  const label = toLabel(full, cwd)
  const file: FixtureFile = { path: full, label, kind: 'resource', name: '' }
  const bytes = await readFile(full).catch(async (error: unknown) => {
    throw toError(formatDiagnostic(await findPathProblem(full, label, error)), error)
  })
  if (!isUtf8(bytes)) throw toError(formatDiagnostic(diagnoseEncoding(file)))
  const text = toText(bytes)
  const extension = extname(full)
  if (FOREIGN.includes(extension)) {
    throw toError(
      `Failed to read "${label}": ${describeUnsupported(label)}. Please write it as mock.config.json or mock.config.mjs.`,
    )
  }
  const isJson = /^\.json[c5]?$/.test(extension)
  if (isJson && text.trim() === '') {
    throw toError(`Failed to read "${label}": it is empty. Please write {} into it.`)
  }
  const load = isTypeScript(full) ? await createTypeScriptLoad(label) : undefined
  const read = isJson ? parseText(text, extension) : await importModule(full, 'config', load)
  if ('problem' in read) throw toError(formatDiagnostic(diagnoseSyntax(file, text, read)))
  try {
    const config = (await toConfig(read.value)) as FileConfig
    checkFileConfig(config)
    return { ...config, cwd: resolve(dirname(full), config.cwd ?? '.') }
  } catch (error) {
    throw toError(`${label}: ${toMessage(error)}`, error)
  }
}

/**
 * Converts `use` from JSON, such as `{ "use": { "delay": "200-800" } }`, into behaviours, and removes
 * `$schema`, which is for editors.
 */
async function toConfig(value: unknown): Promise<unknown> {
  // An object of a class is left as it is, for the check.
  if (!isRecord(value) || !('$schema' in value || isRecord(value['use']))) return value
  const { $schema: _schema, ...config } = value
  if (!isRecord(config['use'])) return config
  const { toBehaviours } = await import('../../core/behaviours/to-behaviours.ts')
  return { ...config, use: toBehaviours(config['use']) }
}

/** Extensions of configuration files of other tools. */
const FOREIGN = ['.yaml', '.yml', '.toml']

const EXTENSIONS = [
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
]

function toError(message: string, cause?: unknown): MockError {
  return new MockError(message, { code: 'CONFIG_INVALID', cause })
}
