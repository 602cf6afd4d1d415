import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import type { Behaviour, Hooks, World } from '../../../src/behaviours.ts'
import { createManualClock, createMock, MockError, type MockOptions } from '../../../src/index.ts'
import { createRequestState, onLeave, stages } from '../../../src/behaviours.ts'
import { jsonServer0, jsonServer1, rest } from '../../../src/dialects.ts'
import { contract, type TableRequest } from '../../faces.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ],
  comments: [
    { id: 1, postId: 1, body: 'Hi' },
    { id: 2, postId: 1, body: 'secret' },
    { id: 3, postId: 2, body: 'Ho' },
  ],
  profile: { name: 'Ada' },
}

/** A mock with one behaviour that is made on the spot. */
function mockWith(create: (world: World) => Hooks): () => MockOptions<Record<string, unknown>> {
  return () => ({ fixtures, base: '/api', use: [{ name: 'mine', create }] })
}

/** Says which stages a request and its answer have come through. */
const tracing = mockWith(() => {
  let way: string[] = []
  const at: NonNullable<Hooks['at']> = {}
  for (const stage of stages) {
    at[stage] = (exchange) => {
      if (stage === 'entry') way = []
      way.push(stage)
      onLeave(exchange, (response) => {
        way.push(`-${stage}`)
        if (stage !== 'entry') return response
        return { ...response, headers: [...response.headers, ['X-Way', way.join(' ')]] }
      })
      if (exchange.headers['x-stop'] === stage)
        return { status: 418, headers: [], value: { stage } }
      if (exchange.headers['x-throw'] === stage) throw new MockError('Stop.', { status: 409 })
      return undefined
    }
  }
  return { at }
})

const throughAll =
  'entry network quota fault auth body replay resource -resource -replay -body -auth -fault -quota -network -entry'

contract('a behaviour at its stages', tracing, [
  [
    'sees a request at every stage, and the response in reverse order',
    'GET /api/posts/1',
    { status: 200, headers: { 'x-way': throughAll }, body: { id: 1, title: 'One' } },
  ],
  [
    'responds before the later stages, with a value that the dialect writes',
    { request: 'GET /api/posts/1', headers: { 'x-stop': 'quota' } },
    {
      status: 418,
      headers: {
        'x-way': 'entry network quota -quota -network -entry',
        'content-type': 'application/json; charset=utf-8',
      },
      body: { stage: 'quota' },
    },
  ],
  [
    'responds with an error that it throws',
    { request: 'GET /api/posts/1', headers: { 'x-throw': 'auth' } },
    {
      status: 409,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    },
  ],
  [
    'sees a request for an unknown path',
    'GET /api/nothing',
    { status: 404, headers: { 'x-way': throughAll } },
  ],
  [
    'does not see a preflight',
    {
      request: 'OPTIONS /api/posts',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'POST',
        'x-stop': 'entry',
      },
    },
    { status: 204, headers: { 'x-way': null } },
  ],
])

contract(
  'a behaviour that rewrites paths',
  mockWith(() => ({
    at: {
      entry(exchange) {
        exchange.path = exchange.path.replace('/api/v1/', '/api/')
        if (exchange.headers['x-all']) exchange.path = '/api/posts'
      },
    },
  })),
  [
    [
      'rewrites a path whose response is cached',
      ['GET /api/comments', { request: 'GET /api/comments', headers: { 'x-all': '1' } }],
      { status: 200, body: fixtures.posts },
    ],
    [
      'does not change later responses for the path',
      [{ request: 'GET /api/comments', headers: { 'x-all': '1' } }, 'GET /api/comments'],
      { status: 200, body: fixtures.comments },
    ],
    [
      'leads a request to another resource',
      'GET /api/v1/posts/1',
      { status: 200, body: { id: 1, title: 'One' } },
    ],
  ],
)

/** What `routes.json` of json-server says as `"/posts/titled/:title": "/posts?title=:title"`. */
const rewriting = mockWith(() => ({
  at: {
    entry(exchange) {
      const [, title] = /^\/api\/posts\/titled\/(\w+)$/.exec(exchange.path) ?? []
      if (title === undefined) return
      exchange.path = '/api/posts'
      exchange.search = `?title=${title}`
    },
  },
}))

