import { parseArgs } from 'node:util'
import type { Arguments } from './arguments.ts'
import type { Option } from './option.ts'
import { allOptions, type CommandName, commandNames, commands } from './commands.ts'

/** A command line in which the name of the command was recognized; its options are not parsed yet. */
export interface CommandLine {
  command: CommandName
  /** False where the command line names no command, so that `server` is the default. */
  isNamed: boolean
  /** The arguments before and after the command. */
  args: string[]
}

/** Finds the command: the first word that is not the value of an option, else `server`. */
export function findCommand(args: readonly string[]): CommandLine {
  const options = toParseArgs(allOptions)
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const word = tokens.find(({ kind }) => kind === 'positional')
  const command = commandNames.find((name) => word?.kind === 'positional' && word.value === name)
  if (!word || !command) return { command: 'server', isNamed: false, args: [...args] }
  return { command, isNamed: true, args: args.toSpliced(word.index, 1) }
}

/** Parses a valid command line in plain spelling; undefined for any other. */
export function parsePlain({ command, args }: CommandLine): Arguments | undefined {
  const { options, takesPaths } = commands[command]
  try {
    const { values, positionals: paths } = parseArgs({
      args,
      allowPositionals: takesPaths,
      options: toParseArgs(options),
    })
    return { command, paths, values: values as Arguments['values'] }
  } catch {
    return undefined
  }
}

interface ParseArgsOption {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
}

function toParseArgs(options: readonly Option[]): Record<string, ParseArgsOption> {
  const entries = options.map(({ name, type, alias }): [string, ParseArgsOption] => [
    name,
    {
      type: type === 'flag' ? 'boolean' : 'string',
      ...(alias === undefined ? {} : { short: alias }),
      ...(type === 'list' && { multiple: true }),
    },
  ])
  return Object.fromEntries(entries)
}
