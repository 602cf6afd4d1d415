import { request } from 'node:http'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { auth, type Behaviour, events, sessions } from '../../../../src/behaviours.ts'
import { acceptSocket } from '../../../../src/core/http/response/sockets.ts'
import type { AnyMock } from '../../../../src/core/http/contract/any-mock.ts'
import { createManualClock, createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'
import { fc } from '../../../fast-check.ts'
import { type Handshake, type SocketFace, socketFaces, type TestSocket } from '../../../sockets.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const fixtures = {
  posts: [
    { id: 1, title: 'a', views: 5, userId: 1 },
    { id: 2, title: 'b', views: 50, userId: 2 },
  ],
  users: [
    { id: 1, email: 'ada@example.org' },
    { id: 2, email: 'bob@example.org' },
  ],
  colours: ['red'],
}
const run = createManualClock().now().toString(36)
const live = (): Behaviour => events({ path: '/live', protocol: 'websocket' })
const shop = (use: Behaviour[] = [], base = '') =>
  createMock({ fixtures, base, clock: createManualClock(), seed: 1, use: [...use, live()] })

async function open(
  face: string,
  mock: AnyMock,
  path = '/live',
  handshake: Handshake = {},
): Promise<TestSocket> {
  const opening = connected.get(mock) ?? socketFaces[face]?.(mock)
  if (!opening) throw new Error(`There is no face "${face}".`)
  if (!connected.has(mock)) closers.push(async () => (await opening).close())
  connected.set(mock, opening)
  return (await opening).open(path, handshake)
}

const connected = new WeakMap<AnyMock, Promise<SocketFace>>()

const subscribe = (id: string, more: object = {}) => ({
  type: 'subscribe',
  id,
  collection: 'posts',
  ...more,
})
const changeOf = (number: number, id: string, change: object) => ({
  type: 'change',
  id,
  eventId: `${run}-${number}`,
  change,
})
const subscribed = (id: string, number = 0) => ({
  type: 'subscribed',
  id,
  lastEventId: `${run}-${number}`,
})
const problem = (status: number, detail: RegExp) =>
  expect.objectContaining({ status, detail: expect.stringMatching(detail) })

/** What a client sends, what then happens to the data, and the messages that the client gets. */
type Row = [
  title: string,
  sent: unknown[],
  act: (mock: ReturnType<typeof shop>) => void,
  expected: unknown[],
]

