import { expect, it, onTestFinished, vi } from 'vitest'

import { createMock } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import type { Resource, Row } from '../../../src/studio/app/state.ts'
import { stubPage } from './page-globals.ts'

const posts: Resource = { name: 'posts', path: '/posts', kind: 'collection', count: 4 }

/** A mock and the edits of a page that shows it. The page can refuse requests as if the mock were gone. */
async function start(isRefused = (_url: string, _method?: string): boolean => false) {
  const rows = ['a', 'b', 'c', 'd'].map((title, at) => ({ id: at + 1, title }))
  const mock = createMock({ fixtures: { posts: rows } })
  const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  const { fetch } = globalThis
  stubPage(async (path, init) => {
    if (isRefused(path, init.method)) throw new TypeError('refused')
    return fetch(new URL(path, url), init)
  })
  const edits = await import('../../../src/studio/data/edits.ts')
  const { notice, undoLast } = await import('../../../src/studio/app/notices.ts')
  return { mock, edits, undoLast, messageOf: () => notice.value?.text, rows }
}

it('writes and compares fields with the names of inherited properties', async () => {
  const { mock, edits } = await start()
  const base = { id: 1, title: 'a' }
  const next = JSON.parse('{"id":1,"title":"a","constructor":"x","__proto__":"y"}') as Row
  const { changedFields } = await import('../../../src/studio/data/pending-edits.ts')
  expect(changedFields(base, next)).toEqual(['constructor', '__proto__'])
  expect(await edits.writeEdit({ resource: posts, id: '1', base, next })).toBeUndefined()
  expect(JSON.stringify(mock.db.posts.get(1))).toBe(JSON.stringify(next))
})

it('removes records of which some are gone, and brings the others back in their order', async () => {
  const { mock, edits, undoLast, messageOf } = await start()
  mock.db.posts.insert({ id: 8, title: 'x' })
  mock.db.posts.insert({ id: 9, title: 'y' })
  const before = mock.db.posts.all()
  await edits.removeRecords(posts, ['1', '7', '8', '9'])
  expect(messageOf()).toBe('Deleted 4 records.')
  expect(mock.db.posts.all().map(({ id }) => id)).toEqual([2, 3, 4])
  await undoLast()
  expect(mock.db.posts.all()).toEqual(before)
})

it('removes all records or none', async () => {
  const { mock, edits, rows } = await start(
    (url, method) => url.endsWith('/db/posts?id=2') && method === 'DELETE',
  )
  await expect(edits.removeRecords(posts, ['1', '2', '3'])).rejects.toThrow('does not respond')
  expect(mock.db.posts.all()).toEqual(rows)
})

it('undoes a change that is still on its way, and not the change before', async () => {
  const { mock, edits, undoLast, rows } = await start()
  await edits.removeRecords(posts, ['1'])
  const removing = edits.removeRecords(posts, ['2', '3'])
  await Promise.all([removing, undoLast()])
  expect(mock.db.posts.all()).toEqual(rows.slice(1))
  await undoLast()
  expect(mock.db.posts.all()).toEqual(rows)
})

it('makes each of two changes at once with a message and an undo of its own', async () => {
  const { mock, edits, undoLast, messageOf, rows } = await start()
  await Promise.all([edits.removeRecords(posts, ['1', '2']), edits.removeRecords(posts, ['3'])])
  expect(messageOf()).toBe('Deleted posts 3.')
  await undoLast()
  expect(mock.db.posts.all()).toEqual(rows.slice(2))
  await Promise.all([edits.removeRecords(posts, ['4']), edits.removeRecords(posts, ['4'])])
  await undoLast()
  await undoLast()
  expect(mock.db.posts.all()).toEqual(rows)
})

it('keeps an undo that finds no mock', async () => {
  const isRefused = vi.fn(() => false)
  const { mock, edits, undoLast, messageOf, rows } = await start(isRefused)
  await edits.removeRecords(posts, ['2'])
  isRefused.mockReturnValue(true)
  await undoLast()
  expect(messageOf()).toMatch('does not respond')
  isRefused.mockReturnValue(false)
  await undoLast()
  expect(mock.db.posts.all()).toEqual(rows)
})
