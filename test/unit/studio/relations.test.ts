import { expect, it } from 'vitest'

import { stubPage } from './page-globals.ts'

it.each<[field: string, record: Record<string, unknown>, expected: string[]]>([
  ['userId', { userId: 3 }, ['3']],
  ['userId', {}, []],
  ['userId', { userId: null }, []],
  ['constructor', {}, []],
  ['tagIds', { tagIds: ['a', 2, { b: 1 }] }, ['a', '2']],
  ['author.id', { author: { id: 'x' } }, ['x']],
  ['author.id', { author: null }, []],
  ['author.id', { 'author.id': 5, author: { id: 'x' } }, ['5']],
  ['comments.userId', { comments: [{ userId: 1 }, {}, { userId: 2 }] }, ['1', '2']],
])('reads the ids at %s of %j', async (field, record, expected) => {
  stubPage(async () => Response.json([]))
  const { keysOf } = await import('../../../src/studio/data/relations.ts')
  expect(keysOf(record, { field })).toEqual(expected)
})
