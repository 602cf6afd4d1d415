import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it, onTestFinished } from 'vitest'

import { main } from '../../../src/cli/main.ts'
import { createFolder, type Files } from '../loader/folder.ts'
import { createFakeIo, type FakeIo, type FakeOptions } from './fake-io.ts'

const posts = [{ id: 1, title: 'Hello' }]

describe('main', () => {
  const refused: [title: string, line: string, files: Files, message: string][] = [
    [
      'an unknown option',
      'server --prot 3',
      {},
      'Failed to read "--prot": "mock server" has no such option. Did you mean "--port"?',
    ],
    [
      'an unknown command',
      'srever',
      {},
      'Failed to run "srever": there is no such command. Did you mean "server"?',
    ],
    [
      'half of a command',
      'serv',
      {},
      'Failed to run "serv": there is no such command. Did you mean "server"?',
    ],
    [
      'a missing folder with the name of a command',
      'server server --port 0',
      {},
      'Failed to read "server": there is no such file or folder. Please check the path, or run `npx fixtura init` for a first fixtures folder.',
    ],
    [
      'a missing folder',
      'server nowhere --port 0',
      {},
      'Failed to read "nowhere": there is no such file or folder. Please check the path, or run `npx fixtura init` for a first fixtures folder.',
    ],
    [
      'a folder whose name is nearly right',
      'server fixturs --port 0',
      { 'fixtures/posts.json': posts },
      'Failed to read "fixturs": there is no such file or folder. Did you mean "fixtures"?',
    ],
    [
      'a folder without anything to serve',
      'server',
      {},
      'Failed to find fixtures in "{folder}": there is no mock.config.js, fixtures/ or db.json. Please name a folder or a file, or run `npx fixtura init`.',
    ],
    [
      'a missing file of rewrites',
      'server db.json --routes routs.json --port 0',
      { 'db.json': { posts }, 'routes.json': {} },
      'Failed to read "routs.json": there is no such file or folder. Did you mean "routes.json"?',
    ],
    [
      'a missing middleware',
      'server db.json --middlewares helo.js --port 0',
      { 'db.json': { posts }, 'hello.js': '' },
      'Failed to read "helo.js": there is no such file or folder. Did you mean "hello.js"?',
    ],
    [
      'a middleware that exports no function',
      'server db.json --middlewares hello.mjs --port 0',
      { 'db.json': { posts }, 'hello.mjs': 'export const a = 1' },
      'Failed to load the middleware "hello.mjs": it exports no function. Please export a function (request, response, next), or an array of functions.',
    ],
    [
      'a wrong rule in a file of rewrites',
      'server db.json -r routes.json --port 0',
      { 'db.json': { posts }, 'routes.json': { '/:a': '/:b' } },
      'routes.json: Failed to read the options of "rewrite": "/:b" has the parameter ":b", which "/:a" has not. Did you mean "a"?',
    ],
    [
      'an unknown host',
      'server --host 192.0.2.1 --port 0',
      { 'db.json': { posts } },
      'Failed to listen on "192.0.2.1:0": this machine has no such address. Please choose another host.',
    ],
    [
      'a missing static folder',
      'server --static public --port 0',
      { 'db.json': { posts } },
      'Failed to serve files from "{folder}/public": there is no such folder. Please check --static.',
    ],
    [
      'a static folder that is a file',
      'server --static db.json --port 0',
      { 'db.json': { posts } },
      'Failed to serve files from "{folder}/db.json": there is no such folder. Please check --static.',
    ],
    [
      'half a certificate',
      'server --https --cert a.pem --port 0',
      { 'db.json': { posts } },
      'Failed to serve https: --key is missing. Please give both --cert and --key, or neither.',
    ],
    [
      'a certificate that is not there',
      'server --cert a.pem --key b.pem --port 0',
      { 'db.json': { posts } },
      'Failed to read "a.pem": there is no such file or folder. Please check the path.',
    ],
    [
      'a certificate whose name is nearly right',
      'server --cert sub/a.pme --key b.pem --port 0',
      { 'db.json': { posts }, 'sub/a.pem': '' },
      'Failed to read "sub/a.pme": there is no such file or folder. Did you mean "sub/a.pem"?',
    ],
    [
      'a certificate that is a folder',
      'server --cert fixtures --key db.json --port 0',
      { 'db.json': { posts }, 'fixtures/posts.json': posts },
      'Failed to read "fixtures": it is a folder. Please name a file.',
    ],
    [
      'an unknown scenario',
      'server --scenario emty --port 0',
      { 'fixtures/posts.json': posts, 'fixtures/_scenarios/empty/posts.json': [] },
      'Failed to find the scenario "emty" below _scenarios. Did you mean "empty"?',
    ],
    [
      'a configuration file that is not there',
      'server --config mock.conf.js',
      { 'mock.config.js': '' },
      'Failed to read "mock.conf.js": there is no such file or folder. Did you mean "mock.config.js"?',
    ],
    [
      'a configuration file where there is nothing like it',
      'server --config a/b.json',
      { 'a/z.txt': '' },
      'Failed to read "a/b.json": there is no such file or folder. Please check the path.',
    ],
    [
      'two configuration files',
      'check',
      { 'mock.config.json': {}, 'mock.config.js': '', 'mock.config.ts': '', 'db.json': { posts } },
      'Failed to read the configuration: there are several files, "mock.config.js" and "mock.config.json" and "mock.config.ts". Please keep one, or choose one with --config.',
    ],
    [
      'a configuration file of a kind that is not read',
      'check',
      { 'mock.config.yaml': 'port: 3', 'db.json': { posts } },
      'Failed to read "mock.config.yaml": .yaml files are not supported. Please write it as mock.config.json or mock.config.mjs.',
    ],
    [
      'one that is named',
      'check --config my.toml',
      { 'my.toml': '', 'db.json': { posts } },
      'Failed to read "my.toml": .toml files are not supported. Please write it as mock.config.json or mock.config.mjs.',
    ],
    [
      'an empty path',
      'server --port 0 ',
      { 'db.json': { posts } },
      'Failed to read the paths of the fixtures: it cannot be [""]. Please give a path that is not empty, or a list of paths.',
    ],
    [
      'an empty path in the configuration file',
      'server --port 0',
      { 'mock.config.json': { fixtures: '' }, 'db.json': { posts } },
      'mock.config.json: Failed to read the configuration: "fixtures" cannot be "". Please give a path that is not empty, or a list of paths.',
    ],
    [
      'an unknown dialect in the configuration file',
      'check',
      { 'mock.config.json': { dialect: 'rst' }, 'db.json': { posts } },
      'Failed to find the dialect "rst". Did you mean "rest"?',
    ],
    [
      'an unknown option in the configuration file',
      'check',
      { 'mock.config.json': { prot: 1 } },
      'mock.config.json: Failed to read the configuration: there is no "prot". Did you mean "port"?',
    ],
  ]

  it.each(refused)('refuses %s in one line', async (_title, line, files, message) => {
    const cwd = createFolder(files)
    const io = createFakeIo({ cwd })
    expect(await main(line.split(' '), io)).toBe(1)
    expect(io.err().replaceAll(cwd, '{folder}').replaceAll(sep, '/')).toBe(`${message}\n`)
    expect(io.out()).toBe('')
    expect(io.listeners()).toBe(0)
  })

  it('names a file without read permission', async () => {
    const cwd = createFolder({ 'fixtures/posts.json': posts })
    chmodSync(join(cwd, 'fixtures/posts.json'), 0)
    const io = createFakeIo({ cwd })
    const code = await main(['check'], io)
    // Root can read all files, and Windows has no such permissions.
    const mayRead = process.getuid?.() === 0 || process.platform === 'win32'
    expect(code).toBe(mayRead ? 0 : 1)
    if (!mayRead) expect(io.out()).toContain('"fixtures/posts.json": permission denied.')
  })

  it.each(['--version', '-v'])('prints its version for %s', async (option) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const io = createFakeIo()
    expect(await main([option], io)).toBe(0)
    expect(io.out()).toBe(`${version}\n`)
  })

  it.each(['--help', '-h', 'server -h', 'check --help', 'init --help', 'help', 'help check'])(
    'prints help for %s',
    async (line) => {
      const io = createFakeIo()
      expect(await main(line.split(' '), io)).toBe(0)
      expect(io.out()).toMatch(/Options:\n/)
      expect(io.err()).toBe('')
    },
  )
})

