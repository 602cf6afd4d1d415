import { isText } from '../../../errors/check.ts'
import { ownValue } from '../../../json/json.ts'
import { fail } from '../compile/evaluation.ts'
import { formats } from '../../../formats/formats.ts'
import { comparing, isAtLeast, isAtMost, isSize, type Keywords, keywordFor } from './keyword.ts'
import { toPattern } from './pattern.ts'

const forStrings = keywordFor<string>('string')

/**
 * Defines the keywords that constrain strings: `minLength`, `maxLength` and `pattern` (JSON Schema
 * Validation §6.3), and `format` (§7).
 */
export const stringKeywords: Keywords = {
  minLength: forStrings(isSize, comparing(isAtLeast, countCharacters)),
  maxLength: forStrings(isSize, comparing(isAtMost, countCharacters)),
  pattern: forStrings(isText, (expected: string, site, name) => {
    const pattern = toPattern(expected, site, name)
    return (value, run) => pattern.test(value) || fail(run, name, expected)
  }),
  // Formats without a row are ignored.
  format: forStrings(isText, (expected: string, _, name) => {
    const isFormat = ownValue(formats, expected)
    return isFormat && ((value, run) => isFormat(value) || fail(run, name, expected))
  }),
}

/** Counts code points, of which some take two units of a JavaScript string. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
