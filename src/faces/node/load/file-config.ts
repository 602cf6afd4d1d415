import { type Check, checkOptions, isEither, isFlag, isText } from '../../../core/check.ts'
import { configChecks, type MockConfig } from '../../../core/config.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { isDelay } from '../../../core/delay-check.ts'
import { type Delay, type Duration, isDuration } from '../../../core/duration.ts'
import { isTexts, serveChecks, type ServeOptions } from '../serve-options.ts'
import { type DialectName, loadDialect } from './dialect-names.ts'

/** What a configuration file holds: a mock's options, where its fixtures are, and how it is served. */
export interface FileConfig extends Omit<MockConfig, 'dialect'>, ServeOptions {
  /** Folders, and files named by hand. @default fixtures/, else db.json */
  fixtures?: string | readonly string[]
  /** How the wire is written: a dialect, or the name of one. @default 'rest' */
  dialect?: Dialect | DialectName
  /** The folder that relative paths start from. @default the configuration file's, else the working directory */
  cwd?: string
  /** How long every answer takes, instead of what `use` says: `200`, `'200-800'`. */
  delay?: Delay
  /** The scenario below `_scenarios` that is on at the start. */
  scenario?: string
  /** Gives every caller that sends `X-Mock-Session` a world of its own, kept this long after its last request. */
  sessionTtl?: Duration
  /** The files of a certificate and its key, as PEM, for `https`. */
  cert?: string
  key?: string
  /** Whether edited fixtures are served. @default true */
  watch?: boolean
  /** Whether the disk is looked at every 100 ms, as network drives need. @default false */
  poll?: boolean
  /** Whether what requests write is kept in the fixtures. @default false */
  persist?: boolean
  /** Whether nothing but problems is printed. @default false */
  quiet?: boolean
  /** Whether the browser is opened once the server answers. @default false */
  open?: boolean
}

/** The options that neither a mock nor a server has itself. */
type OwnConfig = Omit<FileConfig, keyof MockConfig | keyof ServeOptions>

const ownChecks: Readonly<Record<keyof OwnConfig, Check>> = {
  fixtures: isTexts,
  cwd: isText,
  delay: isDelay,
  scenario: isText,
  sessionTtl: isDuration,
  cert: isText,
  key: isText,
  watch: isFlag,
  poll: isFlag,
  persist: isFlag,
  quiet: isFlag,
  open: isFlag,
}

/**
 * Checks the names and the kinds of all options.
 * @throws MockError that suggests the nearest name
 */
export function checkFileConfig(config: FileConfig): void {
  const dialect = isEither(isText, configChecks.dialect)
  const checks = { ...configChecks, ...serveChecks, ...ownChecks, dialect }
  checkOptions('the configuration', config, checks)
}

/**
 * The options that a mock has itself, with the dialect's name as the dialect.
 * @throws MockError when there is no dialect of that name
 */
export async function toMockConfig(config: FileConfig): Promise<MockConfig> {
  const { dialect, ...rest } = config
  const found = await toDialect(dialect)
  return { ...pick(rest, configChecks), ...(found && { dialect: found }) }
}

/** The dialect itself, where it is only named. @throws MockError when there is none of that name */
export async function toDialect(dialect: FileConfig['dialect']): Promise<Dialect | undefined> {
  return typeof dialect === 'string' ? loadDialect(dialect) : dialect
}

/** The options that a server has itself. */
export function toServeOptions(config: FileConfig): ServeOptions {
  return pick(config, serveChecks)
}

function pick(config: object, checks: object): object {
  return Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(checks, name)))
}
