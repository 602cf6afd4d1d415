import { expect, it } from 'vitest'

import { auth, faults, fields, files } from '../../../src/behaviours.ts'
import { graphql, type GraphqlOptions } from '../../../src/graphql.ts'
import { createMock, type Mock, type MockOptions } from '../../../src/index.ts'
import { contract, type Expected, type TableRequest } from '../../faces.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'Tea', views: 5, user_id: 1, tags: ['a', 'b'], isDraft: false },
    { id: 2, title: 'Milk', views: 7, user_id: 2, tags: ['b'], isDraft: true },
    { id: 3, title: 'Teapot', views: 9, user_id: 1, tags: [], isDraft: false, note: 'x' },
  ],
  users: [
    { id: 1, name: 'Ada', email: 'ada@x.org', password: 'a' },
    { id: 2, name: 'Bo', email: 'bo@x.org', password: 'b' },
  ],
  profile: { name: 'Me', theme: 'dark' },
  levels: ['low', 'high'],
}

const mockWith =
  (options: GraphqlOptions = {}, others: MockOptions<typeof fixtures>['use'] = []) =>
  (): MockOptions<Record<string, unknown>> => ({ fixtures, use: [graphql(options), ...others] })

/** A POST of an operation. */
const ask = (
  query: string,
  variables?: object,
  headers: Record<string, string> = {},
): TableRequest => ({
  request: 'POST /graphql',
  headers: { 'content-type': 'application/json', ...headers },
  body: { query, ...(variables && { variables }) },
})

const data = (value: unknown): Expected => ({ status: 200, body: { data: value } })

const refused = (message: unknown, code?: string, path?: string[]): Expected['body'] => ({
  errors: [
    expect.objectContaining({
      message,
      ...(code !== undefined && { extensions: expect.objectContaining({ code }) as unknown }),
      ...(path && { path }),
    }),
  ],
  ...(path && { data: { [path[0] ?? '']: null } }),
})

