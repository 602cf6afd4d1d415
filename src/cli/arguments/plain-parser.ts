import { parseArgs } from 'node:util'
import type { Arguments } from './arguments.ts'
import type { Option } from './option.ts'
import { allOptions, type CommandName, commandNames, commands } from './commands.ts'

/**
 * Parses a valid command line in plain spelling by `parseArgs` of Node, whose import is faster than that of
 * yargs. Returns undefined for any other command line, which `parseFully` parses.
 */
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

/**
 * Finds the command: the first word that is not the value of an option if it is the name of a command,
 * otherwise `server`.
 */
export function findCommand(args: readonly string[]): CommandLine {
  const options = toParseArgs(allOptions)
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const word = tokens.find(({ kind }) => kind === 'positional')
  const command = commandNames.find((name) => word?.kind === 'positional' && word.value === name)
  if (!word || !command) return { command: 'server', isNamed: false, args: [...args] }
  return { command, isNamed: true, args: args.toSpliced(word.index, 1) }
}

/** A command line in which the name of the command was recognized; its options are not parsed yet. */
export interface CommandLine {
  command: CommandName
  /** False if the command line names no command, so that `server` is the default. */
  isNamed: boolean
  /** The arguments before and after the command. */
  args: string[]
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
