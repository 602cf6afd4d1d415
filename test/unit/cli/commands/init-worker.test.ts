import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'

const posts = [{ id: 1, title: 'Hello' }]
const mjs = 'mock.config.mjs'

describe('the entry of a worker', () => {
  const entries: [title: string, files: Files, expected: string[]][] = [
    [
      'imports the fixtures, and the configuration that was written with it',
      { 'fixtures/posts.json': posts, 'fixtures/v1/blog-tags.json': [], 'fixtures/_x/a.json': [] },
      [
        "import * as behaviours from 'fixtura/behaviours'",
        "import * as dialects from 'fixtura/dialects'",
        "import { createProjectWorker } from 'fixtura/worker'",
        "// import { studio } from 'fixtura/studio'",
        "import * as config from './mock.config.mjs'",
        "import * as file1 from './fixtures/posts.json'",
        "import * as file2 from './fixtures/v1/blog-tags.json'",
        "      { name: 'posts', data: file1 },",
        "      { name: 'v1/blog-tags', data: file2 },",
        '    // studio,',
      ],
    ],
    [
      'imports databases of folders and files',
      {
        'mock.config.json': { fixtures: ['data', 'db.json', 'db.mjs'], base: '/api' },
        'data/new.json': posts,
        'db.json': { tags: [] },
        'db.mjs': 'export const users = []',
      },
      [
        "import * as config from './mock.config.json'",
        "      { name: 'new', data: file1 },",
        "      { kind: 'database', name: '', data: file2 },",
        "import * as file3 from './db.mjs'",
        "      { kind: 'database', name: '', data: file3 },",
      ],
    ],
    [
      'imports routes, schemas and scenarios',
      {
        'mock.config.json': { routes: "it's.json", scenario: 'empty' },
        "it's.json": { '/old/*': '/$1' },
        'fixtures/posts.json': posts,
        'fixtures/posts.schema.json': {},
        'fixtures/_scenarios/empty/posts.json': [],
      },
      [
        "import * as file4 from './it\\'s.json'",
        "      { name: 'posts', data: file2 },",
        "      { kind: 'schema', name: 'posts', data: file3 },",
        "      { name: 'posts', scenario: 'empty', data: file1 },",
        "      { kind: 'routes', name: '', data: file4 },",
      ],
    ],
    [
      'copies a configuration in JSON5, which a bundler cannot import',
      { 'mock.config.json5': "{ base: '/api', use: { delay: 5 } }", 'db.json': { posts } },
      ['const config = {', '  "base": "/api",', '  "use": {', '    "delay": 5'],
    ],
  ]

  it.each(entries)('%s', async (_, files, expected) => {
    const cwd = createFolder(files)
    const io = createFakeIo({ cwd })
    expect([await main(['init', '--worker'], io), io.err()]).toEqual([0, ''])
    const lines = readFileSync(join(cwd, 'mock-worker.js'), 'utf8').split('\n')
    expect(lines).toEqual(expect.arrayContaining(expected))
    expect(lines.join()).not.toContain('undefined')
    expect(io.out()).not.toContain('Not in the worker')
  })

  it('lists what of the project a worker cannot have', async () => {
    const cwd = createFolder({
      [mjs]: `export default { static: 'public', routes: 'routes.json5', middlewares: [() => {}], use: [{ name: 'sessions', create: () => ({}) }] }`,
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
    expect(entry.match(/\{ .*name: .*/g)).toEqual([
      expect.stringMatching(/^\{ name: 'c', scenario: 'empty', /),
      expect.stringMatching(/^\{ name: 'c', /),
      expect.stringMatching(/^\{ kind: 'schema', name: 'c', /),
    ])
    const [, omitted = ''] = io.out().split('Not in the worker:\n')
    expect(entry).not.toContain('routes')
    expect(omitted.split('\n').slice(0, 9)).toEqual([
      expect.stringMatching(/^ {2}fixtures\/_recorded \(/),
      expect.stringMatching(/^ {2}the option "middlewares" \(/),
      expect.stringMatching(/^ {2}the option "static" \(.*"assets" in wrangler\.jsonc/),
      expect.stringMatching(/^ {2}fixtures\/a\.json5 \(/),
      expect.stringMatching(/^ {2}fixtures\/b\.mjs \(/),
      expect.stringMatching(/^ {2}fixtures\/d\.mjs \(/),
      expect.stringMatching(/^ {2}fixtures\/e\.JSON \(/),
      expect.stringMatching(/^ {2}routes\.json5 \(/),
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

  it('has the name of the package', async () => {
    const cwd = createFolder({ 'package.json': { name: '@acme/My App' }, 'db.json': { posts } })
    const io = createFakeIo({ cwd })
    expect(await main(['init', '--worker'], io)).toBe(0)
    expect(readFileSync(join(cwd, 'wrangler.jsonc'), 'utf8')).toContain(
      '"name": "acme-my-app-mock"',
    )
    expect(io.out()).toContain('Next: npx wrangler dev\n')
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