describe.each([rest, jsonServer0, jsonServer1])('in the dialect $name', (dialect) => {
  const [one, two] = fixtures.posts.map((post) =>
    dialect === jsonServer1 ? { ...post, id: String(post.id) } : post,
  )
  contract(
    `a behaviour that rewrites a path to a query in ${dialect.name}`,
    () => ({ ...rewriting(), dialect }),
    [
      ['runs the query', 'GET /api/posts/titled/Two', { status: 200, body: [two] }],
      [
        'runs the query for each request',
        ['GET /api/posts', 'GET /api/posts/titled/Two', 'GET /api/posts/titled/One'],
        { status: 200, body: [one] },
      ],
      [
        'changes no other response',
        ['GET /api/posts/titled/Two', 'GET /api/posts'],
        { status: 200, body: [one, two] },
      ],
    ],
  )
})

/** As what goes by the name of `method-override`: for clients that can only send GET and POST. */
const overriding = mockWith(() => ({
  at: {
    entry(exchange) {
      exchange.method = exchange.headers['x-http-method-override'] ?? exchange.method
    },
  },
}))

/** A POST that stands for another method. */
const instead = (method: string, path: string, body?: Record<string, string>): TableRequest => ({
  request: `POST ${path}`,
  headers: { 'x-http-method-override': method },
  ...(body && { body }),
})

describe.each([rest, jsonServer0, jsonServer1])('in the dialect $name', (dialect) => {
  contract(
    `a behaviour that changes the method in ${dialect.name}`,
    () => ({ ...overriding(), dialect }),
    [
      [
        'treats POST as PATCH',
        instead('PATCH', '/api/profile', { name: 'Bob' }),
        { status: 200, body: { name: 'Bob' } },
      ],
      [
        'treats POST as DELETE',
        [instead('DELETE', '/api/posts/1'), 'GET /api/posts/1'],
        { status: 404 },
      ],
      [
        'treats POST as GET, which creates no record',
        [instead('GET', '/api/posts', { id: 'three' }), 'GET /api/posts/three'],
        { status: 404 },
      ],
    ],
  )
})

contract('a behaviour that changes the method to an unsupported one', overriding, [
  [
    'gets 405 with the path of the request and the new method',
    instead('PUT', '/api/posts', {}),
    {
      status: 405,
      headers: { allow: 'GET, HEAD, QUERY, POST, OPTIONS' },
      body: expect.objectContaining({
        detail:
          'Failed to PUT "/api/posts": a collection has no such method. Please use one of GET, HEAD, QUERY, POST, OPTIONS.',
      }),
    },
  ],
])

contract(
  'a behaviour that changes parameters before they are read',
  mockWith(() => ({
    at: {
      entry(exchange) {
        exchange.params = [['title', exchange.headers['x-title'] ?? 'One']]
      },
    },
  })),
  [
    [
      'has no effect',
      [{ request: 'GET /api/posts', headers: { 'x-title': 'Two' } }, 'GET /api/posts'],
      { status: 200, body: fixtures.posts },
    ],
  ],
)

contract(
  'a behaviour that streams',
  mockWith(() => ({
    at: {
      body(exchange) {
        onLeave(exchange, (response) => ({ ...response, body: halves(response.body as string) }))
      },
    },
  })),
  [['replaces the body by a stream', 'GET /api/profile', { status: 200, body: { name: 'Ada' } }]],
)

async function* halves(text: string): AsyncGenerator<string> {
  yield text.slice(0, 4)
  await Promise.resolve()
  yield text.slice(4)
}

/** Hides the secret comments, and shows the rest in capitals. */
const veiled = mockWith(() => ({
  view: (collection) =>
    collection === 'comments'
      ? {
          includes: ({ body }) => body !== 'secret',
          refuse: () => new MockError('Gone.', { status: 410 }),
          present: (record) => ({ ...record, body: (record['body'] as string).toUpperCase() }),
        }
      : undefined,
}))

const firstComment = { id: 1, postId: 1, body: 'HI' }

/** Marks one of the posts. */
const marked = mockWith(() => ({
  view: () => ({ present: (record) => (record['id'] === 2 ? { ...record, isNew: true } : record) }),
}))

contract('a behaviour that adds a field to some records', marked, [
  [
    'makes the field known to filters',
    'GET /api/posts?isNew=true',
    {
      status: 200,
      headers: { 'x-mock-ignored': null },
      body: [{ id: 2, title: 'Two', isNew: true }],
    },
  ],
])

