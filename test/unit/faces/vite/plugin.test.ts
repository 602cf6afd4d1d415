import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import { join } from 'node:path'
import { build, createLogger, createServer, type Plugin, type ViteDevServer } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'

import { createCertificate } from '../../../../src/faces/node/certificate.ts'
import type { FileConfig } from '../../../../src/node.ts'
import { proxy } from '../../../../src/behaviours.ts'
import { fixtura, type FixturaOptions } from '../../../../src/vite.ts'
import { createFolder } from '../../loader/folder.ts'
import { startBackend } from '../../proxy/backend.ts'

it('follows the files after a restart with the same plugin', async () => {
  const root = createFolder({ 'fixtures/posts.json': [{ id: 1, title: 'Old' }] })
  const server = await open(root)
  await server.restart()
  writeFileSync(join(root, 'fixtures/posts.json'), '[{ "id": 1, "title": "New" }]')
  await expect
    .poll(() => get(server, 'api/posts/1'))
    .toEqual({
      id: 1,
      title: 'New',
    })
})

it('leaves the types as they are while a fixture is broken', async () => {
  const files = { 'fixtures/posts.json': '[{', 'fixtures/tags.json': [], 'types.d.ts': 'before' }
  const root = createFolder(files)
  await open(root, { types: 'types.d.ts' })
  expect(await readFile(join(root, 'types.d.ts'), 'utf8')).toBe('before')
  writeFileSync(join(root, 'fixtures/posts.json'), '[]')
  const read = async (): Promise<string> => readFile(join(root, 'types.d.ts'), 'utf8')
  await expect.poll(read).toContain('posts: Post[]')
})

it('reports a broken file once, also after a restart', async () => {
  const root = createFolder({ 'fixtures/posts.json': [] })
  const customLogger = createLogger('silent')
  const error = vi.spyOn(customLogger, 'error')
  const info = vi.spyOn(customLogger, 'info')
  const warn = vi.spyOn(customLogger, 'warn')
  const server = await open(root, {}, [{ name: 'logger', config: () => ({ customLogger }) }])
  await server.restart()
  writeFileSync(join(root, 'fixtures/posts.json'), '[{')
  await expect.poll(() => error.mock.calls.length).toBeGreaterThan(0)
  writeFileSync(join(root, 'fixtures/posts.json'), '[]')
  const mended = 'fixtures/posts.json can be read again.'
  await expect.poll(() => info.mock.calls.flat()).toContain(mended)
  expect(error).toHaveBeenCalledOnce()
  expect(error.mock.calls[0]?.[0]).toContain('fixtures/posts.json:1:3 error')
  expect(warn).not.toHaveBeenCalled()
})

it.each([
  ['closes', (server: ViteDevServer) => server.close()],
  ['gets Ctrl-C', () => void process.emit('SIGINT')],
])('finishes the recording of a proxy when the server %s', async (title, end) => {
  const { origin } = await startBackend((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{ "code": "EUR" }]')
  })
  const root = createFolder({ 'fixtures/posts.json': [] })
  const killed = new Promise((resolve) => {
    const kill = vi.spyOn(process, 'kill').mockImplementation((...args) => {
      resolve(args)
      return true
    })
    onTestFinished(() => kill.mockRestore())
  })
  const server = await open(root, { config: { use: [proxy({ to: origin, record: true })] } })
  expect(await get(server, 'api/rates')).toEqual([{ code: 'EUR' }])
  await end(server)
  if (title === 'gets Ctrl-C') expect(await killed).toEqual([process.pid, 'SIGINT'])
  expect(await readFile(join(root, 'fixtures/rates.json'), 'utf8')).toContain('EUR')
})

it('refuses Vite before 6', () => {
  const { configResolved } = fixtura() as { configResolved?(config: object): void }
  expect(() => configResolved?.({ root: '/app', plugins: [] })).toThrow(
    'Failed to use fixtura/vite: it takes Vite 6 or later. Please update Vite, or run "npx fixtura server" and let "server.proxy" of Vite lead to it.',
  )
})

it('reports broken files, and files with an unsupported extension', async () => {
  const root = createFolder({
    'fixtures/posts.json': [],
    'fixtures/tags.json': '[{',
    'fixtures/users.yaml': '- id: 1',
  })
  const customLogger = createLogger('silent')
  const error = vi.spyOn(customLogger, 'error')
  const warn = vi.spyOn(customLogger, 'warn')
  await open(root, {}, [{ name: 'logger', config: () => ({ customLogger }) }])
  expect(warn.mock.calls.map(([text]) => text)).toEqual([
    'Skipped: fixtures/users.yaml. Supported extensions: .json, .jsonc, .json5, .js, .mjs, .cjs.',
  ])
  expect(error).toHaveBeenCalledOnce()
  expect(error.mock.calls[0]?.[0]).toContain('fixtures/tags.json:1:3 error')
})

