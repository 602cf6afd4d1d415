import { MockError } from '../../core/errors/mock-error.ts'
import { suggest } from '../../core/errors/nearest.ts'
import type { Option } from './option.ts'

/** Creates the error for a wrong command line; the message says what to write instead. */
export function usageError(message: string): MockError {
  return new MockError(message, { code: 'USAGE' })
}

/** Creates the error for an option whose value is missing. */
export function missingValue({
  name,
  default: standard = '<value>',
  example = standard,
}: Option): MockError {
  return usageError(`Failed to read --${name}: it has no value. Please write --${name} ${example}.`)
}

/** Creates the error for an unknown option, with the advice, or else the nearest of the known names. */
export function unknownOption(
  name: string,
  command: string,
  known: readonly string[],
  advice: string = suggest(toFlag(name), known.map(toFlag)),
): MockError {
  return usageError(
    `Failed to read "${toFlag(name)}": "mock ${command}" has no such option. ${advice}`,
  )
}

function toFlag(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}
