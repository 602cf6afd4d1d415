import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import type { RelationRules } from '../../../../src/core/shape/relations/find-relations.ts'
import { createShapes } from '../../../../src/core/shape/shapes.ts'
import { toSources } from '../../../../src/core/shape/sources.ts'

/** All relations as texts: `comments.postId -> posts by name`. */
function relationsOf(data: Record<string, Json>, rules?: RelationRules): string[] {
  return createShapes()(toSources(data), rules).flatMap(({ name, relations }) =>
    relations.map(({ place, to, by }) => `${[name, ...place].join('.')} -> ${to} by ${by}`),
  )
}

function records(
  ids: readonly Json[],
  fields: (at: number) => Record<string, Json> = () => ({}),
): Json {
  return ids.map((id, at) => ({ id, ...fields(at) }))
}

const dense = Array.from({ length: 50 }, (_, at) => at + 1)
const sparse = dense.map((id) => id * 9173)
const names = ['coffee', 'tea', 'ceramics', 'plants']

describe('a relation', () => {
  const found: [string, Record<string, Json>, string[], RelationRules?][] = [
    [
      'a key that is named after a collection',
      { users: records(dense), posts: records(dense, (at) => ({ userId: at, user_id: 'x' })) },
      ['posts.userId -> users by name', 'posts.user_id -> users by name'],
    ],
    [
      'a key that is named after an empty collection',
      { users: [], posts: [{ id: 1, userId: 1 }] },
      ['posts.userId -> users by name'],
    ],
    [
      'a list of keys',
      { tags: records(dense), posts: [{ id: 1, tagIds: [1, 2] }] },
      ['posts.tagIds.[] -> tags by name'],
    ],
    [
      'a key inside of records',
      { products: records(dense), orders: [{ id: 1, items: [{ productId: 1 }] }] },
      ['orders.items.[].productId -> products by name'],
    ],
    [
      'a key of a singleton',
      { users: records(dense), profile: { userId: 1 } },
      ['profile.userId -> users by name'],
    ],
    [
      'a configured key',
      { users: records(dense), posts: [{ id: 1, writer: 7 }] },
      ['posts.writer -> users by configuration'],
      { relations: { posts: { writer: 'users' } } },
    ],
    [
      'a key with the configured suffix',
      { users: records(dense), posts: [{ id: 1, user_ref: 7 }] },
      ['posts.user_ref -> users by name'],
      { foreignKeySuffix: '_ref' },
    ],
    [
      'a field that is named after the collection of its values',
      {
        categories: records(names),
        products: records(dense, (at) => ({ category: names[at % 2] ?? '' })),
      },
      ['products.category -> categories by values'],
    ],
    [
      'a field of small numbers that is named after the collection',
      { users: records(dense), posts: records(dense, (at) => ({ user: (at % 7) + 1 })) },
      ['posts.user -> users by values'],
    ],
    [
      'three texts that are ids of one collection',
      { kinds: records(names), products: records(dense, (at) => ({ sort: names[at % 3] ?? '' })) },
      ['products.sort -> kinds by values'],
    ],
    [
      'a list of such texts',
      { kinds: records(names), products: [{ id: 1, sorts: ['coffee', 'tea', 'plants'] }] },
      ['products.sorts.[] -> kinds by values'],
    ],
    [
      'numbers that are seldom ids by accident',
      { accounts: records(sparse), posts: records(dense, (at) => ({ owner: sparse[at] ?? 0 })) },
      ['posts.owner -> accounts by values'],
    ],
    [
      'ids of the own collection, and null',
      { nodes: records(sparse, (at) => ({ above: at < 5 ? null : (sparse[at % 5] ?? 0) })) },
      ['nodes.above -> nodes by values'],
    ],
  ]

  it.each(found)('is found for %s', (_title, data, expected, rules) => {
    expect(relationsOf(data, rules)).toEqual(expected)
  })

  const accidents: [title: string, data: Record<string, Json>][] = [
    [
      'small numbers, which ids from 1 contain',
      { users: records(dense), reviews: records(dense, (at) => ({ rating: (at % 5) + 1 })) },
    ],
    [
      'texts that two collections have as ids',
      {
        kinds: records(names),
        sorts: records(names),
        products: records(dense, (at) => ({ x: names[at % 4] ?? '' })),
      },
    ],
    [
      'two different texts',
      {
        kinds: records(names),
        products: [
          { id: 1, x: 'tea' },
          { id: 2, x: 'coffee' },
        ],
      },
    ],
    [
      'a value that is no id',
      { kinds: records(names), products: records(dense, (at) => ({ x: names[at] ?? 'milk' })) },
    ],
    ['a copy of the id', { things: records(sparse, (at) => ({ _id: sparse[at] ?? 0 })) }],
    [
      'numbers of which some are fractions',
      { users: records(sparse), posts: records(dense, (at) => ({ x: at ? 9173 * at : 0.5 })) },
    ],
    [
      'texts that are numbers',
      {
        users: records(dense.map(String)),
        posts: records(dense, (at) => ({ x: String((at % 9) + 1) })),
      },
    ],
    [
      'other types of ids',
      {
        users: records(sparse.map(String)),
        posts: records(dense, (at) => ({ x: sparse[at] ?? 0 })),
      },
    ],
  ]

  it.each(accidents)('is not found for %s', (_title, data) => {
    expect(relationsOf(data)).toEqual([])
  })

  it('needs every value, also of more values than a sample holds', () => {
    const ids = Array.from({ length: 5000 }, (_, at) => `u-${at}`)
    const data = (last: string): Record<string, Json> => ({
      users: records(ids),
      posts: records(dense.concat(sparse), (at) => ({
        writers: at === 99 ? [last] : ids.slice(at * 50, at * 50 + 50),
      })),
    })
    expect(relationsOf(data('u-1'))).toEqual(['posts.writers.[] -> users by values'])
    expect(relationsOf(data('nobody'))).toEqual([])
  })

  it('keeps ids of other records from being an enum', () => {
    const data = {
      kinds: records(names),
      products: records(dense.concat(sparse), (at) => ({
        x: names[at % 3] ?? '',
        y: names[at % 3] ?? '',
      })),
    }
    const [, products] = createShapes()(toSources({ ...data, sorts: [{ id: 1 }] }))
    expect(products?.schema).toMatchObject({ properties: { x: { type: 'string' } } })
    expect(JSON.stringify(products?.schema)).not.toContain('enum')
  })

  it('changes with the collection of the ids', () => {
    const infer = createShapes()
    const products = records(dense, (at) => ({ sort: names[at % 3] ?? '' }))
    const before = infer(toSources({ kinds: records(names), products }))
    const after = infer(toSources({ kinds: records(['milk']), products }))
    expect([before[1]?.relations.length, after[1]?.relations.length]).toEqual([1, 0])
    expect(after[1]?.statistics).toBe(before[1]?.statistics)
  })
})