it('serves the newest data, and no data in the status module', async () => {
  const root = createFolder({ 'fixtures/posts.json': [{ id: 1, title: 'Old' }] })
  const { environments } = await open(root)
  const load = async (id: string): Promise<string> =>
    (await environments.client.transformRequest(id))?.code ?? ''
  expect(await load('virtual:fixtura')).toContain('Old')
  expect(await load('virtual:fixtura/status')).not.toContain('Old')
  writeFileSync(join(root, 'fixtures/posts.json'), '[{ "id": 1, "title": "New" }]')
  await expect.poll(() => load('virtual:fixtura')).toContain('New')
})

it.each([
  ['by Vitest, which reruns tests', [{ name: 'vitest' }], true],
  ['by no dev server, which would reload its pages', [], false],
])('has its files watched %s', async (_title, plugins, expected) => {
  const folder = createFolder({ 'posts.json': [] })
  const { environments, watcher } = await open(createFolder(), { fixtures: folder }, plugins)
  await environments.ssr.transformRequest('virtual:fixtura')
  await expect.poll(() => Object.keys(watcher.getWatched()).includes(folder)).toBe(expected)
})

it.each([
  ['edited', 'posts.json', '[{ "id": 1, "title": "Old" }]', 'Old'],
  ['no longer broken', 'posts.json', '[{', 'ENOENT'],
  ['added', 'users.json', '[{ "id": 1, "title": "Old" }]', 'Old'],
])('builds again when a fixture is %s', async (_title, file, before, built) => {
  const root = createFolder({
    'fixtures/posts.json': before,
    'main.js': "import { fixtures } from 'virtual:fixtura'; console.log(fixtures)",
  })
  const watcher = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [fixtura({ production: true })],
    build: { watch: {}, lib: { entry: 'main.js', formats: ['es'], fileName: () => 'main.js' } },
  })
  onTestFinished(async () => {
    if ('close' in watcher) await watcher.close()
  })
  const read = async (): Promise<string> =>
    readFile(join(root, 'dist/main.js'), 'utf8').catch(String)
  await new Promise<void>((resolve) => {
    if (!('on' in watcher)) return
    watcher.on('event', ({ code }) => {
      if (code === 'BUNDLE_END' || code === 'ERROR') resolve()
    })
  })
  expect(await read()).toContain(built)
  writeFileSync(join(root, 'fixtures', file), '[{ "id": 1, "title": "New" }]')
  await expect.poll(read).toContain('New')
})

it.each([
  ['that holds the fixtures', { production: true }, false, true],
  ['that holds none', {}, false, false],
  ['for a server', { production: true }, true, false],
])('adds the worker script to a build %s: %j, %j: %j', async (...row) => {
  const [, options, ssr, expected] = row
  const root = createFolder({
    'main.js': "import { fixtures } from 'virtual:fixtura'; console.log(fixtures)",
    'fixtures/posts.json': [],
    'node_modules/msw/package.json': { name: 'msw' },
    'node_modules/msw/mockServiceWorker.js': '',
  })
  const input = join(root, 'main.js')
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [fixtura(options)],
    build: { write: false, ssr, ssrEmitAssets: true, rollupOptions: { input } },
  })
  const names = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  expect(names.map(({ fileName }) => fileName).includes('mockServiceWorker.js')).toBe(expected)
})

it.each([
  ['without a script', 'page', 1],
  ['with a script that shows broken fixtures', 'server', 2],
] as const)('serves a page in its mode: %s', async (_title, mode, scripts) => {
  const server = await open(createFolder({ 'fixtures/posts.json': [] }), { mode })
  const html = await server.transformIndexHtml('/', '<head></head>')
  // Vite adds a script too.
  expect(html.match(/<script/g)).toHaveLength(scripts)
})

it('runs the mock with the behaviours of its configuration and of its folders', async () => {
  const root = createFolder({
    'data/posts.json': [{ id: 1, title: 'One' }],
    'data/posts.schema.json': { required: ['title'] },
    'data/_scenarios/empty/posts.json': [],
    'data/_scenarios/empty/tags.json': [{ id: 1 }],
  })
  const config: FileConfig = {
    fixtures: 'data',
    delay: '1ms',
    sessionTtl: '1m',
    scenario: 'empty',
    corsOrigin: 'https://app.test',
  }
  const server = await open(root, { config })
  const headers = { 'Content-Type': 'application/json', Origin: 'https://app.test' }
  const url = `${server.resolvedUrls?.local[0]}api/posts`
  expect(await get(server, 'api/posts')).toEqual([])
  const write = async (): Promise<Response> => fetch(url, { method: 'POST', headers, body: '{}' })
  const refused = await write()
  expect(refused.status).toBe(422)
  expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('https://app.test')
  expect(await get(server, '__mock/log')).toMatchObject([
    { reason: 'delayed 1 ms' },
    { reason: expect.stringMatching(/^delayed 1 ms; Failed to write/) as string },
  ])
  await fetch(url, { headers: { 'X-Mock-Session': 'mine' } })
  expect(await get(server, '__mock/sessions')).toMatchObject([{ name: 'mine' }])
  writeFileSync(join(root, 'data/posts.schema.json'), '{}')
  await expect.poll(async () => (await write()).status).toBe(201)
  writeFileSync(join(root, 'data/_scenarios/empty/tags.json'), '[]')
  await expect.poll(() => get(server, 'api/tags')).toEqual([])
})

