import { expect, it } from 'vitest'

import {
  type ResponseCache,
  createResponseCache,
} from '../../../../../src/core/http/response/response-cache.ts'
import { internalsOf } from '../../../../../src/core/http/contract/internals.ts'
import { type Exchange, onLeave } from '../../../../../src/core/http/contract/exchange.ts'
import type { MockResponse } from '../../../../../src/core/http/contract/messages.ts'
import { createManualClock, createMock, type Mock } from '../../../../../src/index.ts'
import { fc } from '../../../../fast-check.ts'

const reads = fc
  .record({
    path: fc.constantFrom(
      '/posts',
      '/comments',
      '/posts/1/comments',
      '/posts/1',
      '/posts/2',
      '/site',
      '/nope',
    ),
    search: fc.constantFrom(
      '',
      '?_sort=-views',
      '?_embed=comments',
      '?views=1&nope=2',
      '?_limit=x',
    ),
    accept: fc.constantFrom('*/*', 'application/json', 'text/html,*/*', 'image/png'),
  })
  .map(({ path, search, accept }) => ({ request: `GET ${path}${search}`, accept, body: '' }))
const writes = fc
  .record({
    request: fc.constantFrom(
      'POST /posts',
      'PATCH /posts/1',
      'DELETE /posts/2',
      'POST /comments',
      'PATCH /site',
    ),
    body: fc.constantFrom('{"views":1}', '{"views":2,"postId":1}'),
  })
  .map((write) => ({ ...write, accept: '*/*' }))
type Sent = { request: string; accept: string; body: string }
const steps: fc.Arbitrary<Sent[]> = fc.array(fc.oneof({ arbitrary: reads, weight: 4 }, writes), {
  minLength: 10,
  maxLength: 40,
  size: 'max',
})

async function send(mock: Mock, { request, accept, body }: Sent): Promise<unknown> {
  const [method = '', path = ''] = request.split(' ')
  const headers = { accept, 'content-type': 'application/json' }
  const response = await mock.fetch(
    new Request(`http://mock.test${path}`, { method, headers, ...(body !== '' && { body }) }),
  )
  const reason = mock.log.at(-1)?.reason
  return [response.status, [...response.headers], await response.text(), reason]
}

it('serves from the cache what it would compute', async () => {
  const fixtures = {
    posts: [
      { id: 1, views: 1 },
      { id: 2, views: 2 },
    ],
    comments: [{ id: 1, postId: 1 }],
    site: { title: 'a' },
  }
  // A behaviour at this stage, and be it one that does nothing, keeps answers from being kept.
  const idle = { name: 'idle', create: () => ({ at: { resource: () => undefined } }) }
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const keeping = createMock({ fixtures })
      const fresh = createMock({ fixtures, use: [idle] })
      for (const step of steps) {
        // The second read is kept, and the third one finds it.
        const times = step.request.startsWith('GET') ? 3 : 1
        for (let time = 0; time < times; time++) {
          expect(await send(keeping, step)).toEqual(await send(fresh, step))
        }
      }
    }),
    { numRuns: 25 },
  )
})

it('dates a record anew once the time has come that it names', async () => {
  const clock = createManualClock(Date.UTC(2026, 0, 1))
  const fixtures = { posts: [{ id: 1, updatedAt: '2026-01-01T01:00:00Z' }] }
  const mock = createMock({ fixtures, clock })
  const dateOf = async (): Promise<string | null> =>
    (await mock.fetch(new Request('http://mock.test/posts/1'))).headers.get('Last-Modified')
  expect([await dateOf(), await dateOf()]).toEqual([null, null])
  clock.advance(7_200_000)
  expect(await dateOf()).toBe('Thu, 01 Jan 2026 01:00:00 GMT')
})

it('dates a record in a fork as in its origin', async () => {
  const fixtures = { posts: [{ id: 1, title: 'a', updatedAt: '2026-01-01T01:00:00Z' }] }
  const mock = createMock({ fixtures, clock: createManualClock(Date.UTC(2026, 5, 1)) })
  mock.db.posts.update(1, { title: 'b' })
  for (const one of [mock, mock.fork(), mock.fork().fork()]) {
    for (let times = 0; times < 3; times++) {
      const response = await one.fetch('http://mock.test/posts/1')
      expect(response.headers.get('Last-Modified')).toBe(null)
    }
  }
})

