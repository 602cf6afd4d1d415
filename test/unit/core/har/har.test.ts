import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../../../src/core/http/contract/internals.ts'
import { auth, events, faults, routes, sessions } from '../../../../src/behaviours.ts'
import { version } from '../../../../src/core/har/to-har.ts'
import { type HarEntry, toHar } from '../../../../src/har.ts'
import {
  createManualClock,
  createMock,
  type Mock,
  type MockOptions,
} from '../../../../src/index.ts'
import { toMockRequest } from '../../../../src/faces/web/web.ts'
import { serve } from '../../../../src/node.ts'
import { faces, type TableRequest } from '../../../faces.ts'
import { harOf } from '../../../har.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'One' },
    { id: 2, title: 'Ключ 🔑' },
  ],
  users: [{ id: 1, email: 'ada@x.org', password: 'S3CRET' }],
}

function shop(options: Partial<MockOptions<typeof fixtures>> = {}) {
  return createMock({ fixtures, clock: createManualClock(), ...options }) as unknown as Mock
}

/** Sends requests through `mock.fetch`; returns the entry of the last one. */
async function last(
  mock: Mock,
  path: string,
  init: Omit<RequestInit, 'headers'> & { type?: string; headers?: Record<string, string> } = {},
): Promise<HarEntry> {
  const { type = 'application/json', ...rest } = init
  const headers = {
    ...(typeof rest.body === 'string' && { 'content-type': type }),
    ...rest.headers,
  }
  const response = await mock.fetch(`http://mock.test${path}`, { ...rest, headers }).catch(() => {})
  await response?.text().catch(() => {})
  const entry = harOf(mock).at(-1)
  if (!entry) throw new Error('The log is empty.')
  return entry
}

