import { type Check, isHeaderValue, isToken } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { suggest } from '../../core/errors/nearest.ts'
import type { DialectName } from '../../core/mock/file-config.ts'
import { isServerUrl } from '../../core/proxy/server-url.ts'
import { isDelay, isDuration } from '../../core/time/duration.ts'
import { isPort } from '../../faces/node/serve-checks.ts'
import { dialectNames, isDialectName } from '../../load/config/dialect-names.ts'
import type { OptionValue } from './option.ts'
import { usageError } from './usage-errors.ts'

/** Converts an option's value by `convert`. @throws MockError that names the option or environment variable */
export function readValue<Value>(source: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    throw usageError(`Failed to read ${source}: ${error.message}`)
  }
}

/** Returns all values of an option that can be repeated. */
export function toTexts(value: OptionValue = []): string[] {
  return [value].flat().map(String)
}

/** Splits values such as `email,phone` into names. */
export function toNames(value: OptionValue | undefined): string[] {
  return toTexts(value)
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Splits a header into its name and value. @throws MockError for any other text */
export function toHeader(text: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(text)?.map((part) => part.trim()) ?? []
  if (isToken(name) && value !== '' && isHeaderValue(value)) return [name, value]
  // The text may hold a secret, which no message shows.
  throw usageError(
    "Failed to read --header: it is not a name and a value. Please write --header 'Authorization: Bearer <token>'.",
  )
}

/** Parses a TCP port. @throws MockError for any other text */
export function toPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : -1
  if (isPort(port)) return port
  throw usageError(`"${text}" is not a port. Please give a number from 0 to 65535.`)
}

/** Checks the name of a dialect. @throws MockError for any other text */
export function toDialect(name: string): DialectName {
  if (isDialectName(name)) return name
  throw usageError(`"${name}" is not a dialect. ${suggest(name, dialectNames)}`)
}

/** Checks a delay or a range of delays. @throws MockError for any other text */
export const toDelay: Parse = parserOf(isDelay, 'a delay', '200, 2s or 200-800')

/** Checks the lifetime of a session. @throws MockError for any other text */
export const toTtl: Parse = parserOf(isDuration, 'a duration')

/** Checks the URL of a server. @throws MockError for any other text */
export const toServerUrl: Parse = parserOf(
  isServerUrl,
  'the URL of a server',
  'one such as https://api.example.com',
)

type Parse = (text: string) => string

function parserOf([isValid, valid]: Check, kind: string, expected: string = valid): Parse {
  return (text) => {
    if (isValid(text)) return text
    throw usageError(`"${text}" is not ${kind}. Please give ${expected}.`)
  }
}

/** Parses a number of records. @throws MockError for any other text */
export function toCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= 100_000) return count
  throw usageError(`"${text}" is not a number of records. Please give one from 1 to 100000.`)
}
