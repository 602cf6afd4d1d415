import type { FileConfig } from '../../core/mock/file-config.ts'

/** An option of the command line as a row of a table: its name, alias, kind and help text. */
export type Option = Flag | TextOption | ListOption

/** An option without a value: on, or off with `=false`. */
interface Flag extends Described {
  type: 'flag'
  /** The entries of a configuration file that do the same. */
  toConfig(isOn: boolean): FileConfig
}

/** An option that takes a value. */
interface TextOption extends Described {
  type: 'text'
  /** The entries of a configuration file that do the same. @throws MockError when the value is invalid */
  toConfig(value: string): FileConfig
}

/** An option that can be given several times. */
interface ListOption extends Described {
  type: 'list'
  /** Whether all values up to the next option belong to it: `--middlewares a.js b.js`. */
  isGreedy?: boolean
  /** The entries of a configuration file that do the same. */
  toConfig(values: readonly string[]): FileConfig
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
  /** The environment variable to read where the command line does not have the option. */
  env?: string
}