describe('an archive', () => {
  it('describes a request and its response', async () => {
    const mock = shop()
    const body = '{ "title": "Ключ" }'
    expect(await last(mock, '/posts?a=1&b=x+y%20z&c', { method: 'POST', body })).toEqual({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 0,
      request: {
        method: 'POST',
        url: 'http://mock.test/posts?a=1&b=x+y%20z&c',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          { name: 'host', value: 'mock.test' },
          { name: 'content-type', value: 'application/json' },
        ],
        queryString: [
          { name: 'a', value: '1' },
          { name: 'b', value: 'x y z' },
          { name: 'c', value: '' },
        ],
        postData: { mimeType: 'application/json', text: body },
        headersSize: -1,
        bodySize: 23,
      },
      response: {
        status: 201,
        statusText: 'Created',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: expect.arrayContaining([
          { name: 'Location', value: expect.stringMatching(/\/posts\/3$/) as string },
          { name: 'Content-Type', value: 'application/json; charset=utf-8' },
          { name: 'Access-Control-Allow-Origin', value: '*' },
          { name: 'Vary', value: 'Origin, Accept, Accept-Encoding, Prefer' },
          { name: 'Content-Length', value: '27' },
        ]) as unknown,
        content: {
          size: 27,
          mimeType: 'application/json; charset=utf-8',
          text: '{"id":3,"title":"Ключ"}',
        },
        redirectURL: '',
        headersSize: -1,
        bodySize: 27,
        comment: 'ignored "a"; ignored "b"; ignored "c"',
      },
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
      _resourceType: 'fetch',
    })
  })

  it('names the package and its version', () => {
    const { log } = toHar(shop())
    const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
    expect(log.creator).toEqual({ name: 'fixtura', version })
    expect((JSON.parse(text) as { version: string }).version).toBe(version)
  })

  const bytes = new Uint8Array([0, 128, 255])
  const stream = new Blob(['one']).stream()
  const contents: [title: string, body: unknown, type: string, size: number, rest: object][] = [
    ['a text', 'one', 'text/csv', 3, { text: 'one' }],
    ['bytes of a text', new TextEncoder().encode('ключ'), 'text/plain', 8, { text: 'ключ' }],
    ['bytes', bytes, 'image/png', 3, { text: 'AID/', encoding: 'base64' }],
    ['bytes that are no text', bytes, 'text/plain', 3, { text: 'AID/', encoding: 'base64' }],
    ['bytes without a type', new Uint8Array([104, 105]), '', 2, { text: 'hi' }],
    ['an empty text', '', 'text/plain', 0, { text: '' }],
    ['a stream', stream, 'text/plain', -1, { comment: 'The body is a stream.' }],
  ]

  it.each(contents)('has %s as content', async (_title, body, type, size, rest) => {
    const mock = shop()
    mock.on('GET', '/x').reply(200, body, { headers: type === '' ? {} : { 'Content-Type': type } })
    const { response } = await last(mock, '/x')
    expect(response.content).toEqual({ size, mimeType: type || 'x-unknown', ...rest })
    const lengths = response.headers.filter(({ name }) => name === 'Content-Length')
    expect(lengths.map(({ value }) => Number(value))).toEqual(size < 0 ? [] : [size])
  })

  it('has the same content for every request of a cached response', async () => {
    const mock = shop({ fixtures: { posts: [{ id: 1, title: 'ключ'.repeat(2000) }], users: [] } })
    for (let times = 0; times < 2; times++) await last(mock, '/posts/1')
    const text = await (await mock.fetch('/posts/1')).text()
    const texts = harOf(mock).map(({ response }) => response.content.text)
    expect(texts).toEqual([text, text, text])
  })

  it('describes HEAD and 304 without content', async () => {
    const mock = shop()
    const { response: got } = await last(mock, '/posts/1')
    const { response } = await last(mock, '/posts/1', { method: 'HEAD' })
    expect(response.content).toMatchObject({ size: 0 })
    expect(response.headers).toEqual(got.headers)
    const etag = got.headers.find(({ name }) => name === 'ETag')?.value ?? ''
    const cached = await last(mock, '/posts/1', { headers: { 'If-None-Match': etag } })
    expect(cached.response).toMatchObject({ status: 304, bodySize: 0 })
    expect(cached.response.headers.map(({ name }) => name)).not.toContain('Content-Length')
  })

  it('describes a redirect', async () => {
    const mock = shop()
    const headers = { Location: '/posts?token=S3CRET' }
    mock.on('GET', '/old').reply(302, null, { headers })
    expect((await last(mock, '/old')).response.redirectURL).toBe('/posts?token=[redacted]')
  })

  it('describes a dropped connection', async () => {
    const mock = shop()
    mock.on('GET', '/posts').delay(20).drop()
    const entry = last(mock, '/posts')
    mock.clock.advance(20)
    expect(await entry).toMatchObject({
      time: 20,
      timings: { wait: 20 },
      request: { bodySize: 0 },
      response: { status: 0, headers: [], comment: 'rule 1 answered', _error: expect.any(String) },
    })
  })

  const json = '{"title":"One","token":"S3CRET"}'
  const word = new TextEncoder().encode('"ключ"')
  const parts: [string, number, string | Uint8Array, number, string][] = [
    ['a text', 0.5, json, 16, '{"title":"One","'],
    ['a text within a secret', 0.9, json, 28, '{"title":"One","token":"[redacted]"'],
    ['bytes within a character', 0.5, word, 5, '"кл'],
    ['bytes within a character, in its middle', 0.25, word, 2, '"'],
  ]

  it.each(parts)(
    'has %s that a fault has truncated',
    async (_title, truncate, body, size, text) => {
      const mock = shop({ use: [faults({ rules: [{ on: 'GET /x', truncate }] })] })
      const headers = { 'Content-Type': 'application/json' }
      mock.on('GET', '/x').reply(200, body, { headers })
      const { response } = await last(mock, '/x')
      const comment = `The connection broke after ${size} of ${body.length} bytes.`
      expect(response.content).toEqual({ size, mimeType: 'application/json', text, comment })
      expect(response.headers.map(({ name }) => name)).not.toContain('Content-Length')
    },
  )

  it('has the whole content of a slow response', async () => {
    const mock = shop({
      clock: { now: Date.now, after: (_, callback) => (queueMicrotask(callback), () => {}) },
      use: [faults({ rules: [{ on: 'GET /posts/1', bytesPerSecond: 100 }] })],
    })
    const { response } = await last(mock, '/posts/1')
    expect(response.content).toMatchObject({ size: 22, text: '{"id":1,"title":"One"}' })
    expect(response.content).not.toHaveProperty('comment')
  })

  it('notes a stream of events', async () => {
    const mock = shop({ use: [events()] })
    const abort = new AbortController()
    await mock.fetch('/posts', { headers: { accept: 'text/event-stream' }, signal: abort.signal })
    expect(harOf(mock)[0]?.response).toMatchObject({
      bodySize: -1,
      content: {
        size: -1,
        mimeType: 'text/event-stream; charset=utf-8',
        comment: 'The body is a stream.',
      },
    })
    abort.abort()
  })

  it('has the whole URL, of which the log shows a part', async () => {
    const mock = shop()
    const path = `/posts?${'x'.repeat(3000)}=1`
    expect((await last(mock, path)).request.url).toBe(`http://mock.test${path}`)
    expect(mock.log[0]?.url).toBe(path.slice(0, 2000))
  })

  it('has a refused preflight, without the body of the request before', async () => {
    const mock = shop({ logSize: 1 })
    await mock.fetch('/posts', { method: 'POST', body: '{"title":"Two"}' })
    const headers = { origin: 'https://x.example', 'access-control-request-method': 'GET' }
    const request = toMockRequest(new Request('http://mock.test/posts', { headers }))
    await internalsOf(mock).handle(
      { ...request, method: 'OPTIONS', headers },
      { origins: () => false },
    )
    expect(mock.log[0]).not.toHaveProperty('body')
    const [entry] = harOf(mock)
    expect(entry?.request).toMatchObject({ method: 'OPTIONS', bodySize: 0 })
    expect(entry?.request).not.toHaveProperty('postData')
    expect(entry?.response.headers).toEqual([
      { name: 'Cache-Control', value: 'no-store' },
      {
        name: 'Vary',
        value: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      },
    ])
  })

  it('lists the oldest request first', async () => {
    const clock = createManualClock()
    const mock = shop({ clock })
    mock.on('GET', '/posts/1').delay(100)
    const first = mock.fetch('/posts/1')
    clock.advance(10)
    await mock.fetch('/posts/2')
    clock.advance(90)
    await first
    expect(mock.log.map(({ url }) => url)).toEqual(['/posts/2', '/posts/1'])
    expect(harOf(mock).map(({ request }) => request.url.slice(-1))).toEqual(['1', '2'])
  })
})