describe('mock server', () => {
  it('serves until a signal, and then exits with 0', async () => {
    const { io, code, url } = await start({ 'fixtures/posts.json': posts })
    expect(await (await fetch(`${url}/posts/1`)).json()).toEqual(posts[0])
    io.send('SIGTERM')
    expect(await code).toBe(0)
    expect(io.listeners()).toBe(0)
    await expect(fetch(`${url}/posts/1`)).rejects.toThrow('fetch failed')
  })

  it('prints every route with its content', async () => {
    const { io, url } = await start({
      'fixtures/posts.json': posts,
      'fixtures/v1/a b.json': [],
      'fixtures/profile.json': { name: 'Ada' },
      'fixtures/version.json': '7',
    })
    expect(io.out().replaceAll(url, '{url}')).toMatch(
      new RegExp(
        [
          '^\n  Fixtura \\S+  {url}\n',
          '  {url}/posts     1 record',
          '  {url}/profile   singleton',
          '  {url}/v1/a%20b  0 records',
          '  {url}/version   document\n\n$',
        ].join('\n'),
      ),
    )
  })

  it('prints one line for every request, without secrets and control characters', async () => {
    const { io, url } = await start({ 'fixtures/posts.json': posts })
    await fetch(`${url}/posts/1?token=s3cret`)
    await fetch(`${url}/posts?_page=%1b[31m`)
    await io.printed(/_page/)
    const log = io.out().split('\n').slice(-3)
    expect(log[0]).toMatch(
      /^GET {4}\/posts\/1\?token=\[redacted\] 200 \d+ ms 24 B ignored "token"$/,
    )
    expect(log[1]).toMatch(
      /^GET {4}\/posts\?_page=%1b\[31m 400 \d+ ms \d+ B Failed to read "_page"/,
    )
    expect(log[1]).not.toContain('\u001B')
  })

  it('prints nothing with --quiet', async () => {
    const port = await findFreePort()
    const cwd = createFolder({ 'fixtures/posts.json': posts })
    const io = createFakeIo({ cwd })
    const code = main(['--quiet', '--port', String(port)], io)
    await answers(`http://127.0.0.1:${port}/posts`)
    io.send('SIGINT')
    expect(await code).toBe(0)
    expect(io.out() + io.err()).toBe('')
  })

  it('refuses a taken port that was chosen', async () => {
    const port = await takePort()
    for (const options of [{ line: `--port ${port}` }, { env: { PORT: String(port) } }]) {
      const cwd = createFolder({ 'db.json': { posts } })
      const io = createFakeIo({ cwd, ...options })
      expect(await main((options.line ?? '').split(' ').filter(Boolean), io)).toBe(1)
      expect(io.err()).toBe(
        `Failed to listen on "localhost:${port}": the port is in use. Please stop the other program or choose another port.\n`,
      )
    }
  })

  it('releases the lock of the fixtures when it cannot listen', async () => {
    const port = await takePort()
    const cwd = createFolder({ 'fixtures/posts.json': posts })
    const io = createFakeIo({ cwd })
    expect(await main(['--persist', '--port', String(port)], io)).toBe(1)
    expect(readdirSync(join(cwd, 'fixtures'))).toEqual(['posts.json'])
  })

  it('releases the lock of the fixtures when a signal arrives while they are loaded', async () => {
    const world = globalThis as unknown as { goOn?: (data: unknown) => void }
    onTestFinished(() => void delete world.goOn)
    const cwd = createFolder({
      'fixtures/posts.json': posts,
      'fixtures/slow.mjs': 'export default () => new Promise((done) => (globalThis.goOn = done))',
    })
    const io = createFakeIo({ cwd })
    const code = main(['--persist', '--port', '0'], io)
    await expect.poll(() => world.goOn).toBeTypeOf('function')
    expect(existsSync(join(cwd, 'fixtures/.fixtura/lock'))).toBe(true)
    io.send('SIGTERM')
    world.goOn?.([])
    expect(await code).toBe(0)
    expect(readdirSync(join(cwd, 'fixtures'))).toEqual(['posts.json', 'slow.mjs'])
    expect(io.listeners()).toBe(0)
  })

  it('takes its options from the configuration, the environment and the command line', async () => {
    const port = await findFreePort()
    const { io, code, url } = await start(
      {
        'mock.config.mjs': "export default { fixtures: 'data', base: '/a', port: 1, delay: 1 }",
        'data/posts.json': posts,
      },
      '--base /b',
      { env: { PORT: String(port) } },
    )
    expect(url).toBe(`http://localhost:${port}/b`)
    await fetch(`${url}/posts`)
    await io.printed(/delayed 1 ms/)
    io.send('SIGINT')
    expect(await code).toBe(0)
  })

  it('serves plain HTTP with https: false, even with a certificate', async () => {
    const { url } = await start({
      'mock.config.json': { https: false, cert: 'cert.pem', key: 'key.pem' },
      'db.json': { posts },
    })
    expect((await fetch(`${url}/posts`)).status).toBe(200)
  })

  it('serves the given paths instead of the configured fixtures', async () => {
    const { url } = await start(
      {
        'mock.config.json': { fixtures: 'data', base: '/api', port: 0 },
        'more/users.json': [{ id: 1 }],
      },
      'more',
    )
    expect(await (await fetch(`${url}/users`)).json()).toEqual([{ id: 1 }])
    expect(url).toMatch(/\/api$/)
  })

  it('serves static files for paths that match no resource', async () => {
    const { url } = await start(
      {
        'db.json': { posts },
        'public/index.html': '<h1>App</h1>',
        'public/posts/1': 'never',
        'public/.env': 'SECRET=1',
      },
      'db.json --static public',
    )
    const text = async (path: string): Promise<string> => (await fetch(url + path)).text()
    expect(await text('/')).toBe('<h1>App</h1>')
    expect(await text('/posts/1')).toBe('{"id":1,"title":"Hello"}')
    expect((await fetch(`${url}/.env`)).status).toBe(404)
    expect((await fetch(`${url}/%2eenv`)).status).toBe(404)
    expect((await fetch(`${url}/index.html`, { headers: { range: 'bytes=5-2' } })).status).toBe(200)
    expect((await fetch(`${url}/index.html`, { method: 'POST' })).status).toBe(404)
  })

  it('serves static files of several folders', async () => {
    const { url } = await start(
      { 'db.json': { posts }, 'a/x.txt': 'x of a', 'b/x.txt': 'x of b', 'b/y.txt': 'y of b' },
      'db.json -s ./a -s ./b',
    )
    const text = async (path: string): Promise<string> => (await fetch(url + path)).text()
    expect([await text('/x.txt'), await text('/y.txt')]).toEqual(['x of a', 'y of b'])
    expect((await fetch(`${url}/z.txt`)).status).toBe(404)
  })

  it('rewrites URLs by the rules of a file, which it reads again when it is edited', async () => {
    const { io, cwd, url } = await start(
      {
        'db.json': { posts },
        'routes.json': { '/blog/:id/show': '/posts/:id' },
        'next.json': { '/v2/*': '/$1' },
      },
      'db.json --routes routes.json',
    )
    const get = async (path: string): Promise<unknown> => (await fetch(url + path)).json()
    expect(await get('/blog/1/show')).toEqual(posts[0])
    const file = join(cwd, 'routes.json')
    writeFileSync(file, '{ "/api/*": "/$1" }')
    await io.printed(/^Reloaded: routes\.json$/m)
    expect(await get('/api/posts')).toEqual(posts)
    writeFileSync(file, '{ "/api/*": "/:id" }')
    await io.printed(/routes\.json: .*"\/:id" has the parameter ":id"/)
    expect(await get('/api/posts')).toEqual(posts)
    renameSync(join(cwd, 'next.json'), file)
    await io.printed(/(?:Reloaded: routes\.json\n[^]*){2}/)
    expect(await get('/v2/posts/1')).toEqual(posts[0])
  })

  const middlewares: [title: string, name: string, file: string, content: string][] = [
    ['a function', 'x.js', 'x.js', `module.exports = ${add('a')}`],
    ['an array', 'x.cjs', 'x.cjs', `module.exports = [${add('a')}, [${add('b')}]]`],
    ['a default export', 'x.mjs', 'x.mjs', `export default ${add('a')}`],
    ['a compiled default export', 'x.js', 'x.js', `exports.default = ${add('a')}`],
    ['a file without its extension', './x', 'x.js', `module.exports = ${add('a')}`],
    ['a folder', 'x', 'x/index.js', `module.exports = ${add('a')}`],
  ]

  it.each(middlewares)('runs a middleware: %s', async (_title, name, file, content) => {
    const { url } = await start(
      {
        'db.json': { posts },
        'package.json': {},
        [file]: content,
        'last.mjs': `export default ${add('last')}`,
      },
      `db.json --middlewares ${name} last.mjs`,
    )
    const response = await fetch(`${url}/posts/1`)
    expect(response.headers.get('x-order')).toMatch(/^a(?:, b)?, last$/)
    expect(await response.json()).toEqual(posts[0])
  })

  it('prints a line for a request that a middleware answers', async () => {
    const { io, url } = await start(
      { 'db.json': { posts }, 'stop.mjs': 'export default (_, res) => res.status(401).send("no")' },
      'db.json -m stop.mjs',
    )
    expect((await fetch(`${url}/posts`)).status).toBe(401)
    await io.printed(/^GET {4}\/posts 401 \d+ ms 2 B middleware "stop\.mjs"$/m)
  })

  it('starts with the given scenario', async () => {
    const { url } = await start(
      { 'fixtures/posts.json': posts, 'fixtures/_scenarios/empty/posts.json': [] },
      '--scenario empty',
    )
    expect(await (await fetch(`${url}/posts`)).json()).toEqual([])
  })

  it('checks writes against the schema beside the fixtures', async () => {
    const { url } = await start({
      'fixtures/posts.json': posts,
      'fixtures/posts.schema.json': { required: ['title'] },
    })
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${url}/posts`, { method: 'POST', headers, body: '{}' })
    expect(response.status).toBe(422)
  })

  it('warns of records that break their schema, at the start and after a reload', async () => {
    const broken = Array.from({ length: 7 }, (_, at) => ({ id: at + 1, title: at }))
    const files = (posts: object[]): Files => ({
      'fixtures/posts.json': posts,
      'fixtures/posts.schema.json': { properties: { title: { type: 'string' } } },
      'fixtures/tags.json': '[\n  { "id": 1 }\n]\n',
      'mock.config.mjs': `
        const validate = (tag) => Promise.resolve(tag.name ? {} : { issues: [{ message: 'is required', path: ['name'] }] })
        const validators = { tags: { '~standard': { version: 1, validate } } }
        import { schema } from ${JSON.stringify(pathToFileURL('dist/behaviours.js').href)}
        export default { use: [schema(validators)] }
      `,
    })
    const { io, cwd, url } = await start(files(broken))
    await io.printed(/fixtures\/tags\.json:2:3 warning\n.*\n[^]*\n$/)
    const title = '"title" has to be a string, as "posts.schema.json" says'
    const warnings = (): string[] =>
      Array.from(
        io.err().matchAll(/^Failed to load "[^"]+": (.*)\. Please.*$/gm),
        ([, text = '']) => text,
      )
    expect(warnings()).toEqual([
      ...Array.from({ length: 4 }, () => title),
      `${title} (and 2 more)`,
      '"name" is required, as "schema" says',
    ])
    expect(io.err()).toContain('fixtures/posts.json:4:14 warning\n')
    expect((await fetch(`${url}/posts`)).status).toBe(200)
    writeFileSync(
      join(cwd, 'fixtures/posts.json'),
      JSON.stringify([...broken.slice(0, 1), { id: 2, title: true }], null, 2),
    )
    await io.printed(/"title": true/)
    expect(warnings().slice(6)).toEqual([title])
    writeFileSync(join(cwd, 'fixtures/posts.schema.json'), '{ "required": ["views"] }')
    await io.printed(/"views" is required/)
    expect(warnings().slice(7)).toEqual(
      Array.from({ length: 2 }, () => '"views" is required, as "posts.schema.json" says'),
    )
    const checked = createFakeIo({ cwd })
    expect(await main(['check'], checked)).toBe(1)
    expect(checked.out()).toContain('"name" is required, as "schema" says')
  })

  it('prints the files that it ignores, and the extensions that it reads', async () => {
    const ordinary = ['README.md', 'LICENSE', '.env.ts', '_x.ts', 'posts.d.ts', 'index.ts', 'a.png']
    const names = ['b.CSV', 'c.cts', 'd.ts', 'v1/e.yaml', '_scenarios/s/f.yml', ...ordinary]
    const files = Object.fromEntries(names.map((name) => [`fixtures/${name}`, '']))
    const { io, cwd } = await start({ ...files, 'fixtures/posts.json': posts })
    await io.printed(/Skipped/)
    expect(io.out()).toContain(
      '\n  Skipped: fixtures/_scenarios/s/f.yml, fixtures/b.CSV, fixtures/c.cts and 2 more. Supported extensions: .json, .jsonc, .json5, .js, .mjs, .cjs.\n',
    )
    const checked = createFakeIo({ cwd })
    expect(await main(['check'], checked)).toBe(0)
    expect(checked.out()).toMatch(/^No problems: .*\nSkipped: .*\n$/)
  })

  it('warns in a check of keys that occur twice in an object', async () => {
    const texts = {
      'fixtures/a.json': '[{"id":1,"title":"x",\n"t\\u0069tle":"y"},{"id":2,"title":"z"}]',
      'fixtures/b.json5': "// a: 1\n{a: {b: 1,\n 'b': [{c: 1}, {c: 1, /* c */ c: 2}]}}",
    }
    const io = createFakeIo({ cwd: createFolder(texts) })
    expect(await main(['check'], io)).toBe(1)
    expect(io.out().match(/^fixtures.*\n.*$/gm)).toEqual([
      'fixtures/a.json:2:14 warning\nFailed to load "fixtures/a.json": the key "title" occurs more than once in an object, so that only the last value is loaded. Please remove or rename one of the keys.',
      'fixtures/b.json5:3:7 warning\nFailed to load "fixtures/b.json5": the key "b" occurs more than once in an object, so that only the last value is loaded. Please remove or rename one of the keys.',
      'fixtures/b.json5:3:34 warning\nFailed to load "fixtures/b.json5": the key "c" occurs more than once in an object, so that only the last value is loaded. Please remove or rename one of the keys.',
    ])
  })

  it('serves a project folder without the files of tools', async () => {
    const names = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.node.json']
    const files = Object.fromEntries([...names, 'mock.config.json'].map((name) => [name, {}]))
    const modules = {
      'vite.config.js': 'throw new Error()',
      'vite.config.ts': '',
      'public/mockServiceWorker.js': 'addEventListener("fetch", () => {})',
    }
    const { io, cwd } = await start({ ...files, ...modules, 'posts.json': posts }, '.')
    await io.printed(/Skipped/)
    expect(io.out()).toContain(
      '\n  Skipped files of tools: mock.config.json, package-lock.json, package.json and 5 more.\n',
    )
    const checked = createFakeIo({ cwd })
    expect(await main(['check', '.'], checked)).toBe(0)
    expect(checked.out()).toMatch(/^No problems: 1 resource, .*\nSkipped files of tools: .*\n$/)
  })

  it('does not reload edits with --no-watch', async () => {
    const { io, cwd } = await start({ 'db.json': { posts } })
    const other = await start({}, '--no-watch', { cwd })
    // When the watching server reports the second edit, the other would have seen the first.
    for (const count of [1, 2]) {
      writeFileSync(join(cwd, 'db.json'), JSON.stringify({ posts: [{ id: 1, count }] }))
      await io.printed(new RegExp(`(?:Reloaded: posts\\n[^]*){${count}}`))
    }
    expect(other.io.out()).not.toContain('Reloaded')
    expect(await (await fetch(`${other.url}/posts`)).json()).toEqual(posts)
  })

  it('names 20 of many resources that an edit changes', async () => {
    const toDatabase = (title: string): Record<string, object[]> =>
      Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`r${at}`, [{ id: 1, title }]]))
    const { io, cwd } = await start({ 'db.json': toDatabase('before') })
    writeFileSync(join(cwd, 'db.json'), JSON.stringify(toDatabase('after')))
    await io.printed(/^Reloaded: r0, .*, r19 and 3 more$/m)
  })

  it('reports reloaded, broken and fixed files', async () => {
    const { io, cwd, url } = await start({ 'fixtures/posts.json': posts })
    const file = join(cwd, 'fixtures/posts.json')
    writeFileSync(file, '[{ "id": 2 }]')
    await io.printed(/^Reloaded: posts$/m)
    expect(await (await fetch(`${url}/posts`)).json()).toEqual([{ id: 2 }])
    writeFileSync(file, '[{ "id": }]')
    await io.printed(/fixtures\/posts\.json:1:10 error\n.*expected a value/)
    expect(await (await fetch(`${url}/posts`)).json()).toEqual([{ id: 2 }])
    writeFileSync(file, '[{ "id": 3 }]')
    await io.printed(/^Fixed: fixtures\/posts\.json is served again\.$/m)
    expect(await (await fetch(`${url}/posts`)).json()).toEqual([{ id: 3 }])
  })

  it('reports conflicts, without control characters', async () => {
    const id = 'a\u001B[2Jb'
    const { io, cwd, url } = await start({ 'fixtures/posts.json': [{ id, title: 'One' }] })
    const path = `${url}/posts/${encodeURIComponent(id)}`
    const headers = { 'Content-Type': 'application/json' }
    await fetch(path, { method: 'PATCH', headers, body: '{"title":"Two"}' })
    writeFileSync(join(cwd, 'fixtures/posts.json'), JSON.stringify([{ id, title: 'Three' }]))
    await io.printed(
      /^Conflict: the file and requests changed posts\/a\\x1b\[2Jb; the file's version is served\.$/m,
    )
    expect(io.out()).not.toContain('\u001B')
  })

  it('starts with an empty file, which one message names, and serves it once it holds data', async () => {
    const { io, cwd, url } = await start({
      'fixtures/posts.json': posts,
      'fixtures/tags.json': '\n',
    })
    expect(io.err()).toMatch(
      /^fixtures\/tags\.json:\d:1 error\nFailed to load "fixtures\/tags\.json": the file is empty\. Please write .*\n\n[^]*$/,
    )
    expect(io.err().match(/Failed/g)).toHaveLength(1)
    expect((await fetch(`${url}/posts`)).status).toBe(200)
    expect((await fetch(`${url}/tags`)).status).toBe(404)
    writeFileSync(join(cwd, 'fixtures/tags.json'), '[{ "id": 1 }]')
    await io.printed(/^Reloaded: tags$/m)
    expect(await (await fetch(`${url}/tags`)).json()).toEqual([{ id: 1 }])
  })

  it('does not start with a broken file, and shows the position', async () => {
    const io = createFakeIo({ cwd: createFolder({ 'fixtures/posts.json': '[{ "id": }]' }) })
    expect(await main([], io)).toBe(1)
    expect(io.err()).toBe(
      [
        'fixtures/posts.json:1:10 error',
        'Failed to load "fixtures/posts.json": expected a value, found "}". Please write the value.',
        '',
        '> 1 | [{ "id": }]',
        '    |          ^',
        '',
      ].join('\n'),
    )
  })
})

describe('mock check', () => {
  const planted: Files = {
    'fixtures/broken.json': '[\n  { "id": 1 },\n  { "id": 2, "title": }\n]\n',
    'fixtures/twice.json': '[\n  { "id": 1 },\n  { "id": 1 }\n]\n',
    'fixtures/same.json': '[\n  { "id": 1 },\n  { "id": "1" }\n]\n',
    'fixtures/mixed.json': '[\n  { "id": 1 },\n  7\n]\n',
    'fixtures/ids.json': '[\n  { "id": { "x": 1 } }\n]\n',
    'fixtures/users.json': '[\n  { "id": 1 }\n]\n',
    'fixtures/children.json': '[\n  { "id": 1, "userId": 9 }\n]\n',
    'fixtures/empty.json': '',
    'fixtures/two.json': '[]\n',
    'fixtures/two.json5': '[]\n',
    'fixtures/data.json': '{ "a": [], "b": [] }\n',
    'fixtures/nothing.schema.json': '{}\n',
  }

  it('reports ten planted mistakes with their positions, and exits with 1', async () => {
    const io = createFakeIo({ cwd: createFolder(planted) })
    expect(await main(['check', 'fixtures'], io)).toBe(1)
    const places = io.out().matchAll(/^(fixtures\S+) (?:error|warning)$/gm)
    expect(Array.from(places, ([, place = '']) => place).toSorted()).toEqual([
      'fixtures/broken.json:3:23',
      'fixtures/children.json:2:24',
      'fixtures/data.json:1:1',
      'fixtures/empty.json:1:1',
      'fixtures/ids.json:2:11',
      'fixtures/mixed.json:3:3',
      'fixtures/nothing.schema.json:1:1',
      'fixtures/same.json:3:11',
      'fixtures/twice.json:3:11',
      'fixtures/two.json5:1:1',
    ])
    expect(io.out()).toMatch(/\n10 problems in 10 files\.\n$/)
    expect(io.err()).toBe('')
  })

  it('checks records against the schemas beside them', async () => {
    const io = createFakeIo({
      cwd: createFolder({
        'fixtures/posts.json': '[\n  { "id": 1, "title": 5 },\n  { "title": "a" },\n  {}\n]\n',
        'fixtures/posts.schema.json': {
          required: ['id', 'title'],
          properties: { title: { type: 'string' } },
        },
        'fixtures/profile.json': { theme: 1 },
        'fixtures/profile.schema.json': { properties: { theme: { type: 'text' } } },
        'fixtures/roles.json': [],
        'fixtures/roles.schema.json': [],
        'fixtures/site.json': {},
        'fixtures/site.schema.json': { minProperties: 1 },
        'fixtures/tabs.json': [],
        'fixtures/tabs.schema.json': { type: 'objct' },
        'fixtures/tags.json': [],
        'fixtures/tags.schema.json': { properties: { name: { pattern: '(' } } },
      }),
    })
    expect(await main(['check'], io)).toBe(1)
    const said = io.out().matchAll(/^(fixtures\S+ \w+)\nFailed to load "[^"]+": (.*)$/gm)
    expect(Array.from(said, ([, place, problem]) => `${place}: ${problem}`)).toEqual([
      'fixtures/posts.json:2:23 warning: "title" has to be a string, as "posts.schema.json" says. Please correct the record or the schema.',
      'fixtures/posts.json:4:3 warning: "title" is required, as "posts.schema.json" says. Please correct the record or the schema.',
      expect.stringContaining('fixtures/profile.schema.json:4:15 error: there is no type "text".'),
      'fixtures/roles.schema.json:1:1 error: it is no object. Please give a JSON Schema.',
      'fixtures/site.json:1:1 warning: a record has to have 1 or more properties, as "site.schema.json" says. Please correct the record or the schema.',
      'fixtures/tabs.schema.json:2:11 error: there is no type "objct". Did you mean "object"?',
      expect.stringContaining('fixtures/tags.schema.json:4:18 error: Invalid regular expression'),
    ])
  })

  it('says so when there is no problem', async () => {
    const cwd = createFolder({ 'db.json': { posts, users: [], profile: {} } })
    const io = createFakeIo({ cwd })
    expect(await main(['check'], io)).toBe(0)
    expect(io.out()).toBe('No problems: 3 resources, 1 record.\n')
  })

  it('runs beside a server that persists', async () => {
    const { cwd } = await start({
      'mock.config.json': { persist: true },
      'fixtures/posts.json': posts,
    })
    const io = createFakeIo({ cwd })
    expect(await main(['check'], io)).toBe(0)
    expect(io.out()).toBe('No problems: 1 resource, 1 record.\n')
  })

  it('colours problems on a terminal, but not with NO_COLOR', async () => {
    const cwd = createFolder({ 'fixtures/a.json': '[1 2]' })
    const coloured = createFakeIo({ cwd, columns: 80 })
    const plain = createFakeIo({ cwd, columns: 80, env: { NO_COLOR: '1' } })
    await main(['check'], coloured)
    await main(['check'], plain)
    expect(coloured.out()).toContain('\u001B[31m> 1 | [1 2]\u001B[39m')
    expect(plain.out()).not.toContain('\u001B')
  })
})

describe('the configuration file', () => {
  const json = '\uFEFF{ "fixtures": "f" }'
  const rows: [extension: string, content: string][] = [
    ['json', json],
    ['json', json.replace('{', '{ "$schema": "./node_modules/x/schema.json",')],
    ['jsonc', `${json} // mine`],
    ['json5', "{ fixtures: 'f' }"],
    ['js', "module.exports = { fixtures: 'f' }"],
    ['cjs', "module.exports = { fixtures: 'f' }"],
    ['mjs', "export default { fixtures: 'f' }"],
    ['ts', "const f: string = 'f'\nexport default { fixtures: f } satisfies object"],
    ['mts', "const f: string = 'f'\nexport default async () => ({ fixtures: f })"],
    ['cts', "const fixtures: string = 'f'\nexport = { fixtures }"],
  ]

  it.each(rows)('is found and read as .%s', async (extension, content) => {
    const cwd = createFolder({ [`mock.config.${extension}`]: content, 'f/posts.json': posts })
    const io = createFakeIo({ cwd })
    expect([await main(['check'], io), io.err()]).toEqual([0, ''])
    expect(io.out()).toBe('No problems: 1 resource, 1 record.\n')
  })

  it('is read where it is named among the paths', async () => {
    const cwd = createFolder({
      'a/mock.config.json': { fixtures: 'f', id: 'key' },
      'a/f/posts.json': posts,
      'g/tags.json': [{ key: 1 }, { key: 2 }],
    })
    const io = createFakeIo({ cwd })
    expect([await main(['check', 'a/mock.config.json'], io), io.err()]).toEqual([0, ''])
    expect([await main(['check', 'g', 'a/mock.config.json'], io), io.err()]).toEqual([0, ''])
    expect(io.out()).toBe(
      'No problems: 1 resource, 1 record.\nNo problems: 1 resource, 2 records.\n',
    )
  })

  it('is the json-server.json of json-server where there is none', async () => {
    const { io, url } = await start(
      {
        'json-server.json': {
          routes: 'routes.json',
          middlewares: ['./hello'],
          'read-only': true,
          noCors: true,
          snapshots: '.',
          id: '_id',
        },
        'hello.js': `module.exports = ${add('hello')}`,
        'routes.json': { '/blog/*': '/$1' },
        'package.json': {},
        'db.json': { posts: [{ _id: 7 }] },
      },
      'db.json',
    )
    const headers = { Origin: 'http://localhost:5173' }
    const response = await fetch(`${url}/blog/posts/7`, { headers })
    expect([response.status, response.headers.get('x-order')]).toEqual([200, 'hello'])
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
    expect((await fetch(`${url}/posts/7`, { method: 'DELETE' })).status).toBe(405)
    expect(io.err()).toBe('')
  })

  it('is the named file, whatever other files exist', async () => {
    const cwd = createFolder({
      'mock.config.js': '',
      'mock.config.json': { fixtures: 'f' },
      'f/posts.json': posts,
    })
    const io = createFakeIo({ cwd })
    expect([await main(['check', '--config', 'mock.config.json'], io), io.err()]).toEqual([0, ''])
  })

  it('cannot be named twice', async () => {
    const io = createFakeIo()
    expect(await main(['check', 'mock.config.js', '--config', 'b.json'], io)).toBe(1)
    expect(io.err()).toBe(
      'Failed to read the configuration: there are several files, "b.json" and "mock.config.js". Please name one.\n',
    )
  })
})

describe('mock init', () => {
  it('writes the configuration as JSON with its schema', async () => {
    const cwd = createFolder({})
    expect(await main(['init', '--json'], createFakeIo({ cwd }))).toBe(0)
    expect(JSON.parse(readFileSync(join(cwd, 'mock.config.json'), 'utf8'))).toEqual({
      $schema: './node_modules/fixtura/schemas/config.json',
      fixtures: 'fixtures/',
    })
    expect(await main(['check'], createFakeIo({ cwd }))).toBe(0)
  })

  it('writes a worker that serves the fixtures, its configuration and a workflow', async () => {
    const cwd = createFolder({
      'package.json': { name: '@acme/My App' },
      'fixtures/posts.json': [],
      'fixtures/v1/tags.json': [],
      'fixtures/posts.schema.json': {},
      'fixtures/_scenarios/empty/posts.json': [],
    })
    const io = createFakeIo({ cwd })
    expect(await main(['init', '--worker'], io)).toBe(0)
    const entry = readFileSync(join(cwd, 'mock-worker.js'), 'utf8')
    expect(entry).toContain("fixtures: { posts: postsData, 'v1/tags': tagsData },")
    const config = readFileSync(join(cwd, 'wrangler.jsonc'), 'utf8')
    expect(config).toContain('"name": "acme-my-app-mock"')
    expect(readFileSync(join(cwd, '.github/workflows/mock.yml'), 'utf8')).toContain(
      'pr-${{ github.event.number }}',
    )
    expect(io.out()).toContain('Next: npx wrangler dev')
  })

  const script = '/* Mock Service Worker. */ 2'
  const msw = {
    'node_modules/msw/package.json': { name: 'msw', version: '2.0.0' },
    'node_modules/msw/mockServiceWorker.js': script,
  }

  it('writes fixtures and a configuration that pass the check', async () => {
    const cwd = createFolder({ 'package.json': { type: 'module' } })
    const io = createFakeIo({ cwd })
    expect(await main(['init'], io)).toBe(0)
    expect(io.out()).toBe(
      [
        'wrote  fixtures/posts.json',
        'wrote  fixtures/comments.json',
        'wrote  fixtures/profile.json',
        'wrote  mock.config.js',
        '',
        'Next: npx fixtura server',
        '',
      ].join('\n'),
    )
    const checked = createFakeIo({ cwd })
    expect(await main(['check'], checked)).toBe(0)
    expect(checked.out()).toBe('No problems: 3 resources, 6 records.\n')
  })

  it('writes mock.config.mjs in a CommonJS package', async () => {
    const cwd = createFolder()
    await main(['init'], createFakeIo({ cwd }))
    expect(readdirSync(cwd).toSorted()).toEqual(['fixtures', 'mock.config.mjs'])
  })

  it('treats a folder of hidden files as empty', async () => {
    const cwd = createFolder({ 'fixtures/.gitkeep': '' })
    await main(['init'], createFakeIo({ cwd }))
    expect(readdirSync(join(cwd, 'fixtures')).toSorted()).toEqual([
      '.gitkeep',
      'comments.json',
      'posts.json',
      'profile.json',
    ])
  })

  it('writes the worker script to the folders in package.json', async () => {
    const other = createFolder()
    const cwd = createFolder({
      ...msw,
      'package.json': { msw: { workerDirectory: ['a/', other] } },
    })
    const io = createFakeIo({ cwd })
    await main(['init'], io)
    const [one, two] = ['a/mockServiceWorker.js', join(other, 'mockServiceWorker.js')]
    expect(io.out()).toContain(`\nwrote  ${one}\nwrote  ${two}\n`)
    expect([existsSync(join(cwd, one)), existsSync(two)]).toEqual([true, true])
  })

  it('overwrites nothing', async () => {
    const own = { 'fixtures/mine.json': [], 'mock.config.json': { base: '/api' } }
    const cwd = createFolder(own)
    const io = createFakeIo({ cwd })
    expect(await main(['init'], io)).toBe(0)
    expect(io.out()).toMatch(/^kept {3}fixtures\/\nkept {3}mock\.config\.json\n/)
    expect(readdirSync(join(cwd, 'fixtures'))).toEqual(['mine.json'])
    expect(JSON.parse(readFileSync(join(cwd, 'mock.config.json'), 'utf8'))).toEqual({
      base: '/api',
    })
  })

  it('keeps all existing configuration files', async () => {
    const cwd = createFolder({ 'mock.config.json': {}, 'mock.config.ts': '' })
    const io = createFakeIo({ cwd })
    expect(await main(['init'], io)).toBe(0)
    expect(io.out()).toMatch(/\nkept {3}mock\.config\.json\nkept {3}mock\.config\.ts\n\n/)
    expect(readdirSync(cwd)).toHaveLength(3)
  })

  it('uses an existing database', async () => {
    const cwd = createFolder({ 'db.json': { posts }, 'package.json': {} })
    const io = createFakeIo({ cwd })
    expect(await main(['init'], io)).toBe(0)
    expect(io.out()).toBe('kept   db.json\nwrote  mock.config.mjs\n\nNext: npx fixtura server\n')
    expect(existsSync(join(cwd, 'fixtures'))).toBe(false)
    const checked = createFakeIo({ cwd })
    expect([await main(['check'], checked), checked.out()]).toEqual([
      0,
      'No problems: 1 resource, 1 record.\n',
    ])
  })

  it('uses existing fixtures where there is also a database', async () => {
    const cwd = createFolder({ 'db.json': { posts }, 'fixtures/tags.json': [] })
    const io = createFakeIo({ cwd })
    await main(['init'], io)
    expect(io.out()).toMatch(/^kept {3}fixtures\/\nwrote {2}mock\.config\.mjs\n/)
    const checked = createFakeIo({ cwd })
    expect(await main(['check'], checked)).toBe(0)
    expect(checked.out()).toBe('No problems: 1 resource, 0 records.\n')
  })

  const workers: [title: string, files: Files, path: string, expected: string][] = [
    ['writes the worker script of MSW', {}, 'public', script],
    [
      'writes it to the folder of MSW in package.json',
      { 'package.json': { msw: { workerDirectory: ['static'] } } },
      'static',
      script,
    ],
    [
      'replaces a script of another version',
      { 'public/mockServiceWorker.js': '/* Mock Service Worker. */ 1' },
      'public',
      script,
    ],
    [
      'keeps another file of that name',
      { 'public/mockServiceWorker.js': 'mine' },
      'public',
      'mine',
    ],
  ]

  it.each(workers)('%s', async (_title, files, path, expected) => {
    const cwd = createFolder({ ...msw, ...files })
    await main(['init'], createFakeIo({ cwd }))
    expect(readFileSync(join(cwd, path, 'mockServiceWorker.js'), 'utf8')).toBe(expected)
  })

  const inTheWay: [title: string, files: Files, name: string][] = [
    ['fixtures', { fixtures: 'mine' }, 'fixtures'],
    ['the folder of the worker script', { ...msw, public: 'mine' }, 'public'],
  ]

  it.each(inTheWay)('says what is in the place of %s', async (_title, files, name) => {
    const io = createFakeIo({ cwd: createFolder(files) })
    expect(await main(['init'], io)).toBe(1)
    expect(io.err()).toBe(
      `Failed to write "${name}": a file or a broken link is in the place of a folder. Please rename or remove it.\n`,
    )
  })

  it.each([3, ['a', null], {}, ''])(
    'refuses %j as the folder of the worker script',
    async (given) => {
      const cwd = createFolder({ ...msw, 'package.json': { msw: { workerDirectory: given } } })
      const io = createFakeIo({ cwd })
      expect(await main(['init'], io)).toBe(1)
      expect(io.err()).toBe(
        `Failed to read "msw.workerDirectory" in package.json: it cannot be ${JSON.stringify(given)}. Please give a folder, or a list of folders.\n`,
      )
      expect(readdirSync(cwd)).toEqual(['node_modules', 'package.json'])
    },
  )

  it('ignores a package.json that is not an object', async () => {
    const cwd = createFolder({ 'package.json': 'null' })
    expect(await main(['init'], createFakeIo({ cwd }))).toBe(0)
  })

  it('creates no public folder without MSW', async () => {
    const cwd = createFolder()
    await main(['init'], createFakeIo({ cwd }))
    expect(existsSync(join(cwd, 'public'))).toBe(false)
  })
})

interface Started {
  io: FakeIo
  cwd: string
  code: Promise<number>
  url: string
}

/** The code of a middleware that adds its name to a header. */
function add(name: string): string {
  return `(request, response, next) => { response.append('X-Order', '${name}'); next() }`
}

/** Starts `mock server` on a free port, and waits for its banner. */
async function start(files: Files, line = '', options: FakeOptions = {}): Promise<Started> {
  const cwd = createFolder(files)
  const io = createFakeIo({ cwd, ...options })
  const isChosen = options.env?.['PORT'] !== undefined
  const args = [...line.split(' ').filter(Boolean), ...(isChosen ? [] : ['--port', '0'])]
  const code = main(args, io)
  onTestFinished(async () => {
    io.send('SIGTERM')
    await code
  })
  await io.printed(/ {2}http\S+\n\n[^]*\n\n/)
  const url = /http\S+/.exec(io.out())?.[0] ?? ''
  return { io, cwd, code, url }
}

async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Sends a request until there is a response. */
async function answers(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response) return response
  }
}
