import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, onTestFinished } from 'vitest'

import { main } from '../../src/cli/main.ts'
import { createFakeIo, type FakeIo } from '../unit/cli/fake-io.ts'
import { createFolder, type Files } from '../unit/loader/folder.ts'
import { program, startProgram } from './program.ts'

const posts = [
  { id: 1, title: 'One', views: 5 },
  { id: 2, title: 'Two', views: 3 },
]
const files: Files = {
  'fixtures/posts.json': posts,
  'fixtures/comments.json': [{ id: 1, postId: 2 }],
  'fixtures/v1/tags.json': [{ id: 'a' }],
  'fixtures/profile.json': { theme: 'light' },
  'fixtures/version.json': '"1.0"',
  'fixtures/_scenarios/empty/posts.json': [],
}

/** Starts `mock mcp` with these arguments and connects the official client to it over stdio. */
async function connectStdio(args: readonly string[], cwd: string, env = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const { PORT: _port, ...inherited } = process.env as Record<string, string>
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    cwd,
    env: { ...inherited, ...env },
    stderr: 'pipe',
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

/** A command that runs in this process. */
interface Running {
  url: string
  stop(): Promise<void>
}

/** Runs a command in this process until the test has finished; the pattern finds a URL in what it prints. */
async function runHere(args: readonly string[], cwd: string, pattern: RegExp): Promise<Running> {
  const io: FakeIo = createFakeIo({ cwd })
  const ended = main(args, io)
  const stop = async (): Promise<void> => {
    io.send('SIGTERM')
    await ended
  }
  onTestFinished(stop)
  await Promise.race([io.printed(pattern), ended])
  const [, url] = pattern.exec(io.out() + io.err()) ?? []
  if (url === undefined) throw new Error(io.out() + io.err())
  return { url, stop }
}

/** Starts `mock server` with these arguments. */
function startServer(args: readonly string[], cwd: string): Promise<Running> {
  return runHere(['server', ...args], cwd, /Fixtura \S+ {2}(http\S+) .*\n[^]*\n\n/)
}

/** Starts `mock mcp --http` with these arguments; returns the URL of its endpoint. */
async function startHttp(args: readonly string[], cwd: string): Promise<string> {
  return (await runHere(['mcp', ...args, '--http', '0'], cwd, /Serving MCP at (\S+)\n/)).url
}

/** Connects the official client over HTTP; in the newest revision of the protocol, unlike over stdio. */
async function connectHttp(args: readonly string[], cwd: string): Promise<Client> {
  const options = { versionNegotiation: { mode: 'auto' } } as const
  const client = new Client({ name: 'test', version: '1' }, options)
  const url = new URL(await startHttp(args, cwd))
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

/** Calls a tool; returns its parsed result, or the text of its error. */
async function call(client: Client, name: string, args: object = {}): Promise<unknown> {
  const result = await client.callTool({ name, arguments: { ...args } })
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  return result.isError === true ? text : (JSON.parse(text) as unknown)
}

// Each instance compiles the metaschema anew, which takes longer than all schemas of the tools.
const strict = new Ajv2020({ strict: true, allowUnionTypes: true })

type Step = [tool: string, args: object, expected: unknown]

const steps: Step[] = [
  [
    'list_resources',
    {},
    {
      dialect: 'rest',
      resources: [
        { name: 'comments', fields: ['id', 'postId'] },
        { name: 'posts', path: '/api/posts', kind: 'collection', count: 2, idField: 'id' },
        { name: 'profile', kind: 'singleton', fields: ['theme'] },
        { name: 'v1/tags', kind: 'collection' },
        { name: 'version', kind: 'document' },
      ],
    },
  ],
  [
    'list_resources',
    { resource: 'comments' },
    {
      schema: { properties: { id: { type: 'integer' } }, required: ['id', 'postId'] },
      relations: [{ field: 'postId', to: 'posts' }],
      example: { id: 1, postId: 2 },
    },
  ],
  ['list_resources', { resource: 'psts' }, expect.stringContaining('Did you mean "posts"?')],
  [
    'find_records',
    { resource: 'posts', where: { views: { gt: 1 } }, sort: 'views', fields: ['id'], limit: 1 },
    {
      total: 2,
      offset: 0,
      records: [{ id: 2 }],
      hint: 'Records 0 to 0 of 2. Continue with "offset": 1.',
    },
  ],
  ['find_records', { resource: 'posts', offset: 1 }, { total: 2, records: [posts[1]] }],
  ['find_records', { resource: 'profile' }, expect.stringContaining('it is a singleton.')],
  [
    'find_records',
    { resource: 'posts', where: { views: { above: 1 } } },
    expect.stringContaining('"above"'),
  ],
  ['find_records', { resource: 'then' }, expect.stringContaining('there is no such resource')],
  ['find_records', { resource: 5 }, expect.stringContaining('resource must be string')],
  ['get_record', { resource: 'posts', id: '1' }, { record: posts[0] }],
  ['get_record', { resource: 'v1/tags', id: 'a' }, { record: { id: 'a' } }],
  ['get_record', { resource: 'profile' }, { value: { theme: 'light' } }],
  ['get_record', { resource: 'version' }, { value: '1.0' }],
  ['get_record', { resource: 'posts' }, expect.stringContaining('Please give an "id"')],
  ['get_record', { resource: 'posts', id: 9 }, expect.stringContaining('Failed to find "9"')],
  ['take_snapshot', { name: 'a' }, { snapshots: ['a'] }],
  ['list_snapshots', {}, { snapshots: ['a'] }],
  [
    'insert_records',
    { resource: 'posts', records: [{ title: 'New' }, { id: 7 }] },
    { inserted: [{ id: 3, title: 'New' }, { id: 7 }] },
  ],
  [
    'insert_records',
    { resource: 'posts', records: [{ id: 8 }, { id: 7 }] },
    expect.stringMatching(/"7".* \(1 of 2 are inserted before\.\)/s),
  ],
  [
    'update_record',
    { resource: 'posts', id: 1, fields: { views: 6 } },
    { record: { ...posts[0], views: 6 } },
  ],
  [
    'update_record',
    { resource: 'profile', fields: { size: 1 }, replace: true },
    { record: { size: 1 } },
  ],
  ['update_record', { resource: 'posts', fields: {} }, expect.stringContaining('needs an "id"')],
  ['remove_records', { resource: 'posts', ids: [8, '7'] }, { removed: [{ id: 8 }, { id: 7 }] }],
  ['remove_records', { resource: 'posts' }, expect.stringContaining('either "ids" or "all"')],
  ['remove_records', { resource: 'posts', all: true }, { removed: 3 }],
  ['restore_snapshot', { name: 'a' }, { resources: { posts: 2 } }],
  ['log_in', { user: 1 }, expect.stringContaining('Please add oidc()')],
  ['restore_snapshot', { name: 'b' }, expect.stringContaining('"b"')],
  ['list_scenarios', {}, { active: null, scenarios: ['empty'] }],
  ['activate_scenario', { name: 'empty' }, { active: 'empty' }],
  ['activate_scenario', { name: 'emtpy' }, expect.stringContaining('Did you mean "empty"?')],
  ['activate_scenario', { name: null }, { active: null }],
  ['add_rule', { on: 'GET /posts', fail: 503, times: 1 }, { number: 1 }],
  ['add_rule', { on: 'GET /posts/:id', delay: '1-2' }, { number: 2 }],
  [
    'add_rule',
    { on: '* /flags', reply: 202, body: { a: 1 }, headers: { 'X-A': '1' }, delay: 1 },
    { rules: [{ number: 3, on: '* /flags', status: 202, isDelayed: true }, {}, {}] },
  ],
  ['add_rule', { on: 'GET /posts' }, expect.stringContaining('it does nothing')],
  [
    'add_rule',
    { on: 'GET /x', fail: 500, drop: true },
    expect.stringContaining('several responses'),
  ],
  [
    'add_rule',
    { on: 'PUT /x', drop: { after: '50%' } },
    { rules: [{ number: 4, on: 'PUT /x', status: 0, after: '50%' }, {}, {}, {}] },
  ],
  ['add_rule', { on: 'PUT /x', drop: { after: 'x' } }, expect.stringContaining('cannot be "x"')],
  ['remove_rules', { number: 4 }, { rules: [{ number: 3 }, {}, {}] }],
  ['add_rule', { on: 'GTE /x', fail: 500 }, expect.stringContaining('GTE')],
  ['list_rules', {}, { rules: [{ number: 3 }, { number: 2 }, { number: 1, left: 1 }] }],
  ['remove_rules', { number: 2 }, { rules: [{ number: 3 }, { number: 1 }] }],
  ['remove_rules', { number: 2 }, expect.stringContaining('Please call list_rules.')],
  ['find_requests', {}, { total: 0, hint: expect.stringContaining('no request has reached') }],
  ['GET', { path: '/api/posts' }, 503],
  ['GET', { path: '/api/post' }, 404],
  ['GET', { path: '/api/posts?views=5' }, 200],
  ['GET', { path: '/api/flags' }, 202],
  [
    'find_requests',
    { unusual: true },
    {
      total: 3,
      requests: [
        { url: '/api/flags', status: 202, reason: expect.stringContaining('rule') },
        { status: 404, nearest: [{ differences: ['path is /post, not /posts'] }] },
        { method: 'GET', url: '/api/posts', status: 503 },
      ],
    },
  ],
  [
    'find_requests',
    { path: '/posts', query: { views: 5 }, details: true },
    {
      total: 1,
      requests: [{ curl: expect.stringMatching(/^curl 'http:\S+\/api\/posts\?views=5'/) }],
    },
  ],
  [
    'find_requests',
    { method: 'PUT', path: '/posts' },
    { total: 0, nearMisses: [{ differences: ['method is GET, not PUT'] }, {}] },
  ],
  ['find_requests', { limit: 1 }, { total: 4, hint: expect.stringContaining('newest 1 of 4') }],
  [
    'explain_request',
    { method: 'GET', url: '/api/post' },
    {
      nearest: [{ differences: ['path is /post, not /posts'] }],
      rules: ['3: * /flags'],
      routes: expect.arrayContaining([expect.stringContaining('/api/posts/:id')]),
    },
  ],
  ['clear_log', {}, { requests: 0 }],
  ['remove_rules', {}, { rules: [] }],
  ['move_clock', { to: '2030-01-01' }, { time: expect.stringMatching(/^2030-01-01T00:00/) }],
  ['move_clock', { advance: '1d' }, { time: expect.stringMatching(/^2030-01-02T00:00/) }],
  ['move_clock', {}, expect.stringContaining('either "advance" or "to"')],
  ['get_clock', {}, { time: expect.stringMatching(/^2030-01-02T00:00/) }],
  ['reset', {}, { resources: { posts: 2 } }],
]

describe.each([
  ['stdio', connectStdio],
  ['HTTP', connectHttp],
])('mock mcp over %s', (_title, connect) => {
  it('lists every tool, and does what each says', async () => {
    const cwd = createFolder({ ...files, 'mock.config.json': { base: '/api' } })
    const server = await startServer(['--port', '0'], cwd)
    const client = await connect([server.url], cwd)

    const { tools } = await client.listTools()
    for (const { inputSchema, description, title, annotations } of tools) {
      expect(strict.compile(inputSchema)).toBeTruthy()
      expect(description).toMatch(/\.$/)
      expect([typeof title, typeof annotations?.readOnlyHint]).toEqual(['string', 'boolean'])
    }
    const called = new Set(steps.map(([tool]) => tool).filter((tool) => tool !== 'GET'))
    expect([...called].toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
    const changing = tools.filter(({ annotations }) => annotations?.destructiveHint)
    expect(changing.map(({ name }) => name)).toEqual([
      'update_record',
      'remove_records',
      'remove_rules',
      'activate_scenario',
      'restore_snapshot',
      'reset',
      'move_clock',
      'clear_log',
    ])

    for (const [tool, args, expected] of steps) {
      if (tool === 'GET') {
        const { status } = await fetch(new URL((args as { path: string }).path, server.url))
        expect([args, status]).toEqual([args, expected])
        continue
      }
      const result = await call(client, tool, args)
      expect({ tool, args, result }).toMatchObject({ tool, args, result: expected })
    }
  })

  it('has the schema of each resource as a resource', async () => {
    const title = { type: 'string', maxLength: 80 }
    const cwd = createFolder({ ...files, 'fixtures/posts.schema.json': { properties: { title } } })
    const server = await startServer(['--port', '0'], cwd)
    const client = await connect([server.url], cwd)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      'fixtura://schemas/comments',
      'fixtura://schemas/posts',
      'fixtura://schemas/profile',
      'fixtura://schemas/v1%2Ftags',
      'fixtura://schemas/version',
    ])
    for (const { uri } of resources) {
      const [content] = (await client.readResource({ uri })).contents
      const text = content && 'text' in content ? content.text : ''
      expect(strict.removeSchema().compile(JSON.parse(text))).toBeTruthy()
    }
    const uri = 'fixtura://schemas/posts'
    const declared = JSON.stringify((await client.readResource({ uri })).contents)
    expect(declared).toContain('maxLength')
    expect(await call(client, 'list_resources', { resource: 'posts' })).toMatchObject({
      schema: { properties: { title } },
    })
    await expect(client.readResource({ uri: 'fixtura://schemas/none' })).rejects.toThrow('none')
  })

  it('describes the files of records, in its session', async () => {
    const data = 'data:text/plain;name=cv.txt;base64,QWRhIQ=='
    const users = [{ id: 1, avatar: './ada.png', cv: data, papers: [data, 'https://x.org/a.pdf'] }]
    const users2 = [...users, { id: 2, avatar: './none.png', cv: null }]
    const config = {
      base: '/api',
      use: {
        files: { users: { avatar: true, cv: true, papers: { list: true } }, profile: { cv: true } },
      },
    }
    const cwd = createFolder({
      'fixtures/users.json': users2,
      'fixtures/profile.json': { cv: data },
      'fixtures/ada.png': 'png',
      'mock.config.json': config,
    })
    const server = await startServer(['--port', '0', '--session-ttl', '5m'], cwd)
    const client = await connect([server.url, '--session', 'agent'], cwd)
    const cv = { name: 'cv.txt', type: 'text/plain; charset=utf-8', size: 4 }
    const ada = {
      id: 1,
      avatar: { url: `${server.url}/users/1/avatar`, name: 'ada.png', type: 'image/png', size: 3 },
      cv: { url: `${server.url}/users/1/cv`, ...cv },
      papers: [{ url: `${server.url}/users/1/papers/0`, ...cv }, 'https://x.org/a.pdf'],
    }
    const none = { id: 2, avatar: { url: `${server.url}/users/2/avatar` }, cv: null }
    const get = (id: number) => call(client, 'get_record', { resource: 'users', id })
    expect([await get(1), await get(2)]).toEqual([{ record: ada }, { record: none }])
    expect(await call(client, 'find_records', { resource: 'users' })).toMatchObject({
      records: [ada, none],
    })
    expect(await call(client, 'list_resources', { resource: 'users' })).toMatchObject({
      example: ada,
    })
    expect(await call(client, 'get_record', { resource: 'profile' })).toEqual({
      value: { cv: { url: `${server.url}/profile/cv`, ...cv } },
    })

    const put = await fetch(`${server.url}/users/2/cv`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/plain', 'X-Mock-Session': 'agent' },
      body: 'Hello!',
    })
    expect(put.status).toBe(201)
    expect(await get(2)).toMatchObject({
      record: { cv: { url: `${server.url}/users/2/cv`, size: 6 } },
    })
  })

  it('controls a session alone, and logs a user in there', async () => {
    const users = [{ id: 1, email: 'ada@x.org' }]
    const config = { use: { oidc: true } }
    const own = { 'fixtures/users.json': users, 'mock.config.json': config }
    const cwd = createFolder({ ...files, ...own })
    const server = await startServer(['--port', '0', '--session-ttl', '5m'], cwd)
    const client = await connect([server.url, '--session', 'agent'], cwd)
    await call(client, 'remove_records', { resource: 'posts', all: true })
    const count = async (headers: Record<string, string>): Promise<unknown> =>
      (await fetch(`${server.url}/posts`, { headers })).headers.get('X-Total-Count')
    expect([await count({}), await count({ 'X-Mock-Session': 'agent' })]).toEqual(['2', '0'])
    const login = await call(client, 'log_in', { user: 'ada@x.org', client: 'shop' })
    const { access_token } = login as { access_token: string }
    const ask = async (headers: Record<string, string>): Promise<number> => {
      const authorization = `Bearer ${access_token}`
      const init = { headers: { ...headers, authorization } }
      return (await fetch(`${server.url}/oidc/userinfo`, init)).status
    }
    expect([await ask({}), await ask({ 'X-Mock-Session': 'agent' })]).toEqual([401, 200])
  })
})

