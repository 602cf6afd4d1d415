import { MockError } from '../../core/errors/mock-error.ts'
import type { Option } from './option.ts'

/** Creates the error for a wrong command line; the message says what to write instead. */
export function usageError(message: string): MockError {
  return new MockError(message, { code: 'USAGE' })
}

/** Creates the error for an option whose value is missing. */
export function missingValue(option: Option): MockError {
  const { name, default: standard = '<value>', example = standard } = option
  return usageError(`Failed to read --${name}: it has no value. Please write --${name} ${example}.`)
}