const rows: Row[] = [
  [
    'sends the changes of a collection',
    [subscribe('a')],
    (mock) => {
      mock.db.posts.insert({ title: 'c' })
      mock.db.users.update(1, { email: 'eve@example.org' })
      mock.db.posts.remove(1)
    },
    [
      subscribed('a'),
      changeOf(1, 'a', {
        type: 'created',
        collection: 'posts',
        id: '3',
        record: { id: 3, title: 'c' },
      }),
      changeOf(3, 'a', {
        type: 'deleted',
        collection: 'posts',
        id: '1',
        previous: fixtures.posts[0],
      }),
    ],
  ],
  [
    'sends a record that leaves the filter of parameters as deleted',
    [subscribe('a', { filter: 'views:gte=10' })],
    (mock) => {
      mock.db.posts.update(1, { title: 'c' })
      mock.db.posts.update(2, { views: 1 })
    },
    [
      subscribed('a'),
      changeOf(2, 'a', {
        type: 'deleted',
        collection: 'posts',
        id: '2',
        previous: fixtures.posts[1],
      }),
    ],
  ],
  [
    'takes a filter as a tree, for each subscription its own',
    [
      subscribe('a', { filter: { or: [{ title: 'x' }, { views: { gt: 90 } }] } }),
      subscribe('b', { filter: { title: 'y' } }),
    ],
    (mock) => {
      mock.db.posts.insert({ title: 'y' })
      mock.db.posts.insert({ title: 'x' })
    },
    [
      subscribed('a'),
      subscribed('b'),
      changeOf(1, 'b', {
        type: 'created',
        collection: 'posts',
        id: '3',
        record: { id: 3, title: 'y' },
      }),
      changeOf(2, 'a', {
        type: 'created',
        collection: 'posts',
        id: '4',
        record: { id: 4, title: 'x' },
      }),
    ],
  ],
  [
    'follows a record and the children of a record',
    [subscribe('a', { collection: 'posts/2' }), subscribe('b', { collection: 'users/2/posts' })],
    (mock) => {
      mock.db.posts.update(1, { views: 6 })
      mock.db.posts.update(2, { views: 51 })
    },
    [
      subscribed('a'),
      subscribed('b'),
      changeOf(2, 'a', expect.objectContaining({ type: 'updated', id: '2' })),
      changeOf(2, 'b', expect.objectContaining({ type: 'updated', id: '2' })),
    ],
  ],
  [
    'sends nothing after unsubscribe',
    [subscribe('a'), { type: 'unsubscribe', id: 'a' }, subscribe('b')],
    (mock) => mock.db.posts.remove(1),
    [
      subscribed('a'),
      { type: 'unsubscribed', id: 'a' },
      subscribed('b'),
      changeOf(1, 'b', expect.objectContaining({ type: 'deleted', id: '1' })),
    ],
  ],
  [
    'names a subscription by its collection without an id',
    [{ type: 'subscribe', collection: 'posts' }],
    () => {},
    [subscribed('posts')],
  ],
  [
    'sends a reset',
    [subscribe('a', { filter: 'views=1' })],
    (mock) => mock.reset(),
    [subscribed('a'), changeOf(1, 'a', { type: 'reset' })],
  ],
  [
    'names the parameters without effect',
    [subscribe('a', { filter: 'viws=1' })],
    () => {},
    [{ ...subscribed('a'), ignored: ['viws'] }],
  ],
  [
    'says what is wrong with a message, and goes on',
    [
      'hello',
      '[1]',
      { type: 'subscrbe', id: 'a' },
      { type: 'subscribe', id: 'a' },
      subscribe('a', { since: 7 }),
      subscribe('a', { filter: 7 }),
      { type: 'unsubscribe', id: 'z' },
      subscribe('a'),
      subscribe('a'),
    ],
    () => {},
    [
      { type: 'error', status: 400, error: problem(400, /not JSON/) },
      { type: 'error', status: 400, error: problem(400, /"type".*no object/) },
      { type: 'error', id: 'a', status: 400, error: problem(400, /"subscribe"/) },
      { type: 'error', id: 'a', status: 400, error: problem(400, /"collection"/) },
      { type: 'error', id: 'a', status: 400, error: problem(400, /"since"/) },
      { type: 'error', id: 'a', status: 400, error: problem(400, /"filter"/) },
      { type: 'error', id: 'z', status: 400, error: problem(400, /no subscription "z"/) },
      subscribed('a'),
      { type: 'error', id: 'a', status: 400, error: problem(400, /"a" already/) },
    ],
  ],
  [
    'refuses what a GET of the path would refuse, and what has no changes',
    [
      subscribe('a', { collection: 'psts' }),
      subscribe('b', { collection: 'posts/9' }),
      subscribe('c', { filter: '_where={' }),
      subscribe('d', { collection: 'colours' }),
      subscribe('e', { collection: '../__mock' }),
      subscribe('f'),
    ],
    () => {},
    [
      { type: 'error', id: 'a', status: 404, error: problem(404, /\/posts/) },
      { type: 'error', id: 'b', status: 404, error: problem(404, /"9" in "posts"/) },
      { type: 'error', id: 'c', status: 400, error: problem(400, /_where/) },
      { type: 'error', id: 'd', status: 404, error: problem(404, /"\/colours" has no changes/) },
      { type: 'error', id: 'e', status: 404, error: problem(404, /no such resource/) },
      subscribed('f'),
    ],
  ],
]

