import { expect, it, onTestFinished, vi } from 'vitest'

import { sessions } from '../../../../src/behaviours.ts'
import { addMockCommand } from '../../../../src/cypress.ts'
import { createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'
import type { RemoteMock } from '../../../../src/remote.ts'
import { fakeCypress } from './fake-cypress.ts'

type Data = { posts: { id: number; title?: string }[]; version: string }
type Remote = RemoteMock<Data>

async function open(baseUrl: string | null = 'http://app.test:5173/shop') {
  const fixtures: Data = { posts: [{ id: 1 }], version: '1.0' }
  const mock = createMock({ fixtures, base: '/api', use: [sessions()] })
  const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  const cypress = fakeCypress(baseUrl)
  onTestFinished(() => void vi.unstubAllGlobals())
  addMockCommand({ url })
  const sessionsOf = async (): Promise<unknown> =>
    (await fetch(new URL('/__mock/sessions', url))).json()
  return { mock, url, cypress, sessionsOf }
}

it('gives each test a session, which its pages send to the mock', async () => {
  const { mock, url, cypress, sessionsOf } = await open()
  const counts: unknown[] = []
  for (const title of ['One', 'Two']) {
    await cypress.runTest((cy) => {
      cy.mock((remote: Remote) => remote.db.posts.insert({ title }))
        .then(() => cypress.request(`${url}/posts`).then((response) => response.json()))
        .then((posts) => void counts.push(posts))
    })
    expect(await sessionsOf()).toEqual([])
  }
  expect(counts).toEqual([
    [{ id: 1 }, { id: 2, title: 'One' }],
    [{ id: 1 }, { id: 2, title: 'Two' }],
  ])
  expect(mock.db.posts.count()).toBe(1)
})

it('sends the cookie to the application and the mock, and the header to no other origin', async () => {
  const { url, cypress } = await open()
  const { host } = new URL(url)
  await cypress.runTest(() => {})
  await cypress.runTest(() => {})
  const [one, two] = [cypress.cookies[0]?.[1] ?? '', cypress.cookies[2]?.[1] ?? '']
  expect(one).not.toBe(two)
  expect(cypress.cookies).toEqual([
    ['mock-session', one, '127.0.0.1'],
    ['mock-session', one, 'app.test'],
    ['mock-session', two, '127.0.0.1'],
    ['mock-session', two, 'app.test'],
  ])
  const sent = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
  for (const other of [`http://${host}.evil.test/`, `http://x.test/?${url}`, `${url}/posts`]) {
    await cypress.request(other)
  }
  const headers = sent.mock.calls.map(([, init]) => init?.headers)
  sent.mockRestore()
  expect(headers).toEqual([{}, {}, { 'x-mock-session': two }])
})

it('runs functions with several calls, in order or at once', async () => {
  const { cypress } = await open(null)
  const found: unknown[] = []
  await cypress.runTest((cy) => {
    cy.mock(async (mock: Remote) => {
      const { id } = await mock.db.posts.insert({ title: 'New' })
      const [post, version] = await Promise.all([mock.db.posts.get(id), mock.db.version.get()])
      return [post, version, await mock.db.posts.get(9)]
    }).then((value) => void found.push(value))
    cy.mock(() => 'nothing').then((value) => void found.push(value))
  })
  expect(found).toEqual([[{ id: 2, title: 'New' }, '1.0', undefined], 'nothing'])
})

it('sends calls that the function does not wait for', async () => {
  const { url, cypress } = await open()
  let status = 0
  await cypress.runTest((cy) => {
    cy.mock((mock: Remote) => {
      void mock.on('GET', '/posts').fail(418)
    })
      .then(() => cypress.request(`${url}/posts`))
      .then((response: Response) => void (status = response.status))
  })
  expect(status).toBe(418)
})

it('fails the test with the error of a call, and ends the session', async () => {
  const { cypress, sessionsOf } = await open()
  const failed = cypress.runTest((cy) => {
    cy.mock((mock: Remote) => mock.db.posts.remove(9))
  })
  await expect(failed).rejects.toThrow('Failed to find "9" in "posts".')
  expect(await sessionsOf()).toEqual([])
})

it('refuses wrong options', () => {
  expect(() => addMockCommand({ url: 'localhost:3000' })).toThrow('Please give an origin')
  expect(() => addMockCommand({ ulr: '' } as never)).toThrow('Did you mean "url"?')
})
