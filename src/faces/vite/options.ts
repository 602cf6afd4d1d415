import { isAbsolute, join } from 'node:path'
import {
  type Check,
  checkOptions,
  isEither,
  isFalse,
  isFlag,
  isListOf,
  isName,
  isObject,
  isOneOf,
  isText,
} from '../../core/errors/check.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { checkFileConfig } from '../../load/config/check-config.ts'

/** Checks the plugin's options and adds defaults. @throws MockError for an unknown name or a wrong value */
export function resolveOptions(options: FixturaOptions): ResolvedOptions {
  checkOptions('the options of fixtura', options, checks)
  const { mode = 'page', config = {}, production = false, types } = options
  checkFileConfig(config)
  const isFromConfig = options.fixtures === undefined && config.fixtures !== undefined
  const { fixtures = config.fixtures ?? 'fixtures', base = config.base } = options
  return {
    paths: [fixtures].flat().map((path) => (isFromConfig ? inFolder(config.cwd, path) : path)),
    mode,
    config: { ...config, ...(base !== undefined && { base }) },
    production,
    types,
  }
}

/** The options of the Vite plugin `fixtura`. */
export interface FixturaOptions {
  /** A folder or a file, or several, relative to Vite's root. @default the configuration's, otherwise 'fixtures' */
  fixtures?: string | readonly string[]
  /** The prefix of every path: `/api`. @default the configuration's */
  base?: string
  /** Where the mock runs: in the page (`virtual:fixtura`), or in Vite's servers. @default 'page' */
  mode?: 'page' | 'server'
  /**
   * The configuration, such as that of `mock.config.ts`. In `server` mode the options of the mock and of
   * loading, watching and access apply, and those of a server of its own and `persist` do not. In `page` mode
   * only `fixtures`, `base`, `id` and `relations` are used.
   */
  config?: FileConfig
  /** Whether a build contains the fixtures, for a demo without a server. @default false */
  production?: boolean
  /**
   * The file for the types of `virtual:fixtura`, or false for none.
   * @default 'src/virtual-fixtura.d.ts' in a project with a tsconfig.json
   */
  types?: string | false
}

/** The options with their defaults. */
export interface ResolvedOptions {
  paths: readonly string[]
  mode: 'page' | 'server'
  config: FileConfig
  production: boolean
  types: string | false | undefined
}

const checks: Readonly<Record<keyof FixturaOptions, Check>> = {
  fixtures: isEither(isName, isListOf(isName)),
  base: isText,
  mode: isOneOf('page', 'server'),
  config: isObject,
  production: isFlag,
  types: isEither(isText, isFalse),
}

/** A path in a folder; both stay relative to Vite's root, which is not known yet. */
function inFolder(folder: string | undefined, path: string): string {
  return isAbsolute(path) ? path : join(folder ?? '', path)
}
