import { expect, test } from 'vitest'

import { createMock } from '../../../src/index.ts'
import { isolate, serve } from '../../../src/node.ts'

const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })

test.concurrent.each([1, 2, 3])('a server of its own answers from its test (%i)', (count) =>
  isolate(mock, async ({ mock: fork, db }) => {
    const { url, close } = await serve(fork, { port: 0 })
    for (let id = 2; id < count + 2; id++) db.posts.insert({ id })
    expect(await (await fetch(`${url}/posts`)).json()).toHaveLength(count + 1)
    await fetch(`${url}/posts/1`, { method: 'DELETE' })
    expect(db.posts.count()).toBe(count)
    await close()
  })(),
)
