import { describe, expect, it } from 'vitest'

import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import { operators } from '../../../../src/core/query/operators.ts'
import { run } from '../../../../src/core/query/run.ts'
import type { QuerySource } from '../../../../src/core/query/select.ts'
import type { Cursor, Query, Where } from '../../../../src/core/query/tree.ts'
import { createVersionedCache } from '../../../../src/core/structures/versioned-cache.ts'
import { createRandom } from '../../../../src/core/time/random.ts'
import {
  type Collection,
  createCollection,
  keyOf,
} from '../../../../src/core/store/records/collection.ts'
import { fc } from '../../../fast-check.ts'

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom('0', '1', 'a', 'b', 'A', '', 'null', 'true'),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom<Json>('a', 'b', 1, null), { maxLength: 3 }),
)
const record: fc.Arbitrary<JsonRecord> = fc.record(
  { a: value, b: value, c: fc.record({ d: value }, { requiredKeys: [] }) },
  { requiredKeys: [] },
)
const paths = [['a'], ['b'], ['c', 'd'], ['nope']]
const path = fc.constantFrom(...paths)
const condition: fc.Arbitrary<Where> = fc.record({
  path,
  operator: fc.constantFrom(...Object.values(operators)),
  operands: fc.array(fc.constantFrom('0', '1', 'a', 'b', 'null', 'true', 1, null, true), {
    minLength: 1,
    maxLength: 2,
  }),
})
const where: fc.Arbitrary<Where> = fc.letrec<{ tree: Where }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    condition,
    fc.record({ and: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
})).tree
/** A condition that an index can answer. */
const equality: fc.Arbitrary<Where> = fc.record({
  path: fc.constantFrom(['a'], ['b']),
  operator: fc.constant(operators.eq),
  operands: fc.constantFrom(['0'], ['1'], ['a'], ['b'], ['true']),
})
const key = fc.record({ path, descending: fc.boolean() })
const query: fc.Arbitrary<Query> = fc.record(
  {
    where: fc.oneof(where, equality, fc.record({ and: fc.tuple(equality, where) })),
    search: fc.constantFrom('a', '1', 'x'),
    sort: fc.array(key, { minLength: 1, maxLength: 2 }),
    slice: fc.record({ start: fc.nat(5), end: fc.nat(12) }),
  },
  { requiredKeys: ['where'] },
)

type Step =
  | { do: 'insert'; record: JsonRecord }
  | { do: 'replace'; at: number; record: JsonRecord }
  | { do: 'remove'; at: number }
  | { do: 'ask'; query: Query }
  | { do: 'fork' }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), record }),
  fc.record({ do: fc.constant('replace' as const), at: fc.nat(), record }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat() }),
  { arbitrary: fc.record({ do: fc.constant('ask' as const), query }), weight: 4 },
  fc.record({ do: fc.constant('fork' as const) }),
)

const random = createRandom(1)

function take(collection: Collection, step: Exclude<Step, { do: 'ask' | 'fork' }>): void {
  if (step.do === 'insert') return void collection.insert(step.record, random)
  const records = collection.records()
  const target = records[step.at % Math.max(1, records.length)]
  if (!target) return
  const id = keyOf(collection, target)
  if (step.do === 'remove') collection.remove(id)
  else collection.replace(id, step.record)
}

/** Runs a query with all indexes, with those that it builds itself, and without any. */
function ask(collection: Collection, query: Query): { quick: unknown; plain: unknown } {
  const source = {
    name: 'x',
    records: () => collection.records(),
    ordinalOf: (one: JsonRecord) => collection.ordinalOf(keyOf(collection, one)) ?? 0,
  }
  const { indexes } = collection
  const answer = (from: QuerySource): unknown => {
    const { next, ...found } = run(from, query, never)
    return { ...found, next: next?.() }
  }
  const plain = answer(source)
  // The first two queries that can use an index do not have it yet.
  for (let time = 0; time < 3; time++) expect(answerAnew()).toEqual(plain)
  for (const path of paths) {
    for (const descending of [false, true]) {
      indexes.lists([], [], [{ path, descending }], 'whole')
    }
    indexes.lists([path], [[]], [], 'whole')
  }
  indexes.lists([], [], query.sort ?? [], 'whole')
  return { quick: answerAnew(), plain }

  /** Runs the query without cached results. */
  function answerAnew(): unknown {
    const results = createVersionedCache(() => collection.version)
    return answer({ ...source, indexes: { ...indexes, results } })
  }
}

