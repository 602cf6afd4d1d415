import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createMock } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { mockTest } from '../../src/vitest.ts'

const mock = createMock({
  fixtures: {
    posts: [
      { id: 1, title: 'First' },
      { id: 2, title: 'Second' },
    ],
  },
  base: '/api',
})
const test = mockTest(mock)
const server = setupServer(...handlers(mock))
const url = 'http://a.test/api/posts'

beforeAll(() => server.listen(strict()))
// Without `aroundEach` a hook before the tests would leave the async context of the fixture.
beforeEach(() => Promise.resolve())
afterAll(() => {
  server.close()
  expect(mock.db.posts.count()).toBe(2)
})

describe('three tests at once that each delete everything', () => {
  const deleted: string[] = []

  test.concurrent.for(['one', 'two', 'three'])(
    'see only their own world (%s)',
    async (name, { mock: fork, db, expect: expectHere }) => {
      fork.on('GET', '/posts').delay(20, { times: 1 })
      const before = (await (await fetch(url)).json()) as { id: number }[]
      expectHere(before).toHaveLength(2)
      for (const { id } of before) await fetch(`${url}/${id}`, { method: 'DELETE' })
      deleted.push(name)
      await expectHere.poll(() => deleted.length).toBe(3)
      const created = await post({ title: name })
      expectHere(await created.json()).toEqual({ id: 3, title: name })
      expectHere(db.posts.all()).toEqual([{ id: 3, title: name }])
      expectHere(fork.log).toHaveLength(4)
    },
  )
})

describe('mockTest', () => {
  test('answers from the fork that the test is given', async ({ mock: fork, db }) => {
    db.posts.clear()
    expect(await (await fetch(url)).json()).toEqual([])
    expect(fork.log).toHaveLength(1)
    expect(fork).not.toBe(mock)
  })

  test('gives the next test its own', async ({ db }) => {
    expect(db.posts.count()).toBe(2)
    expect(await (await fetch(url)).json()).toHaveLength(2)
  })

  test('isolates a test that uses no fixture', async () => {
    await fetch(`${url}/1`, { method: 'DELETE' })
    expect(mock.db.posts.count()).toBe(2)
  })

  test.each([1, 2])('isolates each row of a table (%i)', async (id) => {
    await fetch(`${url}/${id}`, { method: 'DELETE' })
    expect(await (await fetch(url)).json()).toHaveLength(1)
  })

  it('leaves a plain test with the mock itself', async () => {
    const before = mock.log.length
    await fetch(url)
    expect(mock.log.length).toBe(before + 1)
  })

  describe('with hooks of its own', () => {
    test.beforeEach(async ({ db }) => {
      db.posts.remove(1)
      await fetch(`${url}/2`, { method: 'DELETE' })
    })
    test.afterEach(({ mock: fork }) => {
      expect(fork.db.posts.count()).toBe(1)
    })

    test('shares its world with them', async () => {
      expect(await (await fetch(url)).json()).toEqual([])
      await post({})
    })
  })
})

function post(record: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(record) })
}
