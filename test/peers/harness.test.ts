import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { Database } from './harness/database.ts'
import { listen } from './harness/server.ts'
import { startJsonServer0 } from './harness/json-server-0.ts'
import { startJsonServer1 } from './harness/json-server-1.ts'
import { openClient } from './harness/exchange.ts'
import { replay, runSeed, type Setup } from './harness/run.ts'
import { setup0, setup1 } from './harness/setups.ts'
import { report, shrink } from './harness/shrink.ts'

beforeAll(() => {
  // Both lines print the stack of every error that they answer with.
  vi.spyOn(console, 'error').mockReturnValue()
})

afterAll(() => {
  vi.restoreAllMocks()
})

// A list in the place of a record is where json-server makes an id at random that no answer shows.
const listAsRecord = {
  name: 'list as record',
  covers: ({ request }: { request: { body?: string } }) => /^\s*\[/.test(request.body ?? ''),
}

describe.each([
  [
    'json-server 0.17',
    setup0({
      startSubject: (database) => startJsonServer0(database),
      exceptions: [listAsRecord],
    }),
  ],
  ['json-server 1', setup1({ startSubject: (database) => startJsonServer1(database) })],
] satisfies [string, Setup][])('%s compared with itself', (_, setup) => {
  it.each(['a', 'b', 'c', 'd', 'e', 'f'])('shows no difference with seed %s', async (seed) => {
    const outcome = await runSeed(setup, seed, 80)
    expect(outcome.failure && report(seed, outcome)).toBeUndefined()
  })
})

const database: Database = {
  posts: [
    { id: 1, title: 'a' },
    { id: 2, title: 'b' },
    { id: 3, title: 'c' },
  ],
  comments: [{ id: 1, postId: 1 }],
}

const requests = [
  { method: 'GET', path: '/comments' },
  { method: 'GET', path: '/posts/1' },
  { method: 'DELETE', path: '/comments/9' },
  { method: 'GET', path: '/posts?_page=2&_limit=1' },
]

type Tamper = (answer: { status: number; headers: Record<string, string>; text: string }) => void

describe('a comparison with a difference planted in one answer', () => {
  it.each<[string, string, Tamper]>([
    ['the status', 'status', (answer) => (answer.status = 201)],
    ['the count', 'x-total-count', (answer) => (answer.headers['x-total-count'] = '4')],
    ['a missing link', 'link', (answer) => delete answer.headers['link']],
    ['a value', 'body', (answer) => (answer.text = answer.text.replace('"b"', '"B"'))],
    [
      'the order of keys',
      'body',
      (answer) => (answer.text = '[\n  {\n    "title": "b",\n    "id": 2\n  }\n]'),
    ],
  ])('sees %s', async (_, what, tamper) => {
    const setup = setup0({ startSubject: (data) => startTampered(data, '_page=2', tamper) })
    const outcome = await shrink(setup, await replay(setup, { database, requests }))
    expect(outcome.failure?.what).toBe(what)
    expect(outcome.requests).toEqual([{ method: 'GET', path: '/posts?_page=2&_limit=1' }])
    expect(outcome.database).not.toHaveProperty('comments')
    expect(report('7', outcome)).toContain("'http://localhost:3000/posts?_page=2&_limit=1'")
  })

  it('sees a write that was not kept', async () => {
    const lost = [{ method: 'DELETE', path: '/posts/2' }]
    const setup = setup0({
      startSubject: (data) => startTampered(data, '/db', (answer) => (answer.text = restored)),
    })
    const restored = JSON.stringify(database)
    const outcome = await replay(setup, { database, requests: lost })
    expect(outcome.failure?.what).toBe('state of posts')
  })
})

/** Starts json-server behind a proxy that changes the answers to some requests. */
async function startTampered(
  data: Database,
  part: string,
  tamper: Tamper,
): Promise<{ url: string; close: () => Promise<void> }> {
  const peer = await startJsonServer0(data)
  const { exchange, close } = openClient(peer.url)
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request
    const answer = await exchange({ method, path: url })
    for (const [name, value] of Object.entries(answer.headers)) {
      answer.headers[name] = value.replaceAll(peer.url, `http://${request.headers.host}`)
    }
    if (url.includes(part)) tamper(answer)
    delete answer.headers['content-length']
    response.writeHead(answer.status, answer.headers).end(answer.text)
  }
  const proxy = await listen((request, response) => void pass(request, response))
  return {
    url: proxy.url,
    async close() {
      close()
      await Promise.all([proxy.close(), peer.close()])
    },
  }
}
