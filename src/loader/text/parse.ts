import { createRequire } from 'node:module'
import type JSON5 from 'json5'
import type { Json } from '../../core/json/json.ts'
import { findJsonError } from '../../core/json/json-error.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { parseDatabaseTypes } from './database-types.ts'
import { adviceOn } from './json-advice.ts'
import { parseSql, type SqlWarning } from './sql.ts'

/** Parses by extension: `.json` as JSON, `.sql` as SQL, `.ts` as types of Supabase, others as JSON5. A syntax error is returned with advice, not thrown. */
export function parseText(text: string, extension: string): Parsed {
  if (extension.toLowerCase() === '.sql') return parseSql(text)
  if (extension.toLowerCase() === '.ts') return parseDatabaseTypes(text)
  return extension.toLowerCase() === '.json' ? parseJson(text) : parseJson5(text)
}

/** The value of a text with what was skipped, or the problem, advice and offset (in UTF-16 code units) of a syntax error. */
export type Parsed =
  | { value: Json; warnings?: SqlWarning[] }
  | { problem: string; advice: string; offset: number }

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    const found = findJsonError(text, 'file')
    return {
      problem: found?.problem ?? toMessage(error),
      advice: found ? adviceOn(found) : 'Please correct it.',
      offset: found?.offset ?? 0,
    }
  }
}

function parseJson5(text: string): Parsed {
  if (text.trim() === '') {
    return { problem: 'the file is empty', advice: 'Please write [] into it.', offset: 0 }
  }
  try {
    const value = loadJson5().parse<unknown>(text)
    // JSON5 has NaN and Infinity; a response is JSON and cannot represent them.
    const key = MAYBE_NOT_FINITE.test(text) ? findNotFinite(value) : undefined
    if (key === undefined) return { value: value as Json }
    const offset = text.search(MAYBE_NOT_FINITE)
    return { problem: `${key} is not a JSON value`, advice: 'Please use null.', offset }
  } catch (error) {
    return {
      problem: toMessage(error).replace(/^JSON5: (.*?)(?: at \d+:\d+)?$/s, '$1'),
      advice: 'Please correct it.',
      offset: offsetOf(error, text),
    }
  }
}

const MAYBE_NOT_FINITE = /[+-]?\b(?:NaN|Infinity)\b/

function findNotFinite(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value !== 'object' || value === null) return undefined
  for (const inner of Object.values(value)) {
    const found = findNotFinite(inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** The offset of a syntax error. `json5` counts LF alone as a line end, and one inside a string as column 0. */
function offsetOf(error: unknown, text: string): number {
  const { lineNumber = 1, columnNumber = 1 } = error as {
    lineNumber?: number
    columnNumber?: number
  }
  let start = 0
  for (let line = 1; line < lineNumber; line++) start = text.indexOf('\n', start) + 1
  return Math.max(0, start + columnNumber - 1)
}

/** Loads `json5` with the first `.json5` or `.jsonc` file, because most mocks need only JSON. */
export function loadJson5(): typeof JSON5 {
  return createRequire(import.meta.url)('json5') as typeof JSON5
}
