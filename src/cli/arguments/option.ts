import type { FileConfig } from '../../core/mock/file-config.ts'

/**
 * An option of the command line as a row of a table, from which the parser, the help and the configuration are
 * derived.
 */
export type Option = Row<'flag', boolean> | Row<'text', string> | Row<'list', readonly string[]>

/** A flag is on, or off with `=false`; a text takes a value; a list can be given several times. */
interface Row<Type, Value> {
  /** The name without the dashes. */
  name: string
  type: Type
  /** One letter. */
  alias?: string
  description: string
  /** The default, as the help prints it. */
  default?: string
  /** A value for the message about a missing value. @default `default` */
  example?: string
  /** The environment variable to read if the command line does not have the option. */
  env?: string
  /** Whether all values up to the next option belong to a list: `--middlewares a.js b.js`. */
  isGreedy?: boolean
  /** The entry of a configuration file that the option overrides; a command reads any other option itself. */
  entry?: keyof FileConfig
  /** Converts the value for that entry. @throws MockError for an invalid value @default the value as it is */
  parse?(value: Value): unknown
}

/** The value of an option: true or false for a flag, a list for an option that can be repeated. */
export type OptionValue = string | boolean | readonly string[]
