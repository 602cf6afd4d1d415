import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../../../../src/core/http/contract/internals.ts'
import type { JsonRecord } from '../../../../../src/core/json/json.ts'
import {
  type Collection,
  createCollection,
  keyOf,
} from '../../../../../src/core/store/records/collection.ts'
import { createRandom } from '../../../../../src/core/time/random.ts'
import { createMock } from '../../../../../src/index.ts'
import { fc } from '../../../../fast-check.ts'

const random = createRandom(1)

function create(size = 0): Collection {
  const records = Array.from({ length: size }, (_, at) => ({ id: at + 1, group: at % 3 }))
  return createCollection(records, { name: 'posts', idField: 'id' })
}

function insertAndRemove(collection: Collection, count: number): void {
  for (let at = 0; at < count; at++) {
    const record = collection.insert({ group: 0 }, random)
    collection.remove(keyOf(collection, record))
  }
}

describe('a collection after many insertions and removals', () => {
  it('has no more slots than twice its records and a constant', () => {
    const collection = create(10)
    insertAndRemove(collection, 50_000)
    expect(collection.size).toBe(10)
    expect(collection.length).toBeLessThanOrEqual(2 * 10 + 1025)
  })

  it('never draws the id of a removed record', () => {
    const collection = create(10)
    insertAndRemove(collection, 5000)
    expect(collection.insert({}, random)['id']).toBe(5011)
  })

  it('bounds the slots of each fork, and leaves the original unchanged', () => {
    const collection = create(1500)
    const fork = collection.fork()
    for (let id = 1; id <= 1400; id++) fork.remove(String(id))
    insertAndRemove(fork, 5000)
    expect(fork.length).toBeLessThanOrEqual(2 * 100 + 1025)
    expect(fork.records()).toEqual(collection.records().slice(1400))
    expect(collection.get('1')).toEqual({ id: 1, group: 0 })
    expect(collection.size).toBe(1500)
  })

  it('answers from indexes of the records that are left', () => {
    const collection = create(3000)
    const equal = (): unknown[] => {
      const lists = collection.indexes.lists([['group']], [[1]], [], 'whole')
      return lists?.flatMap(({ list }) => list.map(collection.at)) ?? []
    }
    const scan = (): unknown[] => collection.records().filter(({ group }) => group === 1)
    for (let id = 1; id <= 2900; id++) {
      collection.remove(String(id))
      if (id % 500 === 0) expect(equal()).toEqual(scan())
    }
    expect(equal()).toEqual(scan())
  })
})

/** Bulk operations, because a few removals renumber no slot. */
const operation = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), count: fc.integer({ min: 1, max: 900 }) }),
  fc.record({
    kind: fc.constant('remove' as const),
    every: fc.integer({ min: 1, max: 4 }),
    from: fc.nat(300),
  }),
  fc.record({ kind: fc.constant('fork' as const) }),
)

it('keeps order, ids and ordinals through renumbered slots', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 12 }), (operations) => {
      let collection = create()
      let model: JsonRecord[] = []
      const ordinals = new Map<string, number>()
      let highest = -1
      for (const one of operations) {
        if (one.kind === 'fork') collection = collection.fork()
        else if (one.kind === 'insert') {
          for (let at = 0; at < one.count; at++) {
            const record = collection.insert({ group: at % 3 }, random)
            model.push(record)
            const ordinal = collection.ordinalOf(keyOf(collection, record)) ?? -1
            if (ordinal <= highest) throw new Error(`The ordinal ${ordinal} is used again.`)
            highest = ordinal
            ordinals.set(keyOf(collection, record), ordinal)
          }
        } else {
          const removed = new Set(model.filter((_, at) => at >= one.from && at % one.every === 0))
          for (const record of removed) collection.remove(keyOf(collection, record))
          model = model.filter((record) => !removed.has(record))
        }
        const ids = model.map((record) => keyOf(collection, record))
        expect(collection.records()).toEqual(model)
        expect(ids.map(collection.get)).toEqual(model)
        expect(ids.map(collection.ordinalOf)).toEqual(ids.map((id) => ordinals.get(id)))
        expect(collection.length).toBeLessThanOrEqual(2 * collection.size + 1025)
      }
    }),
    { numRuns: 25 },
  )
})

it('lists no record twice and leaves none out while cursors outlive renumbered slots', async () => {
  const posts = Array.from({ length: 3000 }, (_, at) => ({ id: at + 1, rank: at % 2 }))
  for (const query of ['_cursor=&_limit=20', '_cursor=&_limit=20&_sort=rank']) {
    const mock = createMock({ fixtures: { posts } })
    const seen: number[] = []
    let path: string | undefined = `/posts?${query}`
    for (let page = 0; path !== undefined; page++) {
      const response: Response = await mock.fetch(path)
      seen.push(...((await response.json()) as { id: number }[]).map(({ id }) => id))
      path = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      // Of the records ahead of the first pages, only each hundredth is left.
      if (page === 0) for (const { id } of posts) if (id % 100 > 0) mock.db.posts.remove(id)
      if (page === 1) mock.db.posts.insert({ rank: 1 })
    }
    expect(internalsOf(mock).store.collection('posts').length).toBeLessThan(1100)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(mock.db.posts.all().map(({ id }) => id)))
  }
})
