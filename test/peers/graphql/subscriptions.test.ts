import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import { auth, faults } from '../../../src/behaviours.ts'
import { graphql, type GraphqlOptions } from '../../../src/graphql.ts'
import { createMock, type Mock, type MockOptions } from '../../../src/index.ts'
import { socketFaces, type TestSocket } from '../../sockets.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'Tea', views: 5, user_id: 1 },
    { id: 2, title: 'Milk', views: 7, user_id: 2 },
  ],
  users: [
    { id: 1, name: 'Ada', email: 'ada', password: 'a' },
    { id: 2, name: 'Bo', email: 'bo', password: 'b' },
  ],
}

type World = Mock<typeof fixtures>
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

function create(
  use: MockOptions<typeof fixtures>['use'] = [],
  options: GraphqlOptions = {},
): World {
  return createMock({ fixtures, use: [...use, graphql(options)] })
}

interface Running {
  next(): Promise<unknown>
  return(): Promise<unknown>
}

type Payload = Record<string, string>

/** The official clients, by their transport. */
const clients: Record<string, (url: string, credentials: Payload) => (query: string) => Running> = {
  'graphql-ws'(url, connectionParams) {
    const client = createSocketClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams,
    })
    endings.push(() => client.dispose())
    return (query) => toRunning(client.iterate({ query }))
  },
  'graphql-sse'(url, headers) {
    const client = createSseClient({ url, headers, retryAttempts: 0 })
    endings.push(() => client.dispose())
    return (query) => toRunning(client.iterate({ query }))
  },
}

function toRunning(iterator: AsyncIterableIterator<unknown>): Running {
  return {
    async next() {
      const { done, value } = await iterator.next()
      return done ? 'complete' : value
    },
    return: async () => iterator.return?.(),
  }
}

async function serveMock(mock: World, face = 'http') {
  const served = await socketFaces[face]?.(mock)
  if (!served) throw new Error(`There is no face "${face}".`)
  endings.push(() => served.close())
  return served
}

/** Resolves when the log has an entry about a stream that began. */
async function started(mock: World, count = 1): Promise<void> {
  await expect
    .poll(() => mock.log.filter(({ reason }) => reason.includes('streams')).length)
    .toBe(count)
}

