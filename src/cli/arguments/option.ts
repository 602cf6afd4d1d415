import type { FileConfig } from '../../core/mock/file-config.ts'

/**
 * An option of the command line as a row of a table: its name, alias, kind and help text. `toConfig` converts its
 * value to the same entry of a configuration file, and throws a MockError for an invalid value. An option without
 * `toConfig` is read by its command.
 */
export type Option = Flag | TextOption | ListOption

/** An option without a value: on, or off with `=false`. */
interface Flag extends Described {
  type: 'flag'
  toConfig?(isOn: boolean): FileConfig
}

/** An option that takes a value. */
interface TextOption extends Described {
  type: 'text'
  toConfig?(value: string): FileConfig
}

/** An option that can be given several times. */
interface ListOption extends Described {
  type: 'list'
  /** Whether all values up to the next option belong to it: `--middlewares a.js b.js`. */
  isGreedy?: boolean
  toConfig?(values: readonly string[]): FileConfig
}

interface Described {
  /** The name without the dashes. */
  name: string
  /** One letter. */
  alias?: string
  description: string
  /** The default, as the help prints it. */
  default?: string
  /** A value for the message about a missing value. @default `default` */
  example?: string
  /** The environment variable to read if the command line does not have the option. */
  env?: string
}

/** The value of an option: true or false for a flag, a list for an option that can be repeated. */
export type OptionValue = string | boolean | readonly string[]