contract('a behaviour that views records', veiled, [
  [
    'leaves records out of a list',
    'GET /api/comments',
    {
      status: 200,
      headers: { 'x-total-count': '2' },
      body: [firstComment, { id: 3, postId: 2, body: 'HO' }],
    },
  ],
  [
    'filters by the presented records',
    'GET /api/comments?body=HO',
    { status: 200, body: [{ id: 3, postId: 2, body: 'HO' }] },
  ],
  [
    'leaves records out of a nested list',
    'GET /api/posts/1/comments',
    { status: 200, body: [firstComment] },
  ],
  [
    'leaves records out of embedded lists',
    'GET /api/posts/1?_embed=comments',
    { status: 200, body: { id: 1, title: 'One', comments: [firstComment] } },
  ],
  ['sets the error of a hidden member', 'GET /api/comments/2', { status: 410 }],
  ['sets the error of a hidden nested member', 'GET /api/posts/1/comments/2', { status: 410 }],
  [
    'sets the error of a write to a hidden member',
    { request: 'PATCH /api/comments/2', body: { body: 'x' } },
    { status: 410 },
  ],
  ['sets the error of a DELETE of a hidden member', 'DELETE /api/comments/2', { status: 410 }],
  [
    'presents the written record',
    { request: 'PATCH /api/comments/1', body: { body: 'bye' } },
    { status: 200, body: { id: 1, postId: 1, body: 'BYE' } },
  ],
  [
    'stores the written record unchanged',
    [
      { request: 'PATCH /api/comments/1', body: { body: 'Secret' } },
      { request: 'PATCH /api/comments/1', body: { body: 'secret' } },
      'GET /api/comments/1',
    ],
    { status: 410 },
  ],
])

/** Refuses empty titles, sets a mark, and keeps removed posts; comments take their time. */
const guarded = mockWith(() => ({
  write(write) {
    if (write.action === 'remove' && write.resource.name === 'posts') {
      write.record = { ...write.previous, removed: true }
      return undefined
    }
    if (!write.record) return undefined
    if (write.record['title'] === '') {
      throw new MockError('No title.', { status: 422, errors: { title: 'is empty' } })
    }
    write.record = { ...write.record, by: `${write.action} ${write.previous?.['id'] as number}` }
    return write.resource.name === 'comments' ? Promise.resolve() : undefined
  },
}))

contract('a behaviour that guards writes', guarded, [
  [
    'changes a record that is created',
    { request: 'POST /api/posts', body: { title: 'x' } },
    { status: 201, body: { id: 3, title: 'x', by: 'create undefined' } },
  ],
  [
    'refuses a record',
    { request: 'POST /api/posts', body: { title: '' } },
    { status: 422, body: expect.objectContaining({ errors: { title: 'is empty' } }) },
  ],
  [
    'refuses a whole list for one record',
    [{ request: 'POST /api/posts', body: [{ title: 'x' }, { title: '' }] }, 'GET /api/posts'],
    { status: 200, body: fixtures.posts },
  ],
  [
    'sees a nested record with its parent key, and may be asynchronous',
    { request: 'POST /api/posts/1/comments', body: { body: 'x' } },
    { status: 201, body: { id: 4, body: 'x', postId: 1, by: 'create undefined' } },
  ],
  [
    'sees the replaced record',
    { request: 'PUT /api/posts/2', body: { title: 'x' } },
    { status: 200, body: { id: 2, title: 'x', by: 'replace 2' } },
  ],
  [
    'sees the whole record of a patch',
    { request: 'PATCH /api/posts/2', body: { more: 1 } },
    { status: 200, body: { id: 2, title: 'Two', more: 1, by: 'patch 2' } },
  ],
  [
    'sees a singleton',
    { request: 'PATCH /api/profile', body: { age: 36 } },
    { status: 200, body: { name: 'Ada', age: 36, by: 'patch undefined' } },
  ],
  [
    'replaces a removal by a write',
    ['DELETE /api/posts/1', 'GET /api/posts/1'],
    { status: 200, body: { id: 1, title: 'One', removed: true } },
  ],
])

