import { describe, expect, it } from 'vitest'

import * as behaviours from '../../../../src/behaviours.ts'
import * as dialects from '../../../../src/dialects.ts'
import { type ProjectFile, toWorkerArguments } from '../../../../src/faces/worker/project-worker.ts'
import type { WorkerOptions } from '../../../../src/faces/worker/options.ts'

const posts: ProjectFile = { name: 'posts', data: { default: [{ id: 1 }] } }

describe('toWorkerArguments', () => {
  const rows: [title: string, files: ProjectFile[], expected: object][] = [
    [
      'takes resources by name, with the default export or all named exports',
      [posts, { name: 'profile', data: { theme: 'dark' } }],
      { posts: [{ id: 1 }], profile: { theme: 'dark' } },
    ],
    [
      'takes the resources of databases by the names of their folders',
      [
        { kind: 'database', name: '', data: { default: { posts: [], tags: [] } } },
        { kind: 'database', name: 'v2/', data: { posts: [] } },
      ],
      { posts: [], tags: [], 'v2/posts': [] },
    ],
    [
      'leaves out keys that a server ignores',
      [
        {
          kind: 'database',
          name: '',
          data: { default: { $schema: './s.json', _notes: [], '.x': 1, posts: [] } },
        },
        { name: 'profile', data: { default: { $schema: './s.json', theme: 'dark' } } },
      ],
      { posts: [], profile: { theme: 'dark' } },
    ],
    [
      'takes the exports of CommonJS that was compiled from an ES module',
      [{ name: 'posts', data: { default: { __esModule: true, default: [] } } }],
      { posts: [] },
    ],
    [
      'leaves out schemas and scenarios',
      [posts, { ...posts, scenario: 'x' }],
      { posts: [{ id: 1 }] },
    ],
  ]

  it.each(rows)('%s', async (_, files, expected) => {
    const [{ fixtures }] = await convert({}, files)
    expect(fixtures).toEqual(expected)
  })

  it.each([
    ['a function', () => ({ base: '/api' })],
    ['a promise', Promise.resolve({ base: '/api' })],
    ['an object', { base: '/api', port: 4000, $schema: './s.json' }],
  ])('takes the configuration of %s', async (_, config) => {
    const [{ fixtures: _fixtures, dialect: _dialect, ...rest }] = await convert(config)
    expect(rest).toEqual({ base: '/api', use: [] })
  })

  it('takes the named exports of a configuration', async () => {
    const imports = { config: { base: '/api' }, files: [], behaviours, dialects }
    expect(await toWorkerArguments(imports, {})).toMatchObject([{ base: '/api' }, {}])
  })

  it('takes options of the mock and of sessions', async () => {
    const config = {
      id: { posts: 'key' },
      corsOrigin: ['https://a.example.com'],
      sessionTtl: '1h',
      use: { sessions: { limit: 5, ttl: '2h' } },
    }
    const [mock, worker] = await convert(config, [], { sessions: { header: 'X-Session' } })
    expect(mock).toMatchObject({ id: { posts: 'key' }, corsOrigin: ['https://a.example.com'] })
    expect(mock.use).toEqual([])
    expect(worker).toEqual({ sessions: { limit: 5, ttl: '1h', header: 'X-Session' } })
  })

  it('takes the dialect by its name, as options of rest, and as an object', async () => {
    const dialectOf = async (dialect: unknown): Promise<unknown> =>
      (await convert({ dialect }))[0].dialect
    expect(await dialectOf(undefined)).toBe(dialects.rest)
    expect(await dialectOf('json-server-0')).toBe(dialects.jsonServer0)
    expect(await dialectOf(dialects.simpleRest)).toBe(dialects.simpleRest)
    const rest = await dialectOf({ rest: { preset: 'django-rest-framework', key: 'snake_case' } })
    expect(rest).toHaveProperty('parseList')
    expect(rest).not.toBe(dialects.rest)
    await expect(dialectOf('laravell')).rejects.toThrow(
      'Failed to find "laravell" among the imports from "fixtura/dialects". Did you mean "laravel"?',
    )
  })

  const orders: [title: string, config: object, files: ProjectFile[], names: string[]][] = [
    [
      'behaviours in JSON, but for those that are false',
      { use: { auth: { protect: ['DELETE *'] }, idempotency: true, limit: false } },
      [],
      ['auth', 'idempotency'],
    ],
    [
      'options that replace behaviours',
      {
        delay: 5,
        proxy: 'https://a.example.com',
        use: { delay: 9, events: true, proxy: { to: 'https://b.example.com' } },
      },
      [],
      ['delay', 'events', 'proxy'],
    ],
    [
      'behaviours of a module, with proxies last',
      {
        use: [
          behaviours.proxy({ to: 'https://a.example.com' }),
          behaviours.sessions(),
          behaviours.idempotency(),
        ],
      },
      [],
      ['idempotency', 'proxy'],
    ],
    [
      'routes, schemas and scenarios, in the order of a server',
      {
        use: { events: true, proxy: { to: 'https://a.example.com' } },
        routes: 'routes.json',
        scenario: 'empty',
      },
      [
        posts,
        { kind: 'routes', name: '', data: { default: { $schema: './s.json', '/old': '/posts' } } },
        { kind: 'schema', name: 'posts', data: { default: {} } },
        { ...posts, scenario: 'empty' },
      ],
      ['rewrite', 'events', 'schema', 'scenarios', 'proxy'],
    ],
    [
      'no schema of a resource without fixtures',
      {},
      [posts, { kind: 'schema', name: 'gone', data: { default: {} } }],
      [],
    ],
    [
      'scenarios of files in the behaviour of the configuration',
      { use: [behaviours.scenarios({ sets: { own: {} } })], scenario: 'empty' },
      [posts, { ...posts, scenario: 'empty' }],
      ['scenarios'],
    ],
  ]

  it.each(orders)('uses %s', async (_, config, files, names) => {
    const [{ use = [] }] = await convert(config, files)
    expect(use.map(({ name }) => name)).toEqual(names)
  })

  it('names a behaviour that is not imported', async () => {
    await expect(convert({ use: { auht: true } })).rejects.toThrow(
      'Failed to find "auht" among the imports from "fixtura/behaviours". Did you mean "auth"?',
    )
  })
})

function convert(
  config: unknown,
  files: readonly ProjectFile[] = [],
  options: WorkerOptions = {},
): ReturnType<typeof toWorkerArguments> {
  return toWorkerArguments({ config: { default: config }, files, behaviours, dialects }, options)
}
