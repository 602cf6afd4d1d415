import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { internalsOf } from '../../../../src/core/http/contract/internals.ts'
import { auth, type Behaviour, delay, faults, limit } from '../../../../src/behaviours.ts'
import { withControl } from '../../../../src/core/control/control.ts'
import { createAccessCheck } from '../../../../src/core/http/cors/access.ts'
import type { Access } from '../../../../src/core/http/contract/answerer.ts'
import { toHar } from '../../../../src/har.ts'
import { createManualClock, createMock } from '../../../../src/index.ts'
import { expectHar } from '../../../har.ts'

const origins = (): boolean => false
const isKnownHost = (host: string): boolean => host === 'localhost:3000'
const local: Access = { origins, check: createAccessCheck(isKnownHost, origins) }

const broken: Behaviour = {
  name: 'broken',
  create: () => ({
    controls: {
      PUT() {
        throw new TypeError('no such mode')
      },
    },
  }),
}

function toText(body: unknown): string {
  if (typeof body === 'string' && body.includes('=')) return body
  return body === undefined ? '' : JSON.stringify(body)
}

function shop(more: readonly Behaviour[] = []) {
  const fixtures = { posts: [{ id: 1, title: 'One' }], profile: { name: 'Ada' } }
  const clock = createManualClock()
  const mock = createMock({
    fixtures,
    base: '/api',
    clock,
    seed: 1,
    use: [delay(0), faults(), broken, ...more],
  })
  const control = withControl(internalsOf(mock))
  async function send(
    line: string,
    options: { headers?: Record<string, string>; body?: unknown; access?: Access } = {},
  ) {
    const [method = '', path = ''] = line.split(' ')
    const [pathname = '', search = ''] = path.split(/(?=\?)/)
    const { headers = {}, body, access = local } = options
    const text = toText(body)
    const request = {
      method,
      path: pathname,
      search,
      origin: 'http://localhost:3000',
      headers: { host: 'localhost:3000', 'content-type': 'application/json', ...headers },
      text: () => text,
    }
    const response = await control.handle(request as never, access)
    const type = response.headers.find(([name]) => name === 'Content-Type')?.[1] ?? ''
    const isJson = type.includes('json') && typeof response.body === 'string'
    return {
      ...response,
      value: (isJson ? JSON.parse(response.body as string) : response.body) as unknown,
    }
  }
  return { mock, send }
}

