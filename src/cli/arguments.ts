import type { CommandName } from './options.ts'

/** A command line that has been understood. */
export interface Arguments {
  command: CommandName
  paths: string[]
  /** The values by the options' names; a flag is there or not. */
  values: Readonly<Record<string, string | true>>
}

/** A command line that only asks for a text. */
export interface Asked {
  text: string
}