describe('the order of dates', () => {
  const day = (at: number): string => `2024-02-${String(at).padStart(2, '0')}T12:00:00Z`

  const rows: [title: string, records: Json[], expected: [string, string][]][] = [
    [
      'one that is never later than the other',
      [1, 2, 3].map((at) => ({ id: at, updatedAt: day(at * 2), createdAt: day(at) })),
      [['createdAt', 'updatedAt']],
    ],
    [
      'times of different time zones',
      [1, 2, 3].map((at) => ({
        id: at,
        a: `2024-02-0${at}T12:00:00+02:00`,
        b: `2024-02-0${at}T11:00:00Z`,
      })),
      [['a', 'b']],
    ],
    [
      'days',
      [1, 2, 3].map((at) => ({ id: at, a: `2024-02-0${at}`, b: `2024-03-0${at}` })),
      [['a', 'b']],
    ],
    [
      'dates in both orders',
      [1, 2, 3, 4].map((at) => ({ id: at, a: day(at), b: day(at === 4 ? 1 : 9) })),
      [],
    ],
    [
      'dates that are always equal',
      [1, 2, 3].map((at) => ({ id: at, a: day(at), b: day(at) })),
      [],
    ],
    ['two records', [1, 2].map((at) => ({ id: at, a: day(at), b: day(9) })), []],
    ['a day and a time', [1, 2, 3].map((at) => ({ id: at, a: '2024-01-01', b: day(at) })), []],
    [
      'records that lack one',
      [1, 2, 3].map((at) => ({ id: at, a: day(at), b: at < 3 ? day(9) : null })),
      [],
    ],
  ]

  it.each(rows)('is found for %s', (_title, all, expected) => {
    expect(createShapes()(toSources({ things: all }))[0]?.dateOrder).toEqual(expected)
  })
})
