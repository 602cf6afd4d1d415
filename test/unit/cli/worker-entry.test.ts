import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../../src/cli/main.ts'
import { createFolder, type Files } from '../loader/folder.ts'
import { createFakeIo } from './fake-io.ts'

const posts = [{ id: 1, title: 'Hello' }]
const mjs = 'mock.config.mjs'

function behaviour(name: string): string {
  return `{ name: '${name}', create: () => ({}) }`
}

describe('the entry of a worker', () => {
  const entries: [title: string, files: Files, expected: string[]][] = [
    [
      'imports the fixtures alone without a configuration',
      { 'fixtures/posts.json': posts, 'fixtures/v1/blog-tags.json': [], 'fixtures/_x/a.json': [] },
      [
        "import { createWorker } from 'fixtura/worker'",
        "import postsData from './fixtures/posts.json'",
        "import blogTagsData from './fixtures/v1/blog-tags.json'",
        "    fixtures: { posts: postsData, 'v1/blog-tags': blogTagsData },",
        "// import { studio } from 'fixtura/studio'",
        '    // studio,',
      ],
    ],
    [
      'spreads a database',
      { 'db.json': { posts, profile: {} } },
      ["import dbData from './db.json'", '    fixtures: { ...dbData },'],
    ],
    [
      'has the options and behaviours of a configuration in JSON',
      {
        'mock.config.json': {
          fixtures: ['data', 'more/db.json'],
          base: '/api',
          id: { posts: "it's" },
          port: 4000,
          corsOrigin: ['https://a.example.com'],
          dialect: 'json-server-0',
          delay: '200-800',
          sessionTtl: '1h',
          use: {
            auth: { protect: ['DELETE *'] },
            delay: 5,
            idempotency: true,
            limit: false,
            sessions: { limit: 5 },
          },
        },
        'data/new.json': posts,
        'more/db.json': { tags: [] },
      },
      [
        "import { auth, delay, idempotency } from 'fixtura/behaviours'",
        "import { jsonServer0 } from 'fixtura/dialects'",
        "import newData from './data/new.json'",
        '    fixtures: { new: newData, ...dbData },',
        "    base: '/api',",
        "    id: { posts: 'it\\'s' },",
        "    corsOrigin: ['https://a.example.com'],",
        '    dialect: jsonServer0,',
        "    use: [delay('200-800'), auth({ protect: ['DELETE *'] }), idempotency()],",
        "    sessions: { limit: 5, ttl: '1h' },",
      ],
    ],
    [
      'has names and envelopes of rest, routes, a proxy, a schema and scenarios',
      {
        'mock.config.json': {
          dialect: { rest: { preset: 'django-rest-framework', key: 'snake_case' } },
          routes: 'routes.json',
          proxy: 'https://api.example.com',
          scenario: 'empty',
        },
        'routes.json': { '/old/*': '/$1' },
        'fixtures/posts.json': posts,
        'fixtures/posts.schema.json': {},
        'fixtures/gone.schema.json': {},
        'fixtures/_scenarios/empty/posts.json': [],
      },
      [
        "import { proxy, rewrite, scenarios, schema } from 'fixtura/behaviours'",
        "import { djangoRestFramework, rest } from 'fixtura/dialects'",
        "    dialect: rest({ key: 'snake_case', preset: djangoRestFramework }),",
        '      rewrite(rewriteRules),',
        '      schema({ posts: postsSchema }),',
        "      scenarios({ sets: { empty: { fixtures: { posts: emptyPostsData } } }, active: 'empty' }),",
        "      proxy({ to: 'https://api.example.com' }),",
      ],
    ],
    [
      'imports the configuration if it is a module',
      {
        [mjs]: `export default { base: '/api', use: [${behaviour('a')}], port: 4000 }`,
        'fixtures/posts.json': posts,
      },
      ["import config from './mock.config.mjs'", '    base: config.base,', '    use: config.use,'],
    ],
    [
      'imports the named exports of a configuration and of fixtures',
      {
        [mjs]: `export const base = '/api', fixtures = ['db.mjs', 'v2/db.mjs', 'more']; export const helper = () => 1`,
        'db.mjs': 'export const posts = []',
        'v2/db.mjs': 'export const v2Posts = []',
        'more/profile.mjs': "export const theme = 'dark'",
      },
      [
        "import * as config from './mock.config.mjs'",
        "import * as dbData from './db.mjs'",
        "import * as profileData from './more/profile.mjs'",
        '    fixtures: { ...dbData, ...dbData2, profile: { ...profileData } },',
        '    base: config.base,',
      ],
    ],
    [
      'awaits the promise that a module exports',
      { [mjs]: "export default Promise.resolve({ base: '/api' })", 'db.json': { posts } },
      [
        "import configPromise from './mock.config.mjs'",
        'const config = await configPromise',
        '    base: config.base,',
      ],
    ],
    [
      'leaves out keys that a server ignores',
      {
        'mock.config.json': { fixtures: ['db.json', 'more'], routes: 'routes.json' },
        'routes.json': { $schema: './routes.schema.json', '/old': '/posts' },
        'db.json': { $schema: './db.schema.json', _notes: [], '.x': 1, posts },
        'more/profile.json': { $schema: './profile.schema.json', theme: 'dark' },
      },
      [
        "      ...(({ _notes, '.x': _1, ...data }) => data)(dbData),",
        '      profile: (({ $schema, ...data }) => data)(profileData),',
        '    use: [rewrite((({ $schema, ...data }) => data)(rewriteRules))],',
      ],
    ],
    [
      'puts the proxy of a configuration in JSON last',
      {
        'mock.config.json': { use: { proxy: { to: 'https://a.example.com' }, events: true } },
        'db.json': { posts },
      },
      ["    use: [events(), proxy({ to: 'https://a.example.com' })],"],
    ],
    [
      'puts the proxies of a module last',
      {
        [mjs]: `export default { use: [${behaviour('proxy')}, ${behaviour('a')}] }`,
        'db.json': { posts },
      },
      [
        "      ...config.use.filter(({ name }) => !['proxy'].includes(name)),",
        "      ...config.use.filter(({ name }) => name === 'proxy'),",
      ],
    ],
    [
      'calls the function that a module exports, and replaces behaviours by options',
      {
        [mjs]: `export default async () => ({ delay: 5, use: [${behaviour('delay')}, ${behaviour('a')}] })`,
        'db.json': { posts },
      },
      [
        'const config = await createConfig()',
        '      delay(config.delay),',
        "      ...config.use.filter(({ name }) => !['delay'].includes(name)),",
      ],
    ],
  ]

  it.each(entries)('%s', async (_, files, expected) => {
    const cwd = createFolder(files)
    const io = createFakeIo({ cwd })
    expect([await main(['init', '--worker'], io), io.err()]).toEqual([0, ''])
    const lines = readFileSync(join(cwd, 'mock-worker.js'), 'utf8').split('\n')
    expect(lines).toEqual(expect.arrayContaining(expected))
    expect(lines.join()).not.toMatch(/4000|undefined/)
    expect(io.out()).not.toContain('Not in the worker')
  })

  it('lists what of the project a worker cannot have', async () => {
    const cwd = createFolder({
      [mjs]: `export default { static: 'public', routes: 'routes.json5', scenario: 'empty', middlewares: [() => {}], use: [${behaviour('scenarios')}, ${behaviour('sessions')}] }`,
      'public/index.html': '',
      'routes.json5': '{}',
      'fixtures/a.json5': '[]',
      'fixtures/b.mjs': 'export default () => []',
      'fixtures/c.mjs': 'export default []',
      'fixtures/c.schema.json': {},
      'fixtures/d.mjs': 'export default Promise.resolve([])',
      'fixtures/e.JSON': [],
      'fixtures/_recorded/GET.json': {},
      'fixtures/_scenarios/empty/c.json': [],
    })
    const io = createFakeIo({ cwd })
    expect(await main(['init', '--worker'], io)).toBe(0)
    const entry = readFileSync(join(cwd, 'mock-worker.js'), 'utf8')
    expect(entry).toContain('    fixtures: { c: cData },')
    const [, omitted = ''] = io.out().split('Not in the worker:\n')
    expect(entry).not.toContain('rewrite')
    expect(omitted.split('\n').slice(0, 11)).toEqual([
      expect.stringMatching(/^ {2}fixtures\/_recorded \(/),
      expect.stringMatching(/^ {2}the option "middlewares" \(/),
      expect.stringMatching(/^ {2}the option "static" \(.*"assets" in wrangler\.jsonc/),
      expect.stringMatching(/^ {2}fixtures\/a\.json5 \(/),
      expect.stringMatching(/^ {2}fixtures\/b\.mjs \(/),
      expect.stringMatching(/^ {2}fixtures\/d\.mjs \(/),
      expect.stringMatching(/^ {2}fixtures\/e\.JSON \(/),
      expect.stringMatching(/^ {2}routes\.json5 \(/),
      expect.stringMatching(/^ {2}the folder _scenarios \(/),
      expect.stringMatching(/^ {2}the option "scenario" \(/),
      expect.stringMatching(/^ {2}the options of sessions\(\) \(/),
    ])
  })

  it('is not written for a wrong configuration', async () => {
    const cwd = createFolder({ 'mock.config.json': { bse: '/api' } })
    const io = createFakeIo({ cwd })
    expect(await main(['init', '--worker'], io)).toBe(1)
    expect(io.err()).toBe(
      'mock.config.json: Failed to read the configuration: there is no "bse". Did you mean "base"?\n',
    )
    expect(existsSync(join(cwd, 'fixtures'))).toBe(false)
  })

  it('is not written for wrong fixtures', async () => {
    const cwd = createFolder({ 'fixtures/posts.json': '[{' })
    const io = createFakeIo({ cwd })
    expect(await main(['init', '--worker'], io)).toBe(1)
    expect(io.err()).toContain('posts.json:1:')
    expect(readdirSync(cwd)).toEqual(['fixtures'])
  })

  it.each([
    [
      'wrangler.toml',
      'main = "src/index.ts"',
      'wrangler.mock.jsonc',
      ' --config wrangler.mock.jsonc',
    ],
    ['wrangler.toml', 'main = "mock-worker.js"', 'wrangler.toml', ''],
  ])('has a configuration of its own beside a %s with %s', async (name, text, config, option) => {
    const cwd = createFolder({ [name]: text, 'fixtures/posts.json': posts })
    const io = createFakeIo({ cwd })
    expect(await main(['init', '--worker'], io)).toBe(0)
    expect(io.out()).toContain(` ${config}\n`)
    expect(io.out()).toContain(`Next: npx wrangler dev${option}\n`)
    expect(readFileSync(join(cwd, '.github/workflows/mock.yml'), 'utf8')).toContain(
      `npx wrangler@4 deploy${option}\n`,
    )
    expect(readFileSync(join(cwd, name), 'utf8')).toBe(text)
    expect(readdirSync(cwd)).not.toContain('wrangler.jsonc')
  })

  it.each([
    ['package-lock.json', 'npm ci', ', cache: npm'],
    ['pnpm-lock.yaml', 'corepack enable && pnpm install', ''],
    ['no.lock', 'npm install', ''],
  ])('has a workflow for a project with %s', async (name, install, setup) => {
    const cwd = createFolder({ [name]: '', 'fixtures/posts.json': posts })
    expect(await main(['init', '--worker'], createFakeIo({ cwd }))).toBe(0)
    const workflow = readFileSync(join(cwd, '.github/workflows/mock.yml'), 'utf8')
    expect(workflow.split(`- run: ${install}\n`)).toHaveLength(2)
    expect(workflow.split(`          ${install}\n`)).toHaveLength(2)
    expect(workflow.split(`with: { node-version: 22${setup} }\n`)).toHaveLength(3)
  })

  it('stays as it is if it exists', async () => {
    const cwd = createFolder({ 'mock-worker.js': 'mine', 'fixtures/posts.json': posts })
    const io = createFakeIo({ cwd })
    expect(await main(['init', '--worker'], io)).toBe(0)
    expect(io.out()).toContain('kept   mock-worker.js\nwrote  wrangler.jsonc\n')
    expect(readFileSync(join(cwd, 'mock-worker.js'), 'utf8')).toBe('mine')
  })
})
