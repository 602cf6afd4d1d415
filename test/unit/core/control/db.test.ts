import { describe, expect, it, onTestFinished } from 'vitest'

import { sessions } from '../../../../src/behaviours.ts'
import { createManualClock, createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'

const start = Date.UTC(2026, 0, 1)

const fixtures = {
  posts: [
    { id: 1, title: 'One', views: 5 },
    { id: '..', title: 'Dots', views: 1 },
  ],
  'v1/tags': [{ id: 'a/b', name: 'x' }],
  profile: { theme: 'light' },
  version: '1.0',
}

async function connect(use = [sessions()]) {
  const mock = createMock({ fixtures, base: '/api', clock: createManualClock(), use })
  const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  async function send(line: string, body?: unknown, headers: Record<string, string> = {}) {
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(new URL(`/__mock/${path}`, url), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const value = (await response.json()) as unknown
    return { status: response.status, headers: response.headers, value }
  }
  return { mock, send }
}

/** Each row sends one request to a fresh mock. */
type Row = [line: string, body: unknown, status: number, value: unknown]

const [one, dots] = fixtures.posts

describe('the control of the data', () => {
  const rows: Row[] = [
    ['GET db/posts', undefined, 200, fixtures.posts],
    ['GET db/posts/', undefined, 200, fixtures.posts],
    ['GET db/posts/1', undefined, 200, one],
    ['GET db/posts?id=1', undefined, 200, one],
    ['GET db/posts?id=..', undefined, 200, dots],
    ['GET db/v1%2Ftags/a%2Fb', undefined, 200, { id: 'a/b', name: 'x' }],
    ['POST db/posts', { id: 7, title: 'New' }, 201, { id: 7, title: 'New' }],
    ['PATCH db/posts/1', { views: 6 }, 200, { ...one, views: 6 }],
    ['PUT db/posts/1', { title: 'Uno' }, 200, { id: 1, title: 'Uno' }],
    ['DELETE db/posts/1', undefined, 200, one],
    ['DELETE db/posts', undefined, 200, []],
    ['POST db/posts/find', { where: { views: { gt: 1 } } }, 200, [one]],
    ['POST db/posts/find', { sort: '-views', limit: 1, offset: 1 }, 200, [dots]],
    ['POST db/posts/find', undefined, 200, fixtures.posts],
    ['POST db/posts/count', { where: { views: 1 } }, 200, 1],
    ['POST db/posts/find', { search: 'dots' }, 200, [dots]],
    ['POST db/posts/position', { sort: '-views', id: '..' }, 200, 1],
    ['POST db/posts/position', { where: { views: 1 }, id: 1 }, 200, -1],
    ['POST db/posts/count', undefined, 200, 2],
    ['GET db/profile', undefined, 200, { theme: 'light' }],
    ['PATCH db/profile', { size: 1 }, 200, { theme: 'light', size: 1 }],
    ['PUT db/profile', { size: 1 }, 200, { size: 1 }],
    ['GET db/version', undefined, 200, '1.0'],
  ]
  it.each(rows)('%s with %j', async (line, body, status, value) => {
    const { send } = await connect()
    expect(await send(line, body)).toMatchObject({ status, value })
  })

  const errors: [line: string, body: unknown, status: number, message: string][] = [
    ['GET db/post', undefined, 404, 'Failed to find the collection "post". Did you mean "posts"?'],
    ['GET db/constructor', undefined, 404, 'Failed to find the collection "constructor".'],
    ['GET db/posts/9', undefined, 404, 'Failed to find "9" in "posts".'],
    ['DELETE db/posts?id=', undefined, 404, 'Failed to find "" in "posts".'],
    ['PATCH db/posts/9', {}, 404, 'Failed to find "9" in "posts".'],
    ['POST db/posts', { id: 1 }, 409, '"1"'],
    ['POST db/posts', [{ id: 5 }], 400, 'it is not a JSON object'],
    ['POST db/posts', undefined, 400, 'it is not a JSON object'],
    ['POST db/posts/find', { wher: {} }, 400, 'Did you mean "where"?'],
    ['POST db/posts/find', { where: { views: { foo: 1 } } }, 400, 'foo'],
    ['POST db/posts/count', { srot: 'id' }, 400, 'there is no "srot"'],
    ['POST db/posts/fnd', {}, 404, 'Did you mean "find"?'],
    [
      'POST db/profile',
      {},
      405,
      'it is a singleton. Please use one of GET /__mock/db/profile, PUT /__mock/db/profile',
    ],
    ['PUT db/version', {}, 405, 'it is a document. Please use one of GET /__mock/db/version.'],
    ['GET db/profile/1', undefined, 405, 'it is a singleton'],
    ['GET db', undefined, 405, 'there is no such control'],
    ['GET db/posts/1/comments', undefined, 405, 'there is no such control'],
  ]
  it.each(errors)('answers %s with %j by %i', async (line, body, status, message) => {
    const { send } = await connect()
    const answer = await send(line, body)
    expect(answer).toMatchObject({
      status,
      value: { status, message: expect.stringContaining(message) as string },
    })
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
  })

  it.each(['posts/1', 'profile'])('writes %s only if nobody has changed it since', async (path) => {
    const { send } = await connect()
    const tag = (await send(`GET db/${path}`)).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\d-]+"$/)
    const written = await send(`PATCH db/${path}`, { a: 1 }, { 'If-Match': tag })
    expect(written.status).toBe(200)
    const stale = await send(`PUT db/${path}`, { a: 2 }, { 'If-Match': tag })
    expect(stale).toMatchObject({ status: 412, value: { code: 'PRECONDITION_FAILED' } })
    const next = `"0", ${written.headers.get('etag')}`
    expect((await send(`PUT db/${path}`, { a: 2 }, { 'If-Match': next })).status).toBe(200)
    expect((await send(`PUT db/${path}`, { a: 3 }, { 'If-Match': '*' })).status).toBe(200)
  })

  it('removes a record only if nobody has changed or removed it since', async () => {
    const { mock, send } = await connect()
    const tag = (await send('GET db/posts/1')).headers.get('etag') ?? ''
    mock.db.posts.update(1, { title: 'Other' })
    expect((await send('DELETE db/posts/1', undefined, { 'If-Match': tag })).status).toBe(412)
    mock.db.posts.remove(1)
    expect((await send('DELETE db/posts/1', undefined, { 'If-Match': '*' })).status).toBe(412)
    expect((await send('POST db/posts', { id: 1 })).headers.get('etag')).toMatch(/^"/)
  })

  it('has the allowed methods with 405, and the code and the fields of an error', async () => {
    const { send } = await connect()
    expect((await send('POST db/profile', {})).headers.get('allow')).toBe('GET, PUT, PATCH')
    const wrong = await send('POST db/posts/find', { where: { and: 1 } })
    expect(wrong.value).toMatchObject({
      code: 'QUERY_INVALID',
      errors: { where: '"and" takes a list' },
    })
    expect(wrong.headers.get('x-mock')).toBe('fixtura')
  })
})

describe('the control of the clock', () => {
  it('reads, sets and advances the time', async () => {
    const { mock, send } = await connect()
    const now = { now: start, time: '2026-01-01T00:00:00.000Z' }
    expect(await send('GET clock')).toMatchObject({ status: 200, value: now })
    expect((await send('POST clock/advance', '5s')).value).toMatchObject({ now: start + 5000 })
    expect((await send('POST clock/advance', 1000)).value).toMatchObject({ now: start + 6000 })
    expect((await send('PUT clock', '2027-05-01')).value).toMatchObject({
      time: '2027-05-01T00:00:00.000Z',
    })
    expect((await send('PUT clock', start)).value).toEqual(now)
    expect(mock.clock.now()).toBe(start)
  })

  const errors: [line: string, body: unknown, status: number, message: string][] = [
    ['POST clock/advance', undefined, 400, 'it cannot be null. Please give milliseconds'],
    ['POST clock/advance', -1, 400, 'it cannot be -1'],
    ['POST clock/advance', 1e300, 400, 'of at most'],
    ['PUT clock', 'tomorrow', 400, 'it cannot be "tomorrow"'],
    ['PUT clock', 1e300, 400, 'it cannot be 1e+300'],
    ['POST clock/back', '1s', 405, 'POST /__mock/clock/advance'],
  ]
  it.each(errors)('answers %s with %j by %i', async (line, body, status, message) => {
    const { send } = await connect()
    expect(await send(line, body)).toMatchObject({
      status,
      value: { message: expect.stringContaining(message) as string },
    })
  })
})

describe('a session that the control cannot find', () => {
  const a = { 'X-Mock-Session': 'a' }

  it('is an error without sessions, and changes nothing', async () => {
    const { mock, send } = await connect([])
    expect(await send('DELETE db/posts', undefined, a)).toMatchObject({
      status: 400,
      value: {
        code: 'SESSION_UNKNOWN',
        detail:
          'Failed to control the session "a": the mock has no such session. Please add sessions() to "use", or start the command with --session-ttl 30m.',
      },
    })
    expect(mock.db.posts.count()).toBe(2)
  })

  it('is an error where the name is invalid, or another header names sessions', async () => {
    const { mock, send } = await connect()
    const long = { 'X-Mock-Session': 'x'.repeat(129) }
    expect(await send('DELETE db/posts', undefined, long)).toMatchObject({ status: 400 })
    const other = await connect([sessions({ header: 'X-Tenant' })])
    expect(await other.send('DELETE db/posts', undefined, a)).toMatchObject({ status: 400 })
    expect([mock.db.posts.count(), other.mock.db.posts.count()]).toEqual([2, 2])
    const tenant = { 'X-Tenant': 'a' }
    expect(await other.send('DELETE db/posts', undefined, tenant)).toMatchObject({ status: 200 })
  })

  it('does not exist where the cookie names it', async () => {
    const { mock, send } = await connect()
    await send('DELETE db/posts', undefined, { Cookie: 'mock-session=a' })
    expect((await send('GET db/posts', undefined, a)).value).toEqual([])
    expect(mock.db.posts.count()).toBe(2)
  })
})
