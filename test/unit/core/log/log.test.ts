import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../../../src/core/http/contract/internals.ts'
import type { LogEntry } from '../../../../src/core/log/log.ts'
import { findNear } from '../../../../src/core/log/near-misses.ts'
import { createRedactor } from '../../../../src/core/log/redact.ts'
import { auth, faults, routes, states } from '../../../../src/behaviours.ts'
import {
  createManualClock,
  createMock,
  type Mock,
  type RequestPattern,
} from '../../../../src/index.ts'
import { faces } from '../../../faces.ts'

function shop() {
  return createMock({
    fixtures: {
      posts: [{ id: 1, title: 'One', tags: ['a', 'b'], author: { name: 'Ada' } }],
      users: [{ id: 1, email: 'ada@x.org', password: 'ada' }],
    },
    base: '/api',
    clock: createManualClock(),
  })
}

async function send(mock: Pick<Mock, 'fetch'>, line: string, body?: unknown): Promise<number> {
  const [method = '', path = ''] = line.split(' ')
  const headers = { 'Content-Type': 'application/json' }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  return (await mock.fetch(new Request(`http://mock.test/api${path}`, init))).status
}

/** What a checkout has sent. */
async function visit() {
  const mock = shop()
  await send(mock, 'GET /posts?_page=2&tag=a')
  await send(mock, 'GET /posts/1')
  await send(mock, 'POST /posts', { title: 'Two', tags: ['a', 'b'], author: { name: 'Bob' } })
  await send(mock, 'PATCH /posts/1', { title: 'Uno' })
  await send(mock, 'DELETE /posts/9')
  await send(mock, 'HEAD /posts')
  await send(mock, 'POST /post', { title: 'Three' })
  return mock
}

