import JSON5 from 'json5'
import { describe, expect, it } from 'vitest'

import { isRecord, type Json } from '../../../../src/core/json/json.ts'
import {
  createFixtureText,
  type FixtureText,
  type PatchOptions,
} from '../../../../src/loader/persist/patch-text.ts'
import { fc } from '../../../fast-check.ts'

const options: PatchOptions = {
  idsOf: (path, list) =>
    path.length < 2 && list.every(isRecord)
      ? list.map((record) => JSON.stringify(record['id']))
      : undefined,
  isKept: (key) => key === '$schema',
}

describe('createFixtureText', () => {
  const rows: [title: string, text: string, next: unknown, expected: string][] = [
    [
      'two spaces and a final newline',
      '[\n  {\n    "id": 1\n  }\n]\n',
      [{ id: 1 }, { id: 2, t: ['a'] }],
      '[\n  {\n    "id": 1\n  },\n  {\n    "id": 2,\n    "t": [\n      "a"\n    ]\n  }\n]\n',
    ],
    [
      'four spaces and no final newline',
      '[\n    {\n        "id": 1\n    }\n]',
      [{ id: 2 }],
      '[\n    {\n        "id": 2\n    }\n]',
    ],
    [
      'tabs',
      '[\n\t{\n\t\t"id": 1\n\t}\n]\n',
      [{ id: 1, a: { b: 1 } }],
      '[\n\t{\n\t\t"id": 1,\n\t\t"a": {\n\t\t\t"b": 1\n\t\t}\n\t}\n]\n',
    ],
    [
      'CRLF',
      '[\r\n  {\r\n    "id": 1\r\n  }\r\n]\r\n',
      [{ id: 1 }, { id: 2 }],
      '[\r\n  {\r\n    "id": 1\r\n  },\r\n  {\r\n    "id": 2\r\n  }\r\n]\r\n',
    ],
    [
      'one line without spaces',
      '[{"id":1,"t":"a"}]',
      [
        { id: 1, t: 'b' },
        { id: 2, t: 'c, d: {' },
      ],
      '[{"id":1,"t":"b"},{"id":2,"t":"c, d: {"}]',
    ],
    [
      'one line with spaces',
      '[{ "id": 1, "t": "a" }]\n',
      [{ id: 1, t: 'a' }, { id: 2, t: 'c' }, { id: 3 }],
      '[{ "id": 1, "t": "a" }, { "id": 2, "t": "c" }, { "id": 3 }]\n',
    ],
    [
      'one record per line',
      '[\n  { "id": 1, "t": "a" },\n  { "id": 2, "t": "b" }\n]\n',
      [
        { id: 2, t: 'b' },
        { id: 3, t: 'c' },
      ],
      '[\n  { "id": 2, "t": "b" },\n  { "id": 3, "t": "c" }\n]\n',
    ],
    [
      'records that begin on the line of the bracket',
      '[{\n  "id": 1\n}, {\n  "id": 2\n}]',
      [{ id: 2 }, { id: 3 }],
      '[{\n  "id": 2\n}, {\n  "id": 3\n}]',
    ],
    [
      'lists on one line',
      '[\n  {\n    "id": 1,\n    "t": ["a", "b"]\n  }\n]',
      [
        { id: 1, t: ['a', 'b', 'c'] },
        { id: 2, t: ['x', 'y'] },
      ],
      '[\n  {\n    "id": 1,\n    "t": ["a", "b", "c"]\n  },\n  {\n    "id": 2,\n    "t": ["x", "y"]\n  }\n]',
    ],
    [
      'the order of keys',
      '[\n  {\n    "t": "a",\n    "id": 1\n  }\n]',
      [{ id: 1, t: 'b' }],
      '[\n  {\n    "t": "b",\n    "id": 1\n  }\n]',
    ],
    [
      'the place of a new key',
      '{"a": 1, "c": 3}',
      { z: 0, a: 1, b: 2, c: 3, d: 4 },
      '{"z": 0, "a": 1, "b": 2, "c": 3, "d": 4}',
    ],
    [
      'how unchanged values are written',
      '[\n  {"id": 1.0, "a": 1e3, "b": "\\u00e9", "c": 1}\n]',
      [{ id: 1, a: 1000, b: 'é', c: 2 }],
      '[\n  {"id": 1.0, "a": 1e3, "b": "\\u00e9", "c": 2}\n]',
    ],
    [
      'a key that is not data',
      '{\n  "$schema": "x",\n  "a": 1\n}',
      { a: 2 },
      '{\n  "$schema": "x",\n  "a": 2\n}',
    ],
    ['an empty list', '[]\n', [{ id: 1 }], '[\n  {\n    "id": 1\n  }\n]\n'],
    ['a list that becomes empty', '[\n  {\n    "id": 1\n  }\n]\n', [], '[]\n'],
    [
      'a database',
      '{\n  "a": [\n    { "id": 1 }\n  ],\n  "b": { "x": 1 },\n  "c": []\n}\n',
      { a: [{ id: 1 }, { id: 2 }], b: { x: 2 }, c: [{ id: 1 }] },
      '{\n  "a": [\n    { "id": 1 },\n    { "id": 2 }\n  ],\n  "b": { "x": 2 },\n  "c": [\n    { "id": 1 }\n  ]\n}\n',
    ],
    [
      'a database on one line',
      '{"a":[{"id":1}],"b":[]}',
      { a: [{ id: 1 }, { id: 2 }], b: [{ id: 1 }] },
      '{"a":[{"id":1},{"id":2}],"b":[{"id":1}]}',
    ],
    [
      'another order',
      '[\n  {"id": 1}, // one\n  {"id": 2}\n]',
      [{ id: 2 }, { id: 1 }],
      '[\n  {"id": 2},\n  {"id": 1} // one\n]',
    ],
    [
      'another order on one line',
      '[{"id": 1}, {"id": 2}, {"id": 3}]',
      [{ id: 3 }, { id: 1 }, { id: 2 }],
      '[{"id": 3}, {"id": 1}, {"id": 2}]',
    ],
    ['a removed first element on one line', '[1, 2, 3]', [2, 3], '[2, 3]'],
    [
      'a key named __proto__',
      '[{"id":1}]',
      JSON.parse('[{"id":1,"__proto__":{"a":1}}]'),
      '[{"id":1,"__proto__":{"a":1}}]',
    ],
    [
      'the style for a value of another type',
      '{\n  "a": 1\n}',
      { a: { b: [1] } },
      '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}',
    ],
    ['a final newline after a scalar', '7\n', 8, '8\n'],
  ]

  it.each(rows)('keeps %s', (_title, text, next, expected) => {
    const file = createFixtureText(text, JSON5.parse(text), options)
    file.update(next as Json)
    expect(textOf(file)).toBe(expected)
    expect(JSON.parse(JSON.stringify(JSON5.parse(expected)))).toMatchObject(next as object)
  })

  const json5 = `// All posts.
[
  // The first one.
  {
    id: 1, // never change this
    title: 'One',
    tags: ['a', /* why? */ 'b'],
  },
  // The second one.
  { id: 2, title: 'It\\'s "two"' }, // short
  /* third */
  {
    id: 3,
    title: 'Three',
  },
  // The end.
]
// Bye.
`

  it('keeps the comments of JSON5 around changed, new and removed values', () => {
    const file = createFixtureText(json5, JSON5.parse(json5), options)
    file.update([
      { id: 1, title: 'Uno', tags: ['a', 'c'], isNew: true },
      { id: 3, title: 'Three' },
      { id: 4, title: "It's 'four'", 'a-b': null },
    ])
    expect(textOf(file)).toBe(`// All posts.
[
  // The first one.
  {
    id: 1, // never change this
    title: 'Uno',
    tags: ['a', /* why? */ 'c'],
    isNew: true,
  },
  /* third */
  {
    id: 3,
    title: 'Three',
  },
  {
    id: 4,
    title: 'It\\'s \\'four\\'',
    'a-b': null
  },
  // The end.
]
// Bye.
`)
  })

  const comments: [title: string, text: string, next: Json, expected: string][] = [
    ['the closing bracket', '[1, // one\n2]', [1], '[1 // one\n]'],
    [
      'a value after a block comment with slashes',
      '[1, /* see https://x.y */ 2, 3]',
      [1, 5, 3],
      '[1, /* see https://x.y */ 5, 3]',
    ],
    [
      'a value after a block comment behind a line comment',
      '[1, // one\n/* // */ 2, 3]',
      [1, 5, 3],
      '[1, // one\n/* // */ 5, 3]',
    ],
    ['the next value', '[1, // one\n2, 3]', [1, 3], '[1, // one\n3]'],
    ['a new value', '[1 // one\n]', [1, 2], '[1, // one\n2\n]'],
    ['the only comment of an empty list', '[ // none\n]', [1], '[\n  1 // none\n]'],
    ['a comma on the next line', '[1 // one\n, 2]', [1], '[1 // one\n]'],
  ]

  it.each(comments)('lets no comment swallow %s', (_title, text, next, expected) => {
    const file = createFixtureText(text, JSON5.parse(text), options)
    file.update(next)
    expect(JSON5.parse(textOf(file))).toEqual(next)
    expect(textOf(file).replaceAll(/[ \t]+/g, ' ')).toBe(expected.replaceAll(/[ \t]+/g, ' '))
  })

  it('applies one change after the other', () => {
    const file = createFixtureText(json5, JSON5.parse(json5), options)
    const steps: Json[] = [
      [{ id: 3 }],
      [{ id: 9 }, { id: 3, a: [1] }],
      [],
      [{ id: 1 }],
      [{ id: 1, a: 2 }],
    ]
    for (const step of steps) {
      file.update(step)
      expect(JSON5.parse(textOf(file))).toEqual(step)
    }
  })

  const record = fc.dictionary(
    fc.constantFrom('a', 'b', '$c', 'd e', '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const list = fc
    .uniqueArray(fc.tuple(fc.nat(9), record), { selector: ([id]) => id, maxLength: 6 })
    .map((pairs) => pairs.map(([id, fields]) => toJson({ ...fields, id })))
  const data = fc.oneof(
    list,
    fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.oneof(list, record.map(toJson))).map(toJson),
  )
  const layout = fc.constantFrom<(value: Json) => string>(
    (value) => JSON.stringify(value),
    (value) => `${JSON.stringify(value, null, 2)}\n`,
    (value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
    (value) => JSON5.stringify(value, null, 2),
    (value) => JSON5.stringify(value),
    (value) => JSON.stringify(value, null, 2).replaceAll(/,(?=\n)/g, ' /* a */, // b, c'),
    (value) => `// top\n${JSON.stringify(value, null, 1).replaceAll(/^ /gm, '/**/ ')}`,
  )

  it.each([
    ['on one line', '[{"id": 1}]', '[{"id": 2}]'],
    ['on a line of its own', '[\n {"id": 1}\n]\n', '[\n {"id": 2}\n]\n'],
  ])('formats a list as before after it was empty: %s', (_title, text, expected) => {
    const file = createFixtureText(text, [{ id: 1 }], options)
    file.update([])
    file.update([{ id: 2 }])
    expect([...file.pieces()].join('')).toBe(expected)
  })

  it('represents every new value, whatever its value and format before', () => {
    fc.assert(
      fc.property(data, fc.array(data, { maxLength: 3 }), layout, (first, steps, write) => {
        const text = write(first)
        const file = createFixtureText(text, first, options)
        for (const step of steps) {
          file.update(step)
          expect(toJson(JSON5.parse(textOf(file)))).toEqual(step)
        }
        file.update(first)
        expect(toJson(JSON5.parse(textOf(file)))).toEqual(first)
      }),
      { numRuns: 100 },
    )
  })

  it('stays the same if nothing has changed', () => {
    fc.assert(
      fc.property(data, layout, (value, write) => {
        const file = createFixtureText(write(value), value, options)
        file.update(structuredClone(value))
        expect(textOf(file)).toBe(write(value))
      }),
    )
  })

  it('formats new data like JSON.stringify if the rest is so formatted', () => {
    fc.assert(
      fc.property(list, list, fc.constantFrom(undefined, 2, '\t'), (value, next, indent) => {
        fc.pre(value.length > 0)
        const file = createFixtureText(JSON.stringify(value, null, indent), value, options)
        file.update(next)
        const sorted = JSON.parse(textOf(file)) as Json
        expect(textOf(file)).toBe(JSON.stringify(sorted, null, indent))
      }),
    )
  })
})

function textOf(file: FixtureText): string {
  return [...file.pieces()].join('')
}

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