describe.each(Object.keys(socketFaces))('changes over a socket (%s)', (face) => {
  it.each(rows)('%s', async (_, sent, act, expected) => {
    const mock = shop()
    const socket = await open(face, mock)
    const received: unknown[] = []
    for (const message of sent) socket.send(message)
    const isReply = (message: unknown) => !/"type":"change"/.test(JSON.stringify(message))
    while (received.length < expected.filter(isReply).length) received.push(await socket.next())
    act(mock)
    while (received.length < expected.length) received.push(await socket.next())
    // A further message would come before the reply to this one.
    socket.send({ type: 'unsubscribe', id: 'last' })
    received.push(...(await socket.until(({ id }) => id === 'last')))
    expect(received.slice(0, -1)).toEqual(expected)
  })

  it('replays what was missed since an event', async () => {
    const mock = shop([], '/api')
    const socket = await open(face, mock, '/api/live')
    socket.send(subscribe('a'))
    const { lastEventId } = (await socket.next()) as { lastEventId: string }
    socket.close()
    await socket.closed
    for (const title of ['one', 'two']) mock.db.posts.insert({ title })
    const again = await open(face, mock, '/api/live')
    again.send(subscribe('a', { since: lastEventId }))
    const frames = [await again.next(), await again.next(), await again.next()]
    expect(frames).toMatchObject([
      { type: 'subscribed', lastEventId: `${run}-2` },
      { change: { record: { title: 'one' } } },
      { change: { record: { title: 'two' } } },
    ])
    again.send(subscribe('b', { since: 'other-1' }))
    expect(await again.next()).toMatchObject({ type: 'subscribed', id: 'b' })
    expect(await again.next()).toMatchObject({ id: 'b', change: { type: 'reset' } })
  })

  it('applies rules, faults and delays to the handshake and to each subscription', async () => {
    const mock = shop()
    mock.on('GET', '/live').fail(503, { times: 1 })
    await expect(open(face, mock)).rejects.toThrow(face === 'http' ? 'refused 503' : 'refused')
    mock.on('GET', '/live').drop({ times: 1 })
    await expect(open(face, mock)).rejects.toThrow('refused')
    mock.on('GET', '/posts').fail(500, { times: 1 })
    mock.on('GET', '/users').delay('5s')
    const socket = await open(face, mock)
    socket.send(subscribe('a'))
    expect(await socket.next()).toMatchObject({ type: 'error', id: 'a', status: 500 })
    socket.send(subscribe('late', { collection: 'users' }))
    socket.send(subscribe('b'))
    expect(await socket.next()).toMatchObject({ type: 'subscribed', id: 'b' })
    mock.clock.advance('5s')
    expect(await socket.next()).toMatchObject({ type: 'subscribed', id: 'late' })
    mock.on('GET', '/posts').drop()
    socket.send(subscribe('c'))
    expect((await socket.closed)[0]).toBe(1011)
  })

  it('logs the handshake, each subscription and the close', async () => {
    const mock = shop()
    const closing = new Promise<void>((resolve) => {
      mock.onRequest(({ reason }) => reason.startsWith('closed') && resolve())
    })
    const socket = await open(face, mock)
    socket.send(subscribe('a', { filter: 'views=5' }))
    await socket.next()
    mock.clock.advance('3s')
    socket.close(1000, 'done')
    await closing
    expect(mock.log.map(({ url, status, ms, reason }) => [url, status, ms, reason])).toEqual([
      ['/live', 101, 0, 'opens a socket'],
      ['/posts?views=5', 200, 0, 'sends changes to a socket'],
      ['/live', 101, 3000, 'closed the socket: 1000 done; messages: 1 received, 1 sent'],
    ])
  })

  it('closes the socket of a client that sends too much', async () => {
    const mock = shop()
    const large = await open(face, mock)
    large.send('x'.repeat(1024 * 1024 + 1))
    expect((await large.closed)[0]).toBe(1009)
    const deep = await open(face, mock)
    deep.send('['.repeat(10_000))
    expect(await deep.next()).toMatchObject({ type: 'error', status: 400 })
    for (let index = 0; index <= 100; index++) deep.send(subscribe(`${index}`))
    expect((await deep.closed)[0]).toBe(1008)
    mock.db.posts.insert({})
  })

  it('subscribes by the login of the handshake, which its logout ends', async () => {
    const mock = shop([
      auth({ users: 'users', protect: ['posts', 'GET /live'], owners: { posts: 'userId' } }),
    ])
    await expect(open(face, mock)).rejects.toThrow('refused')
    const login = await mock.fetch(
      new Request('http://mock.test/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"email":"bob@example.org","password":"x"}',
      }),
    )
    const { access_token: token } = (await login.json()) as { access_token: string }
    const socket = await open(face, mock, `/live?access_token=${token}`)
    socket.send(subscribe('a'))
    await socket.next()
    mock.db.posts.update(1, { title: 'of ada' })
    mock.db.posts.update(2, { title: 'of bob' })
    expect(await socket.next()).toMatchObject({ change: { record: { title: 'of bob' } } })
    await mock.fetch(
      new Request('http://mock.test/logout', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      }),
    )
    expect((await socket.closed)[0]).toBe(1001)
  })

  it('passes binary messages and the subprotocol to a behaviour', async () => {
    const echo: Behaviour = {
      name: 'echo',
      create: () => ({
        routes: [{ methods: ['GET'], path: '/rooms/:id/socket', sockets: true }],
        at: {
          resource: (exchange) =>
            acceptSocket(
              exchange,
              (socket, protocol) => ({
                message: (message) =>
                  socket.send(
                    typeof message === 'string' ? message : `${protocol} ${message.length}`,
                  ),
                close: () => undefined,
              }),
              ['second', 'first'],
            ),
        },
      }),
    }
    const mock = createMock({ fixtures, use: [echo] })
    const socket = await open(face, mock, '/rooms/7/socket', { protocols: ['second', 'first'] })
    expect(socket.protocol).toBe('second')
    socket.send('text')
    expect(await socket.next()).toBe('text')
    socket.send(new Uint8Array(3))
    expect(await socket.next()).toBe('second 3')
  })

  it('ends the socket of a behaviour that throws with 1011, and reports the error', async () => {
    const failing: Behaviour = {
      name: 'failing',
      create: () => ({
        routes: [{ methods: ['GET'], path: '/live', sockets: true }],
        at: {
          resource: (exchange) =>
            acceptSocket(exchange, () => ({
              message() {
                throw new Error('broken')
              },
              close: () => undefined,
            })),
        },
      }),
    }
    const failures: string[] = []
    const mock = createMock({ fixtures, use: [failing] })
    const report = vi
      .spyOn(console, 'error')
      .mockImplementation((text) => void failures.push(String(text)))
    const socket = await open(face, mock)
    socket.send('x')
    expect((await socket.closed)[0]).toBe(1011)
    report.mockRestore()
    expect(failures.join()).toContain('/live')
  })

  it('sends each subscriber exactly the changes of its session that its filter matches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const mock = shop([sessions()])
        const names = ['one', 'two']
        const clients = await Promise.all(
          names.map(async (name) => {
            const socket = await open(face, mock, `/live?mock-session=${name}`)
            socket.send(subscribe('all'))
            socket.send(subscribe('some', { filter: 'views:gte=10' }))
            await socket.next()
            await socket.next()
            return socket
          }),
        )
        const expected: Record<string, unknown[]> = { one: [], two: [] }
        for (const { name, views } of steps) {
          const created = await mock.fetch(
            new Request('http://mock.test/posts', {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-mock-session': name },
              body: JSON.stringify({ views }),
            }),
          )
          const record: unknown = await created.json()
          expected[name]?.push(['all', record], ...(views >= 10 ? [['some', record]] : []))
        }
        for (const [at, name] of names.entries()) {
          clients[at]?.send({ type: 'unsubscribe', id: 'none' })
          const frames = (await clients[at]?.until(({ type }) => type === 'error')) ?? []
          const received = frames
            .slice(0, -1)
            .map((frame) => frame as { id: string; change: { record: unknown } })
          expect(received.map(({ id, change }) => [id, change.record])).toEqual(expected[name])
        }
        await closers.pop()?.()
      }),
      { numRuns: 10 },
    )
  })
})