/** The same answer with and without indexes. */
function askBoth(collection: Collection, query: Query): { records: unknown[]; next?: Cursor } {
  const { quick, plain } = ask(collection, query)
  expect(quick).toEqual(plain)
  return plain as { records: unknown[]; next?: Cursor }
}

function never(): never {
  throw new Error('This is never called.')
}

describe('a query', () => {
  it('finds with indexes and cached results what a scan finds', () => {
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 60, size: 'max' }),
        // Sets of more than 64 slots are bits.
        fc.constantFrom(1, 1, 1, 4),
        fc.array(step, { maxLength: 40, size: 'max' }),
        (records, copies, steps) => {
          const all = Array.from({ length: copies }, () => records).flat()
          let collection = createCollection(all, { name: 'x', idField: 'id' })
          for (const one of steps) {
            if (one.do === 'ask') {
              askBoth(collection, one.query)
              askBoth(collection, { ...one.query, slice: { start: 3, end: 7 } })
            } else if (one.do === 'fork') collection = collection.fork()
            else take(collection, one)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('continues after a cursor where the page before ended', () => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 40, size: 'max' }),
        fc.record({ where, sort: fc.array(key, { maxLength: 2 }) }, { requiredKeys: [] }),
        (records, asked) => {
          const collection = createCollection([...records, ...records, ...records], {
            name: 'x',
            idField: 'id',
          })
          const whole = askBoth(collection, asked).records
          const walked: unknown[] = []
          for (let after: Cursor | undefined, page = 0; page < 99; page++) {
            const slice = { start: 0, end: 5 }
            const found = askBoth(
              collection,
              after ? { ...asked, slice, after } : { ...asked, slice },
            )
            walked.push(...found.records)
            after = found.next
            if (!after) break
          }
          expect(walked).toEqual(whole)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('does not test a value at the start of a path as the value inside', () => {
    const { eq, gte } = operators
    const values: Json[] = [{ d: 1 }, 1, [{ d: 1 }], '1', null]
    const records = values.map((c) => ({ a: 1, c }))
    const collection = createCollection(records, { name: 'x', idField: 'id' })
    const and = [
      { path: ['a'], operator: eq, operands: ['1'] },
      { path: ['c', 'd'], operator: gte, operands: ['1'] },
    ]
    const { quick, plain } = ask(collection, { where: { and } })
    expect(quick).toMatchObject({ total: 2 })
    expect(quick).toEqual(plain)
  })

  it('sorts few of many records as it sorts many', () => {
    const { eq: operator } = operators
    const records = Array.from({ length: 1000 }, (_, at) => ({ a: at % 500, b: (at * 7) % 1000 }))
    const collection = createCollection(records, { name: 'x', idField: 'id' })
    for (const operand of ['0', '7', '499', 'none']) {
      for (const descending of [false, true]) {
        const where = { path: ['a'], operator, operands: [operand] }
        const { quick, plain } = ask(collection, { where, sort: [{ path: ['b'], descending }] })
        expect(quick).toMatchObject({ total: operand === 'none' ? 0 : 2 })
        expect(quick).toEqual(plain)
      }
    }
  })

  it('sees in a fork only what was written there', () => {
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 30 }),
        fc.array(step),
        fc.array(step),
        (records, mine, yours) => {
          const original = createCollection(records, { name: 'x', idField: 'id' })
          const fork = original.fork()
          const before = JSON.stringify(original.records())
          for (const one of yours) if (one.do !== 'ask' && one.do !== 'fork') take(fork, one)
          expect(JSON.stringify(original.records())).toBe(before)
          const forked = JSON.stringify(fork.records())
          for (const one of mine) if (one.do !== 'ask' && one.do !== 'fork') take(original, one)
          expect(JSON.stringify(fork.records())).toBe(forked)
          for (const one of fork.records()) expect(fork.get(keyOf(fork, one))).toBe(one)
        },
      ),
    )
  })

  it.each(['ne', 'nin'] as const)(
    'finds with %s exactly what its opposite does not find',
    (name) => {
      const opposite = operators[name === 'ne' ? 'eq' : 'in']
      const operator = operators[name]
      fc.assert(
        fc.property(record, path, fc.constantFrom('0', '1', 'a', 'null'), (one, path, operand) => {
          expect(operator.compile(path, [operand])(one)).toBe(
            !opposite.compile(path, [operand])(one),
          )
        }),
      )
    },
  )
})
