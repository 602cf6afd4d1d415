import type { OptionValue } from './option.ts'
import type { CommandName } from './commands.ts'

/** A parsed command line: the command, the values of its options, and the paths of fixtures. */
export interface Arguments {
  command: CommandName
  paths: string[]
  /** The given values by option name. */
  values: Readonly<Record<string, OptionValue>>
}

/** The text that `--help` or `--version` prints. */
export interface InfoText {
  text: string
}
