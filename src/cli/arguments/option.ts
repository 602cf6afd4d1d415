import type { FileConfig } from '../../core/mock/file-config.ts'

/** An option of the command line, as a row of the table for the parser, the help and the configuration. */
export type Option = Flag | Text | List

type Flag = Row<'flag', boolean>
type Text = Row<'text', string>
type List = Row<'list', readonly string[]>

/** The optional members of a row. */
type More<Kind extends Option> = Omit<Kind, 'name' | 'type' | 'description'>

/** Defines an option that is on, or off with `=false`. */
export function flag(name: string, description: string, more: More<Flag> = {}): Flag {
  return { name, type: 'flag', description, ...more }
}

/** Defines an option that takes a value. */
export function text(name: string, description: string, more: More<Text> = {}): Text {
  return { name, type: 'text', description, ...more }
}

/** Defines an option that can be given several times. */
export function list(name: string, description: string, more: More<List> = {}): List {
  return { name, type: 'list', description, ...more }
}

interface Row<Type, Value> {
  /** The name without the dashes. */
  name: string
  type: Type
  /** One letter. */
  alias?: string
  description: string
  /** The default, as the help prints it. */
  default?: string
  /** An example of a value, for the error message when the option is given without a value. @default `default` */
  example?: string
  /** The environment variable to read if the command line does not have the option. */
  env?: string
  /** Whether all values up to the next option belong to a list: `--middlewares a.js b.js`. */
  isGreedy?: boolean
  /** The entry of a configuration file that the option overrides; undefined for an option that a command reads itself. */
  entry?: keyof FileConfig
  /** Converts the value to that of `entry`. @throws MockError for an invalid value @default the value as it is */
  parse?(value: Value): unknown
}

/** The value of an option: true or false for a flag, a list for an option that can be repeated. */
export type OptionValue = string | boolean | readonly string[]
