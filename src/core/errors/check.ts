import { MockError } from './mock-error.ts'
import { isRecord, ownValue } from '../json/json.ts'
import { suggest } from './nearest.ts'

/** What an option has to be: a test, and the words for what passes it. */
export type Check = readonly [passes: (value: unknown) => boolean, words: string]

/**
 * Checks that options are an object and, where there are checks, their names and kinds; undefined
 * stands for an option that is not given.
 * @throws MockError that suggests the nearest name, or says what the value has to be
 */
export function checkOptions(
  subject: string,
  options: unknown,
  checks?: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): void {
  if (!isRecord(options)) throw wrongValue(subject, options, isObject[1])
  if (!checks) return
  for (const [name, value] of Object.entries(options)) {
    const check = ownValue(checks, name)
    if (!check) throw wrong(subject, `there is no "${name}". ${suggest(name, Object.keys(checks))}`)
    if (value === undefined || check[0](value)) continue
    throw wrong(subject, `"${name}" cannot be ${show(value)}. Please give ${check[1]}.`)
  }
  for (const name of required) {
    if (options[name] !== undefined) continue
    throw wrong(subject, `"${name}" is missing. Please give ${checks[name]?.[1] ?? 'it'}.`)
  }
}

/** The error for a value that cannot be, and what it has to be. */
export function wrongValue(subject: string, value: unknown, words: string): MockError {
  return wrong(subject, `it cannot be ${show(value)}. Please give ${words}.`)
}

/** A text, also an empty one. */
export const isText: Check = [(value) => typeof value === 'string', 'a text']

/** A text with something in it. */
export const isName: Check = [
  (value) => typeof value === 'string' && value !== '',
  'a text that is not empty',
]

/** False, where a text could stand too. */
export const isFalse: Check = [(value) => value === false, 'false']

/** True or false. */
export const isFlag: Check = [(value) => typeof value === 'boolean', 'true or false']

/** A whole number above zero. */
export const isCount: Check = [
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
  'a whole number above 0',
]

/** A number, zero or above. */
export const isAmount: Check = [
  (value) => typeof value === 'number' && value >= 0 && value < Infinity,
  'a number of at least 0',
]

/** A function. */
export const isCallable: Check = [(value) => typeof value === 'function', 'a function']

/** An object that is no array. */
export const isObject: Check = [isRecord, 'an object']

/** One of these texts. */
export function isOneOf(...texts: readonly string[]): Check {
  return [(value) => texts.includes(value as string), `one of ${texts.join(', ')}`]
}

/** What passes any of these. */
export function isEither(...checks: readonly Check[]): Check {
  return [
    (value) => checks.some(([passes]) => passes(value)),
    checks.map(([, words]) => words).join(', or '),
  ]
}

/** A list of what passes. */
export function isListOf([passes, words]: Check): Check {
  return [(value) => Array.isArray(value) && value.every(passes), `a list of (${words})`]
}

/** An object with any keys, whose values pass. */
export function isMapOf([passes, words]: Check): Check {
  return [
    (value) => isRecord(value) && Object.values(value).every(passes),
    `an object that holds (${words}) under each name`,
  ]
}

/** The error for options that cannot be. */
export function wrong(subject: string, reason: string): MockError {
  return new MockError(`Failed to read ${subject}: ${reason}`, { code: 'CONFIG_INVALID' })
}

/** A value in a message: whole where it is short or plain, else by its kind. */
function show(value: unknown): string {
  try {
    const text = typeof value === 'number' ? `${value}` : (JSON.stringify(value) ?? typeof value)
    if (typeof value !== 'object' || text.length <= 60) return text
  } catch {
    // What goes round in circles is shown by its kind.
  }
  return Array.isArray(value) ? 'a list' : 'an object'
}
