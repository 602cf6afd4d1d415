import {
  type Check,
  checkOptions,
  isEither,
  isFlag,
  isListOf,
  isText,
} from '../../../core/check.ts'
import { configChecks, type MockConfig } from '../../../core/config.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { type DialectName, loadDialect } from './dialect-names.ts'

/** What a configuration file holds: a mock's options, where its fixtures are, and how it is served. */
export interface FileConfig extends Omit<MockConfig, 'dialect'> {
  /** Folders, and files named by hand. @default fixtures/, else db.json */
  fixtures?: string | readonly string[]
  /** How the wire is written: a dialect, or the name of one. @default 'rest' */
  dialect?: Dialect | DialectName
  /** The folder that relative paths start from. @default the configuration file's, else the working directory */
  cwd?: string
  /** Where the server listens; 0 for any free port. @default 3000 */
  port?: number
  /** @default 'localhost' */
  host?: string
  /** A folder whose files are served where the mock has nothing. */
  static?: string
  /** Whether edited fixtures are served. @default true */
  watch?: boolean
  /** Whether the disk is looked at every 100 ms, as network drives need. @default false */
  poll?: boolean
  /** Whether nothing but problems is printed. @default false */
  quiet?: boolean
  /** Whether the browser is opened once the server answers. @default false */
  open?: boolean
}

/** The options that a mock does not have itself. */
type OwnConfig = Omit<FileConfig, Exclude<keyof MockConfig, 'dialect'>>

const ownChecks: Readonly<Record<Exclude<keyof OwnConfig, 'dialect'>, Check>> = {
  fixtures: isEither(isText, isListOf(isText)),
  cwd: isText,
  port: [isPort, 'a port from 0 to 65535'],
  host: isText,
  static: isText,
  watch: isFlag,
  poll: isFlag,
  quiet: isFlag,
  open: isFlag,
}

/** Whether a value is a TCP port, 0 standing for any free one. */
export function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
}

/**
 * Checks the names and the kinds of all options.
 * @throws MockError that suggests the nearest name
 */
export function checkFileConfig(config: FileConfig): void {
  const dialect = isEither(isText, configChecks.dialect)
  checkOptions('the configuration', config, { ...configChecks, ...ownChecks, dialect })
}

/**
 * The options that a mock has itself, with the dialect's name as the dialect.
 * @throws MockError when there is no dialect of that name
 */
export async function toMockConfig(config: FileConfig): Promise<MockConfig> {
  const { dialect, ...rest } = config
  const own = Object.entries(rest).filter(([name]) => Object.hasOwn(configChecks, name))
  const found = typeof dialect === 'string' ? await loadDialect(dialect) : dialect
  return { ...Object.fromEntries(own), ...(found && { dialect: found }) }
}