describe.each(Object.keys(clients))('subscriptions with %s', (name) => {
  async function connect(mock: World, credentials: Payload = {}) {
    const { url } = await serveMock(mock)
    const ask = clients[name]?.(`${url}/graphql`, credentials)
    if (!ask) throw new Error(`There is no client "${name}".`)
    return { url, ask }
  }

  it('send created, updated and removed records, with their relations', async () => {
    const mock = create()
    const { ask } = await connect(mock)
    const created = ask('subscription { postCreated { id title User { name Posts { id } } } }')
    const updated = ask('subscription { postUpdated { id views } }')
    const removed = ask('subscription { postRemoved { title } }')
    const results = [created.next(), updated.next(), removed.next()]
    await started(mock, 3)
    mock.db.posts.insert({ id: 3, title: 'Oat', views: 1, user_id: 2 })
    mock.db.posts.update(1, { views: 6 })
    mock.db.posts.remove(2)
    expect(await Promise.all(results)).toEqual([
      {
        data: {
          postCreated: { id: '3', title: 'Oat', User: { name: 'Bo', Posts: [{ id: '3' }] } },
        },
      },
      { data: { postUpdated: { id: '1', views: 6 } } },
      { data: { postRemoved: { title: 'Milk' } } },
    ])
  })

  it('have the filters of lists', async () => {
    const mock = create()
    const { ask } = await connect(mock)
    const events = ask('subscription { postCreated(filter: { views_gt: 5, q: "tea" }) { title } }')
    const first = events.next()
    await started(mock)
    mock.db.posts.insert({ title: 'Tea', views: 5 })
    mock.db.posts.insert({ title: 'Oat', views: 9 })
    mock.db.posts.insert({ title: 'Teapot', views: 9 })
    expect(await first).toEqual({ data: { postCreated: { title: 'Teapot' } } })
  })

  it('follow what requests write, in order', async () => {
    const mock = create()
    const { url, ask } = await connect(mock)
    const events = ask('subscription { postCreated { title } }')
    const first = events.next()
    await started(mock)
    for (const title of ['a', 'b']) {
      await fetch(`${url}/posts`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ title }),
      })
    }
    expect([await first, await events.next()]).toEqual(
      ['a', 'b'].map((title) => ({ data: { postCreated: { title } } })),
    )
  })

  it('run queries and mutations, too', async () => {
    const { ask } = await connect(create())
    const query = ask('mutation { createPost(title: "x") { id } }')
    expect([await query.next(), await query.next()]).toEqual([
      { data: { createPost: { id: '3' } } },
      'complete',
    ])
  })

  it('read a field again that names no kind of change', async () => {
    const schema = `type Query { posts: [Post!]! } type Post { id: ID! title: String! }
      type Subscription { posts(views_gt: Int): [Post!]!, onPostChanged(id: ID): PostEvent! }
      type PostEvent { post: Post!, id: ID }`
    const mock = create([], { schema })
    const { ask } = await connect(mock)
    const [list, events] = [
      ask('subscription { posts(views_gt: 6) { title } }'),
      ask('subscription { onPostChanged(id: 1) { id post { title } } }'),
    ]
    expect(await list.next()).toEqual({ data: { posts: [{ title: 'Milk' }] } })
    const change = events.next()
    await started(mock, 2)
    mock.db.posts.update(2, { user_id: 1 })
    mock.db.posts.update(1, { views: 9 })
    expect(await list.next()).toEqual({ data: { posts: [{ title: 'Tea' }, { title: 'Milk' }] } })
    expect(await change).toEqual({ data: { onPostChanged: { id: '1', post: { title: 'Tea' } } } })
  })

  it('send the result of a query with the names of Hasura whenever it changes', async () => {
    const mock = create([], { names: 'hasura' })
    const { ask } = await connect(mock)
    const query = `subscription { posts_aggregate(where: { user: { name: { _eq: "Ada" } } }) {
      aggregate { count } nodes { title }
    } }`
    const toResult = (...titles: string[]) => ({
      data: {
        posts_aggregate: {
          aggregate: { count: titles.length },
          nodes: titles.map((title) => ({ title })),
        },
      },
    })
    const results = ask(query)
    expect(await results.next()).toEqual(toResult('Tea'))
    mock.db.posts.update(2, { views: 9 })
    mock.db.posts.update(2, { user_id: 1 })
    expect(await results.next()).toEqual(toResult('Tea', 'Milk'))
  })

  it('stop when the client has what it wants', async () => {
    const mock = create()
    const { ask } = await connect(mock)
    const events = ask('subscription { postCreated { title } }')
    const first = events.next()
    await started(mock)
    mock.db.posts.insert({ title: 'a' })
    await first
    await events.return()
    const again = ask('subscription { postCreated { title } }')
    const next = again.next()
    await started(mock, 2)
    mock.db.posts.insert({ title: 'b' })
    expect(await next).toEqual({ data: { postCreated: { title: 'b' } } })
  })

  it('are refused by validation', async () => {
    const { ask } = await connect(create())
    const failed = await ask('subscription { nope { id } }')
      .next()
      .catch((error: unknown) => error)
    expect(JSON.stringify(failed)).toContain('Cannot query field \\"nope\\"')
  })

  it('have the rules of the login, and end with it', async () => {
    const mock = create([
      auth({ users: 'users', protect: ['posts'], owners: { posts: 'user_id' } }),
    ])
    const login = await mock.fetch(
      new Request('http://localhost/login', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'ada', password: 'a' }),
      }),
    )
    const { access_token: token } = (await login.json()) as { access_token: string }
    const { ask } = await connect(mock)
    const refused = await ask('subscription { postCreated { title } }')
      .next()
      .catch((error: unknown) => error)
    expect(JSON.stringify(refused)).toContain('UNAUTHENTICATED')
    const authorization = `Bearer ${token}`
    const own = await connect(mock, { authorization })
    const events = own.ask('subscription { postCreated { title } }')
    const first = events.next()
    await started(mock)
    mock.db.posts.insert({ title: 'of Bo', user_id: 2 })
    mock.db.posts.insert({ title: 'of Ada', user_id: 1 })
    expect(await first).toEqual({ data: { postCreated: { title: 'of Ada' } } })
    const last = events.next().catch((error: unknown) => error)
    await mock.fetch(
      new Request('http://localhost/logout', { method: 'POST', headers: { authorization } }),
    )
    expect(await last).not.toHaveProperty('data')
  })

  it('have faults by operation', async () => {
    const on = 'SUBSCRIPTION /graphql/Created'
    const mock = create([faults({ rules: [{ on, probability: 1, status: 503 }] })])
    const { ask } = await connect(mock)
    const events = ask('subscription Created { postCreated { title } }')
    const failed = await events.next().catch((error: unknown) => error)
    const { response } = failed as { response?: Response }
    expect(response?.status ?? JSON.stringify(failed)).toEqual(
      name === 'graphql-sse' ? 503 : expect.stringContaining('"status":503'),
    )
  })
})