/** Notes a header of the request at the first stage, and adds the note to the answer at the last. */
const noting = (header: string): Behaviour => ({
  name: 'noting',
  create() {
    const note = createRequestState<string>()
    return {
      at: {
        entry(exchange) {
          const sent = exchange.headers[header]
          if (sent !== undefined) note.set(exchange, sent)
        },
        resource(exchange) {
          const line: [string, string] = [`${header}-noted`, String(note.get(exchange))]
          if (!exchange.state) line[1] = 'nothing at all'
          onLeave(exchange, (response) => ({ ...response, headers: [...response.headers, line] }))
        },
      },
    }
  },
})

contract(
  'a behaviour that keeps state of a request',
  () => ({ fixtures, use: [noting('x-one'), noting('x-two')] }),
  [
    [
      'reads the state at a later stage',
      { request: 'GET /posts/1', headers: { 'x-one': 'a' } },
      { status: 200, headers: { 'x-one-noted': 'a' } },
    ],
    [
      'does not share the state with another behaviour of its factory',
      { request: 'GET /posts/1', headers: { 'x-one': 'a', 'x-two': 'b' } },
      { status: 200, headers: { 'x-one-noted': 'a', 'x-two-noted': 'b' } },
    ],
    [
      'does not read the state of another behaviour',
      { request: 'GET /posts/1', headers: { 'x-two': 'b' } },
      { status: 200, headers: { 'x-one-noted': 'undefined', 'x-two-noted': 'b' } },
    ],
    [
      'loses the state with the request, and creates no state before the first set',
      [{ request: 'GET /posts/1', headers: { 'x-one': 'a' } }, 'GET /posts/1'],
      {
        status: 200,
        headers: { 'x-one-noted': 'nothing at all', 'x-two-noted': 'nothing at all' },
      },
    ],
  ],
)

contract(
  'a behaviour that changes queries',
  mockWith(() => ({
    list(asked) {
      asked.query.slice = { start: 0, end: 1 }
    },
  })),
  [['changes the result', 'GET /api/posts', { status: 200, body: [fixtures.posts[0]] }]],
)

