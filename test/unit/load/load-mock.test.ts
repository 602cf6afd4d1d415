import { join, sep } from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { type FileConfig, loadMock } from '../../../src/node.ts'
import { createFolder, type Files } from '../loader/folder.ts'

const posts = [{ id: 1, title: 'Hello' }]

describe('loadMock', () => {
  const sound: [
    title: string,
    files: Files,
    from: (at: (name: string) => string) => string | string[] | FileConfig,
    url?: string,
  ][] = [
    ['a folder', { 'f/posts.json': posts }, (at) => at('f')],
    ['a database file', { 'db.json': { posts } }, (at) => at('db.json')],
    [
      'several paths',
      { 'f/posts.json': posts, 'db.json': { users: [] } },
      (at) => [at('db.json'), at('f')],
    ],
    [
      'a configuration',
      { 'f/posts.json': posts },
      (at) => ({ fixtures: at('f'), base: '/api' }),
      '/api/posts',
    ],
    [
      'a configuration with a folder that relative paths start from',
      { 'f/posts.json': posts },
      (at) => ({ fixtures: 'f', cwd: at('.') }),
    ],
    [
      'a configuration that names no fixtures, where fixtures/ is',
      { 'fixtures/posts.json': posts },
      (at) => ({ cwd: at('.') }),
    ],
    [
      'a configuration that names no fixtures, where db.json is',
      { 'db.json': { posts } },
      (at) => ({ cwd: at('.') }),
    ],
    [
      'a configuration file, whose paths start from its folder',
      { 'a/mock.config.mjs': "export default { fixtures: 'f' }", 'a/f/posts.json': posts },
      (at) => at('a/mock.config.mjs'),
    ],
    [
      'a configuration file that exports a promise',
      {
        'mock.config.mjs': "export default Promise.resolve({ fixtures: 'f', base: 'api' })",
        'f/posts.json': posts,
      },
      (at) => at('mock.config.mjs'),
      '/api/posts',
    ],
    [
      'a configuration file that exports a function',
      {
        'mock.config.mjs': "export default async () => ({ fixtures: 'f', base: 'api' })",
        'f/posts.json': posts,
      },
      (at) => at('mock.config.mjs'),
      '/api/posts',
    ],
    [
      'a CommonJS configuration file',
      { 'mock.config.js': "module.exports = { fixtures: 'f' }", 'f/posts.json': posts },
      (at) => at('mock.config.js'),
    ],
    [
      'a JSON configuration file that names a dialect',
      {
        'mock.config.json': { fixtures: 'f', dialect: 'rest', port: 1 },
        'f/posts.json': posts,
      },
      (at) => at('mock.config.json'),
    ],
    [
      'a configuration file with rewrites',
      {
        'mock.config.json': { fixtures: 'f', routes: { '/blog/*': '/posts$1' } },
        'f/posts.json': posts,
      },
      (at) => at('mock.config.json'),
      '/blog/',
    ],
    [
      'a configuration file that names a file of rewrites',
      {
        'a/mock.config.json': { fixtures: '../f', routes: 'routes.json' },
        'a/routes.json': { '/blog/*': '/$1' },
        'f/posts.json': posts,
      },
      (at) => at('a/mock.config.json'),
      '/blog/posts',
    ],
    [
      'a configuration file and paths, which come first',
      {
        'mock.config.json': { fixtures: 'nowhere', base: 'api' },
        'f/posts.json': posts,
      },
      (at) => [at('mock.config.json'), at('f')],
      '/api/posts',
    ],
  ]

  it.each(sound)('loads %s', async (_title, files, from, url = '/posts') => {
    const folder = createFolder(files)
    const mock = await loadMock(from((name) => join(folder, name)))
    const response = await mock.fetch(new Request(`http://mock.test${url}`))
    expect(await response.json()).toEqual(posts)
  })

  it('reads mock.config.* of the working directory without an argument', async () => {
    const folder = createFolder({
      'mock.config.json': { fixtures: 'f', base: '/api' },
      'f/posts.json': posts,
    })
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
    onTestFinished(() => cwd.mockRestore())
    const mock = await loadMock()
    expect(await (await mock.fetch('/api/posts')).json()).toEqual(posts)
  })

  it('gives access to the data without a request', async () => {
    const folder = createFolder({ 'f/posts.json': posts })
    const mock = await loadMock<{ posts: { id: number; title: string }[] }>(join(folder, 'f'))
    expect(mock.db.posts.get(1)?.title).toBe('Hello')
  })

  it('makes the behaviours that a configuration file names', async () => {
    const folder = createFolder({
      'mock.config.json': { fixtures: 'f', use: { states: { posts: { softDelete: true } } } },
      'f/posts.json': posts,
    })
    const mock = await loadMock(join(folder, 'mock.config.json'))
    const url = 'http://mock.test/posts/1'
    await mock.fetch(new Request(url, { method: 'DELETE' }))
    expect((await mock.fetch(new Request(url))).status).toBe(410)
  })

  it('takes the id field of the configuration', async () => {
    const folder = createFolder({ 'f/posts.json': [{ key: 'a' }, { key: 'b' }] })
    const mock = await loadMock({ fixtures: join(folder, 'f'), id: 'key' })
    const response = await mock.fetch(new Request('http://mock.test/posts/b'))
    expect(await response.json()).toEqual({ key: 'b' })
  })

  const broken: [title: string, files: Files, expected: string][] = [
    [
      'a file that does not parse',
      { 'fixtures/posts.json': '[\n  { "id": 1, }\n]\n' },
      [
        '{folder}/fixtures/posts.json:2:14 error',
        'Failed to load "{folder}/fixtures/posts.json": expected a key in double quotes, found "}". Please remove the comma before it, or rename the file to .json5.',
        '',
        '  1 | [',
        '> 2 |   { "id": 1, }',
        '    |              ^',
        '  3 | ]',
        '  4 |',
      ].join('\n'),
    ],
    [
      'every broken file',
      { 'fixtures/a.json': '', 'fixtures/b.json': '7 8' },
      [
        '{folder}/fixtures/a.json:1:1 error',
        'Failed to load "{folder}/fixtures/a.json": the file is empty. Please write [] into it.',
        '',
        '> 1 |',
        '    | ^',
        '',
        '{folder}/fixtures/b.json:1:3 error',
        'Failed to load "{folder}/fixtures/b.json": expected the end of the file, found "8". Please remove what follows.',
        '',
        '> 1 | 7 8',
        '    |   ^',
      ].join('\n'),
    ],
    [
      'a folder without fixtures',
      {},
      'Failed to find fixtures in "{folder}": there is no mock.config.js, fixtures/ or db.json. Please name a folder or a file, or run `npx fixtura init`.',
    ],
  ]

  it.each(broken)('refuses %s', async (_title, files, expected) => {
    const folder = createFolder(files)
    const failure = await failureOf(loadMock({ cwd: folder }))
    expect(failure.replaceAll(folder, '{folder}').replaceAll(sep, '/')).toBe(expected)
  })

  const wrong: [title: string, content: unknown, expected: string, name?: string][] = [
    [
      'an unknown option',
      { fixturs: 'f' },
      '{file}: Failed to read the configuration: there is no "fixturs". Did you mean "fixtures"?',
    ],
    [
      'an option of the wrong kind',
      { port: 'x' },
      '{file}: Failed to read the configuration: "port" cannot be "x". Please give a port from 0 to 65535.',
    ],
    [
      'an unknown behaviour',
      { use: { dealy: 200 } },
      '{file}: Failed to use "dealy": there is no such behaviour. Did you mean "delay"?',
    ],
    [
      'several options, and names all',
      { prot: 1, bsae: '/a', port: 'x' },
      '{file}: Failed to read the configuration: 3 options are wrong.\n- there is no "prot". Did you mean "port"?\n- there is no "bsae". Did you mean "base"?\n- "port" cannot be "x". Please give a port from 0 to 65535.',
    ],
    [
      'several behaviours and other options, and names all',
      { prot: 1, use: { dealy: 1, delay: { minn: 1, maxx: 2 }, idempotency: true } },
      '{file}: Failed to use "dealy": there is no such behaviour. Did you mean "delay"?\nFailed to read the options of "delay": 2 options are wrong.\n- there is no "minn". Did you mean "min"?\n- there is no "maxx". Did you mean "max"?\nFailed to read the configuration: there is no "prot". Did you mean "port"?',
    ],
    [
      'behaviours that are only named',
      { use: ['delay'] },
      '{file}: Failed to read the configuration: "use" cannot be ["delay"]. Please give a list of (behaviours from "fixtura/behaviours", such as auth()), or in JSON an object such as {"delay":200,"auth":true}.',
    ],
    [
      'a file that does not parse',
      '{ "port": }',
      '{file}:1:11 error\nFailed to load "{file}": expected a value, found "}". Please write the value.\n\n> 1 | { "port": }\n    |           ^',
    ],
    ['nothing in it', '\n', 'Failed to read "{file}": it is empty. Please write {} into it.'],
    [
      'another encoding',
      Buffer.from('\uFEFF{}', 'utf16le'),
      'Failed to read "{file}": it is not UTF-8 text. Please save it as UTF-8.',
    ],
    [
      'a rejected promise',
      "export default Promise.reject(new Error('no'))",
      'Failed to load "{file}": it throws "no". Please correct it.',
      'mock.config.mjs',
    ],
    [
      'an import of a package that is not installed',
      "import { auth } from '@no/such-package/behaviours'\nexport default { use: [auth()] }",
      'Failed to load "{file}": it imports the package "@no/such-package", which is not installed. Please run "npm install --save-dev @no/such-package".',
      'mock.config.mjs',
    ],
    [
      'a CommonJS import of a package that is not installed',
      "module.exports = require('no-such-package')",
      'Failed to load "{file}": it imports the package "no-such-package", which is not installed. Please run "npm install --save-dev no-such-package".',
      'mock.config.cjs',
    ],
    [
      'an unknown dialect',
      { fixtures: '.', dialect: 'rests' },
      'Failed to find the dialect "rests". Did you mean "rest"?',
    ],
  ]

  it.each(wrong)('refuses a configuration with %s', async (_title, content, expected, name) => {
    expect(await refusalOf(content, name)).toBe(expected)
  })

  it.each([
    ['a number', 'export default 7', '7'],
    ['a Map', "export default new Map([['base', '/api']])", 'a Map'],
    ['a generator', 'export default (function* () {})()', 'a Generator'],
    ['a promise of nothing', 'export default Promise.resolve()', 'undefined'],
    ['nothing', "const base = '/api'", 'undefined'],
  ])('refuses a configuration file that exports %s', async (_title, text, shown) => {
    expect(await refusalOf(text, 'mock.config.mjs')).toBe(
      `{file}: Failed to read the configuration: it cannot be ${shown}. Please give an object.`,
    )
  })

  it('warns of a promise that has not settled after ten seconds, and goes on to wait', async () => {
    const world = globalThis as { goOn?: (data: unknown) => void }
    onTestFinished(() => void delete world.goOn)
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warn.mockRestore())
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    const file = join(
      createFolder({
        'mock.config.mjs': 'export default new Promise((done) => (globalThis.goOn = done))',
        'f/posts.json': posts,
      }),
      'mock.config.mjs',
    )
    const loading = loadMock(file)
    while (!world.goOn) await new Promise((done) => setImmediate(done))
    const isNotice = ([, delay]: Parameters<typeof setTimeout>): boolean => delay === 10_000
    const notices = timers.mock.calls.filter(isNotice)
    expect(warn).not.toHaveBeenCalled()
    notices.at(-1)?.[0]?.()
    expect(warn.mock.calls).toEqual([
      [`Still waiting for a promise in "${file}" after 10 seconds.`],
    ])
    world.goOn?.({ fixtures: 'f' })
    expect((await loading).db['posts']?.all()).toEqual(posts)
  })

  it('says how to read TypeScript where Node does not', async () => {
    vi.doMock('jiti', () => {
      throw new Error('no such package')
    })
    onTestFinished(() => vi.doUnmock('jiti'))
    const file = join(createFolder({ 'mock.config.ts': 'export default {}' }), 'mock.config.ts')
    vi.stubGlobal('process', Object.create(process, { features: { value: {} } }))
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(await failureOf(loadMock(file))).toBe(
      `Failed to read "${file}": Node ${process.version} reads TypeScript with jiti only. Please run "npm install --save-dev jiti", or use Node 22.18 or later.`,
    )
  })

  it('refuses two configuration files', async () => {
    const failure = await failureOf(loadMock(['mock.config.js', 'a/mock.config.json']))
    expect(failure).toBe(
      'Failed to read the configuration: there are several files, "mock.config.js" and "a/mock.config.json". Please name one.',
    )
  })

  it('refuses a configuration with an unknown option', async () => {
    const fixtures = createFolder({ 'posts.json': posts })
    await expect(loadMock({ fixtures, bsae: '/api' } as object)).rejects.toThrow(
      'Failed to read the configuration: there is no "bsae". Did you mean "base"?',
    )
  })

  it('refuses an option of a configuration beside a path', async () => {
    const folder = createFolder({ 'posts.json': posts })
    await expect(loadMock(folder, { base: '/api' } as object)).rejects.toThrow(
      'Failed to read the options of loadMock: there is no "base".',
    )
  })

  it('reports warnings, and loads all the same', async () => {
    const folder = createFolder({ 'f/a.json': { b: [], c: [] } })
    const problems: string[] = []
    await loadMock(join(folder, 'f'), {
      onProblem: ({ severity, line, column }) => problems.push(`${severity} ${line}:${column}`),
    })
    expect(problems).toEqual(['warning 1:1'])
  })

  const slips: [title: string, options: FileConfig, name: string, option: string][] = [
    ['an id field', { id: { post: '_id' } }, 'post', 'id'],
    [
      'relations of a child',
      { relations: { comment: { writer: 'users' } } },
      'comment',
      'relations',
    ],
    ['a parent', { relations: { posts: { writer: 'user' } } }, 'user', 'relations'],
    [
      'a parent among options',
      { relations: { posts: { writer: { to: 'user' } } } },
      'user',
      'relations',
    ],
    ['Cache-Control', { cacheControl: { '/posts': 'no-store' } }, '/posts', 'cacheControl'],
    ['preconditions', { preconditions: ['post'] }, 'post', 'preconditions'],
  ]

  it.each(slips)('warns of %s for an unknown resource', async (_title, options, name, option) => {
    const fixtures = createFolder({ 'posts.json': posts, 'users.json': [], 'profile.json': {} })
    const problems: string[] = []
    await loadMock(
      { fixtures, ...options },
      { onProblem: ({ severity, message }) => problems.push(`${severity}: ${message}`) },
    )
    expect(problems).toEqual([
      `warning: Failed to find "${name}", which the option "${option}" names: there is no such resource.`,
    ])
  })

  it('warns of nothing where options name known resources', async () => {
    const fixtures = createFolder({ 'posts.json': posts, 'users.json': [], 'profile.json': {} })
    const problems: unknown[] = []
    await loadMock(
      {
        fixtures,
        id: { posts: 'id', default: 'id' },
        relations: { posts: { writer: 'users', editor: { to: 'users' } } },
        cacheControl: { profile: 'no-store', default: 'no-cache' },
        preconditions: ['posts'],
      },
      { onProblem: (problem) => problems.push(problem) },
    )
    expect(problems).toEqual([])
  })
})

/** The message of the error for a configuration file of the given content. */
async function refusalOf(content: unknown, name = 'mock.config.json'): Promise<string> {
  const file = join(createFolder({ [name]: content, 'posts.json': posts }), name)
  return (await failureOf(loadMock(file))).replaceAll(file, '{file}')
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toMatchObject({ name: 'MockError' })
  return error instanceof Error ? error.message : ''
}
