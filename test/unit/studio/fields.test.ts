import { describe, expect, it } from 'vitest'

import { type Field, type FieldKind, parseValue, toText } from '../../../src/studio/data/fields.ts'
import { nextSort, toListing, toQuery, toWhere } from '../../../src/studio/data/listing.ts'

const field = (kind: FieldKind, more: Partial<Field> = {}): Field => ({
  name: 'a',
  kind,
  format: '',
  values: [],
  isNullable: false,
  isRequired: true,
  isReadOnly: false,
  ...more,
})

describe('the values of fields', () => {
  it.each<[FieldKind, string, unknown]>([
    ['string', '12', '12'],
    ['string', '', ''],
    ['number', ' 1.5 ', 1.5],
    ['integer', '-3', -3],
    ['boolean', 'true', true],
    ['date', '2026-05-01', '2026-05-01'],
    ['json', '{"b":[1]}', { b: [1] }],
    ['date-time', '2026-05-01T09:30:00Z', '2026-05-01T09:30:00Z'],
    ['date-time', '2026-05-01 09:30', '2026-05-01 09:30'],
    ['any', '12', 12],
    ['any', 'text', 'text'],
    ['any', '[1', '[1'],
  ])('reads %s from "%s"', (kind, text, expected) => {
    expect(parseValue(text, field(kind))).toEqual(expected)
  })

  it.each<[FieldKind, string, string]>([
    ['number', 'x', 'a number'],
    ['number', '', 'a number'],
    ['integer', '1.5', 'an integer'],
    ['boolean', 'yes', 'true or false'],
    ['date', '1.5.2026', 'a date'],
    ['date-time', 'soon', 'a date and time'],
    ['date-time', '1', 'a date and time'],
    ['date-time', '2024', 'a date and time'],
    ['date-time', '5 May', 'a date and time'],
    ['date-time', '2026-02-30T10:00:00Z', 'a date and time'],
    ['date-time', '2026-05-01T25:00:00Z', 'a date and time'],
    ['date', '2026-02-30', 'a date'],
    ['json', '{', 'JSON'],
  ])('refuses to read %s from "%s"', (kind, text, expected) => {
    expect(() => parseValue(text, field(kind))).toThrow(`"a" must be ${expected}`)
  })

  it('reads an empty text as null where null is allowed', () => {
    expect(parseValue('', field('number', { isNullable: true }))).toBeNull()
    expect(parseValue('', field('string', { isNullable: true }))).toBe('')
  })

  it('reads the values of an enum with their types', () => {
    expect(parseValue('2', field('enum', { values: [1, 2] }))).toBe(2)
  })

  it.each([
    ['a', 'a'],
    [1.5, '1.5'],
    [null, ''],
    [undefined, ''],
    [{ b: 1 }, '{"b":1}'],
  ])('writes %j as "%s"', (value, expected) => expect(toText(value, 'any')).toBe(expected))
})

describe('a listing', () => {
  it('reads the parameters of a place, also of a broken one', () => {
    expect(toListing({})).toEqual({ sort: '', search: '', conditions: [] })
    expect(toListing({ filter: '[["a","eq","1"],["b"],5]' }).conditions).toEqual([['a', 'eq', '1']])
    expect(toListing({ filter: '{' }).conditions).toEqual([])
  })

  it('makes a tree of conditions and the search', () => {
    const conditions = [
      ['a', 'gt', '1'],
      ['a', 'in', 'x, null'],
      ['a', 'exists', 'false'],
    ] as const
    expect(toQuery({ sort: '-a', search: 'z', conditions }, [field('string')])).toEqual({
      where: { and: [{ a: { gt: '1' } }, { a: { in: ['x', null] } }, { a: { exists: false } }] },
      search: 'z',
      sort: '-a',
    })
    expect(toQuery({ sort: '', search: '', conditions: [] }, [])).toEqual({ where: undefined })
  })

  it('leaves out a condition that is not filled in yet', () => {
    const conditions = [
      ['a', 'eq', ''],
      ['b', 'exists', ''],
    ] as const
    expect(toWhere({ sort: '', search: '', conditions }, [])).toEqual({
      and: [{ b: { exists: true } }],
    })
  })

  it('sorts ascending, descending and not', () => {
    expect(['', 'a', '-a', 'b'].map((sort) => nextSort(sort, 'a'))).toEqual(['a', '-a', '', 'a'])
  })
})
