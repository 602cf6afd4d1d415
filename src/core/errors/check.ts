import { toMessage } from './error-details.ts'
import { configError, type MockError } from './mock-error.ts'
import { isRecord, ownValue, tagOf } from '../json/json.ts'
import { suggest } from './nearest.ts'

/**
 * A check of an option's value: a function that returns whether the value is valid, and a description
 * of the valid values, which the error message quotes (*Please give a whole number above 0.*). `explain` may
 * return a text for frequent mistakes that names the mistake instead (*use[1] is a function.*).
 */
export type Check = readonly [
  isValid: (value: unknown) => boolean,
  expected: string,
  explain?: (name: string, value: unknown) => string | undefined,
]

/**
 * Checks that options are an object and, if `checks` is given, that every name is known and every value
 * valid; an undefined value counts as missing. `subject` names the options in messages.
 * @throws MockError that lists all faults, each with the nearest name or the valid values
 */
export function checkOptions(
  subject: string,
  options: unknown,
  checks?: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): void {
  if (!isPlain(options)) throw wrongValue(subject, options, isObject[1])
  if (!checks) return
  const faults: string[] = []
  for (const [name, value] of Object.entries(options)) {
    const check = ownValue(checks, name)
    if (!check) faults.push(`there is no "${name}". ${suggest(name, Object.keys(checks))}`)
    else if (value !== undefined && !check[0](value)) {
      faults.push(check[2]?.(name, value) ?? describeWrong(name, value, check[1]))
    }
  }
  // An unknown name may be the mistyped name of a missing option.
  const areKnown = Object.keys(options).every((name) => Object.hasOwn(checks, name))
  for (const name of required) {
    if (options[name] !== undefined || !areKnown) continue
    faults.push(`"${name}" is missing. Please give ${checks[name]?.[1] ?? 'it'}.`)
  }
  const [first, ...others] = faults
  if (first === undefined) return
  const list = faults.map((one) => `\n- ${one}`).join('')
  throw wrong(subject, others.length === 0 ? first : `${faults.length} options are wrong.${list}`)
}

/** Calls functions and returns their results. @throws MockError with the messages of all their errors */
export function callAll<T>(functions: readonly (() => T)[]): T[] {
  const errors: unknown[] = []
  const results = functions.flatMap((one) => {
    try {
      return [one()]
    } catch (error) {
      errors.push(error)
      return []
    }
  })
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw configError(errors.map(toMessage).join('\n'), errors[0])
  return results
}

/** Whether a value is an object of no class, also of another realm; a promise or a `Map` has no options. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Returns a text that says that the value of a name is invalid; `expected` describes the valid values. */
export function describeWrong(name: string, value: unknown, expected: string): string {
  return `"${name}" cannot be ${show(value)}. Please give ${expected}.`
}

/** Creates the error for an invalid value; `expected` describes the valid values. */
export function wrongValue(subject: string, value: unknown, expected: string): MockError {
  return wrong(subject, `it cannot be ${show(value)}. Please give ${expected}.`)
}

/** A string, which can be empty. */
export const isText: Check = [(value) => typeof value === 'string', 'a text']

/** A non-empty string. */
export const isName: Check = [
  (value) => typeof value === 'string' && value !== '',
  'a text that is not empty',
]

/** The value `false`, for options that also take something else. */
export const isFalse: Check = [(value) => value === false, 'false']

/** Whether a text is a token, such as the name of a header or a cookie (RFC 9110 §5.6.2). */
export function isToken(text: string): boolean {
  return /^[\w!#$%&'*+\-.^`|~]+$/.test(text)
}

/** Whether a text can be the value of a header (RFC 9110 §5.5). */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7E\x80-\xFF]*$/.test(text)
}

/** The value of a header. */
export const isLine: Check = [
  (value) => typeof value === 'string' && isHeaderValue(value),
  'a text of one line in Latin-1',
]

/** The name of a header. */
export const isHeaderName: Check = [
  (value) => typeof value === 'string' && isToken(value),
  'the name of a header, such as X-Request-Id',
]

/** The name of a cookie (RFC 6265 §4.1.1). */
export const isCookieName: Check = [
  (value) => typeof value === 'string' && isToken(value),
  'the name of a cookie, such as sid',
]

/** True or false. */
export const isFlag: Check = [(value) => typeof value === 'boolean', 'true or false']

/** An integer above zero. */
export const isCount: Check = [
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
  'a whole number above 0',
]

/** Creates the check of an integer above zero, and of at most `most`. */
export function isCountUpTo(most: number): Check {
  return [(value) => isCount[0](value) && Number(value) <= most, `a whole number from 1 to ${most}`]
}

/** Creates the check of an HTTP status in a range, such as 400 to 499. */
export function isStatus(least: number, most: number): Check {
  return [
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `a status from ${least} to ${most}`,
  ]
}

/** A finite number of at least zero. */
export const isAmount: Check = [
  (value) => typeof value === 'number' && value >= 0 && value < Infinity,
  'a number of at least 0',
]

/** A function. */
export const isCallable: Check = [(value) => typeof value === 'function', 'a function']

/** An object that is not an array. */
export const isObject: Check = [isRecord, 'an object']

/** Creates the check of a string that is one of these. */
export function isOneOf(...names: readonly string[]): Check {
  return [(value) => names.includes(value as string), `one of ${names.join(', ')}`]
}

/** Creates the check of a value that passes any of these checks. */
export function isEither(...checks: readonly Check[]): Check {
  return [
    (value) => checks.some(([isValid]) => isValid(value)),
    checks.map(([, expected]) => expected).join(', or '),
    (name, value) => {
      for (const [, , explain] of checks) {
        const text = explain?.(name, value)
        if (text !== undefined) return text
      }
      return undefined
    },
  ]
}

/** Creates the check of an array whose items pass a check. */
export function isListOf([isValid, expected]: Check): Check {
  return [(value) => Array.isArray(value) && value.every(isValid), `a list of (${expected})`]
}

/** Creates the check of an object with any keys, whose values pass a check. */
export function isMapOf([isValid, expected]: Check): Check {
  return [
    (value) => isRecord(value) && Object.values(value).every(isValid),
    `an object whose values are each (${expected})`,
  ]
}

/** Creates the error for invalid options. */
export function wrong(subject: string, reason: string): MockError {
  return configError(`Failed to read ${subject}: ${reason}`)
}

/** Writes a value for a message: as JSON if it is plain or short, otherwise as its type. */
function show(value: unknown): string {
  const tag = tagOf(value)
  if (isRecord(value) && !isPlain(value) && tag !== 'Object') return `a ${tag}`
  try {
    const text = typeof value === 'number' ? `${value}` : (JSON.stringify(value) ?? typeof value)
    if (typeof value !== 'object' || text.length <= 60) return text
  } catch {
    // JSON cannot represent circular references and BigInts.
  }
  return Array.isArray(value) ? 'a list' : 'an object'
}
