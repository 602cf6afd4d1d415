import { describe, expect, it } from 'vitest'

import { faults } from '../../../../src/behaviours.ts'
import type { Behaviour } from '../../../../src/core/http/contract/behaviour.ts'
import type { MockResponse } from '../../../../src/core/http/contract/messages.ts'
import { createMock } from '../../../../src/index.ts'

describe('mock.fetch', () => {
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
  const form = { 'Content-Type': 'multipart/form-data; boundary=b' }

  const rows: [title: string, send: () => Promise<Request>, reason: RegExp][] = [
    [
      'has been read already',
      async () => read(request('{}')),
      /^Failed to read the body: it was read before\. Please pass a clone of the request\.$/,
    ],
    ['fails midway', async () => request(broken()), /: Error: lost\. Please/],
    ['is no UTF-8', async () => request(Uint8Array.of(34, 255, 34)), /it is not UTF-8\./],
    ['fails midway as a form', async () => request(broken(), form), /: Error: lost\. Please/],
  ]
  it.each(rows)('answers 400 to a body that %s', async (_title, send, reason) => {
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
    const response = await mock.fetch(await send())
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(reason) as string })
    expect(mock.db.posts.count()).toBe(1)
  })

  it('breaks a body off as a network does', async () => {
    const use = [faults({ rules: [{ truncate: 0.5 }] })]
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] }, use })
    const response = await mock.fetch('/posts')
    await expect(response.json()).rejects.toThrow(TypeError)
  })

  it.each([204, 205, 304])('drops a body that status %i cannot have', async (status) => {
    const entry = (): MockResponse => ({ status, headers: [], body: 'x' })
    const use: Behaviour[] = [{ name: 'bodies', create: () => ({ at: { entry } }) }]
    const response = await createMock({ fixtures: {}, use }).fetch('/')
    expect([response.status, await response.text()]).toEqual([status, ''])
  })

  it('fails as a network does where the connection drops', async () => {
    const mock = createMock({ fixtures: { posts: [] } })
    mock.on('GET', '/posts').drop()
    const message = 'Failed to fetch: the mock dropped the connection.'
    await expect(mock.fetch('/posts')).rejects.toThrow(new TypeError(message))
  })

  function request(body: BodyInit, headers: Record<string, string> = post.headers): Request {
    const init = { ...post, headers, body, duplex: 'half' }
    return new Request('http://a.test/posts', init)
  }
})

async function read(request: Request): Promise<Request> {
  await request.text()
  return request
}

function broken(): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.error(new Error('lost')) })
}
