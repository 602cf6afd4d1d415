import { connect, type RemoteMock } from 'fixtura/remote'
import { describe, test as base } from 'vitest'

const url = 'http://localhost:3000'

interface Data {
  posts: { id: number; title: string }[]
}

const test = base.extend<{ mock: RemoteMock<Data>; headers: Record<string, string> }>({
  headers: async ({ task }, use) => use({ 'X-Mock-Session': task.id }),
  mock: async ({ task }, use) => {
    const mock = connect<Data>(url, { session: task.id })
    await use(mock)
    await mock.end()
  },
})

describe.concurrent('posts', () => {
  test('adds a post', async ({ mock, headers, expect }) => {
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } }
    await fetch(`${url}/api/posts`, { ...init, body: '{"title":"New"}' })
    expect(await mock.db.posts.count()).toBe(3)
    expect(await mock.log.count({ method: 'POST', path: '/posts', status: 201 })).toBe(1)
  })

  test('gets an error, once', async ({ mock, headers, expect }) => {
    await mock.on('GET', '/posts').fail(500, { times: 1 })
    expect((await fetch(`${url}/api/posts`, { headers })).status).toBe(500)
    expect(await (await fetch(`${url}/api/posts`, { headers })).json()).toHaveLength(2)
  })

  test('gets an empty list', async ({ mock, headers, expect }) => {
    await mock.db.posts.clear()
    expect(await (await fetch(`${url}/api/posts`, { headers })).json()).toEqual([])
  })
})
