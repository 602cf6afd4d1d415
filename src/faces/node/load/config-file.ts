import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, relative, resolve } from 'node:path'
import { toMessage } from '../../../core/caught.ts'
import { MockError } from '../../../core/errors.ts'
import { isRecord } from '../../../core/json.ts'
import { diagnoseSyntax } from '../../../loader/diagnose.ts'
import type { FixtureFile } from '../../../loader/discover.ts'
import { formatDiagnostic } from '../../../loader/format.ts'
import { importModule } from '../../../loader/import-data.ts'
import { parseText } from '../../../loader/parse.ts'
import { findProblem } from '../../../loader/path-problem.ts'
import { toText } from '../../../loader/read-file.ts'
import type { FileConfig } from '../../../core/file-config.ts'
import { checkFileConfig } from './file-config.ts'

/** Whether a path names a configuration file. */
export function isConfigFile(path: string): boolean {
  return /^mock\.config\.\w+$/.test(basename(path))
}

/**
 * The configuration file of a folder, or undefined where there is none.
 * @throws MockError when there is one of a kind that is not read
 */
export async function findConfigFile(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((): string[] => [])
  const known = EXTENSIONS.map((extension) => `mock.config${extension}`)
  const name = known.find((name) => names.includes(name))
  if (name !== undefined) return resolve(folder, name)
  const other = names.find((name) => name === 'mock.config.ts' || name === 'mock.config.mts')
  if (other === undefined) return undefined
  if ('typescript' in process.features && process.features.typescript) return resolve(folder, other)
  throw new MockError(
    `Failed to read "${other}": Node ${process.version} does not read TypeScript. Please rename it to mock.config.mjs and take out its types.`,
    { code: 'CONFIG_INVALID' },
  )
}

/**
 * Reads a configuration file; its relative paths start from its own folder.
 * @throws MockError with file, line, column and code frame
 */
export async function readConfigFile(path: string, cwd: string): Promise<FileConfig> {
  const full = resolve(cwd, path)
  const label = relative(cwd, full).startsWith('..') ? full : relative(cwd, full)
  const file: FixtureFile = { path: full, label, kind: 'resource', name: '' }
  const text = await readFile(full).then(toText, async (error: unknown) => {
    throw toError(formatDiagnostic(await findProblem(full, label, error)), error)
  })
  const extension = extname(full)
  const isJson = /^\.json[c5]?$/.test(extension)
  if (isJson && text.trim() === '') {
    throw toError(`Failed to read "${label}": it is empty. Please write {} into it.`)
  }
  const read = isJson ? parseText(text, extension) : await importModule(full, 'config')
  if ('problem' in read) throw toError(formatDiagnostic(diagnoseSyntax(file, text, read)))
  try {
    const config = (await withBehaviours(read.value)) as FileConfig
    checkFileConfig(config)
    return { ...config, cwd: resolve(dirname(full), config.cwd ?? '.') }
  } catch (error) {
    throw toError(`${label}: ${toMessage(error)}`, error)
  }
}

/** Makes the behaviours that JSON can only name: `{ "use": { "delay": "200-800" } }`. */
async function withBehaviours(config: unknown): Promise<unknown> {
  if (!isRecord(config) || !isRecord(config['use'])) return config
  const { toBehaviours } = await import('../../../core/behaviours/to-behaviours.ts')
  return { ...config, use: toBehaviours(config['use']) }
}

const EXTENSIONS = ['.js', '.mjs', '.cjs', '.json', '.jsonc', '.json5']

function toError(message: string, cause?: unknown): MockError {
  return new MockError(message, { code: 'CONFIG_INVALID', cause })
}
