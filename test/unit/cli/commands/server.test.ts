import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it, onTestFinished } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'
import { add, start } from '../start.ts'

const posts = [{ id: 1, title: 'Hello' }]

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
          '^\n  Fixtura \\S+  {url}  ready in \\d+ ms\n  Studio +{url}/\n',
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
      /^GET {4}\/posts\/1\?token=\[redacted\] +200 +\d+ ms +24 B {2}ignored "token"$/,
    )
    expect(log[1]).toMatch(
      /^GET {4}\/posts\?_page=%1b\[31m +400 +\d+ ms +\d+ B {2}Failed to read "_page"/,
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

  it('refuses a taken port that the environment chose', async () => {
    const port = await takePort()
    const cwd = createFolder({ 'db.json': { posts } })
    const io = createFakeIo({ cwd, env: { PORT: String(port) } })
    expect(await main([], io)).toBe(1)
    expect(io.err()).toContain(`Failed to listen on "localhost:${port}": the port is in use.`)
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
    await io.printed(/^GET {4}\/posts +401 +\d+ ms +2 B {2}middleware "stop\.mjs"$/m)
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
})

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