describe('the body of a request', () => {
  const patch = '[{"op":"add","path":"/pin","value":"S3CRET"}]'
  const bodies: [string, string, string, string, [string, string][]?][] = [
    ['JSON', '{"a": 1.0}', 'application/json', '{"a": 1.0}'],
    [
      'JSON with a secret',
      '{"pin": 1 , "a":2}',
      'application/json',
      '{"pin": "[redacted]" , "a":2}',
    ],
    ['a patch', patch, 'application/json-patch+json', patch.replace('S3CRET', '[redacted]')],
    [
      'a form',
      'a=1&b=x+%C3%BC&password=S3CRET&c',
      'application/x-www-form-urlencoded',
      'a=1&b=x+%C3%BC&password=%5Bredacted%5D&c',
      [
        ['a', '1'],
        ['b', 'x ü'],
        ['password', '[redacted]'],
        ['c', ''],
      ],
    ],
    ['a text', 'one', 'text/plain', 'one'],
    ['JSON as text', '{"pin":1}', 'text/plain', '{"pin":"[redacted]"}'],
  ]

  it.each(bodies)('is %s', async (_title, body, type, text, pairs) => {
    const mock = shop({ use: [routes({ 'POST /echo': (request) => request.text() })] })
    const { request } = await last(mock, '/echo', { method: 'POST', body, type })
    const params = pairs?.map(([name, value]) => ({ name, value }))
    expect(request.postData).toEqual({ mimeType: type, text, ...(params && { params }) })
    expect(request.bodySize).toBe(Buffer.byteLength(body))
  })

  it('is base64 for bytes', async () => {
    const mock = shop({ use: [routes({ 'POST /echo': (request) => request.text() })] })
    const headers = { 'content-type': 'image/png' }
    const body = new Uint8Array([0, 128, 255])
    const { request } = await last(mock, '/echo', { method: 'POST', body, headers })
    expect(request).toMatchObject({
      bodySize: 3,
      postData: { mimeType: 'image/png', text: 'AID/', encoding: 'base64' },
    })
  })

  it('is a multipart form, with its text where it has no file', async () => {
    const mock = shop()
    const form = new FormData()
    form.set('title', 'One')
    form.set('a"b', 'x\r\ny')
    const sent = new Request('http://mock.test/posts', { method: 'POST', body: form })
    const text = await sent.clone().text()
    await mock.fetch(sent)
    expect(harOf(mock)[0]?.request.postData).toEqual({
      mimeType: sent.headers.get('content-type'),
      params: [
        { name: 'title', value: 'One' },
        { name: 'a"b', value: 'x\r\ny' },
      ],
      text,
    })
  })

  it('is a multipart form with files', async () => {
    const mock = shop()
    const form = new FormData()
    form.set('password', 'S3CRET')
    form.set('note', new File(['ключ'], 'a.txt', { type: 'text/plain' }))
    form.set('photo', new File([new Uint8Array([0, 255])], 'b.png', { type: 'image/png' }))
    await mock.fetch('http://mock.test/posts', { method: 'POST', body: form })
    expect(harOf(mock)[0]?.request.postData).toEqual({
      mimeType: expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
      params: [
        { name: 'password', value: '[redacted]' },
        { name: 'note', fileName: 'a.txt', contentType: 'text/plain', value: 'ключ' },
        { name: 'photo', fileName: 'b.png', contentType: 'image/png', comment: '2 bytes' },
      ],
    })
  })

  it.each([
    ['of JSON with an error', '{password: "S3CRET"}', 'application/json'],
    ['of JSON that is cut off', '{"password":"S3CRET","a":', 'application/json'],
    ['of JSON without a type', "{'password':'S3CRET'}", ''],
  ])('is left out %s', async (_title, body, type) => {
    const mock = shop()
    const entry = await last(mock, '/posts', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    })
    expect(entry.request).toMatchObject({
      bodySize: body.length,
      comment: 'The body is left out, because it is no JSON.',
    })
    expect(entry.request).not.toHaveProperty('postData')
    expect(entry.response).toMatchObject({ status: 400, content: { text: expect.any(String) } })
    expect(JSON.stringify(entry)).not.toContain('S3CRET')
  })

  it('is missing where it was not read', async () => {
    const mock = shop({ use: [auth({ protect: ['posts'] })] })
    const { request } = await last(mock, '/posts', { method: 'POST', body: '{"a":1}' })
    expect(request).toMatchObject({ bodySize: -1, comment: 'The log has no body.' })
  })

  it('is left out with redacted secrets, if asked for', async () => {
    const mock = shop({ use: [auth()] })
    const send = (body: string) => last(mock, '/login', { method: 'POST', body })
    await send('{"email":"ada@x.org","password":"S3CRET"}')
    await send('{"email":"ada@x.org"}')
    const texts = (options?: { redactedBodies?: boolean }) =>
      harOf(mock, options).map(({ request }) => request.postData?.text)
    expect(texts()).toEqual([
      '{"email":"ada@x.org","password":"[redacted]"}',
      '{"email":"ada@x.org"}',
    ])
    expect(texts({ redactedBodies: false })).toEqual([undefined, '{"email":"ada@x.org"}'])
  })
})

