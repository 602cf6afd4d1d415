import { describe, expect, it } from 'vitest'

import { isRecord, type Json, type JsonRecord, ownValue } from '../../../../src/core/json/json.ts'
import { type Operator, operators } from '../../../../src/core/query/operators.ts'
import { run } from '../../../../src/core/query/run.ts'
import type { Query, Where } from '../../../../src/core/query/tree.ts'
import {
  type Collection,
  createCollection,
  keyOf,
} from '../../../../src/core/store/records/collection.ts'
import { createRandom } from '../../../../src/core/time/random.ts'
import { fc } from '../../../fast-check.ts'

// Characters whose case changes their number, that fall together with ASCII in lower case, halves of
// surrogate pairs, and the wildcards of `like`.
const characters = [
  'abcABCiIkKsSıſßẞΣσςéÉåÅ中😀019e+-.%_ []\\$^'.match(/./gu) ?? [],
  ['İ', 'i\u0307', 'ﬃ', '\u212a', '\u212b', 'e\u0301', '\ud83d', '\ude00', 'Straße', 'İstanbul'],
].flat()
const text = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((list) => list.join(''))
const plain: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: text, weight: 4 },
  fc.constantFrom<Json>(0, 19, -1.9, 1e21, 1e-7, true, false, null),
)
const value: fc.Arbitrary<Json> = fc.oneof(
  plain,
  fc.array(plain, { maxLength: 3 }),
  fc.record({ c: plain, d: fc.array(fc.record({ c: plain }), { maxLength: 2 }) }),
)
const record = fc.record({ a: value, b: value }, { requiredKeys: [] })
const wanted = fc.oneof(
  { arbitrary: text.filter((one) => one !== ''), weight: 4 },
  fc.constantFrom('tra', 'stan', 'i\u0307st', 'ss', 'true', '1e+21', 'null', '0000', 'kk', 'c'),
)

const textOperators = ['contains', 'startsWith', 'endsWith', 'like']
const condition = fc
  .record({
    path: fc.constantFrom(['a'], ['b', 'c'], ['b', 'd', 'c']),
    name: fc.constantFrom(...textOperators),
    operands: fc.array(wanted, { minLength: 1, maxLength: 2 }),
  })
  .map(({ path, name, operands }): Where => ({ path, operands, operator: operatorOf(name) }))
const where: fc.Arbitrary<Where> = fc.oneof(
  condition,
  fc.record({ not: condition }),
  fc.record({ or: fc.tuple(condition, condition) }),
  fc.record({ not: fc.record({ and: fc.tuple(condition, fc.record({ not: condition })) }) }),
)
const query: fc.Arbitrary<Query> = fc.oneof(
  { arbitrary: fc.record({ search: wanted }), weight: 3 },
  fc.record({ where }),
  fc.record({ where, search: wanted }),
)

type Write =
  | { do: 'insert'; record: JsonRecord }
  | { do: 'replace'; at: number; record: JsonRecord }
  | { do: 'remove'; at: number }
type Step = Write | { do: 'fork' } | { do: 'ask'; query: Query }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), record }),
  fc.record({ do: fc.constant('replace' as const), at: fc.nat(), record }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('fork' as const) }),
  { arbitrary: fc.record({ do: fc.constant('ask' as const), query }), weight: 6 },
)

