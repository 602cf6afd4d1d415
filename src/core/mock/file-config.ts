import type { MockConfig } from './config.ts'
import type { Dialect } from '../dialects/contract/dialect.ts'
import type { Delay, Duration } from '../time/duration.ts'
import type { ServeOptions } from './serve-options.ts'

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
  /** The file of a certificate for `https`, as PEM. @default one that is made at the start */
  cert?: string
  /** The file of the certificate's key, as PEM. */
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

/** The name of a dialect that comes with the package. */
export type DialectName = 'rest' | 'json-server-0' | 'json-server-1' | 'simple-rest'

/** What no configuration has, and so what no value can be. */
export interface UnknownOption<Name> {
  readonly [unknownOption]: Name
}

declare const unknownOption: unique symbol

/** Gives a configuration its type, and nothing else: for editors. */
export function defineConfig<const Config extends FileConfig>(
  config: Config & {
    readonly [Name in Exclude<keyof Config, keyof FileConfig>]: UnknownOption<Name>
  },
): Config {
  return config
}
