import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { toSources } from '../../../../src/core/shape/sources.ts'
import { createShapes } from '../../../../src/core/shape/shapes.ts'
import type { SchemaObject } from '../../../../src/core/types/json-schema.ts'
import { objectOf } from './object-of.ts'

/** The schema that is inferred for the records or the value of a resource. */
function schemaOf(value: Json): SchemaObject {
  const [shape] = createShapes()(toSources({ things: value }))
  return shape?.schema ?? {}
}

/** The schema of a field whose values are given, one for each record; undefined leaves it out. */
function fieldOf(values: readonly (Json | undefined)[]): unknown {
  const records = values.map((value, at): Json =>
    value === undefined ? { id: at } : { id: at, field: value },
  )
  return (schemaOf(records)['properties'] as Record<string, unknown>)['field']
}

/** Numbered values. */
function times<T>(count: number, create: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => create(at))
}

describe('the schema of a field', () => {
  const types: [title: string, values: (Json | undefined)[], expected: unknown][] = [
    ['integers', [1, 2, -3], { type: 'integer' }],
    ['numbers', [1, 2.5], { type: 'number' }],
    ['numbers in exponent form', [1e21, 1e-7], { type: 'number' }],
    ['booleans', [true, false], { type: 'boolean' }],
    ['texts', ['a b', ''], { type: 'string' }],
    ['texts or null', ['a b', null], { type: ['string', 'null'] }],
    ['null alone', [null, null], {}],
    ['texts and integers', ['a b', 1], { type: ['string', 'integer'] }],
    [
      'texts, numbers, booleans and null',
      ['a b', 1.5, true, null],
      { type: ['string', 'number', 'boolean', 'null'] },
    ],
    ['lists', [['a b'], ['c d', 'e f']], { type: 'array', items: { type: 'string' } }],
    [
      'lists of several types',
      [['a b', 1], [null]],
      { type: 'array', items: { type: ['string', 'integer', 'null'] } },
    ],
    [
      'lists of lists',
      [[[1], [2.5]]],
      { type: 'array', items: { type: 'array', items: { type: 'number' } } },
    ],
    ['empty lists', [[], []], { type: 'array' }],
    ['empty and other lists', [[], [1]], { type: 'array', items: { type: 'integer' } }],
    ['lists or null', [[1], null], { type: ['array', 'null'], items: { type: 'integer' } }],
    ['empty objects', [{}, {}], { type: 'object' }],
    [
      'objects of different fields',
      [
        { a: 1, b: 'x y' },
        { a: 2, c: true },
      ],
      objectOf({ a: 'integer', b: 'string', c: 'boolean' }, ['a']),
    ],
    [
      'objects or null',
      [{ a: 1 }, null],
      { type: ['object', 'null'], properties: { a: { type: 'integer' } }, required: ['a'] },
    ],
    [
      'objects or texts',
      [{ a: 1 }, 'x y'],
      {
        anyOf: [objectOf({ a: 'integer' }, ['a']), { type: 'string' }],
      },
    ],
    [
      'objects, lists, texts or null',
      [{}, [1], 'x y', null],
      {
        anyOf: [
          { type: 'object' },
          { type: 'array', items: { type: 'integer' } },
          { type: 'string' },
          { type: 'null' },
        ],
      },
    ],
    [
      'lists of objects of different fields',
      [[{ a: 1 }, { b: 1 }], [{ a: 2 }]],
      {
        type: 'array',
        items: objectOf({ a: 'integer', b: 'integer' }),
      },
    ],
    ['a field that some records lack', [1, undefined], { type: 'integer' }],
  ]

  it.each(types)('states the type of %s', (_title, values, expected) => {
    expect(fieldOf(values)).toEqual(expected)
  })

  const maps: [title: string, values: Json[], expected: unknown][] = [
    ['keys that are numbers', [{ 1: true, 2: false }], { type: 'boolean' }],
    ['one key that is a date', [{ '2024-02-29': 1.5 }], { type: 'number' }],
    ['keys that are ids', [{ '4b0087d5-c99d-4648-8e57-b7750e3601f9': 'a b' }], { type: 'string' }],
    [
      'different keys in each record',
      times(12, (at) => ({ [`key${at}`]: at })),
      { type: 'integer' },
    ],
    [
      'more than 60 keys',
      [Object.fromEntries(times(61, (at) => [`key${at}`, at]))],
      { type: 'integer' },
    ],
    [
      'more keys than are counted',
      times(20, (at) =>
        Object.fromEntries(times(30, (key) => [`key${at * 30 + key}`, key % 2 ? 'a b' : 1])),
      ),
      { type: ['string', 'integer'] },
    ],
    [
      'records as values',
      times(12, (at) => ({ [`key${at}`]: at % 2 ? { a: 1 } : { a: 2, b: 'x y' } })),
      objectOf({ a: 'integer', b: 'string' }, ['a']),
    ],
    ['some values that are null', [{ 1: 'a b', 2: null }], { type: ['string', 'null'] }],
  ]

  it.each(maps)('describes the values of a map with %s', (_title, values, expected) => {
    expect(fieldOf(values)).toEqual({ type: 'object', additionalProperties: expected })
  })

  const records: [title: string, values: Json[]][] = [
    ['the same keys', times(12, () => ({ a: 1, b: 2 }))],
    ['few different keys', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    [
      'many keys of several types',
      [Object.fromEntries(times(80, (at) => [`key${at}`, at % 2 ? 'a b' : 1]))],
    ],
    ['keys that are numbers and values of several types', [{ 1: 'a b', 2: 3 }]],
  ]

  it.each(records)('lists the fields of objects with %s', (_title, values) => {
    expect(fieldOf(values)).toHaveProperty('properties')
  })
})

describe('the format of a field', () => {
  const formats: [claim: string, values: Json[], expected: object][] = [
    ['date-time', ['2024-02-29T12:30:00Z'], { format: 'date-time' }],
    [
      'date-time with fractions and offsets',
      ['2024-02-29T12:30:00.123+01:00'],
      { format: 'date-time' },
    ],
    ['date', ['2024-02-29'], { format: 'date' }],
    ['time', ['12:30:00Z', '23:59:59.5+02:00'], { format: 'time' }],
    ['email', ['ada@mail.example'], { format: 'email' }],
    ['uri', ['https://a.example/b?c=d#e', 'mailto:ada@mail.example'], { format: 'uri' }],
    ['uuid', ['4b0087d5-c99d-4648-8e57-b7750e3601f9'], { format: 'uuid' }],
    ['ipv4', ['10.0.0.1', '10.0.0.2', '127.0.0.1'], { format: 'ipv4' }],
    ['ipv6', ['::1', '2001:db8::ff00:42:8329'], { format: 'ipv6' }],
    ['hostname', ['a.example', 'db-1.internal', 'www.b.org'], { format: 'hostname' }],
    [
      'ULID',
      ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ'],
      { pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
    ],
    [
      'ObjectId',
      ['507f1f77bcf86cd799439011', '507f191e810c19729de860ea'],
      { pattern: '^[0-9a-f]{24}$' },
    ],
    [
      'nanoid',
      ['V1StGXR8_Z5jdHi6B-myT', 'Uakgb_J5m9g-0JDMbcJqL', 'y8a3D-AfZk0CXKIW2_sTe'],
      { pattern: '^[A-Za-z0-9_-]{21}$' },
    ],
    ['numeric texts', times(10, (at) => `${at}0.5`), { pattern: String.raw`^-?\d+(?:\.\d+)?$` }],
    ['a format beside null', ['2024-02-29', null], { type: ['string', 'null'], format: 'date' }],
    ['a format beside numbers', ['2024-02-29', 1], { type: ['string', 'integer'], format: 'date' }],
  ]

  it.each(formats)('is claimed for %s', (_claim, values, expected) => {
    expect(fieldOf(values)).toEqual({ type: 'string', ...expected })
  })

  const texts: [title: string, values: Json[]][] = [
    ['a format that one value lacks', ['2024-02-29', '2024-02-30']],
    ['a format and an empty text', ['ada@mail.example', '']],
    ['date and time without an offset', ['2024-02-29T12:30:00']],
    ['two versions of software', ['1.0.0.0', '1.0.0.1']],
    ['names of files', ['a.txt', 'b.js', 'c.tar.gz']],
    ['single words', ['alpha', 'beta', 'gamma']],
    ['texts with a colon', ['note:x', 'warning:y']],
    ['paths', ['/a/b', '/c']],
    ['few numeric texts', ['12345', '90210', '10115']],
    [
      'words of 21 letters',
      ['how-we-choose-a-roast', 'the-letters-of-a-text', 'another-text-is-here-'],
    ],
    ['one ULID', ['01ARZ3NDEKTSV4RRFFQ69G5FAV']],
  ]

  it.each(texts)('is not claimed for %s', (_title, values) => {
    expect(fieldOf(values)).toEqual({ type: 'string' })
  })
})

describe('the enum of a field', () => {
  /** Each value with the number of its records. */
  const repeat = (counts: Record<string, number>): string[] =>
    Object.entries(counts).flatMap(([value, count]) => times(count, () => value))

  it('is claimed for few values that repeat', () => {
    const values = repeat({ paid: 12, shipped: 65, placed: 8 })
    expect(fieldOf(values)).toEqual({ type: 'string', enum: ['paid', 'placed', 'shipped'] })
  })

  it('is claimed for at most four values in 12 records, each twice', () => {
    const values = repeat({ admin: 2, editor: 3, reader: 5, guest: 2 })
    expect(fieldOf(values)).toHaveProperty('enum', ['admin', 'editor', 'guest', 'reader'])
  })

  it('allows null where there is null', () => {
    expect(fieldOf([...repeat({ a: 20, b: 20 }), null])).toEqual({
      type: ['string', 'null'],
      enum: ['a', 'b', null],
    })
  })

  const open: [title: string, values: Json[]][] = [
    ['three records', ['a', 'a', 'b']],
    ['fewer than 12 records', repeat({ published: 6, draft: 5 })],
    ['fewer than 30 records of five values', repeat({ a: 6, b: 6, c: 6, d: 6, e: 5 })],
    ['a value of one record', repeat({ admin: 1, staff: 30, customer: 30 })],
    ['a rare one of five values', repeat({ a: 2, b: 20, c: 20, d: 20, e: 20 })],
    ['a single value', repeat({ EUR: 100 })],
    ['fewer than 10 records for each of five values', repeat({ a: 9, b: 9, c: 9, d: 9, e: 9 })],
    ['more than 20 values', repeat(Object.fromEntries(times(21, (at) => [`v${at}`, 20])))],
    ['texts of several words', repeat({ 'The bell is broken.': 30, 'No bell.': 30 })],
    ['texts beside numbers', [...repeat({ a: 30, b: 30 }), 1]],
  ]

  it.each(open)('is not claimed for %s', (_title, values) => {
    expect(fieldOf(values)).not.toHaveProperty('enum')
  })
})

describe('the schema of a resource', () => {
  const rows: [title: string, value: Json, expected: SchemaObject][] = [
    [
      'a collection',
      [{ id: 1, a: 'x y' }, { id: 2 }],
      objectOf({ id: 'integer', a: 'string' }, ['id']),
    ],
    [
      'a collection without ids',
      [{ a: 1 }],
      objectOf({ id: 'integer', a: 'integer' }, ['id', 'a']),
    ],
    [
      'a collection in which some ids are missing or null',
      [{ a: 1 }, { id: 'x', a: 1 }, { id: null, a: 1 }],
      objectOf({ a: 'integer', id: 'string' }, ['id', 'a']),
    ],
    [
      'an empty collection',
      [],
      { ...objectOf({ id: { type: ['string', 'integer'] } }, ['id']), additionalProperties: true },
    ],
    ['a collection of empty records', [{}], objectOf({ id: 'integer' }, ['id'])],
    [
      'a singleton',
      { theme: 'dark', since: '2024-02-29' },
      objectOf({ theme: 'string', since: { type: 'string', format: 'date' } }, ['theme', 'since']),
    ],
    [
      'a singleton that is a map',
      Object.fromEntries(times(61, (at) => [`key${at}`, 'a b'])),
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    ['an empty singleton', {}, { type: 'object' }],
    ['a list of texts', ['red', 'green'], { type: 'array', items: { type: 'string' } }],
    [
      'a list of several types',
      [1, { a: 1 }],
      expect.objectContaining({ type: 'array' }) as SchemaObject,
    ],
    ['a text', 'red', { type: 'string' }],
    ['a number', 5, { type: 'integer' }],
    ['null', null, {}],
  ]

  it.each(rows)('describes %s', (_title, value, expected) => {
    expect(schemaOf(value)).toEqual(expected)
  })

  it('has the fields in the order of their first appearance', () => {
    const { properties, required } = schemaOf([
      { id: 1, z: 1 },
      { b: 1, id: 2, z: 1 },
    ])
    expect(Object.keys(properties as object)).toEqual(['id', 'z', 'b'])
    expect(required).toEqual(['id', 'z'])
  })

  it('keeps fields that are named like members of every object', () => {
    const record = JSON.parse('{"id":1,"__proto__":{"a":1},"constructor":"x"}') as Json
    const { properties, required } = schemaOf([record])
    expect(Object.keys(properties as object)).toEqual(['id', '__proto__', 'constructor'])
    expect(required).toEqual(['id', '__proto__', 'constructor'])
  })

  it('lists the fields of a record of many keys, which is no map', () => {
    const wide = Object.fromEntries(times(70, (at) => [`key${at}`, at]))
    expect(schemaOf([{ ...wide, id: 1 }])).toHaveProperty('properties.key69')
  })
})

describe('a changed resource', () => {
  it('is read again, and the others are not', () => {
    const reads: string[] = []
    const sources = (versions: Record<string, number>): Parameters<typeof infer>[0] =>
      Object.entries(versions).map(([name, version]) => ({
        name,
        kind: 'collection' as const,
        idField: 'id',
        version,
        values() {
          reads.push(name)
          return [{ id: 1, [`v${version}`]: true }]
        },
      }))
    const infer = createShapes()
    infer(sources({ posts: 1, users: 1 }))
    const [posts] = infer(sources({ posts: 2, users: 1 }))
    expect(reads).toEqual(['posts', 'users', 'posts'])
    expect(posts?.schema['required']).toEqual(['id', 'v2'])
    expect(infer(sources({ users: 1 })).map(({ name }) => name)).toEqual(['users'])
  })
})