describe('a search in texts', () => {
  it('finds what the naive way finds, in any script, between writes and in forks', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), fc.array(step), (records, steps) => {
        let collection = createCollection(records, { name: 'x', idField: 'id' })
        for (const one of steps) {
          if (one.do === 'ask') ask(collection, one.query)
          else if (one.do !== 'fork') write(collection, one)
          else {
            const fork = collection.fork()
            write(collection, { do: 'replace', at: 0, record: {} })
            collection = fork
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  it('finds the same before, while and after the records are indexed', () => {
    const records = Array.from({ length: 10_000 }, (_, at) => ({ a: `Row ${at * 7} of all` }))
    const collection = createCollection(records, { name: 'x', idField: 'id' })
    for (const search of ['row 7', '69993', '99 OF', 'none', '77 of']) ask(collection, { search })
    for (let at = 0; at < 10_000; at += 501) {
      write(collection, { do: 'replace', at, record: { a: `Changed 77 of ${at}` } })
    }
    write(collection, { do: 'insert', record: { a: 'Changed too' } })
    for (const search of ['changed', '77 of', 'too']) ask(collection, { search })
    write(collection, { do: 'remove', at: 501 })
    for (const search of ['changed', '77 of 501']) ask(collection, { search })
  })

  it('finds phrases in many records, which the begins and ends of words narrow down', () => {
    const random = createRandom(4)
    const pick = <Item>(list: readonly [Item, ...Item[]]): Item =>
      list[Math.floor(random() * list.length)] ?? list[0]
    const toText = (): string =>
      Array.from({ length: 4 }, () => pick(['ba', 'bad', 'abba', 'dab', 'c', 'ı'])).reduce(
        (text, word) => text + pick([' ', ' ', ' ', '-', '  ', '']) + word,
      )
    const records = Array.from({ length: 3000 }, () => ({ a: toText() }))
    const collection = createCollection(records, { name: 'x', idField: 'id' })
    for (let round = 0; round < 100; round++) {
      const text = pick([toText, toText, () => `${toText()} `])()
      const start = Math.floor(random() * 3)
      ask(collection, { search: text.slice(start, start + 2 + Math.floor(random() * 6)) })
    }
  })
})

/** Expects the records that the naive way finds. */
function ask(collection: Collection, asked: Query): void {
  const source = {
    name: 'x',
    records: () => collection.records(),
    ordinalOf: () => 0,
    indexes: collection.indexes,
  }
  const expected = collection
    .records()
    .filter((one) => matches(one, asked.where) && hasText(one, asked.search ?? ''))
  expect(run(source, asked, never).records).toEqual(expected)
}

function hasText(inner: Json, search: string): boolean {
  if (inner === null) return false
  if (typeof inner === 'object') return Object.values(inner).some((one) => hasText(one, search))
  return String(inner).toLowerCase().includes(search.toLowerCase())
}

function matches(one: JsonRecord, tree: Where = { and: [] }): boolean {
  if ('and' in tree) return tree.and.every((inner) => matches(one, inner))
  if ('or' in tree) return tree.or.some((inner) => matches(one, inner))
  if ('not' in tree) return !matches(one, tree.not)
  const { path, operator, operands } = tree
  return valuesAt(one, path).some((inner) =>
    operands.some((operand) => {
      const asked = String(operand).toLowerCase()
      const given = String(inner).toLowerCase()
      return operator.name === 'like' && /[%_]/.test(asked)
        ? toRegExp(asked).test(given)
        : given[methods[operator.name] ?? never()](asked)
    }),
  )
}

const methods: Record<string, 'includes' | 'startsWith' | 'endsWith'> = {
  contains: 'includes',
  like: 'includes',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
}

/** The plain values at a path, which continues in the elements of arrays. */
function valuesAt(inner: Json | undefined, path: readonly string[]): (string | number | boolean)[] {
  if (Array.isArray(inner)) return inner.flatMap((one) => valuesAt(one, path))
  if (isRecord(inner)) return path[0] ? valuesAt(inner[path[0]], path.slice(1)) : []
  return inner === undefined || inner === null || path.length > 0 ? [] : [inner]
}

/** The pattern of `like` as a regular expression: `%` is any text, `_` one character. */
function toRegExp(pattern: string): RegExp {
  const source = pattern.replaceAll(/[[\]\\$^.+]/g, '\\$&')
  return new RegExp(
    `^${source
      .replaceAll('%', '[^]*')
      .replaceAll('_', '(?:[\\ud800-\\udbff][\\udc00-\\udfff]|[^])')}$`,
  )
}

const random = createRandom(1)

function write(collection: Collection, step: Write): void {
  if (step.do === 'insert') return void collection.insert(step.record, random)
  const records = collection.records()
  const target = records[step.at % Math.max(1, records.length)]
  if (!target) return
  const id = keyOf(collection, target)
  if (step.do === 'remove') collection.remove(id)
  else collection.replace(id, step.record)
}

function operatorOf(name: string): Operator {
  return ownValue<Operator>(operators, name) ?? never()
}

function never(): never {
  throw new Error('This is never called.')
}