contract('queries of the names of json-graphql-server', mockWith(), [
  [
    'list',
    ask('{ allPosts { id title } }'),
    data({
      allPosts: [
        { id: '1', title: 'Tea' },
        { id: '2', title: 'Milk' },
        { id: '3', title: 'Teapot' },
      ],
    }),
  ],
  [
    'read one',
    ask('{ Post(id: 2) { title views isDraft tags } }'),
    data({ Post: { title: 'Milk', views: 7, isDraft: true, tags: ['b'] } }),
  ],
  ['are null for no record', ask('{ Post(id: 9) { title } }'), data({ Post: null })],
  [
    'are null for a field that a record lacks',
    ask('{ Post(id: 1) { note } }'),
    data({ Post: { note: null } }),
  ],
  [
    'lead to a parent and to children',
    ask('{ Post(id: 1) { User { name Posts { id } } } }'),
    data({ Post: { User: { name: 'Ada', Posts: [{ id: '1' }, { id: '3' }] } } }),
  ],
  [
    'filter by equality',
    ask('{ allPosts(filter: { title: "Tea" }) { id } }'),
    data({ allPosts: [{ id: '1' }] }),
  ],
  [
    'filter by inequality',
    ask('{ allPosts(filter: { title_neq: "Tea" }) { id } }'),
    data({ allPosts: [{ id: '2' }, { id: '3' }] }),
  ],
  [
    'filter by range',
    ask('{ allPosts(filter: { views_gt: 5, views_lte: 7 }) { id } }'),
    data({ allPosts: [{ id: '2' }] }),
  ],
  [
    'filter by a list of values',
    ask('{ allPosts(filter: { views_in: [5, 9] }) { id } }'),
    data({ allPosts: [{ id: '1' }, { id: '3' }] }),
  ],
  [
    'filter by a part of a text',
    ask('{ allPosts(filter: { title_q: "tea" }) { id } }'),
    data({ allPosts: [{ id: '1' }, { id: '3' }] }),
  ],
  [
    'filter by all values of a list',
    ask('{ allPosts(filter: { tags: ["b", "a"] }) { id } }'),
    data({ allPosts: [{ id: '1' }] }),
  ],
  [
    'filter by null, which a missing field is',
    ask('{ allPosts(filter: { note: null }) { id } }'),
    data({ allPosts: [{ id: '1' }, { id: '2' }] }),
  ],
  [
    'filter by a foreign key',
    ask('{ allPosts(filter: { user_id: "1" }) { id } }'),
    data({ allPosts: [{ id: '1' }, { id: '3' }] }),
  ],
  [
    'filter by ids',
    ask('{ allPosts(filter: { ids: [3, "1"] }) { id } }'),
    data({ allPosts: [{ id: '1' }, { id: '3' }] }),
  ],
  ['search', ask('{ allPosts(filter: { q: "MILK" }) { id } }'), data({ allPosts: [{ id: '2' }] })],
  [
    'sort',
    ask('{ allPosts(sortField: "views", sortOrder: "DESC") { id } }'),
    data({ allPosts: [{ id: '3' }, { id: '2' }, { id: '1' }] }),
  ],
  [
    'page from 0',
    ask('{ allPosts(page: 1, perPage: 2) { id } }'),
    data({ allPosts: [{ id: '3' }] }),
  ],
  [
    'refuse a page below 0',
    ask('{ allPosts(page: -1) { id } }'),
    {
      status: 200,
      body: refused('Failed to read "page": pages count from 0.', 'BAD_USER_INPUT', ['allPosts']),
    },
  ],
  [
    'count',
    ask('{ _allPostsMeta(page: 0, perPage: 1, filter: { views_gt: 5 }) { count } }'),
    data({ _allPostsMeta: { count: 2 } }),
  ],
  [
    'read singletons and documents',
    ask('{ Profile { theme } Levels }'),
    data({ Profile: { theme: 'dark' }, Levels: ['low', 'high'] }),
  ],
  [
    'take variables',
    ask('query Q($filter: PostFilter) { allPosts(filter: $filter) { id } }', {
      filter: { views_lt: 6 },
    }),
    data({ allPosts: [{ id: '1' }] }),
  ],
  [
    'take aliases and fragments',
    ask('{ a: Post(id: 1) { ...T } b: Post(id: 2) { ...T } } fragment T on Post { title }'),
    data({ a: { title: 'Tea' }, b: { title: 'Milk' } }),
  ],
  [
    'see what REST has written',
    ['DELETE /posts/1', ask('{ allPosts { id } }')],
    data({ allPosts: [{ id: '2' }, { id: '3' }] }),
  ],
  [
    'describe the schema',
    ask('{ __type(name: "Post") { fields { name } } }'),
    data({
      __type: {
        fields: [...Object.keys({ ...fixtures.posts[2] }), 'User'].map((name) => ({ name })),
      },
    }),
  ],
])

contract('mutations of the names of json-graphql-server', mockWith(), [
  [
    'create a record',
    ask(
      'mutation { createPost(title: "Cup", user_id: "2", tags: ["c"]) { id title tags User { name } } }',
    ),
    data({ createPost: { id: '4', title: 'Cup', tags: ['c'], User: { name: 'Bo' } } }),
  ],
  [
    'store ids as the fixtures have them',
    [ask('mutation { createPost(title: "Cup", user_id: "2") { id } }'), 'GET /posts/4'],
    { status: 200, body: { id: 4, title: 'Cup', user_id: 2 } },
  ],
  [
    'create several records',
    ask('mutation { createManyPost(data: [{ title: "a" }, { title: "b" }]) { id title } }'),
    data({
      createManyPost: [
        { id: '4', title: 'a' },
        { id: '5', title: 'b' },
      ],
    }),
  ],
  [
    'update a record',
    [ask('mutation { updatePost(id: 1, title: "Coffee") { title views } }'), 'GET /posts/1'],
    { status: 200, body: { ...fixtures.posts[0], title: 'Coffee' } },
  ],
  [
    'are null for no record',
    ask('mutation { updatePost(id: 9, title: "x") { id } removePost(id: 9) { id } }'),
    data({ updatePost: null, removePost: null }),
  ],
  [
    'remove a record',
    [ask('mutation { removePost(id: 1) { title } }'), 'GET /posts/1'],
    { status: 404 },
  ],
  [
    'remove by delete',
    ask('mutation { deletePost(id: 1) { title } }'),
    data({ deletePost: { title: 'Tea' } }),
  ],
  [
    'update a singleton',
    [ask('mutation { updateProfile(theme: "light") { name theme } }'), 'GET /profile'],
    { status: 200, body: { name: 'Me', theme: 'light' } },
  ],
  [
    'run one after the other',
    ask('mutation { a: createPost(title: "a") { id } b: removePost(id: 4) { title } }'),
    data({ a: { id: '4' }, b: { title: 'a' } }),
  ],
  [
    'store what REST reads',
    [ask('mutation M { createPost(title: "a") { id } }'), 'GET /posts'],
    { status: 200, headers: { 'x-total-count': '4' } },
  ],
])

