import type { Option } from './option.ts'
import { reading, serving } from './option-rows.ts'

/** One command of the command line. */
export interface Command {
  usage: string
  description: string
  takesPaths: boolean
  options: readonly Option[]
}

/** The names of the commands. */
export const commandNames = ['server', 'init', 'check'] as const

/** The name of a command. */
export type CommandName = (typeof commandNames)[number]

/** The commands, what they do and what they take. */
export const commands: Readonly<Record<CommandName, Command>> = {
  server: {
    usage: 'server [paths..]',
    description: 'Serve fixtures (the default command)',
    takesPaths: true,
    options: serving,
  },
  init: {
    usage: 'init',
    description: 'Write starter fixtures, a config, and the worker script of MSW',
    takesPaths: false,
    options: [],
  },
  check: {
    usage: 'check [paths..]',
    description: 'Report every problem in the fixtures; exit 1 if there is any',
    takesPaths: true,
    options: reading,
  },
}

/** The flags of every command, which ask for a text. */
export const askingFlags: readonly string[] = ['help', 'version']
