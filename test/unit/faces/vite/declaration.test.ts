import { expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { toDeclaration } from '../../../../src/faces/vite/declaration.ts'

const rows: [title: string, value: Json, expected: string][] = [
  ['records', [{ id: 1, title: 'a' }], '{ id: number title: string }[]'],
  ['fields that some records lack', [{ id: 1, a: 1 }, { id: 2 }], '{ id: number a?: number }[]'],
  [
    'fields of several types',
    [
      { id: 1, a: 1 },
      { id: 2, a: null },
      { id: 3, a: 'x' },
    ],
    '{ id: number a: string | number | null }[]',
  ],
  ['ids that the load adds', [{ a: true }], '{ id: number a: boolean }[]'],
  ['ids of which the load adds some', [{ id: 'a' }, {}], '{ id: string }[]'],
  ['lists', [{ id: 1, a: ['x'], b: [] }], '{ id: number a: string[] b: unknown[] }[]'],
  ['mixed lists', [{ id: 1, a: ['x', 1] }], '{ id: number a: (string | number)[] }[]'],
  ['objects within', { a: { b: [{ c: 1 }, {}] } }, '{ a: { b: { c?: number }[] } }'],
  ['a collection without records', [], 'Record<string, unknown>[]'],
  ['an object without fields', {}, 'Record<string, unknown>'],
  ['a document', ['red', 'green'], 'string[]'],
  ['a text', 'red', 'string'],
  ['keys that are not identifiers', { 'a-b': 1, "it's": 2 }, "{ 'a-b': number 'it\\'s': number }"],
  ['keys with other quotes', { 'a"b': 1 }, "{ 'a\"b': number }"],
  ['a record with as many keys as one may have', toDictionary(60, 1), toFields(60)],
  ['a dictionary', toDictionary(61, 1), 'Record<string, number>'],
  [
    'a dictionary of records of several kinds',
    { ...toDictionary(61, { a: 1, b: ['x'] }), other: { b: [1] } },
    'Record<string, { a?: number b: (string | number)[] }>',
  ],
]

function toDictionary(size: number, value: Json): Record<string, Json> {
  return Object.fromEntries(Array.from({ length: size }, (_, at) => [`key${at}`, value]))
}

function toFields(size: number): string {
  return `{ ${Array.from({ length: size }, (_, at) => `key${at}: number `).join('')}}`
}

it.each(rows)('types %s', (_title, value, expected) => {
  const text = toDeclaration([{ name: 'x', value }], () => 'id')
  const type = /export interface Fixtures \{\n {4}x: (.*?)\n {2}\}\n/s.exec(text)?.[1]
  expect(type?.replaceAll(/\s+/g, ' ')).toBe(expected)
})

it('puts the id field of the configuration into records without one', () => {
  const text = toDeclaration([{ name: 'users', value: [{ a: 1 }] }], (name) => `${name}Id`)
  expect(text).toContain('usersId: number')
})