const step = fc.record({
  name: fc.constantFrom('one', 'two'),
  views: fc.integer({ min: 0, max: 20 }),
})

describe('sockets over HTTP', () => {
  it('refuse a page of another site, and its guess of the host', async () => {
    const mock = shop()
    const from = (headers: Record<string, string>) => open('http', mock, '/live', { headers })
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
      await expect(from({ origin })).rejects.toThrow('refused 403')
    }
    await expect(from({ host: 'rebound.example' })).rejects.toThrow('refused 403')
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080']) {
      const socket = await from({ origin })
      socket.send(subscribe('a'))
      expect(await socket.next()).toEqual(subscribed('a'))
    }
  })

  it('belong to the session of a header, a parameter or a cookie, in this order', async () => {
    const mock = shop([sessions()])
    const ways: [string, Handshake][] = [
      ['/live?mock-session=b', { headers: { 'x-mock-session': 'a', cookie: 'mock-session=c' } }],
      ['/live?mock-session=a', { headers: { cookie: 'mock-session=c' } }],
      ['/live', { headers: { cookie: 'mock-session=a' } }],
    ]
    for (const [path, handshake] of ways) {
      const socket = await open('http', mock, path, handshake)
      socket.send(subscribe('a'))
      await socket.next()
      for (const session of ['b', 'c', 'a']) {
        const headers = { 'content-type': 'application/json', 'x-mock-session': session }
        const body = JSON.stringify({ session })
        await mock.fetch(new Request('http://mock.test/posts', { method: 'POST', headers, body }))
      }
      expect(await socket.next()).toMatchObject({ change: { record: { session: 'a' } } })
    }
  })

  it('end with their session, with the mock of the server, and with the server', async () => {
    const mock = shop([sessions()])
    const ofSession = await open('http', mock, '/live?mock-session=a')
    const controlled = await connected.get(mock)
    await fetch(`${controlled?.url}/__mock/sessions`, { method: 'DELETE' })
    expect((await ofSession.closed)[0]).toBe(1001)
    const socket = await open('http', mock)
    const serving = controlled?.close()
    expect((await socket.closed)[0]).toBe(1001)
    await serving
    closers.length = 0
  })

  it('end when the client does not read', async () => {
    const mock = shop()
    const socket = await open('http', mock)
    socket.send(subscribe('a'))
    await socket.next()
    socket.pause()
    const closing = new Promise<string>((resolve) => {
      mock.onRequest(({ reason }) => reason.startsWith('closed') && resolve(reason))
    })
    const title = 'x'.repeat(100_000)
    for (let index = 0; index < 200; index++) mock.db.posts.insert({ title })
    expect(await closing).toMatch(/1013/)
    socket.resume()
    await socket.closed
  })

  it('leave a request for another protocol, such as h2c, as it was', async () => {
    const { port, close } = await serve(shop(), { port: 0, host: '127.0.0.1' })
    closers.push(close)
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAAP__',
      'content-type': 'application/json',
    }
    const sent = { port, host: '127.0.0.1', method: 'POST', path: '/posts', headers }
    const answer = await new Promise((resolve, reject) => {
      const post = request(sent, (response) => {
        let text = ''
        response.on('data', (data) => (text += data))
        response.on('end', () => resolve([response.statusCode, JSON.parse(text)]))
      }).on('error', reject)
      post.write('{"title":', () => post.end('"x"}'))
    })
    expect(answer).toEqual([201, { id: 3, title: 'x' }])
  })

  it('answer a handshake at a path without a socket as a plain GET', async () => {
    const mock = shop()
    await expect(open('http', mock, '/posts')).rejects.toThrow('refused 200')
    await expect(open('http', mock, '/nope')).rejects.toThrow('refused 404')
  })

  it('open for fifty sessions at once, which do not see each other', async () => {
    const mock = shop([sessions()])
    const names = Array.from({ length: 50 }, (_, index) => `test ${index}`)
    const frames = await Promise.all(
      names.map(async (name) => {
        const headers = { 'x-mock-session': name }
        const socket = await open('http', mock, '/live', { headers })
        socket.send(subscribe('a'))
        await socket.next()
        await fetch(`${(await connected.get(mock))?.url}/posts`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        })
        const frame = await socket.next()
        socket.send({ type: 'unsubscribe', id: 'z' })
        return [frame, await socket.next()]
      }),
    )
    expect(frames).toEqual(
      names.map((name) => [
        changeOf(1, 'a', expect.objectContaining({ record: { id: 3, name } })),
        expect.objectContaining({ type: 'error' }),
      ]),
    )
  })
})

it('a socket is 426 for a plain GET, and where a face has no sockets', async () => {
  const mock = shop()
  for (const headers of [{}, { connection: 'upgrade', upgrade: 'websocket' }]) {
    const response = await mock.fetch(new Request('http://mock.test/live', { headers }))
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket'])
  }
  expect(mock.routes.filter(({ sockets }) => sockets)).toEqual([
    {
      path: '/live',
      methods: ['GET'],
      resource: 'events',
      kind: 'custom',
      count: 0,
      sockets: true,
    },
  ])
})
