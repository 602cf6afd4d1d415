import { expect, it, onTestFinished, vi } from 'vitest'

import { connect } from '../../../../src/faces/vite/connect.ts'
import type { FeedChange } from '../../../../src/faces/vite/feed.ts'
import { createMock } from '../../../../src/index.ts'

it('tells the page which fixtures took the place of what requests wrote', async () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => told.mockRestore())
  const hot = createHot()
  const data = {
    posts: [
      { id: 1, title: 'Old' },
      { id: 2, title: 'Old' },
    ],
    profile: { name: 'Old' },
  }
  const mock = createMock({ fixtures: connect(data, 0, hot) })
  mock.db['posts']?.update(1, { title: 'Mine' })
  mock.db['profile']?.update({ name: 'Mine' })
  hot.change({
    revision: 1,
    changed: {
      posts: [
        { id: 1, title: 'New' },
        { id: 2, title: 'New' },
      ],
      profile: { name: 'New' },
    },
    removed: [],
  })
  const lines = [
    ['posts/1: the fixture took the place of what requests wrote.'],
    ['profile: the fixture took the place of what requests wrote.'],
  ]
  await vi.waitFor(() => expect(told.mock.calls).toEqual(lines), 10_000)
  expect(mock.db['posts']?.all()).toEqual([
    { id: 1, title: 'New' },
    { id: 2, title: 'New' },
  ])
})

it('takes away what is gone, and takes no change twice', async () => {
  const hot = createHot()
  const source = connect({ posts: [{ id: 1 }], tags: [] }, 2, hot)
  expect(hot.sent).toEqual([['fixtura:ready', { revision: 2 }]])
  const heard: unknown[] = []
  const stop = source.subscribe((changed) => void heard.push(changed))
  hot.change({ revision: 2, changed: { posts: [] }, removed: [] })
  hot.change({ revision: 3, changed: { posts: [{ id: 2 }] }, removed: ['tags'] })
  hot.change({ revision: 3, changed: { posts: [] }, removed: [] })
  expect(source.data).toStrictEqual({ posts: [{ id: 2 }] })
  expect(heard).toEqual([{ posts: [{ id: 2 }], tags: undefined }])
  stop()
  hot.change({ revision: 4, changed: {}, removed: ['posts'] })
  expect(source.data).toStrictEqual({})
  expect(heard).toHaveLength(1)
})

it('holds the fixtures where there is no dev server', () => {
  expect(connect({ posts: [] }, 0, undefined).data).toEqual({ posts: [] })
})

it('takes a mended fixture for no reason to look for a page where there is none', () => {
  const hot = createHot()
  connect({ posts: [] }, 0, hot)
  expect(() => hot.hear('fixtura:status', { isBroken: false })).not.toThrow()
})

/** A channel to a dev server, and what it can send. */
function createHot() {
  const listeners = new Map<string, (data: never) => void>()
  const sent: unknown[][] = []
  const hear = (event: string, data: unknown): void => listeners.get(event)?.(data as never)
  return {
    sent,
    hear,
    on: (event: string, callback: (data: never) => void) => void listeners.set(event, callback),
    send: (...message: unknown[]) => void sent.push(message),
    change: (change: FeedChange) => hear('fixtura:change', change),
  }
}