it('says that it persists nothing', async () => {
  const customLogger = createLogger('silent')
  const warn = vi.spyOn(customLogger, 'warn')
  const plugin: Plugin = { name: 'logger', config: () => ({ customLogger }) }
  const root = createFolder({ 'fixtures/posts.json': [] })
  await open(root, { config: { persist: true } }, [plugin])
  expect(warn.mock.calls).toEqual([
    [
      'Failed to persist: Vite keeps the changes of requests in memory. Please run "mock server --persist", and let "server.proxy" of Vite lead to it.',
    ],
  ])
  await open(root, { config: { persist: true }, mode: 'page' }, [plugin])
  expect(warn).toHaveBeenCalledOnce()
})

it('refuses an unknown scenario', async () => {
  const root = createFolder({ 'fixtures/posts.json': [] })
  await expect(open(root, { config: { scenario: 'empty' } })).rejects.toThrow(
    'Failed to find the scenario "empty" below _scenarios.',
  )
})

it('sends repeated header fields', async () => {
  const root = createFolder({ 'fixtures/posts.json': [] })
  const headers: [string, string][] = [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ]
  const entry = () => ({ status: 204, headers, body: null })
  const config = { use: [{ name: 'cookies', create: () => ({ at: { entry } }) }] }
  const server = await open(root, { config })
  const response = await fetch(`${server.resolvedUrls?.local[0]}api/posts`)
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

it('knows its own pages over HTTP/2, and refuses there what cannot be sent', async () => {
  const root = createFolder({ 'fixtures/posts.json': [] })
  const headers: [string, string][] = [['Keep-Alive', 'timeout=5']]
  const resource = () => ({ status: 200, headers, body: '' })
  const config = { use: [{ name: 'keep', create: () => ({ at: { resource } }) }] }
  const https = createCertificate([])
  const server = await open(root, { config }, [
    { name: 'h2', config: () => ({ server: { https } }) },
  ])
  const url = new URL(server.resolvedUrls?.local[0] ?? '')
  const client = connect(url, { rejectUnauthorized: false })
  onTestFinished(() => client.close())
  const ask = async (path: string, init: OutgoingHttpHeaders = {}): Promise<unknown> => {
    const request = client.request({ ':path': path, ...init }, { endStream: true }).resume()
    const [answer] = (await once(request, 'response')) as [IncomingHttpHeaders]
    return answer[':status']
  }
  const init = { ':method': 'POST', origin: url.origin }
  expect(await ask('/__mock/reset', init)).toBe(200)
  expect(await ask('/__mock/reset', { ...init, origin: 'https://localhost' })).toBe(403)
  expect(await ask('/api/posts')).toBe(500)
})

it('links to its own origin over HTTP/2, or to that of a trusted proxy', async () => {
  const root = createFolder({ 'fixtures/posts.json': [{ id: 1 }, { id: 2 }] })
  for (const trustProxy of [false, true]) {
    const https = createCertificate([])
    const server = await open(root, { config: { trustProxy } }, [
      { name: 'h2', config: () => ({ server: { https } }) },
    ])
    const url = new URL(server.resolvedUrls?.local[0] ?? '')
    const client = connect(url, { rejectUnauthorized: false })
    onTestFinished(() => client.close())
    const headers = { ':path': '/api/posts?_limit=1', 'x-forwarded-host': 'app.test' }
    const request = client.request(headers, { endStream: true }).resume()
    const [answer] = (await once(request, 'response')) as [IncomingHttpHeaders]
    const origin = trustProxy ? 'https://app.test' : url.origin
    expect(answer['link']).toContain(`<${origin}/api/posts?_limit=1&_start=1>; rel="next"`)
  }
})

async function open(
  root: string,
  options: FixturaOptions = {},
  plugins: Plugin[] = [],
): Promise<ViteDevServer> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [fixtura({ base: '/api', mode: 'server', ...options }), ...plugins],
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0 },
  })
  onTestFinished(() => server.close())
  await server.listen()
  return server
}

async function get({ resolvedUrls }: ViteDevServer, path: string): Promise<unknown> {
  const response = await fetch(`${resolvedUrls?.local[0]}${path}`)
  return response.json()
}
