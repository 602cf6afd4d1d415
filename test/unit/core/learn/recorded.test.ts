import { describe, expect, it } from 'vitest'

import { digestOf, type StoredAnswer } from '../../../../src/core/learn/recorded/stored-answer.ts'
import { recorded } from '../../../../src/core/learn/recorded/recorded.ts'
import { createMock } from '../../../../src/index.ts'

const posts = [{ id: 1, title: 'Hello' }]

const answers: StoredAnswer[] = [
  {
    method: 'GET',
    path: '/posts',
    query: [
      ['b', '2'],
      ['a', '1'],
    ],
    status: 200,
    value: { seen: 'then' },
    while: { posts: digestOf(posts) },
  },
  {
    method: 'POST',
    path: '/login',
    body: { user: 'ann' },
    status: 201,
    headers: [
      ['Content-Type', 'application/vnd.api+json'],
      ['Location', 'https://api.real.test/session'],
    ],
    origin: 'https://api.real.test',
    value: { next: 'https://api.real.test/home', other: 'https://api.real.test.evil/' },
  },
  { method: 'POST', path: '/logout', status: 204 },
  {
    method: 'GET',
    path: '/posts.csv',
    status: 200,
    headers: [['Content-Type', 'text/csv']],
    origin: 'https://api.real.test',
    text: 'id,url\n1,https://api.real.test/posts/1\n',
  },
  {
    method: 'GET',
    path: '/pixel',
    status: 200,
    headers: [['Content-Type', 'image/gif']],
    base64: '/wAB',
  },
]

function createRecordedMock(): ReturnType<typeof createMock> {
  return createMock({ fixtures: { posts }, use: [recorded({ answers })] })
}

const json = { 'Content-Type': 'application/json' }

describe('a recorded answer', () => {
  it('is served for its query, in any order of parameters', async () => {
    const mock = createRecordedMock()
    expect(await (await mock.fetch('/posts?a=1&b=2')).json()).toEqual({ seen: 'then' })
    expect(await (await mock.fetch('/posts?b=2&a=1&api_key=x')).json()).toEqual({ seen: 'then' })
    expect(await (await mock.fetch('/posts?id=1')).json()).toEqual(posts)
  })

  it('gives way to a write, and comes back with the data', async () => {
    const mock = createRecordedMock()
    const isRecorded = async (): Promise<boolean> =>
      (await (await mock.fetch('/posts?a=1&b=2')).text()).includes('then')
    await mock.fetch('/posts/1', { method: 'PATCH', headers: json, body: '{"title":"New"}' })
    expect(await isRecorded()).toBe(false)
    mock.reset()
    expect(await isRecorded()).toBe(true)
    const fork = mock.fork()
    await fork.fetch('/posts/1', { method: 'DELETE' })
    expect(await isRecorded()).toBe(true)
  })

  it('is served for its body, whatever its credentials are', async () => {
    const mock = createRecordedMock()
    const login = (body: string): Promise<Response> =>
      mock.fetch('https://mock.test/login', { method: 'POST', headers: json, body })
    const response = await login('{"password":"x","user":"ann"}')
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toMatch('application/vnd.api+json')
    expect((await login('{"user":"bob"}')).status).toBe(404)
  })

  it('has the origin of the request in its links', async () => {
    const response = await createRecordedMock().fetch('https://mock.test/login', {
      method: 'POST',
      headers: json,
      body: '{"user":"ann"}',
    })
    expect(response.headers.get('location')).toBe('https://mock.test/session')
    expect(await response.json()).toEqual({
      next: 'https://mock.test/home',
      other: 'https://api.real.test.evil/',
    })
  })

  it('may have no body', async () => {
    const response = await createRecordedMock().fetch('/logout', { method: 'POST' })
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  it('may be a text or bytes', async () => {
    const mock = createRecordedMock()
    const csv = await mock.fetch('https://mock.test/posts.csv')
    expect(csv.headers.get('content-type')).toBe('text/csv')
    expect(await csv.text()).toBe('id,url\n1,https://mock.test/posts/1\n')
    const pixel = await mock.fetch('/pixel')
    expect(pixel.headers.get('content-type')).toBe('image/gif')
    expect([...new Uint8Array(await pixel.arrayBuffer())]).toEqual([255, 0, 1])
  })

  it('answers HEAD as GET', async () => {
    const response = await createRecordedMock().fetch('/posts?a=1&b=2', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('is a route of the mock, unless it is of a resource', () => {
    const paths = createRecordedMock().routes.map(({ path }) => path)
    expect(paths).toEqual(['/posts', '/posts/:id', '/login', '/logout', '/posts.csv', '/pixel'])
  })
})
