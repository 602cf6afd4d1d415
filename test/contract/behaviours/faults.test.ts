import { expect, it } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { delay, type FaultOptions, faults, sessions } from '../../../src/behaviours.ts'
import { createMock, type MockOptions } from '../../../src/index.ts'
import { createInstantClock } from '../../clocks.ts'
import { contract, faces } from '../../faces.ts'

const fixtures = { posts: [{ id: 1, title: 'A title that is long enough to be cut' }] }
type Options = MockOptions<Record<string, unknown>>
const withFaults = (options?: FaultOptions) => (): Options => ({
  fixtures,
  seed: 1,
  clock: createInstantClock(),
  use: [faults(options)],
})

contract(
  'faults',
  withFaults({
    rules: [{ on: 'POST posts', status: 503, times: 1, headers: { 'Retry-After': '5' } }],
  }),
  [
    ['leave other requests unchanged', 'GET /posts', { status: 200 }],
    [
      'respond with an error',
      { request: 'POST /posts', body: {} },
      {
        status: 503,
        headers: {
          'retry-after': '5',
          'content-type': /problem\+json/,
          'cache-control': 'no-store',
        },
      },
    ],
    [
      'apply as often as the option times',
      [
        { request: 'POST /posts', body: {} },
        { request: 'POST /posts', body: {} },
      ],
      { status: 201 },
    ],
    ['apply before a 404', { request: 'POST /posts/nope/nope', body: {} }, { status: 503 }],
  ],
)

contract(
  'headers of faults',
  withFaults({
    rules: [
      { on: 'POST posts', status: 502, headers: { 'content-type': 'text/html' } },
      { on: 'posts', headers: { ETag: '"old"', 'cache-control': 'max-age=60' } },
    ],
  }),
  [
    [
      'replace the headers of an error',
      { request: 'POST /posts', body: {} },
      { status: 502, headers: { 'content-type': 'text/html' } },
    ],
    [
      'replace the headers of a response',
      'GET /posts',
      { status: 200, headers: { etag: '"old"', 'cache-control': 'max-age=60' } },
    ],
  ],
)

contract(
  'bodies of faults',
  withFaults({
    rules: [
      { on: 'GET posts', status: 500, body: 'Out of order.' },
      { on: 'POST posts', status: 409, body: { reason: 'stock', left: 0 } },
      { on: 'PUT posts', truncate: 0.5, bytesPerSecond: 10 },
    ],
  }),
  [
    [
      'can be the detail of the error',
      'GET /posts',
      { status: 500, body: expect.objectContaining({ detail: 'Out of order.' }) },
    ],
    [
      'can be further members of the error',
      { request: 'POST /posts', body: {} },
      { status: 409, body: expect.objectContaining({ status: 409, reason: 'stock', left: 0 }) },
    ],
    [
      'stay unchanged for a response without a body',
      { request: 'PUT /posts/1', headers: { prefer: 'return=minimal' }, body: {} },
      { status: 204 },
    ],
  ],
)

contract('a slow body', withFaults({ rules: [{ bytesPerSecond: 1000 }] }), [
  [
    'is sent although the client has it',
    { request: 'GET /posts', headers: { 'if-none-match': '*' } },
    { status: 200, body: fixtures.posts },
  ],
  [
    'is not sent to a client whose precondition fails',
    { request: 'GET /posts', headers: { 'if-match': '"other"' } },
    { status: 412 },
  ],
  [
    'is nothing to HEAD',
    { request: 'HEAD /posts', headers: { 'if-none-match': '*' } },
    { status: 200, body: '' },
  ],
])