contract('GraphQL over HTTP', mockWith(), [
  [
    'takes a query by GET',
    'GET /graphql?query=%7B%20Post(id%3A1)%20%7B%20id%20%7D%20%7D',
    data({ Post: { id: '1' } }),
  ],
  [
    'takes no mutation by GET',
    'GET /graphql?query=mutation%20%7B%20removePost(id%3A1)%20%7B%20id%20%7D%20%7D',
    { status: 405, headers: { allow: 'POST, OPTIONS' } },
  ],
  [
    'names its methods',
    'OPTIONS /graphql',
    { status: 204, headers: { allow: 'GET, POST, OPTIONS' } },
  ],
  [
    'reports an unknown field with 200',
    ask('{ nope }'),
    {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: refused('Cannot query field "nope" on type "Query".'),
    },
  ],
  [
    'reports an unknown field with 400 in graphql-response+json',
    ask('{ nope }', undefined, { accept: 'application/graphql-response+json' }),
    {
      status: 400,
      headers: { 'content-type': 'application/graphql-response+json; charset=utf-8' },
      body: refused('Cannot query field "nope" on type "Query".'),
    },
  ],
  [
    'reports broken JSON with 400',
    { request: 'POST /graphql', headers: { 'content-type': 'application/json' }, body: '{' },
    { status: 400, body: refused(expect.stringContaining('it is not JSON'), 'BAD_USER_INPUT') },
  ],
  [
    'reports a missing query with 400',
    { request: 'POST /graphql', headers: { 'content-type': 'application/json' }, body: {} },
    {
      status: 400,
      body: refused(
        expect.stringContaining('"query" is missing or of a wrong type'),
        'BAD_USER_INPUT',
      ),
    },
  ],
  [
    'refuses another type of body with 415',
    { request: 'POST /graphql', headers: { 'content-type': 'text/plain' }, body: '{ a }' },
    { status: 415, headers: { accept: 'application/json, multipart/form-data' } },
  ],
  [
    'refuses another type of response with 406',
    ask('{ Post(id: 1) { id } }', undefined, { accept: 'text/csv' }),
    { status: 406 },
  ],
  [
    'runs a list of operations',
    {
      request: 'POST /graphql',
      headers: { 'content-type': 'application/json' },
      body: [{ query: '{ Post(id: 1) { id } }' }, { query: '{ nope }' }],
    },
    {
      status: 200,
      body: [
        { data: { Post: { id: '1' } } },
        refused('Cannot query field "nope" on type "Query".'),
      ],
    },
  ],
  [
    'asks for the query of an unknown hash',
    {
      request: 'POST /graphql',
      headers: { 'content-type': 'application/json' },
      body: { extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
    },
    { status: 200, body: refused('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND') },
  ],
  [
    'runs the query of a known hash',
    [
      {
        request: 'POST /graphql',
        headers: { 'content-type': 'application/json' },
        body: {
          query: '{ Post(id: 1) { id } }',
          extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } },
        },
      },
      'GET /graphql?extensions=%7B%22persistedQuery%22%3A%7B%22version%22%3A1%2C%22sha256Hash%22%3A%22x%22%7D%7D',
    ],
    data({ Post: { id: '1' } }),
  ],
])

const token = { authorization: `Basic ${btoa('ada@x.org:a')}` }
const withAuth = (): MockOptions<Record<string, unknown>> => ({
  fixtures: {
    ...fixtures,
    posts: fixtures.posts.map(({ user_id, ...post }) => ({ ...post, userId: user_id })),
  },
  use: [
    auth({
      users: 'users',
      scheme: 'basic',
      protect: ['POST posts', 'levels'],
      owners: { posts: 'userId' },
    }),
    fields({ posts: { required: ['title'], defaults: { views: 0 } } }),
    graphql(),
  ],
})

