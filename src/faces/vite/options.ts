import {
  type Check,
  checkOptions,
  isEither,
  isFalse,
  isFlag,
  isListOf,
  isObject,
  isOneOf,
  isText,
} from '../../core/errors/check.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { checkFileConfig } from '../../load/config/file-config.ts'

/** How Vite serves fixtures. */
export interface FixturaOptions {
  /** A folder, or files and folders, from Vite's root. @default the configuration's, else 'fixtures' */
  fixtures?: string | readonly string[]
  /** In front of every path: `/api`. @default the configuration's */
  base?: string
  /**
   * Who answers: the page itself, through `virtual:fixtura`, or Vite's own dev and preview servers.
   * @default 'page'
   */
  mode?: 'page' | 'server'
  /** A configuration, such as that of `mock.config.js`: ids for both modes, and all of it for servers. */
  config?: FileConfig
  /** Whether a build holds the fixtures too, for a demo without a service. @default false */
  production?: boolean
  /**
   * Where the types of `virtual:fixtura` are written, or false for nowhere.
   * @default 'src/virtual-fixtura.d.ts' where there is a tsconfig.json
   */
  types?: string | false
}

/** The options with their defaults. */
export interface ReadOptions {
  paths: readonly string[]
  mode: 'page' | 'server'
  config: FileConfig
  production: boolean
  types: string | false | undefined
}

const checks: Readonly<Record<keyof FixturaOptions, Check>> = {
  fixtures: isEither(isText, isListOf(isText)),
  base: isText,
  mode: isOneOf('page', 'server'),
  config: isObject,
  production: isFlag,
  types: isEither(isText, isFalse),
}

/**
 * Checks the options and fills in the defaults.
 * @throws MockError that suggests the nearest name, or says what a value has to be
 */
export function readOptions(options: FixturaOptions): ReadOptions {
  checkOptions('the options of fixtura', options, checks)
  const { mode = 'page', config = {}, production = false, types } = options
  checkFileConfig(config)
  const { fixtures = config.fixtures ?? 'fixtures', base = config.base } = options
  return {
    paths: typeof fixtures === 'string' ? [fixtures] : fixtures,
    mode,
    config: { ...config, ...(base !== undefined && { base }) },
    production,
    types,
  }
}
