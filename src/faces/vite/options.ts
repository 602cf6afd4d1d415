import type { MockConfig } from '../../core/config.ts'
import { MockError } from '../../core/errors.ts'
import { suggest } from '../../core/nearest.ts'

/** How Vite serves fixtures. */
export interface FixturaOptions {
  /** A folder, or files and folders, from Vite's root. @default 'fixtures' */
  fixtures?: string | readonly string[]
  /** In front of every path: `/api`. @default the configuration's */
  base?: string
  /**
   * Who answers: the page itself, through `virtual:fixtura`, or Vite's own dev and preview servers.
   * @default 'page'
   */
  mode?: 'page' | 'server'
  /** The rest of the configuration: ids for both modes, and all of it for the servers. */
  config?: MockConfig
  /** Whether a build holds the fixtures too, for a demo without a service. @default false */
  production?: boolean
  /**
   * Where the types of `virtual:fixtura` are written, or false for nowhere.
   * @default 'src/virtual-fixtura.d.ts' where there is a tsconfig.json
   */
  types?: string | false
}

/** The options with their defaults. */
export interface CheckedOptions {
  paths: readonly string[]
  mode: 'page' | 'server'
  config: MockConfig
  production: boolean
  types: string | false | undefined
}

const known = ['fixtures', 'base', 'mode', 'config', 'production', 'types']
const modes = ['page', 'server']

/**
 * Fills in the defaults.
 * @throws MockError that suggests the nearest name
 */
export function checkOptions(options: FixturaOptions): CheckedOptions {
  const { fixtures = 'fixtures', mode = 'page', config = {}, production = false, types } = options
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw wrong(`there is no option "${name}". ${suggest(name, known)}`)
  }
  if (!modes.includes(mode)) throw wrong(`there is no mode "${mode}". ${suggest(mode, modes)}`)
  const base = options.base ?? config.base
  return {
    paths: typeof fixtures === 'string' ? [fixtures] : fixtures,
    mode,
    config: { ...config, ...(base !== undefined && { base }) },
    production,
    types,
  }
}

function wrong(reason: string): MockError {
  return new MockError(`Failed to set up fixtura: ${reason}`, { code: 'CONFIG_INVALID' })
}
