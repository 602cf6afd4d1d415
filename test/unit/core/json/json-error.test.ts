import { describe, expect, it } from 'vitest'

import { findJsonError } from '../../../../src/core/json/json-error.ts'
import { fc } from '../../../fast-check.ts'

describe('findJsonError', () => {
  const rows: [title: string, text: string, offset: number, problem: RegExp][] = [
    ['an empty file', '', 0, /the file is empty/],
    ['white space alone', ' \n', 2, /the file is empty/],
    ['a comma before the end of an array', '[1,]', 3, /expected a value, found "]"/],
    ['a comma before the end of an object', '{"a":1,}', 7, /expected a key/],
    ['a missing comma', '[1 2]', 3, /expected "," or "]", found "2"/],
    ['a missing colon', '{"a" 1}', 5, /expected ":"/],
    ['a missing value', '{"a":}', 5, /expected a value, found "}"/],
    ['a key without quotes', '{a:1}', 1, /expected a key in double quotes or "}"/],
    ['single quotes', "['a']", 1, /expected a value or "]", found "'"/],
    ['a comment', '[1, // one\n2]', 4, /found "\/"/],
    ['a string that is not closed on its line', '["a\n"]', 1, /not closed on its line/],
    ['a string that is never closed', '["a', 1, /never closed/],
    ['a control character', '["a\tb"]', 3, /control character/],
    ['an unknown escape', String.raw`["a\x"]`, 3, /the escape "\\\\x" is unknown/],
    ['a number that begins with zero', '[01]', 1, /expected a value/],
    ['a number with a trailing point', '[1.]', 1, /expected a value/],
    ['an unknown literal', '[undefined]', 1, /found "u"/],
    ['an incomplete literal', '[nul]', 1, /found "n"/],
    ['the wrong bracket', '[1}', 2, /expected "," or "]", found "}"/],
    ['an unclosed array', '[1', 2, /expected "," or "]", but the file ends/],
    ['more than one value', '[] []', 3, /expected the end of the file/],
    ['a character beyond the first plane', '[😀]', 1, /found "😀"/],
    ['a nesting too deep for recursion', '['.repeat(100_000), 100_000, /but the file ends/],
  ]

  it.each(rows)('finds %s', (_title, text, offset, problem) => {
    const found = findJsonError(text, 'file')
    expect(found?.offset).toBe(offset)
    expect(found?.problem).toMatch(problem)
  })

  it.each([
    [' ', 'the body is empty'],
    ['{} 1', 'expected the end of the body, found "1"'],
    ['[1', 'expected "," or "]", but the body ends'],
  ])('speaks of the body %j', (text, problem) => {
    expect(findJsonError(text, 'body')?.problem).toBe(problem)
  })

  it('finds an error exactly where JSON.parse throws', () => {
    const broken = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', '\\', 'x', '1', ' '),
      )
      .map(([text, at, part]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + part + text.slice(place + 1)
      })
    fc.assert(
      fc.property(broken, (text) => {
        expect(findJsonError(text, 'file') === undefined).toBe(parses(text))
      }),
      { numRuns: 2000 },
    )
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
