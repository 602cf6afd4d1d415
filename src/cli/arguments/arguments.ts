import type { OptionValue } from './option.ts'
import type { CommandName } from './commands.ts'

/**
 * The result of parsing a command line, which the command gets: its name, the values of its options, and its
 * other arguments, most often the paths of fixtures.
 */
export interface Arguments {
  command: CommandName
  paths: string[]
  /** The given values by option name. */
  values: Readonly<Record<string, OptionValue>>
}

/**
 * The result of parsing a command line with `--help` or `--version`: the text to print instead of running a
 * command.
 */
export interface InfoText {
  text: string
}
