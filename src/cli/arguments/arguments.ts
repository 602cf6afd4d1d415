import type { CommandName } from './options.ts'

/** A command line that has been understood. */
export interface Arguments {
  command: CommandName
  paths: string[]
  /** What was said, by the options' names. */
  values: Readonly<Record<string, string | boolean>>
}

/** A command line that only asks for a text. */
export interface Asked {
  text: string
}
