import { describe, expect, it } from 'vitest'

import { fromBase64, toBase64Url } from '../../../../src/core/text/base64.ts'

/** Strings whose UTF-8 ends on each place of a group of three bytes, and that need `-` and `_`. */
const texts = ['', 'a', 'ab', 'abc', 'é', '€', '😀', '~~~???>>>', '\0\uFEFF', 'ÿþ𝄞'.repeat(1000)]

describe('a string', () => {
  it.each(texts)('%j is written as Node writes base64url', (text) => {
    expect(toBase64Url(text)).toBe(Buffer.from(text).toString('base64url'))
  })

  it.each(texts)('%j is read from base64 and base64url', (text) => {
    const bytes = Buffer.from(text)
    expect(fromBase64(bytes.toString('base64'))).toBe(text)
    expect(fromBase64(bytes.toString('base64url'))).toBe(text)
  })

  it('has no half of a surrogate pair', () => {
    expect(() => toBase64Url('\uD800')).toThrow(URIError)
  })
})

describe('base64', () => {
  it.each<[title: string, encoded: string, expected: string | undefined]>([
    ['takes less padding than it needs', 'YQ=', 'a'],
    ['takes more padding than it needs', 'YWJj====', 'abc'],
    ['takes bits behind the last byte', 'YR', 'a'],
    ['takes padding at the end only', 'YQ==YQ==', undefined],
    ['takes no group of one character', 'YWJjY', undefined],
    ['takes no other character', 'YW*j', undefined],
    ['takes no character beyond ASCII', 'YWé', undefined],
    ['takes no bytes that are not UTF-8', '/w', undefined],
    ['takes no half of a surrogate pair in UTF-8', '7aCA', undefined],
  ])('%s', (_, encoded, expected) => {
    expect(fromBase64(encoded)).toBe(expected)
  })
})
