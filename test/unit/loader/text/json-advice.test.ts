import { describe, expect, it } from 'vitest'

import { findJsonError } from '../../../../src/core/json/json-error.ts'
import { adviceOn } from '../../../../src/loader/text/json-advice.ts'

describe('adviceOn', () => {
  const advices: [text: string, advice: string][] = [
    [' ', 'Please write [] into it.'],
    ['[1,]', 'Please remove the comma before it, or rename the file to .json5.'],
    ['{"a":1,}', 'Please remove the comma before it, or rename the file to .json5.'],
    ['{"a":}', 'Please write the value.'],
    ['{"a" 1}', 'Please add the colon.'],
    ['[{"a":1,]', 'Please write the missing "}" in place of the comma before it.'],
    ['{"a":[1,}', 'Please write the missing "]" in place of the comma before it.'],
    ['[{"a":1]', 'Please write the missing "}" before it.'],
    ['[{]', 'Please write the missing "}" before it.'],
    ['{"a":[}', 'Please write the missing "]" before it.'],
    ['[{"a":]', 'Please put a string into double quotes, or write a number, true, false or null.'],
    ['[]]', 'Please remove what follows.'],
    ['[1 2]', 'Please add the missing comma or close what is open.'],
    ['[1', 'Please close it with "]".'],
    ['{a:1}', 'Please put the key into double quotes, or rename the file to .json5.'],
    ["['a']", 'Please use double quotes, or rename the file to .json5.'],
    ["{'a':1}", 'Please use double quotes, or rename the file to .json5.'],
    ['[1, // one\n2]', 'Please remove the comment, or rename the file to .jsonc or .json5.'],
    ['# one', 'Please remove the comment.'],
    [
      '[undefined]',
      'Please put a string into double quotes, or write a number, true, false or null.',
    ],
    ['["a\n"]', 'Please add the closing quote.'],
    ['[] []', 'Please remove what follows.'],
    ['["a', 'Please add the closing quote.'],
    ['["a\tb"]', 'Please escape it.'],
    [String.raw`["a\x"]`, 'Please double the backslash.'],
    [String.raw`["a\'"]`, 'Please double the backslash.'],
  ]

  it.each(advices)('says what to do about %j', (text, advice) => {
    const error = findJsonError(text, 'file')
    expect(error && adviceOn(error)).toBe(advice)
  })
})
