import { describe, expect, it } from 'vitest'

import { findLostDigits, mayLoseDigits } from '../../../../src/loader/check/lost-digits.ts'
import { fc } from '../../../fast-check.ts'

describe('a number', () => {
  const lost: [literal: string, value: number][] = [
    ['12345678901234567890', 12345678901234567000],
    ['-9007199254740993', -9007199254740992],
    // The double is exact, but so it is for the next integer.
    ['9007199254740992', 9007199254740992],
    ['0.1234567890123456789', 0.12345678901234568],
    ['123456789.000000001', 123456789],
    ['1.00000000000000001e5', 100000],
    ['3.14159265358979323846', Math.PI],
    [`0.${'1'.repeat(200)}`, 1 / 9],
  ]
  it.each(lost)('loses digits: %s', (literal, value) => {
    for (const text of [
      literal,
      `[${literal}]`,
      `{ "a": "x", "b": ${literal}}`,
      `[1,\n${literal}\n]`,
    ]) {
      expect(mayLoseDigits(Buffer.from(text))).toBe(true)
      expect(findLostDigits(text)).toEqual([{ offset: text.indexOf(literal), literal, value }])
    }
  })

  it.each([
    '9007199254740991',
    '0.30000000000000004',
    '52.520006600000002',
    '0.1000000000000000055511151231257827',
    '1.0000000000000000000000',
    '1000000000000000.5e-3',
    '1.7976931348623157e308',
    '1234567890123456e-5',
  ])('keeps its digits: %s', (literal) => {
    expect(findLostDigits(`[${literal}]`)).toEqual([])
  })

  it.each([
    '["12345678901234567890"]',
    '["an id: 12345678901234567890, a"]',
    String.raw`["\\", "\" 12345678901234567890 "]`,
    '// 12345678901234567890 \n[]',
    '/* 12345678901234567890 */[]',
    "['12345678901234567890, 12345678901234567890 ']",
    '[0x12345678901234567890]',
    '["2026-01-01T00:00:00.000Z", 1234567]',
  ])('is not in %s', (text) => {
    expect(findLostDigits(text)).toEqual([])
  })

  it('is found beside strings and comments', () => {
    const text = String.raw`{a: '\'"', /* " */ b: 12345678901234567890, "c'": "1", d: 0.1234567890123456789}`
    expect(findLostDigits(text).map(({ literal }) => literal)).toEqual([
      '12345678901234567890',
      '0.1234567890123456789',
    ])
  })

  it('that JSON has written loses none, unless it is an integer beyond 2^53 - 1', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        fc.pre(!Number.isInteger(value) || Number.isSafeInteger(value))
        expect(findLostDigits(JSON.stringify([value]))).toEqual([])
      }),
    )
  })

  it('is not overlooked, wherever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.nat(30), (before, spaces) => {
        const text = `${JSON.stringify([before]).slice(0, -1)},${' '.repeat(spaces)}1234567890123456789]`
        expect(mayLoseDigits(Buffer.from(text))).toBe(true)
        expect(findLostDigits(text)).toHaveLength(1)
      }),
    )
  })
})