describe('the control', () => {
  it('describes the mock', async () => {
    const { send } = shop()
    expect((await send('GET /__mock')).value).toEqual({
      base: '/api',
      dialect: 'rest',
      resources: [
        { name: 'posts', path: '/api/posts', kind: 'collection', count: 1, idField: 'id' },
        { name: 'profile', path: '/api/profile', kind: 'singleton', count: 1 },
      ],
      behaviours: [
        { name: 'delay', controls: ['GET', 'PUT'] },
        { name: 'faults', controls: ['GET', 'PUT profile', 'POST rules', 'DELETE rules'] },
        { name: 'broken', controls: ['PUT'] },
      ],
      snapshots: [],
      requests: 0,
    })
  })

  it('finds and counts requests, and explains near misses', async () => {
    const { mock, send } = shop()
    mock.on('PUT', '/posts/:id').fail(500)
    await send('POST /api/posts', { body: { title: 'Two' } })
    await send('PATCH /api/posts/1', { body: { title: 'Uno' } })
    const find = async (body: unknown) => (await send('POST /__mock/log/find', { body })).value
    expect(await find({ path: '/posts', body: { title: 'Two' } })).toMatchObject({
      count: 1,
      requests: [{ method: 'POST', url: '/api/posts', status: 201, body: { title: 'Two' } }],
    })
    expect(await find('PATCH /posts/:id')).toMatchObject({ count: 1, nearMisses: [] })
    expect(await find({ method: 'PUT', path: '/posts/:id' })).toMatchObject({
      count: 0,
      requests: [],
      nearMisses: [{ request: { method: 'PATCH' }, differences: ['method is PATCH, not PUT'] }],
    })
    const explain = await send('POST /__mock/log/explain', {
      body: { method: 'PATCH', url: '/api/posts/1' },
    })
    expect(explain.value).toEqual([
      { rule: 1, on: 'PUT /posts/:id', differences: ['method is PATCH, not PUT'] },
    ])
    const wrong: [path: string, body: unknown, status: number, message: string][] = [
      ['find', { methd: 'GET' }, 400, 'Did you mean "method"?'],
      ['find', null, 400, 'it cannot be null. Please give an object.'],
      ['explain', { method: 'GET' }, 400, '"url" is missing. Please give a text.'],
      ['fnd', {}, 404, 'Failed to find the search "fnd" of the log. Did you mean "find"?'],
    ]
    for (const [path, body, status, message] of wrong) {
      const answer = await send(`POST /__mock/log/${path}`, { body })
      expect(answer).toMatchObject({ status, value: { detail: expect.stringContaining(message) } })
    }
  })

  it('exports forms as curl commands', async () => {
    const { send } = shop()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await send('POST /api/posts', { headers, body: 'title=It%27s+me&tag=a&tag=b' })
    expect((await send('GET /__mock/log.curl')).value).toContain(
      String.raw`-H 'content-type: application/x-www-form-urlencoded' -d 'title=It%27s+me&tag=a&tag=b'`,
    )
  })

  it('quotes a method that a shell would interpret in a curl command', async () => {
    const { send } = shop()
    await send('`id` /api/posts')
    expect((await send('GET /__mock/log.curl')).value).toContain("curl -X '`id`' 'http")
  })

  it('switches a rule off and on', async () => {
    const { send, mock } = shop()
    mock.on('GET', '/posts').fail(503)
    const read = async () => (await send('GET /api/posts')).status
    const off = await send('PUT /__mock/rules/1', { body: { isOn: false } })
    expect(off.value).toMatchObject([{ number: 1, isOff: true }])
    expect([await read(), await mock.fork().fetch('/api/posts')]).toMatchObject([
      200,
      { status: 200 },
    ])
    const on = await send('PUT /__mock/rules/1', { body: { isOn: true } })
    expect(on.value).not.toMatchObject([{ isOff: true }])
    expect(await read()).toBe(503)
    expect(await send('PUT /__mock/rules/7', { body: { isOn: true } })).toMatchObject({
      status: 404,
    })
    expect(await send('PUT /__mock/rules/1', { body: {} })).toMatchObject({ status: 400 })
  })

  it('removes a snapshot', async () => {
    const { send } = shop()
    await send('PUT /__mock/snapshots/a')
    expect((await send('DELETE /__mock/snapshots/a')).value).toEqual([])
    expect((await send('DELETE /__mock/snapshots/a')).value).toEqual([])
  })

  it('adds, lists and removes rules', async () => {
    const { mock, send } = shop()
    const body = { on: 'GET /posts/:id', status: 500, times: 2, headers: { 'X-A': '1' } }
    expect(await send('POST /__mock/rules', { body })).toMatchObject({ status: 201 })
    await send('POST /__mock/rules', { body: { on: '/flags', body: { isNew: true }, delay: 0 } })
    mock.on('*', '*').delay(0)
    expect((await send('GET /__mock/rules')).value).toEqual([
      { number: 3, on: '* *', isDelayed: true },
      { number: 2, on: '* /flags', status: 200, isDelayed: true },
      { number: 1, on: 'GET /posts/:id', status: 500, isDelayed: false, left: 2 },
    ])
    expect(await send('GET /api/posts/1')).toMatchObject({ status: 500 })
    expect((await send('GET /api/flags')).value).toEqual({ isNew: true })
    expect((await send('DELETE /__mock/rules/3')).value).toHaveLength(2)
    const missing =
      'Failed to remove the rule "3": there is no rule with this number. Please see GET /__mock/rules.'
    expect(await send('DELETE /__mock/rules/3')).toMatchObject({
      status: 404,
      value: { detail: missing },
    })
    expect((await send('DELETE /__mock/rules')).value).toEqual([])
    expect(await send('GET /api/posts/1')).toMatchObject({ status: 200 })
  })

  const wrongRules: [title: string, body: unknown, message: string][] = [
    ['does nothing', { on: 'GET /posts' }, 'it does nothing'],
    ['has no pattern', { status: 500 }, '"on" is missing'],
    ['has a misspelled option', { on: '*', stauts: 500 }, 'Did you mean "status"?'],
    ['has an invalid status', { on: '*', status: 99 }, 'it cannot be 99'],
    [
      'has a query in its path',
      { on: 'GET /posts?a=1', status: 500 },
      'Please give one without a query.',
    ],
    [
      'has a delay and an invalid status',
      { on: 'GET /posts', delay: 5, status: 99 },
      'it cannot be 99',
    ],
  ]
  it.each(wrongRules)('refuses a rule that %s', async (_title, body, message) => {
    const { mock, send } = shop()
    const answer = await send('POST /__mock/rules', { body })
    expect([answer.status, answer.value]).toMatchObject([
      400,
      { title: 'Bad Request', status: 400, detail: expect.stringContaining(message) as string },
    ])
    expect(mock.rules.list()).toEqual([])
  })

  const patterns: [on: string, shown: string][] = [
    ['/posts', '* /posts'],
    ['  GET  /posts ', 'GET /posts'],
    [' /posts', '* /posts'],
    ['posts', '* posts'],
    ['DELETE', 'DELETE *'],
    ['*', '* *'],
  ]
  it.each(patterns)('parses "%s" like any pattern', async (on, listed) => {
    const { mock, send } = shop()
    await send('POST /__mock/rules', { body: { on, status: 500 } })
    expect(mock.rules.list()).toMatchObject([{ on: listed }])
  })

  it('takes and restores snapshots', async () => {
    const { mock, send } = shop()
    mock.db.posts.insert({ title: 'Two' })
    expect(await send('POST /__mock/snapshots', { body: { name: 'two' } })).toMatchObject({
      status: 201,
      value: ['two'],
    })
    await send('POST /__mock/reset')
    expect(mock.db.posts.count()).toBe(1)
    expect((await send('PUT /__mock/snapshots/one')).value).toEqual(['two', 'one'])
    expect((await send('POST /__mock/snapshots/two')).value).toMatchObject({
      resources: [{ name: 'posts', count: 2 }, {}],
      snapshots: ['two', 'one'],
    })
    expect(mock.db.posts.count()).toBe(2)
    await send('POST /__mock/snapshots/one')
    expect(mock.db.posts.count()).toBe(1)
    expect((await send('GET /__mock/snapshots')).value).toEqual(['two', 'one'])
    expect(await send('POST /__mock/snapshots/tow')).toMatchObject({
      status: 404,
      value: { message: expect.stringContaining('Did you mean "two"?') as string },
    })
  })

  it('controls behaviours', async () => {
    const { mock, send } = shop()
    await send('POST /__mock/faults/rules', { body: { status: 503 } })
    expect((await mock.fetch(new Request('http://x/api/posts'))).status).toBe(503)
    expect((await send('GET /__mock/faults')).value).toEqual([{ status: 503 }])
    expect(await send('POST /__mock/faults/rules', { body: { statos: 503 } })).toMatchObject({
      status: 400,
      value: { message: expect.stringContaining('Did you mean "status"?') as string },
    })
    const limited = { on: 'GET /posts', status: 500, times: 2 }
    await send('POST /__mock/faults/rules', { body: limited })
    await mock.fetch(new Request('http://x/api/posts'))
    const [listed] = (await send('GET /__mock/faults')).value as object[]
    expect(listed).toMatchObject({ left: 1 })
    await send('DELETE /__mock/faults/rules', { body: listed })
    expect((await send('GET /__mock/faults')).value).toEqual([{ status: 503 }])
    expect(await send('DELETE /__mock/faults/rules', { body: listed })).toMatchObject({
      status: 404,
      value: { code: 'RULE_UNKNOWN' },
    })
    await send('DELETE /__mock/faults/rules')
    expect((await mock.fetch(new Request('http://x/api/posts'))).status).toBe(200)
  })

  it('exports the log without secrets: as JSON, as commands and as an archive', async () => {
    const { send } = shop()
    await send('POST /api/posts?token=abc', {
      headers: { authorization: 'Bearer abc', 'content-length': '9' },
      body: { title: "It's", password: 'abc' },
    })
    const { value } = await send('GET /__mock/log')
    expect(value).toMatchObject([
      {
        method: 'POST',
        url: '/api/posts?token=[redacted]',
        status: 201,
        headers: { authorization: 'Bearer [redacted]' },
        body: { title: "It's", password: '[redacted]' },
      },
    ])
    const curl = (await send('GET /__mock/log.curl')).value
    expect(curl).toContain("curl -X POST 'http://localhost:3000/api/posts?token=[redacted]'")
    expect(curl).toContain(String.raw`It'\''s`)
    expect(curl).toContain("?token=[redacted]' -g -H '")
    expect((await send('GET /__mock/log.har')).value).toMatchObject({
      log: {
        version: '1.2',
        entries: [{ request: { method: 'POST' }, response: { status: 201 } }],
      },
    })
    for (const path of ['log', 'log.curl', 'log.har']) {
      expect(JSON.stringify((await send(`GET /__mock/${path}`)).value)).not.toContain('abc')
    }
  })

  describe('read', () => {
    const read = 'GET /__mock/read?url=%2Fapi%2Fposts%3F_page%3D1%26title%3DOne'

    it('answers without rules, delays, faults and limits, and is not in the log', async () => {
      const { mock, send } = shop([
        delay('1h'),
        faults({ rules: [{ status: 503 }] }),
        limit({ requests: 1, per: '1m' }),
      ])
      mock.on('GET', '/posts').fail(500, { times: 1 })
      for (let times = 0; times < 3; times++) {
        const answer = await send(read)
        expect(answer).toMatchObject({ status: 200, value: [{ id: 1, title: 'One' }] })
        expect(answer.headers).toContainEqual(['X-Total-Count', '1'])
      }
      expect(mock.rules.list()).toMatchObject([{ left: 1 }])
      expect(mock.log).toEqual([])
    })

    it('leaves a request of the application to its rules and to the log', async () => {
      const { mock, send } = shop()
      mock.on('GET', '/posts').fail(500, { times: 1 })
      expect((await send(read)).status).toBe(200)
      expect((await send('GET /api/posts')).status).toBe(500)
      expect(mock.log.map(({ url, status }) => [url, status])).toEqual([['/api/posts', 500]])
    })

    it('answers as the user whose credentials it has, beside the token of the control', async () => {
      const { send } = shop([auth({ users: 'posts', known: { ours: 1 } })])
      const access = { ...local, token: 'known' }
      const answer = await send(`${read}&token=known`, { access })
      expect(answer).toMatchObject({ status: 401, value: { title: 'Unauthorized' } })
      const headers = { authorization: 'Bearer ours' }
      const next = await send(`${read}&token=known`, { access, headers })
      expect(next).toMatchObject({ status: 200, value: [{ id: 1 }] })
      expect((await send(read, { access, headers })).status).toBe(401)
    })

    const rows: [title: string, line: string, headers: Record<string, string>, status: number][] = [
      ['a page of another origin', read, { origin: 'https://a.test' }, 403],
      ['a page of another site', read, { 'sec-fetch-site': 'cross-site' }, 403],
      ['a page of another port', read, { 'sec-fetch-site': 'same-site' }, 403],
      ['a write', read.replace('GET', 'POST'), {}, 405],
      ['a request without a path', 'GET /__mock/read', {}, 400],
      ['a URL', 'GET /__mock/read?url=http%3A%2F%2Fa.test', {}, 400],
    ]
    it.each(rows)('refuses %s', async (_title, line, headers, status) => {
      const { send } = shop()
      const answer = await send(line, { headers })
      expect(answer.status).toBe(status)
      expect(JSON.stringify(answer.value)).not.toContain('One')
    })
  })

  it('lists the routes, and clears the log', async () => {
    const { mock, send } = shop()
    await send('GET /api/posts')
    expect((await send('GET /__mock/routes')).value).toEqual(
      JSON.parse(JSON.stringify(mock.routes)),
    )
    expect([mock.log.length, (await send('DELETE /__mock/log')).value]).toEqual([1, []])
    expect((await send('GET /__mock/log')).value).toEqual([])
  })

  it('exports commands without the headers of the connection', async () => {
    const { send } = shop()
    const headers = { host: 'localhost:3000', accept: 'application/json', 'sec-fetch-site': 'none' }
    await send('GET /api/posts?title=One', { headers })
    await send('HEAD /api/posts', { headers })
    await send('DELETE /api/posts/1', { headers: { ...headers, 'content-length': '0' } })
    const shown = "-H 'content-type: application/json' -H 'accept: application/json'"
    expect((await send('GET /__mock/log.curl')).value).toBe(
      [
        `curl 'http://localhost:3000/api/posts?title=One' ${shown}`,
        `curl -I 'http://localhost:3000/api/posts' ${shown}`,
        `curl -X DELETE 'http://localhost:3000/api/posts/1' ${shown}\n`,
      ].join('\n'),
    )
  })

  it('exports an archive (HAR 1.2)', async () => {
    const { mock, send } = shop()
    await send('POST /api/posts', { body: { title: 'ключ' } })
    mock.on('GET', '/posts').drop()
    await send('GET /api/posts')
    const { value } = await send('GET /__mock/log.har')
    expectHar(value)
    expect(value).toEqual(toHar(mock))
    expect(value.log.entries).toMatchObject([
      {
        request: {
          method: 'POST',
          url: 'http://localhost:3000/api/posts',
          bodySize: 20,
          postData: { mimeType: 'application/json', text: '{"title":"ключ"}' },
        },
        response: {
          status: 201,
          statusText: 'Created',
          content: { text: '{"id":2,"title":"ключ"}' },
        },
      },
      { request: { bodySize: 0 }, response: { status: 0, comment: 'rule 1 answered' } },
    ])
  })

  it.each([
    ['', true],
    ['?redactedBodies=true', true],
    ['?redactedBodies=false', false],
    ['?token=x&redactedBodies=false', false],
  ])('exports an archive for "%s"', async (search, hasBody) => {
    const { send } = shop()
    await send('POST /api/posts', { body: { password: 'abc' } })
    const { value } = await send(`GET /__mock/log.har${search}`)
    expectHar(value)
    expect('postData' in (value.log.entries[0]?.request ?? {})).toBe(hasBody)
  })

  it('exports an archive of the requests that arrived at a time', async () => {
    const { mock, send } = shop()
    await send('GET /api/posts')
    mock.clock.advance('1s')
    await send('GET /api/profile')
    const { value } = await send(`GET /__mock/log.har?time=${mock.clock.now()}`)
    expectHar(value)
    expect(value.log.entries.map(({ request }) => request.url)).toEqual([
      'http://localhost:3000/api/profile',
    ])
    expect((await send('GET /__mock/log.har?time=x')).value).toMatchObject({ log: { entries: [] } })
  })

  it('forbids caching, and answers errors with problem details', async () => {
    const { send } = shop()
    const answer = await send('PATCH /__mock/snapshots')
    expect(answer.headers).toEqual([
      ['Content-Type', 'application/problem+json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ['X-Content-Type-Options', 'nosniff'],
      ['X-Mock', 'fixtura'],
      ['Allow', 'GET, POST, PUT, DELETE'],
    ])
    const message =
      'Failed to PATCH "/__mock/snapshots": there is no such control. Please use one of GET /__mock/snapshots, POST /__mock/snapshots, PUT /__mock/snapshots/:name, DELETE /__mock/snapshots/:name, POST /__mock/snapshots/:name.'
    const title = 'Method Not Allowed'
    const code = 'METHOD_NOT_ALLOWED'
    const problem = { type: 'about:blank', title, status: 405, detail: message, message, code }
    expect(answer.value).toEqual(problem)
  })

  it('accepts a trailing slash and HEAD, and only JSON bodies', async () => {
    const { send } = shop()
    expect((await send('GET /__mock/log/')).status).toBe(200)
    expect((await send('HEAD /__mock/log')).status).toBe(200)
    expect((await send('POST /__mock/reset', { body: ' =' })).status).toBe(400)
    expect((await send('POST /__mock/rules', { body: { on: '*', drop: true } })).status).toBe(201)
    expect((await send('POST /__mock/snapshots', { body: { name: '' } })).status).toBe(400)
  })

  it('counts requests, and finds those that nearly match', async () => {
    const { send } = shop()
    await send('GET /api/posts')
    const search = async (name: string, body: unknown) =>
      (await send(`POST /__mock/log/${name}`, { body })).value
    expect([await search('count', 'GET /posts'), await search('count', {})]).toEqual([1, 1])
    expect(await search('nearMisses', 'POST /posts')).toMatchObject([
      { differences: ['method is GET, not POST'] },
    ])
  })

  it('adds rules with every option', async () => {
    const { send } = shop()
    const add = (body: unknown) => send('POST /__mock/rules', { body })
    await add({ on: '/empty', status: 202, empty: true })
    expect(await send('GET /api/empty')).toMatchObject({ status: 202, body: null })
    await send('DELETE /__mock/rules')
    await send('POST /__mock/reset')
    await add({ on: '/flags', status: 418, body: 'short', headers: { 'X-A': '1' }, times: 1 })
    const flags = await send('GET /api/flags')
    expect(flags).toMatchObject({ status: 418, value: 'short' })
    expect(flags.headers).toContainEqual(['X-A', '1'])
    await add({ on: '/posts', drop: true, times: 1 })
    expect(await send('GET /api/posts')).toMatchObject({ status: 0 })
    await add({ on: '/posts', delay: 0, times: 3 })
    expect((await send('GET /__mock/rules')).value).toEqual([
      { number: 3, on: '* /posts', isDelayed: true, left: 3 },
    ])
    await add({ on: '/posts', drop: { after: '50%' }, times: 2 })
    expect((await send('GET /__mock/rules')).value).toMatchObject([
      { number: 4, on: '* /posts', status: 0, after: '50%', isDelayed: false, left: 2 },
      {},
    ])
    expect((await send('POST /__mock/rules', { body: { on: '*', drop: { at: 1 } } })).status).toBe(
      400,
    )
  })

  it('streams the log', async () => {
    const { send } = shop()
    const { value } = await send('GET /__mock/log', { headers: { accept: 'text/event-stream' } })
    const chunks = (value as AsyncIterable<string>)[Symbol.asyncIterator]()
    expect((await chunks.next()).value).toBe('retry: 1000\n\n')
    await send('GET /api/posts/1')
    expect((await chunks.next()).value).toMatch(/^data: \{.*"url":"\/api\/posts\/1".*\}\n\n$/)
    await chunks.return?.()
  })

  it('streams one event for all synchronous changes of the data', async () => {
    const { mock, send } = shop()
    const { value } = await send('GET /__mock/log', { headers: { accept: 'text/event-stream' } })
    const chunks = (value as AsyncIterable<string>)[Symbol.asyncIterator]()
    await chunks.next()
    for (let at = 0; at < 3; at++) mock.db.posts.insert({ title: 'x' })
    expect((await chunks.next()).value).toBe('event: change\ndata: {}\n\n')
    mock.reset()
    expect((await chunks.next()).value).toBe('event: change\ndata: {}\n\n')
    await chunks.return?.()
    mock.reset()
    expect(await chunks.next()).toMatchObject({ done: true })
  })

  const refused: [title: string, headers: Record<string, string>][] = [
    ['a page of another origin', { origin: 'http://localhost:5173' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
    ['an unknown host', { host: 'evil.test' }],
  ]
  it('explains to a page of another origin which clients are allowed', async () => {
    const { send } = shop()
    const { value } = await send('POST /__mock/reset', { headers: { origin: 'null' } })
    expect(value).toMatchObject({
      detail:
        'Failed to control the mock: pages of other origins are not allowed. Please use the page at "/", or a client that is not a browser.',
    })
  })

  it.each(refused)('refuses %s', async (_, headers) => {
    const { send } = shop()
    const answered = await send('POST /__mock/reset', { headers })
    expect(answered.status).toBe(403)
    expect(answered.headers.map(([name]) => name.toLowerCase())).not.toContain(
      'access-control-allow-origin',
    )
  })

  it('accepts the home page', async () => {
    const { send } = shop()
    const headers = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
    expect((await send('POST /__mock/reset', { headers })).status).toBe(200)
  })

  it('requires the token beyond this machine', async () => {
    const { send } = shop()
    const access = { ...local, token: 'open sesame'.replace(' ', '-') }
    expect((await send('GET /__mock', { access })).status).toBe(401)
    expect((await send('GET /__mock?token=open-sesam', { access })).status).toBe(401)
    const wrong = await send('GET /__mock?token=open-sesamo', { access })
    expect(wrong.status).toBe(401)
    expect(wrong.headers).toContainEqual(['WWW-Authenticate', 'Bearer realm="mock"'])
    expect((await send('GET /__mock?token=open-sesame', { access })).status).toBe(200)
    const headers = { authorization: 'Bearer open-sesame' }
    expect((await send('GET /__mock', { access, headers })).status).toBe(200)
  })

  it.each([
    ['GET /__mock/rest', 404, 'Did you mean "reset"?'],
    ['PATCH /__mock/reset', 405, 'POST'],
    ['DELETE /__mock/delay', 405, 'PUT'],
    ['POST /__mock/snapshots/a/b', 405, 'POST /__mock/snapshots/:name'],
    ['POST /__mock/snapshots/%', 404, 'Failed to find the snapshot "%"'],
    ['GET /__mock/%', 404, 'Failed to find the control "%"'],
    ['PUT /__mock/broken', 400, 'Failed to control the mock: TypeError: no such mode.'],
  ])('explains the error of %s', async (line, status, message) => {
    vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await shop().send(line)).toMatchObject({
      status,
      value: { message: expect.stringContaining(message) as string },
    })
  })
})