contract('GraphQL with the rules of REST', withAuth, [
  [
    'refuses what a login is needed for',
    ask('mutation { createPost(title: "x") { id } }'),
    { status: 200, body: refused(expect.any(String), 'UNAUTHENTICATED', ['createPost']) },
  ],
  [
    'refuses a protected list',
    ask('{ Levels }'),
    { status: 200, body: refused(expect.any(String), 'UNAUTHENTICATED', ['Levels']) },
  ],
  [
    'sets the owner and defaults',
    ask('mutation { createPost(title: "x") { userId views } }', undefined, token),
    data({ createPost: { userId: '1', views: 0 } }),
  ],
  [
    'reports the faults of fields',
    ask('mutation { createPost(views: 1) { id } }', undefined, token),
    {
      status: 200,
      body: {
        data: { createPost: null },
        errors: [
          expect.objectContaining({
            extensions: {
              code: 'BAD_USER_INPUT',
              status: 422,
              reason: 'RECORD_INVALID',
              errors: { title: 'is required' },
            },
          }),
        ],
      },
    },
  ],
  [
    'refuses a write to the record of another user',
    ask('mutation { removePost(id: 2) { id } }', undefined, token),
    { status: 200, body: refused(expect.any(String), 'FORBIDDEN', ['removePost']) },
  ],
  [
    'never shows secrets',
    ask('{ __type(name: "User") { fields { name } } allUsers { name } }'),
    data({
      __type: { fields: ['id', 'name', 'email', 'Posts'].map((name) => ({ name })) },
      allUsers: [{ name: 'Ada' }, { name: 'Bo' }],
    }),
  ],
])

const nested = `{ ${'allPosts { User { Posts '.repeat(1)}{ id } } } }`
function mockWithRules(): Mock {
  const mock = createMock({
    fixtures,
    base: '/api',
    use: [
      graphql(),
      auth({
        users: 'users',
        scheme: 'basic',
        protect: ['graphql'],
        public: ['QUERY /graphql/*'],
        roles: { 'QUERY /graphql/Secret': 'admin' },
      }),
      faults({ rules: [{ on: 'MUTATION /graphql/*', status: 502 }] }),
    ],
  })
  mock.on('QUERY', '/graphql/GetPosts').fail(503)
  mock.on('QUERY', '/graphql/Post').reply(200, { data: { Post: null } })
  return mock
}

const askBelow = (query: string, operationName?: string): TableRequest => ({
  request: 'POST /api/graphql',
  headers: { 'content-type': 'application/json' },
  body: { query, operationName },
})
const both = 'query Other { Post(id: 1) { title } } query GetPosts { allPosts { id } }'

contract('rules by operation', mockWithRules, [
  ['match its name', askBelow('query GetPosts { allPosts { id } }'), { status: 503 }],
  [
    'match the first field without a name',
    askBelow('{ Post(id: 1) { title } }'),
    data({ Post: null }),
  ],
  [
    'match a GET',
    `GET /api/graphql?query=${encodeURIComponent('query GetPosts { allPosts { id } }')}`,
    { status: 503 },
  ],
  ['match the operation that runs', askBelow(both, 'GetPosts'), { status: 503 }],
  ['match no other operation', askBelow(both, 'Other'), data({ Post: { title: 'Tea' } })],
  ['are faults, too', askBelow('mutation M { removePost(id: 1) { id } }'), { status: 502 }],
  ['are roles, too', askBelow('query Secret { allPosts { id } }'), { status: 401 }],
])

contract('the limits of operations', mockWith({ limits: { depth: 4, fields: 10 } }), [
  [
    'refuse deep fields',
    ask('{ allPosts { User { Posts { User { id } } } } }'),
    {
      status: 200,
      body: refused(expect.stringContaining('nested deeper than 4'), 'OPERATION_TOO_LARGE'),
    },
  ],
  [
    'refuse a large response',
    ask(nested),
    {
      status: 200,
      body: refused(expect.stringContaining('more than 10 fields'), 'OPERATION_TOO_LARGE'),
    },
  ],
])

const bomb = `{ allPosts { ...A } } ${Array.from('ABCDEFGHIJKLMNOPQR', (name) => `fragment ${name} on Post { ${`...${String.fromCharCode(name.charCodeAt(0) + 1)} `.repeat(9)} }`).join(' ')} fragment S on Post { id }`

