import type { Option } from './option.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { ownValue } from '../../core/json/json.ts'
import { suggest } from '../../core/errors/nearest.ts'
import { insteadOf } from './json-server-options.ts'
import { askingFlags, type CommandName, commands } from './options.ts'

/** An error in how the program was called. */
export function usageError(message: string): MockError {
  return new MockError(message, { code: 'USAGE' })
}

/** An option that a command does not have, with what does the same, or the nearest that it has. */
export function unknownOption(name: string, command: CommandName): MockError {
  const known = [...commands[command].options.map((option) => option.name), ...askingFlags]
  const instead = command === 'server' ? ownValue(insteadOf, name) : undefined
  const near = instead ? `Please ${instead}.` : suggest(toFlag(name), known.map(toFlag))
  return usageError(
    `Failed to read "${toFlag(name)}": "mock ${command}" has no such option. ${near}`,
  )
}

/** An option that was given nothing. */
export function missingValue({ name, default: standard = 'x' }: Option): MockError {
  return usageError(
    `Failed to read --${name}: it has no value. Please write --${name} ${standard}.`,
  )
}

function toFlag(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}