describe('the log', () => {
  const patterns: [title: string, pattern: RequestPattern | string, count: number][] = [
    ['everything', {}, 7],
    ['a method', { method: 'POST' }, 2],
    ['a method in lower case', { method: 'post' }, 2],
    ['several methods', { method: 'PATCH,DELETE' }, 2],
    ['GET and HEAD', { method: 'GET' }, 3],
    ['HEAD alone', { method: 'HEAD' }, 1],
    ['any method', { method: '*', path: '/posts' }, 3],
    ['a path', { path: '/posts' }, 3],
    ['a path with its base', { path: '/api/posts' }, 3],
    ['a path with a parameter', { path: '/posts/:id' }, 3],
    ['a path with a rest', { path: '/posts/*' }, 6],
    ['a name and all below it', { path: 'posts' }, 6],
    ['a text', 'DELETE /posts/:id', 1],
    ['a text without a method', '/posts/:id', 3],
    ['a status', { status: 404 }, 2],
    ['a query', { query: { _page: '2' } }, 1],
    ['a number in a query', { query: { _page: 2, tag: 'a' } }, 1],
    ['another query', { query: { _page: '3' } }, 0],
    ['part of a body', { body: { title: 'Two' } }, 1],
    ['part of a part of a body', { body: { author: { name: 'Bob' } } }, 1],
    ['a list in a body', { body: { tags: ['a', 'b'] } }, 1],
    ['a shorter list in a body', { body: { tags: ['a'] } }, 0],
    ['a body of PATCH', { method: 'PATCH', body: { title: 'Uno' } }, 1],
    ['a test of the body', { body: (body: unknown) => JSON.stringify(body).includes('Un') }, 1],
    [
      'everything at once',
      { method: 'POST', path: '/posts', status: 201, body: { title: 'Two' } },
      1,
    ],
    ['all but one', { method: 'POST', path: '/posts', status: 201, body: { title: 'One' } }, 0],
  ]

  it.each(patterns)('counts by %s', async (_, pattern, count) => {
    const { log } = await visit()
    expect(log.count(pattern)).toBe(count)
    expect(log.filter(pattern)).toHaveLength(count)
    expect(log.find(pattern)).toEqual(log.filter(pattern)[0])
  })

  it('finds a parameter that holds a URL with another', async () => {
    const mock = shop()
    await send(mock, 'GET /posts?next=/cart?step=2&a=1')
    expect(mock.log.count({ query: { next: '/cart?step=2', a: 1 } })).toBe(1)
  })

  it('counts all without a pattern', async () => {
    expect((await visit()).log.count()).toBe(7)
  })

  it('gives reasons in one line of bounded length without control characters', async () => {
    const mock = shop()
    await send(mock, `GET /posts?%1B%5B2J=1&%0A=2&${'x'.repeat(600)}=3`)
    const reason = mock.log[0]?.reason ?? ''
    expect(reason).toMatch(/^ignored " \[2J"; ignored " "; ignored "x+$/)
    expect(reason).toHaveLength(500)
  })

  it.each([
    ['short', 'x'],
    ['long', 'x'.repeat(5000)],
    ['short and wide', 'ключ 🔑'],
    ['long and wide', 'ключ 🔑'.repeat(1000)],
  ])('logs the size of a %s response in bytes, cached or not', async (_title, title) => {
    const mock = createMock({ fixtures: { posts: [{ id: 1, title }] } })
    for (let times = 0; times < 40; times++) await mock.fetch('/posts')
    const length = Buffer.byteLength(JSON.stringify(mock.db.posts.all()))
    expect(new Set(mock.log.map(({ bytes }) => bytes))).toEqual(new Set([length]))
    await mock.fetch('/posts', { method: 'HEAD' })
    expect(mock.log.at(-1)?.bytes).toBe(0)
  })

  it('is still a list', async () => {
    const { log } = await visit()
    expect(Array.isArray(log)).toBe(true)
    expect(log.find(({ status }) => status === 201)?.method).toBe('POST')
    expect(log.filter(({ method }) => method === 'POST')).toHaveLength(2)
    expect(Object.keys(log)).toHaveLength(7)
    expect(JSON.parse(JSON.stringify(log))).toHaveLength(7)
    expect(shop().log).toEqual([])
  })

  it('finds by the sent body, and redacts secrets in the result', async () => {
    const mock = shop()
    await send(mock, 'POST /users', { email: 'bob@x.org', password: 'bob' })
    const found = mock.log.find({ body: { password: 'bob' } })
    expect(found?.body).toEqual({ email: 'bob@x.org', password: '[redacted]' })
  })

  it('keeps the name of a session, which is no secret', () => {
    const headers = { 'x-mock-session': 'test-1', 'x-session-id': 'S3CRET' }
    expect(createRedactor().redactHeaders(headers)).toEqual({
      'x-mock-session': 'test-1',
      'x-session-id': '[redacted]',
    })
  })

  const urls: [title: string, sent: string, logged: string][] = [
    ['a parameter', '/users?a=1&password=S3CRET', '/users?a=1&password=[redacted]'],
    [
      'a parameter with an operator',
      '/users?token:startsWith=S3CRET&pin_ne=S3CRET',
      '/users?token:startsWith=[redacted]&pin_ne=[redacted]',
    ],
    ['a parameter in brackets', '/users?user%5Bpin%5D=S3CRET', '/users?user%5Bpin%5D=[redacted]'],
    [
      'a tree of conditions',
      '/users?_where=%7B%22password%22:%22S3CRET%22%7D&a=1',
      '/users?_where=[redacted]&a=1',
    ],
    [
      'a URL in a parameter',
      '/users?next=/a?token=S3CRET&to=%2Fa%3Fpin%3DS3CRET&at=/a?b=1',
      '/users?next=[redacted]&to=[redacted]&at=/a?b=1',
    ],
    [
      'keys and tokens by other names',
      '/users?jwt=S3CRET&access_key=S3CRET&accessKeyId=1',
      '/users?jwt=[redacted]&access_key=[redacted]&accessKeyId=1',
    ],
    ['no parameter that is the type of a token', '/users?token_type=a', '/users?token_type=a'],
    [
      'no names that only contain the words',
      '/users?tokens=1&spin=2&_where=%7B%22a%22:1%7D',
      '/users?tokens=1&spin=2&_where=%7B%22a%22:1%7D',
    ],
  ]

  it.each(urls)('redacts %s', async (_, sent, logged) => {
    const mock = shop()
    await send(mock, `GET ${sent}`)
    expect(mock.log[0]?.url).toBe(`/api${logged}`)
    expect(JSON.stringify(mock.log)).not.toContain('S3CRET')
  })

  const sentBodies: [title: string, method: string, body: unknown][] = [
    [
      'secrets',
      'POST',
      { secretKey: 'S3CRET', privateKey: 'S3CRET', passphrase: 'S3CRET', key: 1 },
    ],
    ['similar names', 'POST', { passwordConfirmation: 'S3CRET', 'user[pin]': 'S3CRET' }],
    ['a patch', 'PATCH', [{ op: 'test', path: '/user/token', value: 'S3CRET' }]],
    [
      'a token, but not its type',
      'POST',
      { token_type: 'Bearer', tokenType: 'Bearer', 'my-token': 'S3CRET' },
    ],
  ]

  it.each(sentBodies)('redacts a body with %s', async (_, method, body) => {
    const mock = shop()
    await send(mock, `${method} /users${method === 'PATCH' ? '/1' : ''}`, body)
    const redacted = JSON.stringify(body).replaceAll('S3CRET', '[redacted]')
    expect(mock.log[0]?.body).toEqual(JSON.parse(redacted))
  })

  it.each([
    ['a parameter', 'GET', '/users?password=S3CRET%', undefined],
    ['a form', 'POST', '/users', 'password=S3CRET%'],
    ['a body', 'POST', '/users', '{"password":S3CRET}'],
  ])('logs no secret of %s that cannot be parsed', async (_, method, path, body) => {
    const mock = shop()
    const type = body?.startsWith('p') ? 'application/x-www-form-urlencoded' : 'application/json'
    const init = { method, headers: { 'content-type': type }, ...(body && { body }) }
    expect((await mock.fetch(`http://mock.test/api${path}`, init)).status).toBe(400)
    expect(mock.log[0]?.reason).toMatch(/^Failed to read .+\. Please .+\.$/)
    expect(JSON.stringify(mock.log)).not.toContain('S3CRET')
  })

  it('redacts URLs in headers', async () => {
    const mock = shop()
    const headers = { referer: 'http://mock.test/reset?token=S3CRET', 'x-from': 'a?b' }
    await mock.fetch('http://mock.test/api/posts', { headers })
    expect(mock.log[0]?.headers).toMatchObject({
      referer: 'http://mock.test/reset?token=[redacted]',
      'x-from': 'a?b',
    })
  })

  it('redacts secrets in near misses', async () => {
    const mock = shop()
    await send(mock, 'POST /users?token=S3CRET', { password: 'S3CRET', of: { pin: 'S3CRET' } })
    const differences = async (pattern: RequestPattern): Promise<string[] | undefined> =>
      mock.log.nearMisses(pattern)[0]?.differences
    expect(await differences({ body: { password: 'x' } })).toEqual([
      'body.password is "[redacted]", not "x"',
    ])
    expect(await differences({ body: { of: 'x' } })).toEqual([
      'body.of is {"pin":"[redacted]"}, not "x"',
    ])
    expect(await differences({ query: { token: 'x' } })).toEqual([
      'query token is [redacted], not x',
    ])
  })

  it('keeps the last requests, however many there were', async () => {
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] }, logSize: 3 })
    const at = (path: string, init?: RequestInit) => mock.fetch(`http://mock.test${path}`, init)
    const headers = { 'Content-Type': 'application/json' }
    await at('/posts', { method: 'POST', headers, body: '{"title":"Two"}' })
    const [early] = mock.log
    for (let count = 1; count <= 7; count++) {
      await at(`/posts/${count}`)
      const last = [count - 2, count - 1, count].map((one) =>
        one > 0 ? `/posts/${one}` : '/posts',
      )
      expect(mock.log.map(({ url }) => url)).toEqual(last.slice(count === 1 ? 1 : 0))
      expect(mock.log.filter((entry) => 'body' in entry)).toHaveLength(count < 3 ? 1 : 0)
    }
    expect(early).toMatchObject({ url: '/posts', status: 201, body: { title: 'Two' } })
    internalsOf(mock).clearLog()
    await at('/posts/1')
    expect(mock.log.map(({ url, status }) => [url, status])).toEqual([['/posts/1', 200]])
  })

  const wrong: [title: string, pattern: unknown, message: string][] = [
    ['a wrong name', { methd: 'GET' }, 'there is no "methd". Did you mean "method"?'],
    [
      'a wrong kind',
      { status: '404' },
      '"status" cannot be "404". Please give a number of at least 0.',
    ],
    [
      'a query in the path',
      { path: '/posts?a=1' },
      '"path" cannot be "/posts?a=1". Please give the parameters as "query".',
    ],
    ['no pattern', 7, 'it cannot be 7. Please give an object.'],
  ]

  it.each(wrong)('refuses %s', async (_, pattern, message) => {
    const { log } = await visit()
    expect(() => log.count(pattern as never)).toThrow(message)
  })

  it('names near misses and their differences', async () => {
    const { log } = await visit()
    const near = log.nearMisses({ method: 'POST', path: '/posts', body: { title: 'Three' } })
    expect(
      near.map(({ request, differences }) => [request.method, request.url, differences]),
    ).toEqual([['POST', '/api/posts', ['body.title is "Two", not "Three"']]])
    const [off] = log.nearMisses({ path: '/posts', status: 500 })
    expect(off?.differences).toEqual(['status is 200, not 500'])
    expect(log.nearMisses({ method: 'PUT', path: '/nowhere/:id', status: 500 })).toEqual([])
    expect(log.nearMisses({})).toEqual([])
  })

  it('finds near misses in any number of requests', async () => {
    const [entry] = (await visit()).log
    const entries = Array.from({ length: 130_000 }, () => entry as LogEntry)
    const redactor = createRedactor()
    const routing = { base: '/api', redactor, rules: () => [], routes: () => [] }
    expect(findNear(entries, entries, 'POST /posts', routing)).toHaveLength(130_000)
  })

  it('explains which rules and routes nearly matched a request', async () => {
    const mock = shop()
    mock.on('PUT', '/posts/:id').fail(500)
    mock.on('GET', '/flags').reply(200, {})
    await send(mock, 'PATCH /posts/1', { title: 'Uno' })
    await send(mock, 'GET /post')
    const [first, second] = mock.log
    expect(first && mock.log.explain(first)).toEqual([
      { rule: 1, on: 'PUT /posts/:id', differences: ['method is PATCH, not PUT'] },
    ])
    expect(second && mock.log.explain(second)).toEqual([
      { on: 'GET,HEAD,QUERY,POST,OPTIONS /posts', differences: ['path is /post, not /posts'] },
    ])
    expect(mock.log.explain({ method: 'PUT', url: '/api/posts' })).toEqual([
      {
        on: 'GET,HEAD,QUERY,POST,OPTIONS /posts',
        differences: ['method is PUT, not GET,HEAD,QUERY,POST,OPTIONS'],
      },
    ])
  })
})