describe('a behaviour', () => {
  const counting: Behaviour = {
    name: 'counting',
    create({ random }) {
      let count = 0
      return {
        at: {
          resource: () => ({ status: 200, headers: [], value: [++count, random()] }),
        },
        routes: [{ methods: ['GET'], path: '/count' }],
        reset() {
          count = 0
        },
      }
    },
  }
  const ask = async (mock: { fetch(request: Request): Promise<Response> }): Promise<unknown> =>
    (await mock.fetch(new Request('http://mock.test/count'))).json()

  it('restarts with a reset of the mock', async () => {
    const mock = createMock({ fixtures, seed: 1, use: [counting] })
    const first = await ask(mock)
    expect(await ask(mock)).not.toEqual(first)
    mock.reset()
    expect(await ask(mock)).toEqual(first)
  })

  it('starts afresh in a fork', async () => {
    const mock = createMock({ fixtures, seed: 1, use: [counting] })
    const first = await ask(mock)
    expect(await ask(mock.fork())).toEqual(first)
  })

  it('draws the same random numbers whatever else is in use', async () => {
    const other: Behaviour = {
      name: 'other',
      create: ({ random }) => ({
        at: {
          entry() {
            random()
          },
        },
      }),
    }
    const alone = await ask(createMock({ fixtures, seed: 1, use: [counting] }))
    expect(await ask(createMock({ fixtures, seed: 1, use: [other, counting] }))).toEqual(alone)
  })

  it('adds its routes to the routes that the mock owns', () => {
    const mock = createMock({ fixtures, use: [counting] })
    expect(mock.routes.at(-1)).toEqual({
      path: '/count',
      methods: ['GET'],
      resource: 'counting',
      kind: 'custom',
      count: 0,
    })
    expect([internalsOf(mock).owns('/count'), internalsOf(mock).owns('/other')]).toEqual([
      true,
      false,
    ])
  })

  it('diverts a request to another mock', async () => {
    const other = createMock({ fixtures: { posts: [{ id: 9 }] } })
    const away: Behaviour = {
      name: 'away',
      create: () => ({ divert: ({ headers }) => (headers['x-away'] ? other : undefined) }),
    }
    const mock = createMock({ fixtures, use: [away] })
    const request = new Request('http://mock.test/posts/9', { headers: { 'x-away': '1' } })
    expect((await mock.fetch(request)).status).toBe(200)
    expect(mock.log).toEqual([])
  })

  it('diverts a request once, also to a fork with the same behaviour', async () => {
    const forking = (name: string): Behaviour => ({
      name,
      create: ({ host }) => ({
        divert: ({ headers }) => (headers[name] ? host().fork() : undefined),
      }),
    })
    const mock = createMock({ fixtures, use: [forking('x-one'), forking('x-two')] })
    const request = new Request('http://mock.test/posts/1', {
      headers: { 'x-one': '1', 'x-two': '2' },
    })
    expect(await (await mock.fetch(request)).json()).toEqual(fixtures.posts[0])
  })

  it('reaches the mock around it, its clock and its data', async () => {
    const clock = createManualClock(5)
    const nosy: Behaviour = {
      name: 'nosy',
      create: ({ host, clock, db }) => ({
        at: {
          auth: ({ target }) => ({
            status: 200,
            headers: [],
            value: [host().base, clock.now(), db['posts']?.count(), target?.kind],
          }),
        },
      }),
    }
    const mock = createMock({ fixtures, base: '/api', clock, use: [nosy] })
    const response = await mock.fetch(new Request('http://mock.test/api/posts/1'))
    expect(await response.json()).toEqual(['/api', 5, 2, 'member'])
  })

  it('runs again when the data changes during an asynchronous hook', async () => {
    let resolve = (): void => {}
    const seen: unknown[] = []
    const slow: Behaviour = {
      name: 'slow',
      create: () => ({
        write({ previous }) {
          seen.push(previous?.['title'])
          return seen.length === 1 ? new Promise((done) => (resolve = done)) : undefined
        },
      }),
    }
    const mock = createMock({ fixtures, use: [slow] })
    const answered = mock.fetch(
      new Request('http://mock.test/posts/1', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"more":1}',
      }),
    )
    await expect.poll(() => seen.length).toBe(1)
    mock.db.posts.update(1, { title: 'Changed' })
    resolve()
    expect(await (await answered).json()).toEqual({ id: 1, title: 'Changed', more: 1 })
    expect(seen).toEqual(['One', 'Changed'])
  })

  it('keeps a read synchronous', () => {
    const mock = createMock({ fixtures, use: [counting] })
    const request = {
      method: 'GET',
      path: '/posts/1',
      search: '',
      origin: 'http://mock.test',
      headers: {},
      text: () => '',
      form: () => [],
    }
    expect(internalsOf(mock).handle(request, { origins: 'any' })).toMatchObject({ status: 200 })
  })

  it('responds with the error of a leave hook, and still runs the others', async () => {
    const failing: Behaviour = {
      name: 'failing',
      create: () => ({
        at: {
          entry(exchange) {
            onLeave(exchange, (response) => ({ ...response, headers: [['X-Last', 'yes']] }))
            onLeave(exchange, () => {
              throw new MockError('Stop.', { status: 409 })
            })
          },
        },
      }),
    }
    const mock = createMock({ fixtures, use: [failing] })
    const response = await mock.fetch(new Request('http://mock.test/posts/1'))
    expect([response.status, response.headers.get('x-last')]).toEqual([409, 'yes'])
  })
})

describe('the configuration', () => {
  it('requires behaviours in use', () => {
    const use = ['delay'] as unknown as Behaviour[]
    expect(() => createMock({ fixtures, use })).toThrow(
      'Failed to read the configuration: "use" cannot be ["delay"]. Please give a list of (behaviours from "fixtura/behaviours", such as auth()).',
    )
  })
})

describe('the hooks of a behaviour', () => {
  const none = (): void => {}
  const rows: [title: string, hooks: object, message: string][] = [
    [
      'a misspelt stage',
      { at: { entri: none } },
      'Failed to read the hooks of the behaviour "mine", "at": there is no "entri". Did you mean "entry"?',
    ],
    [
      'a stage without a function',
      { at: { auth: true } },
      '"at": "auth" cannot be true. Please give a function.',
    ],
    [
      'a misspelt hook',
      { beforewrite: none },
      'the behaviour "mine": there is no "beforewrite". Did you mean "beforeWrite"?',
    ],
    ['controls without functions', { controls: { GET: 1 } }, '"controls" cannot be {"GET":1}.'],
    ['routes that are no list', { routes: {} }, '"routes" cannot be {}. Please give a list of'],
  ]

  it.each(rows)('refuse %s', (_, hooks, message) => {
    const create = (): unknown => createMock(mockWith(() => hooks as Hooks)())
    expect(create).toThrow(MockError)
    expect(create).toThrow(message)
  })
})