it.each(['entry', 'resource'] as const)(
  'keeps an answer as it was where a behaviour changes it in place (%s)',
  async (stage) => {
    const change = (response: MockResponse): MockResponse => {
      for (const line of response.headers) if (line[0] === 'Cache-Control') line[1] += ', private'
      response.headers.push(['X-Times', '1'])
      return response
    }
    const create = () => ({ at: { [stage]: (exchange: Exchange) => onLeave(exchange, change) } })
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] }, use: [{ name: 'own', create }] })
    for (let times = 0; times < 3; times++) {
      const { headers } = await mock.fetch('http://mock.test/posts/1')
      expect([headers.get('X-Times'), headers.get('Cache-Control')]).toEqual([
        '1',
        'no-cache, private',
      ])
    }
    const other = await createMock({ fixtures: { posts: [] } }).fetch('http://mock.test/posts')
    expect(other.headers.get('Cache-Control')).toBe('no-cache')
  },
)

it('tells of a kept answer nothing that befell the first request for it', async () => {
  const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
  const refused = await mock.fetch('/posts?nope=1', { headers: { 'if-match': '"other"' } })
  expect(refused.status).toBe(412)
  for (let times = 0; times < 3; times++) {
    expect((await mock.fetch('/posts?nope=1')).status).toBe(200)
    expect(mock.log.at(-1)?.reason).toBe('ignored "nope"')
  }
})

function toExchange(path: string, reasons: string[] = []): Exchange {
  const request = { method: 'GET', path, search: '' }
  return { method: 'GET', path, headers: {}, request, reasons } as unknown as Exchange
}

function fill(answers: ResponseCache, from: number, to: number, length = 488): number[] {
  const kept: number[] = []
  for (let at = from; at < to; at++) {
    const exchange = toExchange(`/posts/${at}`)
    const response = { status: 200, headers: [], body: 'x'.repeat(length) }
    if (answers.get(exchange)) kept.push(at)
    else answers.keep(exchange, response)
  }
  return kept
}

it('keeps a response at the second request for its URL, in any version', () => {
  let version = 1
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const answers = createResponseCache({ version: () => version, encode, limit: 100_000 })
  expect(fill(answers, 0, 3)).toEqual([])
  expect(fill(answers, 0, 2)).toEqual([])
  expect(fill(answers, 0, 3)).toEqual([0, 1])
  version++
  expect(fill(answers, 0, 3)).toEqual([])
  expect(fill(answers, 0, 3)).toEqual([0, 1, 2])
})

it('remembers few URLs', () => {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const answers = createResponseCache({ version: () => 1, encode, limit: 64_000 })
  // 1,000 characters are remembered, and what made them more.
  fill(answers, 0, 2_000)
  expect(fill(answers, 0, 1)).toEqual([])
  expect(fill(answers, 0, 1)).toEqual([])
  expect(fill(answers, 0, 1)).toEqual([0])
})

it('keeps no more than its limit, and gives way to what is asked for now', () => {
  let version = 1
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const answers = createResponseCache({ version: () => version, encode, limit: 498_000 })
  const fillLong = (from: number, to: number): number[] => fill(answers, from, to, 48_800)
  fillLong(0, 12)
  fillLong(0, 12)
  expect(fillLong(0, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  fillLong(100, 106)
  fillLong(100, 106)
  expect(fillLong(100, 105)).toEqual([])
  expect(fillLong(100, 105)).toEqual([100, 101, 102, 103, 104])
  version++
  expect(fillLong(100, 105)).toEqual([])
})

it('counts what an answer is known by, and what the log says of it', () => {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const answers = createResponseCache({ version: () => 1, encode, limit: 100_000 })
  const response = { status: 200, headers: [], body: '[]' }
  const many = Array.from({ length: 40 }, (_, at) =>
    toExchange(`/posts/${at}${'x'.repeat(10_000)}`, ['y'.repeat(10_000)]),
  )
  for (const one of [...many, ...many]) answers.keep(one, response)
  expect(many.filter((one) => answers.get(one)).length).toBeLessThanOrEqual(5)
})

it('keeps less for a fork, of which there may be many', async () => {
  const mock = createMock({ fixtures: { posts: [{ id: 1, text: 'x'.repeat(1_000_000) }] } })
  const request = { method: 'GET', path: '/posts', search: '', origin: 'http://mock.test' }
  const ask = async (one: Mock): Promise<string> => {
    const asked = { ...request, headers: {}, text: () => '', form: () => [] }
    const { body } = await internalsOf(one).handle(asked, { origins: 'any' })
    return typeof body
  }
  const fork = mock.fork()
  // What is kept of a long answer are its bytes.
  const askOften = async (one: Mock): Promise<string[]> => [
    await ask(one),
    await ask(one),
    await ask(one),
  ]
  expect(await askOften(mock)).toEqual(['string', 'string', 'object'])
  expect(await askOften(fork)).toEqual(['string', 'string', 'string'])
})