contract('a client with a Prefer header', withFaults(), [
  [
    'gets the error of its code',
    { request: 'GET /posts', headers: { prefer: 'code=418, wait=2' } },
    { status: 418, headers: { 'preference-applied': 'code=418, wait=2' } },
  ],
  [
    'can have other preferences',
    { request: 'POST /posts', headers: { prefer: 'return=minimal, wait=1' }, body: {} },
    { status: 204, headers: { 'preference-applied': 'return=minimal, wait=1' } },
  ],
  [
    'can use every syntax of the header',
    { request: 'GET /posts', headers: { prefer: 'respond-async, Code = "418";x, WAIT=2' } },
    { status: 418, headers: { 'preference-applied': 'code=418, wait=2' } },
  ],
  [
    'gets no error for a code in a quoted string or a parameter',
    { request: 'GET /posts', headers: { prefer: 'foo="a, code=500", bar; code=500, code1=500' } },
    { status: 200, headers: { 'preference-applied': null } },
  ],
  [
    'gets the error of the first of several codes',
    { request: 'GET /posts', headers: { prefer: 'code=418, CODE=500' } },
    { status: 418 },
  ],
  [
    'gets no error for a code outside the range',
    { request: 'GET /posts', headers: { prefer: 'code=999' } },
    { status: 200 },
  ],
  [
    'never gets 304 for an error',
    { request: 'GET /posts', headers: { prefer: 'code=500', 'if-none-match': '*' } },
    { status: 500 },
  ],
])

it.each(Object.keys(faces))('drop the connection (%s)', async (name) => {
  const mock = createMock(withFaults({ profile: 'offline' })())
  const connection = await faces[name]?.(mock)
  await expect(connection?.send('GET /posts')).rejects.toThrow()
  expect(mock.log.at(-1)).toMatchObject({ status: 0, reason: 'fault 1 applied' })
  await connection?.close()
})

it.each(Object.keys(faces))('cut a body off (%s)', async (name) => {
  const mock = createMock(withFaults({ rules: [{ truncate: 0.5 }] })())
  const connection = await faces[name]?.(mock)
  await expect(connection?.send('GET /posts')).rejects.toThrow()
  await connection?.close()
})

it.each(Object.keys(faces))('cut off the body of a conditional read (%s)', async (name) => {
  const mock = createMock(withFaults({ rules: [{ truncate: 0.5, times: 1 }] })())
  const connection = await faces[name]?.(mock)
  const request = { request: 'GET /posts', headers: { 'if-none-match': '*' } }
  await expect(connection?.send(request)).rejects.toThrow()
  expect(mock.log.at(-1)).toMatchObject({ status: 200, reason: 'fault 1 applied' })
  expect((await connection?.send(request))?.status).toBe(304)
  await connection?.close()
})

it('send a share of the body', async () => {
  const mock = createMock(withFaults({ rules: [{ truncate: 0.25 }] })())
  const whole = JSON.stringify(fixtures.posts)
  const reader = (await mock.fetch('/posts')).body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  expect(new TextDecoder().decode(value)).toBe(whole.slice(0, Math.floor(whole.length / 4)))
  await expect(reader?.read()).rejects.toThrow('A fault truncated the body.')
})

it('delay a response as the client prefers', async () => {
  const mock = createMock(withFaults()())
  await mock.fetch('/posts', { headers: { Prefer: 'wait=2' } })
  expect(mock.log.at(-1)).toMatchObject({
    status: 200,
    ms: 2000,
    reason: 'fault of the Prefer header',
  })
})

it.each(Object.keys(faces))('write a body slowly and whole (%s)', async (name) => {
  const clock = createInstantClock()
  const start = clock.now()
  const use = [faults({ rules: [{ bytesPerSecond: 10 }] })]
  const connection = await faces[name]?.(createMock({ fixtures, clock, use }))
  const answer = await connection?.send('GET /posts')
  expect(JSON.parse(answer?.text ?? '')).toEqual(fixtures.posts)
  expect(clock.now() - start).toBe(100 * JSON.stringify(fixtures.posts).length)
  await connection?.close()
})

