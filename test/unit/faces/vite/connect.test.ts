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

/** A channel to a dev server, and what it can send. */
function createHot() {
  let hear = (_change: FeedChange): void => {}
  return {
    on(event: string, callback: (data: never) => void) {
      if (event === 'fixtura:change') hear = callback as (change: FeedChange) => void
    },
    send() {},
    change: (change: FeedChange) => hear(change),
  }
}