describe('the memory of bodies', () => {
  const big = 'x'.repeat(3 * 1024 * 1024)

  it('is that of the last bodies', async () => {
    const mock = shop()
    for (let times = 0; times < 10; times++) {
      mock.on('GET', '/big').reply(200, `${times}${big}`, { times: 1 })
      await mock.fetch('/big')
    }
    await mock.fetch('/posts/1')
    const contents = harOf(mock).map(({ response }) => response.content)
    expect(contents.map(({ text }) => text?.length)).toEqual([
      ...Array<undefined>(5).fill(undefined),
      ...Array<number>(5).fill(big.length + 1),
      22,
    ])
    expect(contents[0]).toEqual({
      size: big.length + 1,
      mimeType: 'text/plain; charset=utf-8',
      comment: 'The log has no body.',
    })
    internalsOf(mock).clearLog()
    await mock.fetch('/posts/1')
    expect(harOf(mock)[0]?.response.content.text).toHaveLength(22)
  })

  it.each([
    ['text', `{"token":"S3CRET","a":"${big}${big}"}`],
    ['bytes', new TextEncoder().encode(`{"token":"S3CRET","a":"${big}${big}"}`)],
  ])('is a part of a longer %s', async (_title, body) => {
    const mock = shop()
    mock.on('GET', '/big').reply(200, body, { headers: { 'Content-Type': 'application/json' } })
    const { content } = (await last(mock, '/big')).response
    expect(content).toMatchObject({
      size: body.length,
      comment: `The first 65536 of ${body.length} bytes.`,
    })
    expect(content.text).toMatch(/^\{"token":"\[redacted\]","a":"x{65000,}$/)
  })

  it('is a part of a longer request', async () => {
    const mock = shop()
    const body = `{"title":"${big}${big}"}`
    const headers = { 'content-length': String(body.length) }
    const { request } = await last(mock, '/posts', { method: 'POST', body, headers })
    expect(request.bodySize).toBe(body.length)
    expect(request.postData?.text).toHaveLength(65_536)
    expect(request.postData?.comment).toBe(`The first 65536 of ${body.length} bytes.`)
  })
})

describe('cookies', () => {
  it('have their attributes, and no value', async () => {
    const lines = [
      'a=S3CRET; Path=/x; Domain=x.org; Max-Age=60; HttpOnly; Secure; SameSite=Lax',
      'b=S3CRET; Expires=Wed, 01 Jan 2025 00:00:01 GMT',
      'c=; Max-Age=nope',
    ]
    const use = [
      routes({
        'GET /x': () => new Response('', { headers: lines.map((line) => ['Set-Cookie', line]) }),
      }),
    ]
    const entry = await last(shop({ use }), '/x', { headers: { cookie: 'a=S3CRET; b="S3CRET"' } })
    expect(entry.request.cookies).toEqual([
      { name: 'a', value: '[redacted]' },
      { name: 'b', value: '[redacted]' },
    ])
    expect(entry.request.headers).toContainEqual({
      name: 'cookie',
      value: 'a=[redacted]; b=[redacted]',
    })
    expect(entry.response.cookies).toEqual([
      {
        name: 'a',
        value: '[redacted]',
        path: '/x',
        domain: 'x.org',
        expires: '2026-01-01T00:01:00.000Z',
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
      },
      { name: 'b', value: '[redacted]', expires: '2025-01-01T00:00:01.000Z' },
      { name: 'c', value: '' },
    ])
    const set = entry.response.headers.filter(({ name }) => name.toLowerCase() === 'set-cookie')
    expect(set.map(({ value }) => value)).toEqual(
      lines.map((line) => line.replace('S3CRET', '[redacted]')),
    )
  })
})

it.each(['1.0', '1.1'])('names the version %s of HTTP', async (number) => {
  const mock = shop()
  const { port, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  const socket = connect(port, '127.0.0.1')
  socket.end(`GET /posts/1 HTTP/${number}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  await socket.toArray()
  await close()
  const name = `HTTP/${number}`
  expect(harOf(mock)).toMatchObject([
    { request: { httpVersion: name }, response: { httpVersion: name } },
  ])
})

it('contains the requests of sessions, with their bodies', async () => {
  const mock = shop({ use: [sessions()] })
  const headers = { 'X-Mock-Session': 'a' }
  const entry = await last(mock, '/posts', { method: 'POST', body: '{"title":"Two"}', headers })
  expect(entry).toMatchObject({
    request: { postData: { text: '{"title":"Two"}' } },
    response: { comment: 'session a', content: { text: '{"id":3,"title":"Two"}' } },
  })
})

describe.each(Object.keys(faces))('the archive of %s', (face) => {
  const requests: TableRequest[] = [
    'GET /posts?_limit=1&password=S3CRET',
    { request: 'POST /login', body: { email: 'ada@x.org', password: 'S3CRET' } },
    {
      request: 'POST /login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=ada@x.org&password=S3CRET',
    },
    { request: 'POST /login', body: '{"password":"S3CRET", x}' },
    { request: 'POST /users', body: { email: 'bob@x.org', password: 'S3CRET', key: 'k3y' } },
    { request: 'PATCH /users/1', body: [{ op: 'test', path: '/password', value: 'S3CRET' }] },
    'GET /users?password=S3CRET',
    'GET /users?_where={"password":"S3CRET",}',
    { request: 'GET /me', headers: { 'x-api-key': 'k3y', 'x-secret': 'S3CRET' } },
    'GET /me?api_key=k3y',
    { request: 'GET /posts/1', headers: { referer: 'http://mock.test/?token=S3CRET' } },
    'GET /leak',
  ]

  it('has every request, and no secret', async () => {
    const mock = createMock({
      fixtures: {
        posts: fixtures.posts,
        users: [{ id: 1, email: 'ada@x.org', password: 'S3CRET', key: 'k3y' }],
      },
      use: [
        auth({
          scheme: ['bearer', 'cookie', 'apiKey'],
          key: { field: 'key' },
          protect: ['nothing'],
        }),
        routes({ 'GET /leak': () => ({ next: '/x?token=S3CRET', of: [{ apiKey: 'k3y' }] }) }),
      ],
    }) as unknown as Mock
    const connection = await faces[face]?.(mock)
    const tokens: string[] = []
    for (const request of requests) {
      const answer = await connection?.send(request)
      const { text = '', headers = {} } = answer ?? {}
      tokens.push(...Array.from(text.matchAll(/_token":"([^"]+)/g), ([, token = '']) => token))
      tokens.push(/^[^=]+=([^;]+)/.exec(headers['set-cookie'] ?? '')?.[1] ?? '')
    }
    const issued = tokens.filter((one) => one !== '')
    const [token = ''] = issued
    await connection?.send({ request: 'GET /me', headers: { authorization: `Bearer ${token}` } })
    await connection?.send(`GET /me?access_token=${token}`)
    await connection?.close()

    const entries = harOf(mock)
    expect(entries).toHaveLength(requests.length + 2)
    const text = JSON.stringify(entries)
    expect(text.match(/.{0,80}(?:S3CRET|k3y).{0,20}/)).toBe(null)
    expect(issued.length).toBeGreaterThanOrEqual(4)
    for (const one of issued) expect(text).not.toContain(one)
    for (const { request } of entries) expect(URL.canParse(request.url)).toBe(true)
    expect(entries.at(-1)).toMatchObject({
      request: {
        method: 'GET',
        url: expect.stringMatching(/^http:\/\/.+\/me\?access_token=%5Bredacted%5D$/),
      },
      response: { status: 200, content: { text: expect.stringContaining('ada@x.org') } },
    })
    expect(entries[1]).toMatchObject({
      request: { postData: { text: '{"email":"ada@x.org","password":"[redacted]"}' } },
      response: { content: { text: expect.stringContaining('"access_token":"[redacted]"') } },
    })
    expect(entries[2]?.request.postData?.params).toContainEqual({
      name: 'password',
      value: '[redacted]',
    })
  })
})
