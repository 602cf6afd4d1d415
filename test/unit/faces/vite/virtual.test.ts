import { expect, it, onTestFinished, vi } from 'vitest'

import { createHotSource } from '../../../../src/faces/vite/virtual.ts'
import type { FeedChange } from '../../../../src/faces/vite/feed.ts'
import { createMock } from '../../../../src/index.ts'

it('warns in the page where a fixture replaced changes made by requests', async () => {
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
  const mock = createMock({ fixtures: createHotSource(data, 0, hot) })
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
    ['posts/1: the fixture replaced changes made by requests.'],
    ['profile: the fixture replaced changes made by requests.'],
  ]
  await expect.poll(() => told.mock.calls).toEqual(lines)
  expect(mock.db['posts']?.all()).toEqual([
    { id: 1, title: 'New' },
    { id: 2, title: 'New' },
  ])
})

it('removes resources that are gone, and ignores a repeated revision', async () => {
  const hot = createHot()
  const source = createHotSource({ posts: [{ id: 1 }], tags: [] }, 2, hot)
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

it('has the fixtures without a dev server', () => {
  expect(createHotSource({ posts: [] }, 0, undefined).data).toEqual({ posts: [] })
})

it('does not look for an overlay outside of a page', () => {
  const hot = createHot()
  createHotSource({ posts: [] }, 0, hot)
  expect(() => hot.hear('fixtura:status', { isBroken: false })).not.toThrow()
})

/** A channel to a dev server, with functions that send its messages. */
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