it('give the same responses for the same seed', async () => {
  const statuses = async (seed: number): Promise<number[]> => {
    const use = [delay('200-800'), faults({ rules: [{ probability: 0.3, status: 500 }] })]
    const mock = createMock({ fixtures, seed, clock: createInstantClock(), use })
    for (let count = 0; count < 40; count++) {
      await mock.fetch(new Request('http://mock.test/posts'))
    }
    return mock.log.flatMap(({ status, ms }) => [status, ms])
  }
  const first = await statuses(1)
  expect(await statuses(1)).toEqual(first)
  expect(await statuses(2)).not.toEqual(first)
  expect(new Set(first).size).toBeGreaterThan(10)
})

it('draw independently for several behaviours', async () => {
  const use = [500, 503].map((status) => faults({ rules: [{ probability: 0.5, status }] }))
  const mock = createMock({ fixtures, seed: 1, use })
  const statuses = new Set<number>()
  for (let count = 0; count < 40; count++) statuses.add((await mock.fetch('/posts')).status)
  expect(statuses).toEqual(new Set([200, 500, 503]))
})

it.each([
  [{ profile: 'flakey' }, '"profile" cannot be "flakey"'],
  [{ rules: [{ probability: 2 }] }, '"probability" cannot be 2'],
  [{ rules: [{ statos: 500 }] }, 'Did you mean "status"?'],
])('refuse the options %j', (options, message) => {
  expect(() => faults(options as FaultOptions)).toThrow(message)
})

it('are copied to a fork and counted separately', async () => {
  const rules = [{ on: 'comments', status: 500, times: 1 }]
  const mock = createMock({
    fixtures: { posts: [], comments: [] },
    use: [faults({ rules }), sessions()],
  })
  const control = internalsOf(mock).behaviours[0]?.controls
  void control?.['POST rules']?.({ on: 'posts', status: 503 })
  const headers = { 'X-Mock-Session': 'a' }
  expect((await mock.fetch('/posts', { headers })).status).toBe(503)
  void control?.['DELETE rules']?.(null)
  const statuses = async (path: string) =>
    [await mock.fetch(path), await mock.fetch(path, { headers })].map(({ status }) => status)
  expect(await statuses('/posts')).toEqual([200, 503])
  expect(await statuses('/comments')).toEqual([200, 500])
  mock.reset()
  expect(await statuses('/posts')).toEqual([200, 200])
})

it('are controlled together for several behaviours', async () => {
  const one = faults({ rules: [{ on: 'posts', status: 500 }] })
  const other = faults({ rules: [{ on: 'comments', status: 502 }] })
  const mock = createMock({ fixtures: { posts: [], comments: [] }, use: [one, other, sessions()] })
  const control = internalsOf(mock).behaviours[0]?.controls
  const statuses = async (headers = {}) =>
    Promise.all(
      ['/posts', '/comments'].map(async (at) => (await mock.fetch(at, { headers })).status),
    )
  expect([await statuses(), control?.['GET']?.(null)]).toMatchObject([
    [500, 502],
    [{ status: 500 }, { status: 502 }],
  ])
  expect(await statuses({ 'X-Mock-Session': 'a' })).toEqual([500, 502])
  expect([control?.['DELETE rules']?.(null), await statuses()]).toEqual([0, [200, 200]])
  expect(await statuses({ 'X-Mock-Session': 'a' })).toEqual([500, 502])
  expect(control?.['PUT profile']?.('down')).toBe(3)
  expect(await statuses()).toEqual([500, 503])
  expect(control?.['PUT profile']?.(null)).toBe(2)
  expect(control?.['PUT profile']?.({ profile: 'down' })).toBe(3)
  expect(() => control?.['PUT profile']?.('flakey')).toThrow('"profile" cannot be "flakey"')
  void control?.['POST rules']?.({ on: 'posts', status: 500, times: 2 })
  await statuses()
  expect(control?.['GET']?.(null)).toMatchObject([{ times: 2, left: 1 }, {}, {}, {}])
})