describe.each(Object.keys(faces))('the log of %s', (face) => {
  const bodies: [title: string, request: string, body: unknown][] = [
    ['POST', 'POST /posts', { title: 'Two' }],
    ['PUT', 'PUT /posts/1', { title: 'Two' }],
    ['PATCH', 'PATCH /posts/1', { title: 'Two' }],
    ['a login', 'POST /login', { email: 'ada@x.org' }],
    ['an action', 'POST /orders/1/ship', { tracking: 'x1' }],
    ['a route', 'POST /pay', { amount: 3 }],
    ['what a rule answers', 'POST /ruled', { amount: 3 }],
    ['what a fault answers', 'POST /users', { email: 'bob@x.org' }],
  ]

  it.each(bodies)('holds the body of %s', async (_, request, body) => {
    const mock = createMock({
      fixtures: {
        posts: [{ id: 1, title: 'One' }],
        users: [{ id: 1, email: 'ada@x.org' }],
        orders: [{ id: 1, status: 'paid' }],
      },
      use: [
        faults({ rules: [{ on: 'POST users', status: 503 }] }),
        auth({ protect: ['nothing'] }),
        states({
          orders: {
            transitions: { paid: ['shipped'] },
            actions: { ship: { to: 'shipped', fields: ['tracking'] } },
          },
        }),
        routes({ 'POST /pay': () => ({ isPaid: true }) }),
      ],
    })
    mock.on('POST', '/ruled').reply(200, { isRuled: true })
    const connection = await faces[face]?.(mock)
    const answer = await connection?.send({ request, body })
    await connection?.close()
    expect(answer?.status).toBeOneOf([200, 201, 503])
    expect(mock.log.count({ body: body as never })).toBe(1)
  })

  it.each([
    ['holds a body of 16 KiB', 16 * 1024, true],
    ['leaves out a body that is longer', 16 * 1024 + 1, false],
  ])('%s', async (_, size, isHeld) => {
    const mock = createMock({ fixtures: { posts: [] } })
    const connection = await faces[face]?.(mock)
    const body = { text: 'x'.repeat(size - '{"text":""}'.length) }
    const answer = await connection?.send({ request: 'POST /posts', body })
    await connection?.close()
    expect(answer?.status).toBe(201)
    expect(mock.log.map((entry) => 'body' in entry)).toEqual([isHeld])
  })
})
