import { parseArgs } from 'node:util'
import type { Arguments } from './arguments.ts'
import { type CommandName, commandNames, commands, type Option } from './options.ts'

/** The command and the words behind it; no command stands for `server`. */
export function splitCommand(words: readonly string[]): { command: CommandName; paths: string[] } {
  const [first, ...rest] = words
  const command = commandNames.find((name) => name === first)
  return command ? { command, paths: rest } : { command: 'server', paths: [...words] }
}

/** A command line without any doubt, or undefined. */
export function parsePlain(args: readonly string[]): Arguments | undefined {
  const { command } = splitCommand(args)
  const { options, takesPaths } = commands[command]
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(options.map((option) => [option.name, toParseArgs(option)])),
    })
    const split = splitCommand(positionals)
    const isPlain = split.command === command && (takesPaths || split.paths.length === 0)
    return isPlain ? { ...split, values: values as Arguments['values'] } : undefined
  } catch {
    return undefined
  }
}

function toParseArgs({ type, alias }: Option): {
  type: 'string' | 'boolean'
  short?: string
} {
  return {
    type: type === 'flag' ? 'boolean' : 'string',
    ...(alias === undefined ? {} : { short: alias }),
  }
}