describe.each(Object.keys(socketFaces))('graphql-transport-ws (%s)', (name) => {
  const rows: [title: string, messages: unknown[], code: number][] = [
    ['no JSON', ['{'], 4400],
    ['an unknown type', [{ type: 'start' }], 4400],
    ['a list', [[]], 4400],
    ['the name of an inherited member', [{ type: 'toString' }], 4400],
    ['a subscription without an id', [{ type: 'connection_init' }, { type: 'subscribe' }], 4400],
    [
      'a subscription without a payload',
      [{ type: 'connection_init' }, { type: 'subscribe', id: '1' }],
      4400,
    ],
    ['a subscription before the first message', [subscribe('1')], 4401],
    ['an id that is in use', [{ type: 'connection_init' }, subscribe('1'), subscribe('1')], 4409],
    ['two first messages', [{ type: 'connection_init' }, { type: 'connection_init' }], 4429],
  ]

  async function open(protocols = ['graphql-transport-ws']): Promise<TestSocket> {
    const face = await serveMock(create(), name)
    return face.open('/graphql', { protocols })
  }

  it.each(rows)('closes the socket after %s', async (_, messages, code) => {
    const socket = await open()
    for (const message of messages) socket.send(message)
    expect((await socket.closed)[0]).toBe(code)
  })

  it('answers a ping, and runs an operation to its end', async () => {
    const socket = await open()
    expect(socket.protocol).toBe('graphql-transport-ws')
    socket.send({ type: 'ping', payload: { at: 1 } })
    expect(await socket.next()).toEqual({ type: 'pong', payload: { at: 1 } })
    socket.send({ type: 'connection_init' })
    expect(await socket.next()).toEqual({ type: 'connection_ack' })
    socket.send({ id: 'a', type: 'subscribe', payload: { query: '{ Post(id: 1) { title } }' } })
    expect(await socket.next()).toEqual({
      id: 'a',
      type: 'next',
      payload: { data: { Post: { title: 'Tea' } } },
    })
    expect(await socket.next()).toEqual({ id: 'a', type: 'complete' })
    socket.send({ id: 'a', type: 'subscribe', payload: { query: '{ nope }' } })
    expect(await socket.next()).toMatchObject({
      id: 'a',
      type: 'error',
      payload: [{ message: expect.stringContaining('"nope"') as string }],
    })
    socket.close()
  })

  it('refuses other subprotocols', async () => {
    const code = open([]).then(
      async (socket) => (await socket.closed)[0],
      ({ message }: Error) => message,
    )
    // MSW reports a socket that closes at once as refused.
    expect(await code).toBe(name === 'msw' ? 'refused' : 4406)
  })
})

function subscribe(id: string): object {
  return { type: 'subscribe', id, payload: { query: 'subscription { postCreated { id } }' } }
}