describe('mock mcp', () => {
  it('serves the fixtures of paths, watches them, and ends with its client', async () => {
    const cwd = createFolder({
      ...files,
      'mock.config.mjs': 'console.log("a line"); export default { port: 0 }',
    })
    const client = await connectStdio(['fixtures'], cwd)
    const { url } = (await call(client, 'list_resources')) as { url: string }
    expect(await (await fetch(`${url}/posts`)).json()).toEqual(posts)
    await client.close()
    await expect(fetch(`${url}/posts`)).rejects.toThrow('fetch failed')
  })

  it('controls the mock on the configured port, else one of the fixtures, whichever is there', async () => {
    const cwd = createFolder(files)
    const server = await startServer(['--port', '0'], cwd)
    const { port } = new URL(server.url)
    const client = await connectStdio([], cwd, { PORT: port })
    const urlOf = async (): Promise<unknown> =>
      ((await call(client, 'list_resources')) as { url: string }).url
    expect(await urlOf()).toBe(`http://localhost:${port}`)
    await server.stop()
    expect(await urlOf()).toBe(`http://localhost:${port}`)
    expect(await call(client, 'get_record', { resource: 'profile' })).toEqual({
      value: { theme: 'light' },
    })
  })

  it('reports problems of the fixtures to the agent, until they are corrected', async () => {
    const cwd = createFolder({ 'db.json': '{"posts":[{"id":1},]}' })
    const client = await connectStdio(['db.json'], cwd, { PORT: '0' })
    expect(await call(client, 'list_resources')).toMatch(/db\.json:1:20/)
    writeFileSync(join(cwd, 'db.json'), '{"posts":[]}')
    expect(await call(client, 'find_records', { resource: 'posts' })).toMatchObject({ total: 0 })
  })

  it('takes the token from the environment', async () => {
    const cwd = createFolder({ ...files, 'mock.config.json': { token: 'secret', port: 0 } })
    const server = await startServer([], cwd)
    const denied = await connectStdio([server.url], cwd)
    expect(await call(denied, 'get_clock')).toContain('MOCK_TOKEN')
    const client = await connectStdio([server.url], cwd, { MOCK_TOKEN: 'secret' })
    expect(await call(client, 'get_clock')).toHaveProperty('now')
  })

  it('says what to do about a certificate that is not trusted', async () => {
    const cwd = createFolder({ ...files, 'mock.config.json': { https: true } })
    const server = await startServer(['--port', '0'], cwd)
    const env = { PORT: new URL(server.url).port }
    const refused = await connectStdio([], cwd, env)
    expect(await call(refused, 'get_clock')).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0')
    const client = await connectStdio([], cwd, { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' })
    expect(await call(client, 'list_resources')).toHaveProperty('url', server.url)
  })

  it('says that the mock of a URL is not running', async () => {
    const client = await connectStdio(['http://localhost:9'], createFolder({}))
    expect(await call(client, 'list_rules')).toContain(
      'Please start it, for example with "npx mock server"',
    )
  })

  it('keeps large results short', async () => {
    const text = 'x'.repeat(10_000)
    const records = Array.from({ length: 20 }, (_, id) => ({ id, text }))
    const cwd = createFolder({ 'db.json': { records, one: { text: text.repeat(10) } } })
    const client = await connectStdio(['db.json'], cwd, { PORT: '0' })
    expect(await call(client, 'find_records', { resource: 'records' })).toMatchObject({
      total: 20,
      records: [{ id: 0 }, { id: 1 }],
      hint: 'Records 0 to 1 of 20. Continue with "offset": 2 or choose fewer "fields".',
    })
    const { content } = await client.callTool({
      name: 'get_record',
      arguments: { resource: 'one' },
    })
    expect(JSON.stringify(content)).toContain('cut: the result has 100021 characters')
  })

  const wrong: [line: string, message: string][] = [
    ['http://localhost:3000 fixtures', 'Please give the URL alone.'],
    ['localhost:3000', 'Please write it as http://localhost:3000.'],
    ['--session ü', '1 to 128 printable ASCII characters'],
    ['--http x', 'Failed to read --http: "x" is not a port.'],
    ['--port 1', '"mock mcp" has no such option.'],
  ]
  it.each(wrong)('refuses %s', async (line, message) => {
    const io = createFakeIo({ cwd: createFolder({}) })
    expect(await main(['mcp', ...line.split(' ')], io)).toBe(1)
    expect(io.err()).toContain(message)
  })

  it('refuses unknown hosts, pages of other origins, and other paths', async () => {
    const url = await startHttp(['http://localhost:9'], createFolder({}))
    const send = (headers: Record<string, string>, path = '/mcp', host = 'localhost') =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const all = { 'Content-Type': 'application/json', Host: host, ...headers }
        const sent = request(new URL(path, url), { method: 'POST', headers: all }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => (text += part))
          response.on('end', () => resolve([response.statusCode, text]))
        })
        sent.on('error', reject).end('{}')
      })
    expect(await send({}, '/mcp', 'evil.example')).toEqual([403, expect.stringContaining('host')])
    expect(await send({ Origin: 'http://evil.example' })).toEqual([
      403,
      expect.stringContaining('a page of another origin'),
    ])
    expect(await send({ 'Sec-Fetch-Site': 'cross-site' })).toEqual([403, expect.any(String)])
    expect(await send({}, '/')).toEqual([404, expect.stringContaining('/mcp')])
    expect(await send({})).toEqual([400, expect.stringContaining('jsonrpc')])
    expect(await send({ 'Content-Type': 'text/plain' })).toEqual([415, expect.any(String)])
  })

  it('gives the command that installs the SDK', async () => {
    const { ended, err } = startProgram(['mcp'], createFolder({}), {
      env: { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'without-mcp.js')}` },
    })
    expect((await ended).code).toBe(1)
    expect(err()).toBe(
      'Failed to start the MCP server: the package "@modelcontextprotocol/server" is not installed. Please run `npm install --save-dev @modelcontextprotocol/server`.\n',
    )
  })
})