it('refuses fragments of fragments and repeated fields in little time', async () => {
  const mock = createMock({ fixtures, use: [graphql()] })
  for (const query of [
    bomb,
    `{ ${'allPosts { id } '.repeat(4000)} }`,
    `{ allPosts ${'{ User { Posts '.repeat(3000)}`,
  ]) {
    const started = performance.now()
    const response = await mock.fetch(
      new Request('http://x/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
    )
    expect(await response.json()).toHaveProperty('errors')
    expect(performance.now() - started).toBeLessThan(1000)
  }
})

const shop = `
  type Query { me: User, user(id: ID!): User, users(role: Role, orderBy: UserOrder, first: Int, after: String): UserConnection!, posts(where: PostWhere, sort: String, limit: Int, offset: Int, page: Int, search: String): [Post!]!, post(slug: String!): Post, node(id: ID!): Node, hello(name: String!): String!, weather: Weather! }
  type Mutation { createPost(input: CreatePost!): CreatePostPayload!, updatePost(id: ID!, title: String): Post, deletePost(id: ID!): Boolean!, shout(text: String!): String! }
  interface Node { id: ID! }
  enum Role { ADMIN, READER }
  input UserOrder { field: String!, direction: String }
  input PostWhere { title_contains: String, likes: IntFilter, authorId: ID, slug: String }
  input IntFilter { gt: Int, lte: Int }
  input CreatePost { title: String!, authorId: ID, clientMutationId: String }
  type CreatePostPayload { post: Post, success: Boolean!, errors: [String!]!, clientMutationId: String }
  type User implements Node { id: ID!, fullName: String!, role: Role!, posts(first: Int): [Post!]!, mood: String }
  type Post implements Node { id: ID!, slug: String!, title: String!, likes: Int!, author: User, shout: String!, createdAt: String! }
  type UserConnection { totalCount: Int!, edges: [UserEdge!]!, pageInfo: PageInfo! }
  type UserEdge { cursor: String!, node: User! }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }
  type Weather { city: String!, degrees: Float!, at: DateTime!, isSunny: Boolean! }
  scalar DateTime
`

const withSchema = (): MockOptions<Record<string, unknown>> => ({
  fixtures: {
    users: [
      { id: 'u1', full_name: 'Ada', role: 'ADMIN' },
      { id: 'u2', full_name: 'Bo', role: 'READER' },
      { id: 'u3', full_name: 'Cy', role: 'READER' },
    ],
    posts: [
      { id: 'p1', slug: 'tea', title: 'Tea', likes: 5, authorId: 'u1', createdAt: '2026-01-01' },
      { id: 'p2', slug: 'milk', title: 'Milk', likes: 9, authorId: 'u1', createdAt: '2026-01-02' },
      {
        id: 'p3',
        slug: 'teapot',
        title: 'Teapot',
        likes: 7,
        authorId: 'u2',
        createdAt: '2026-01-03',
      },
    ],
  },
  relations: { posts: { authorId: { to: 'users', as: 'author' } } },
  use: [
    graphql({
      schema: shop,
      resolvers: {
        Query: { hello: (_, { name }) => `Hello ${JSON.stringify(name)}` },
        Post: { shout: ({ title }) => `${JSON.stringify(title).toUpperCase()}!` },
        Mutation: {
          shout() {
            throw new Error('Too loud')
          },
        },
      },
    }),
  ],
})

contract('a schema of its own', withSchema, [
  [
    'finds one by its id',
    ask('{ user(id: "u2") { fullName role } }'),
    data({ user: { fullName: 'Bo', role: 'READER' } }),
  ],
  [
    'finds one by another field',
    ask('{ post(slug: "milk") { id author { fullName } } }'),
    data({ post: { id: 'p2', author: { fullName: 'Ada' } } }),
  ],
  [
    'lists with operators',
    ask('{ posts(where: { title_contains: "tea", likes: { gt: 5 } }) { id } }'),
    data({ posts: [{ id: 'p3' }] }),
  ],
  [
    'lists in order',
    ask('{ posts(sort: "-likes") { id } }'),
    data({ posts: [{ id: 'p2' }, { id: 'p3' }, { id: 'p1' }] }),
  ],
  ['lists a part', ask('{ posts(limit: 1, offset: 1) { id } }'), data({ posts: [{ id: 'p2' }] })],
  [
    'counts pages from 1',
    ask('{ posts(page: 2, limit: 2) { id } }'),
    data({ posts: [{ id: 'p3' }] }),
  ],
  ['searches', ask('{ posts(search: "MILK") { id } }'), data({ posts: [{ id: 'p2' }] })],
  [
    'ignores variables that are left out',
    ask('query ($slug: String) { posts(where: { slug: "tea" }, search: $slug) { id } }'),
    data({ posts: [{ id: 'p1' }] }),
  ],
  [
    'pages through connections',
    ask(
      '{ users(role: READER, orderBy: { field: "fullName", direction: "DESC" }, first: 1) { totalCount edges { node { id } } pageInfo { hasNextPage } } }',
    ),
    data({
      users: { totalCount: 2, edges: [{ node: { id: 'u3' } }], pageInfo: { hasNextPage: true } },
    }),
  ],
  [
    'goes on after a cursor',
    ask(
      '{ users(first: 2, after: "Y3Vyc29yOjA") { edges { cursor node { id } } pageInfo { hasNextPage } } }',
    ),
    data({
      users: {
        edges: [
          { cursor: 'Y3Vyc29yOjE', node: { id: 'u2' } },
          { cursor: 'Y3Vyc29yOjI', node: { id: 'u3' } },
        ],
        pageInfo: { hasNextPage: false },
      },
    }),
  ],
  [
    'follows relations both ways',
    ask('{ user(id: "u1") { posts(first: 1) { title author { id } } } }'),
    data({ user: { posts: [{ title: 'Tea', author: { id: 'u1' } }] } }),
  ],
  [
    'finds nodes of any type',
    ask('{ node(id: "p1") { __typename id ... on Post { title } } }'),
    data({ node: { __typename: 'Post', id: 'p1', title: 'Tea' } }),
  ],
  [
    'calls resolvers',
    ask('{ hello(name: "you") post(slug: "tea") { shout } }'),
    data({ hello: 'Hello "you"', post: { shout: '"TEA"!' } }),
  ],
  [
    'reports the error of a resolver',
    ask('mutation { shout(text: "x") }'),
    {
      status: 200,
      body: expect.objectContaining({
        errors: [expect.objectContaining({ message: 'Too loud' })],
      }) as unknown,
    },
  ],
  [
    'generates what has no source',
    ask('{ weather { city degrees at isSunny } user(id: "u1") { mood } }'),
    data({
      weather: {
        city: expect.any(String),
        degrees: expect.any(Number),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        isSunny: expect.any(Boolean),
      },
      user: { mood: expect.any(String) },
    }),
  ],
  [
    'creates by input and payload',
    ask(
      'mutation { createPost(input: { title: "Oat", authorId: "u2", clientMutationId: "x" }) { post { title author { fullName } } success errors clientMutationId } }',
    ),
    data({
      createPost: {
        post: { title: 'Oat', author: { fullName: 'Bo' } },
        success: true,
        errors: [],
        clientMutationId: 'x',
      },
    }),
  ],
  [
    'updates by id',
    [ask('mutation { updatePost(id: "p1", title: "Coffee") { title likes } }'), 'GET /posts/p1'],
    {
      status: 200,
      body: {
        id: 'p1',
        slug: 'tea',
        title: 'Coffee',
        likes: 5,
        authorId: 'u1',
        createdAt: '2026-01-01',
      },
    },
  ],
  ['deletes by id', [ask('mutation { deletePost(id: "p1") }'), 'GET /posts/p1'], { status: 404 }],
  [
    'says that nothing was deleted',
    ask('mutation { deletePost(id: "p9") }'),
    data({ deletePost: false }),
  ],
])

/** A form with a field for each text, and with files by their contents. */
function upload(
  fieldsOf: Record<string, unknown>,
  filesOf: Record<string, string> = {},
  headers: Record<string, string> = { 'apollo-require-preflight': 'true' },
): TableRequest {
  const parts = [
    ...Object.entries(fieldsOf).map(([name, value]) => [
      `name="${name}"`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    ...Object.entries(filesOf).map(([name, text]) => [
      `name="${name}"; filename="${name}.txt"\r\nContent-Type: text/plain`,
      text,
    ]),
  ]
  const lines = parts.map(
    ([head, body]) => `--cut\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`,
  )
  return {
    request: 'POST /graphql',
    headers: { 'content-type': 'multipart/form-data; boundary=cut', ...headers },
    body: `${lines.join('')}--cut--\r\n`,
  }
}

const setCover = {
  query: 'mutation ($file: Upload!) { updatePost(id: 1, cover: $file) { cover } }',
  variables: { file: null },
}
const refusedForm = (reason: string): Expected => ({
  status: 400,
  body: refused(expect.stringContaining(reason), 'BAD_USER_INPUT'),
})
contract(
  'uploads (GraphQL multipart request specification)',
  mockWith({}, [files({ posts: { cover: true, photos: { list: true } } })]),
  [
    [
      'a single file, whose URL serves the file',
      [
        upload({ operations: setCover, map: { 0: ['variables.file'] } }, { 0: 'Alpha' }),
        'GET /posts/1/cover',
      ],
      { status: 200, body: 'Alpha', headers: { 'content-type': /^text\/plain/ } },
    ],
    [
      'a file list',
      [
        upload(
          {
            operations: {
              query:
                'mutation ($files: [Upload!]!) { updatePost(id: 1, photos: $files) { photos } }',
              variables: { files: [null, null] },
            },
            map: { 0: ['variables.files.0'], 1: ['variables.files.1'] },
          },
          { 0: 'Bravo', 1: 'Charlie' },
        ),
        'GET /posts/1/photos/1',
      ],
      { status: 200, body: 'Charlie' },
    ],
    [
      'batching, with one file at two places',
      [
        upload(
          {
            operations: [setCover, setCover],
            map: { a: ['0.variables.file', '1.variables.file'] },
          },
          { a: 'Delta' },
        ),
        'GET /posts/1/cover',
      ],
      { status: 200, body: 'Delta' },
    ],
    [
      'no file, without a header that asks for a preflight',
      upload({ operations: setCover, map: {} }, {}, {}),
      refusedForm('Please add the header "Apollo-Require-Preflight: true".'),
    ],
    ['no operations', upload({ map: {} }), refusedForm('it has no field "operations"')],
    ['no map', upload({ operations: setCover }), refusedForm('it has no field "map"')],
    ['operations that are no JSON', upload({ operations: '{', map: {} }), refusedForm('not JSON')],
    [
      'a map to a file that is missing',
      upload({ operations: setCover, map: { 0: ['variables.file'] } }),
      refusedForm('it has no file "0"'),
    ],
    [
      'a map to a place that is none',
      upload({ operations: setCover, map: { 0: ['variables.__proto__.x'] } }, { 0: 'x' }),
      refusedForm('there is no null at "variables.__proto__.x"'),
    ],
  ],
)

contract(
  'rules by operation of an upload',
  mockWith({}, [
    files({ posts: { cover: true } }),
    faults({ rules: [{ on: 'MUTATION /graphql/Set', probability: 1, status: 503 }] }),
  ]),
  [
    [
      'match its name',
      upload(
        {
          operations: { ...setCover, query: setCover.query.replace('mutation', 'mutation Set') },
          map: { 0: ['variables.file'] },
        },
        { 0: 'x' },
      ),
      { status: 503 },
    ],
  ],
)

contract('a page for a browser', mockWith({ graphiql: ({ endpoint }) => `<p>${endpoint}</p>` }), [
  [
    'is what the option renders',
    { request: 'GET /graphql', headers: { accept: 'text/html,*/*;q=0.8' } },
    {
      status: 200,
      body: '<p>/graphql</p>',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    },
  ],
  [
    'is no answer to a query',
    { request: 'GET /graphql?query={Post(id:1){id}}', headers: { accept: 'text/html,*/*;q=0.8' } },
    data({ Post: { id: '1' } }),
  ],
])

it('refuses a wrong schema and a resolver of an unknown field', () => {
  expect(() => graphql({ schema: 'type Query { a: Nope }' })).toThrow(
    'Failed to read the schema of "graphql": Unknown type: "Nope".',
  )
  expect(() => graphql({ schema: shop, resolvers: { Post: { title2: () => '' } } })).toThrow(
    'There is no field "Post.title2"',
  )
})
