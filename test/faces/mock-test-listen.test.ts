import { setupServer } from 'msw/node'
import { afterEach, beforeEach, describe, vi } from 'vitest'

import { createMock } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { mockTest } from '../../src/vitest.ts'

const mock = createMock({ fixtures: { posts: [{ id: 1 }, { id: 2 }] }, base: '/api' })
const server = setupServer(...handlers(mock))
const test = mockTest(mock)

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.listen(strict())
})
afterEach(() => {
  server.close()
  vi.restoreAllMocks()
})

describe('a server that each test starts and stops', () => {
  // MSW 3 closes the connections of one test while the next test sends requests.
  test.for([1, 2, 3])('answers each from its own world (%s)', async (_, { db, expect }) => {
    const { length } = db.posts.all()
    expect(await list()).toHaveLength(length)
    db.posts.remove(1)
    expect(await list()).toHaveLength(length - 1)
    await fetch('http://a.test/nobody').catch(() => {})
  })
})

async function list(): Promise<unknown> {
  return (await fetch('http://a.test/api/posts')).json()
}
