import type { Option } from './option.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { ownValue } from '../../core/json/json.ts'
import { suggest } from '../../core/errors/nearest.ts'
import { adviceFor } from './json-server-options.ts'
import { infoFlags, type CommandName, commands } from './options.ts'

/** Creates the error for a wrong command line. */
export function usageError(message: string): MockError {
  return new MockError(message, { code: 'USAGE' })
}

/** Creates the error for an unknown option, with a replacement or the nearest known option. */
export function unknownOption(name: string, command: CommandName): MockError {
  const known = [...commands[command].options.map((option) => option.name), ...infoFlags]
  const replacement = command === 'server' ? ownValue(adviceFor, name) : undefined
  const advice = replacement ? `Please ${replacement}.` : suggest(toFlag(name), known.map(toFlag))
  return usageError(
    `Failed to read "${toFlag(name)}": "mock ${command}" has no such option. ${advice}`,
  )
}

/** Creates the error for an option without its value. */
export function missingValue(option: Option): MockError {
  const { name, default: standard = '<value>', example = standard } = option
  return usageError(`Failed to read --${name}: it has no value. Please write --${name} ${example}.`)
}

function toFlag(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}
