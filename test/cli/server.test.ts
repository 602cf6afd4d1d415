import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { canLink, createFolder } from '../unit/loader/folder.ts'
import { program, type RunningServer, startProgram, startServer } from './program.ts'

const posts = [{ id: 1, title: 'Hello' }]
const files = { 'fixtures/posts.json': posts, 'fixtures/profile.json': { name: 'Ada' } }

// On Windows a signal from another process ends a program at once.
const isWindows = process.platform === 'win32'
const onSigterm = isWindows ? { code: null, signal: 'SIGTERM' } : { code: 0, signal: null }

describe('mock server', () => {
  it('answers every route of its banner when the banner is printed', async () => {
    const { out } = await startServer(['--port', '0'], createFolder(files))
    const routes = out().matchAll(/^ {2}(http\S+) {2}/gm)
    const answers = Array.from(routes, async ([, url = '']) => (await fetch(url)).status)
    expect(await Promise.all(answers)).toEqual([200, 200])
  })

  it('prints plain text where there is no terminal', async () => {
    const { out, printed, url } = await startServer(['--port', '0'], createFolder(files), {
      env: { FORCE_COLOR: '1' },
    })
    await fetch(`${url}/posts`)
    await printed(/GET {4}\/posts +200 +\d+ ms +26 B\n/)
    expect(out()).not.toContain('\u001B')
    expect(out()).not.toContain('quit')
  })

  it('serves the home page with all its files', async () => {
    const { url } = await startServer(['--port', '0'], createFolder(files))
    const ask = async (path: string): Promise<[status: number, text: string]> => {
      const response = await fetch(url + path, { headers: { Accept: 'text/html,*/*' } })
      return [response.status, await response.text()]
    }
    // The script of the page links to the API reference.
    const wanted = ['/', '/__mock/docs']
    for (const path of wanted) {
      const [status, text] = await ask(path)
      expect([path, status]).toEqual([path, 200])
      const links = text.matchAll(/(?:href|src)="(\/[^"]+)"|from ['"]\.(\/\w+\.js)['"]/g)
      const found = Array.from(links, ([, full, name]) => full ?? `/__mock/home${name}`)
      wanted.push(...found.filter((one) => !wanted.includes(one)))
    }
    expect(wanted).toEqual([
      '/',
      '/__mock/docs',
      '/__mock/home/style.css',
      '/__mock/home/start.js',
      '/__mock/home/app.js',
      '/__mock/docs/style.css',
      '/__mock/docs/swagger-ui.css',
      '/__mock/docs/swagger-ui-bundle.js',
      '/__mock/docs/docs.js',
      // The API reference leads back to the studio.
      '/#/data',
      '/#/requests',
      '/#/send',
      '/__mock/openapi.json',
    ])
  })

  it('goes to the next port where the default one is taken, and says so', async () => {
    const cwd = createFolder(files)
    const other = createServer((_, response) => response.end())
    onTestFinished(() => void other.close())
    other.listen(3000, '127.0.0.1')
    // Another program may use the port already, which has the same effect.
    await new Promise((resolve) => other.once('listening', resolve).once('error', resolve))
    const { out, port } = await startServer([], cwd)
    expect(port).toBeGreaterThan(3000)
    expect(out()).toContain(`Port 3000 is in use, so the server listens on ${port}.\n`)
  })

  it('exits with 1 and one line for a chosen port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { ended, err, out } = startProgram(['--port', String(port)], createFolder(files))
    expect(await ended).toEqual({ code: 1, signal: null })
    const [, advised] =
      /^Failed to listen on "localhost:\d+": the port is in use\. Please stop the other program, or use --port (\d+)\.\n$/.exec(
        err(),
      ) ?? []
    expect(out()).toBe('')
    // The advised port is free.
    expect(Number(advised)).toBeGreaterThan(port)
    const second = await startServer(['--port', String(advised)], createFolder(files))
    expect(second.port).toBe(Number(advised))
  })

  const wrong: [title: string, args: string[], error: RegExp][] = [
    ['a wrong option', ['--prot', '1'], /^Failed to read "--prot": .* Did you mean "--port"\?\n$/],
    ['a wrong command', ['chekc'], /^Failed to run "chekc": .* Did you mean "check"\?\n$/],
    ['a missing folder', ['nowhere'], /^Failed to read "nowhere": there is no such file .*\n$/],
    [
      'a broken file',
      ['broken'],
      /^broken\/a\.json:1:4 error\nFailed to load "broken\/a\.json": .*\n\n> 1 \| \[1 2\]\n.*\^\n$/,
    ],
  ]

  it.each(wrong)('exits with 1 for %s, without a stack', async (_title, args, error) => {
    const { ended, err } = startProgram(args, createFolder({ 'broken/a.json': '[1 2]' }))
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(err()).toMatch(error)
  })

  // Windows does not remove the working directory of a process.
  it.skipIf(isWindows).each(['server', 'check', 'init', '--help'])(
    'exits with 1 for "%s" in a deleted folder, without a stack',
    (command) => {
      const script = 'rmdir "$PWD" && exec "$0" "$@"'
      const args = ['-c', script, process.execPath, program, command]
      const run = spawnSync('sh', args, { cwd: createFolder(), encoding: 'utf8' })
      expect(run.stderr).toBe(
        'Failed to read the working directory: it no longer exists. Please change to another folder.\n',
      )
      expect(run.status).toBe(1)
    },
  )

  it('exits with 1 for a configuration that throws, and shows the position', async () => {
    const cwd = createFolder({ ...files, 'mock.config.mjs': "\nthrow new Error('no')" })
    const { ended, err } = startProgram([], cwd)
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(err()).toBe(
      [
        'mock.config.mjs:2:7 error',
        'Failed to load "mock.config.mjs": it throws "no". Please correct it.',
        '',
        '  1 |',
        "> 2 | throw new Error('no')",
        '    |       ^',
        '',
      ].join('\n'),
    )
  })

  it('says that an import of the configuration does not parse', async () => {
    const cwd = createFolder({
      ...files,
      'mock.config.mjs': "export { default } from './other.mjs'",
      'other.mjs': 'export default [',
    })
    const { ended, err } = startProgram([], cwd)
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(err()).toBe(
      'Failed to load "mock.config.mjs": it throws "Unexpected end of input". Please correct what it imports.\n',
    )
  })

  const modules: [title: string, content: string, thrown: string][] = [
    ['imports', "import 'node:fs'\n", 'Cannot use import statement outside a module'],
    ['exports', 'export default {}\n', "Unexpected token 'export'"],
  ]

  it.each(modules)('says what to do where CommonJS %s', async (_title, content, thrown) => {
    const cwd = createFolder({
      ...files,
      'package.json': { type: 'commonjs' },
      'mock.config.js': content,
    })
    const { ended, err } = startProgram([], cwd)
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(err()).toContain(
      `it throws "${thrown}". Please rename it to .mjs, or write "type": "module" into package.json.`,
    )
  })

  it('serves with the configuration that a promise resolves to', async () => {
    const cwd = createFolder({
      ...files,
      'mock.config.mjs': `
        const refuse = () => ({ status: 401, headers: [], body: null })
        const config = { use: [{ name: 'closed', create: () => ({ at: { entry: refuse } }) }] }
        export default new Promise((done) => setTimeout(() => done(config), 1))
      `,
    })
    const { url } = await startServer(['--port', '0'], cwd)
    expect((await fetch(`${url}/posts`)).status).toBe(401)
  })

  it('exits with 1 and one line for a rejected promise', async () => {
    const config = 'export default Promise.reject("no")'
    const { ended, err } = startProgram([], createFolder({ ...files, 'mock.config.mjs': config }))
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(err()).toBe('Failed to load "mock.config.mjs": it throws "no". Please correct it.\n')
  })

  it.each([
    ['a module', 'export default await new Promise(() => {})'],
    ['a function of one', 'export default () => new Promise(() => {})'],
  ])('exits with 1 and a message for %s that never resolves', async (_title, content) => {
    const { ended, err } = startProgram([], createFolder({ 'fixtures/posts.mjs': content }))
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(err()).toBe(
      'Failed to load "fixtures/posts.mjs": it throws "It awaits a promise that never settles". Please correct it.\n',
    )
  })

  it.runIf(canLink)(
    'answers with a MockError from the package that the configuration imports',
    async () => {
      const cwd = createFolder({
        ...files,
        'mock.config.mjs': `
        import { MockError } from 'fixtura'
        const refuse = () => { throw new MockError('Short and stout.', { status: 418 }) }
        export default { use: [{ name: 'teapot', create: () => ({ at: { entry: refuse } }) }] }
      `,
        'node_modules/.keep': '',
      })
      symlinkSync(join(import.meta.dirname, '../..'), join(cwd, 'node_modules/fixtura'))
      const { url } = await startServer(['--port', '0'], cwd)
      const response = await fetch(`${url}/posts`)
      expect(response.status).toBe(418)
      expect(await response.json()).toMatchObject({ detail: 'Short and stout.' })
    },
  )

  it('goes on when its output pipe is closed', async () => {
    const { child, url, ended } = await startServer(['--port', '0'], createFolder(files))
    child.stdout?.destroy()
    for (let request = 0; request < 20; request++) {
      expect((await fetch(`${url}/posts`)).status).toBe(200)
    }
    child.kill('SIGTERM')
    expect(await ended).toEqual(onSigterm)
  })

  it('drops the connection of a fault, also after a delay', async () => {
    for (const delay of [0, 20]) {
      const config = JSON.stringify({ use: { delay, faults: { profile: 'offline' } } })
      const cwd = createFolder({ ...files, 'mock.config.json': config })
      const { url } = await startServer(['--port', '0'], cwd)
      await expect(fetch(`${url}/posts`)).rejects.toThrow('fetch failed')
    }
  })

  it('serves an edit while requests go on, and answers all of them', async () => {
    const cwd = createFolder(files)
    const { url } = await startServer(['--port', '0'], cwd)
    const seen = new Set<string>()
    const statuses = new Set<number>()
    const done = new AbortController()
    const loop = (async () => {
      while (!done.signal.aborted) {
        const response = await fetch(`${url}/posts/1`)
        statuses.add(response.status)
        seen.add(((await response.json()) as { title: string }).title)
      }
    })()
    while (!seen.has('Hello')) await fetch(`${url}/profile`)
    const titles = Array.from({ length: 5 }, (_, edit) => `Edit ${edit}`)
    for (const [edit, title] of titles.entries()) {
      const path = join(cwd, 'fixtures/posts.json')
      const target = edit % 2 === 0 ? path : `${path}~`
      writeFileSync(target, JSON.stringify([{ id: 1, title }]))
      if (target !== path) renameSync(target, path)
      while (!seen.has(title)) await fetch(`${url}/profile`)
    }
    done.abort()
    await loop
    expect([...statuses]).toEqual([200])
    expect([...seen]).toEqual(['Hello', ...titles])
  })
})

describe.skipIf(isWindows)('the end of mock server', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'has exit code 0 on %s, whatever connections are open',
    async (signal) => {
      const { child, ended, port, url } = await startServer(['--port', '0'], createFolder(files))
      const unused = connect(port, '127.0.0.1')
      await once(unused, 'connect')
      const closed = once(unused, 'close')
      await fetch(`${url}/posts`, { keepalive: true })
      child.kill(signal)
      expect(await ended).toEqual({ code: 0, signal: null })
      await closed
    },
  )

  it('finishes a request in progress, and accepts no other', async () => {
    const server = await startServer(['--port', '0'], createFolder({ ...files, ...slow(700) }))
    const response = ask(server)
    await server.printed(/reached/)
    server.child.kill('SIGTERM')
    await refuses(server.port)
    expect(await textOf(await response)).toBe('{"id":1,"title":"Hello"}')
    expect(await server.ended).toEqual({ code: 0, signal: null })
  })

  it('comes at once on a second signal', async () => {
    const server = await startServer(['--port', '0'], createFolder({ ...files, ...slow(60_000) }))
    const broken = expect(ask(server)).rejects.toThrow(/socket hang up|ECONNRESET/)
    await server.printed(/reached/)
    server.child.kill('SIGINT')
    await refuses(server.port)
    // A signal shortly after the first counts as its echo, so it is repeated.
    const again = setInterval(() => server.child.kill('SIGINT'), 20)
    expect(await server.ended).toEqual({ code: null, signal: 'SIGINT' })
    clearInterval(again)
    await broken
  })

  it('comes after 5 seconds, whatever request is in progress', async () => {
    const server = await startServer(['--port', '0'], createFolder({ ...files, ...slow(60_000) }))
    const broken = expect(ask(server)).rejects.toThrow(/socket hang up|ECONNRESET/)
    await server.printed(/reached/)
    const began = performance.now()
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - began).toBeGreaterThan(4500)
    await broken
  })
})

describe.skipIf(isWindows)('a server that npm started', () => {
  it('ends when the shell between them is gone', async () => {
    const cwd = createFolder(files)
    const line = `"${process.execPath}" "${program}" --port 0; true`
    const shell = spawn('sh', ['-c', line], {
      cwd,
      env: { ...process.env, npm_command: 'exec' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void shell.kill('SIGKILL'))
    const [banner] = (await once(shell.stdout, 'data')) as [Buffer]
    const [, port] = /localhost:(\d+)/.exec(banner.toString()) ?? []
    const ended = once(shell.stdout, 'close')
    shell.stdout.resume()
    shell.kill('SIGTERM')
    await ended
    await refuses(Number(port))
  })
})

describe('mock check', () => {
  it('exits with 1 and prints the positions of all problems to standard output', async () => {
    const cwd = createFolder({ 'f/a.json': '[1 2]', 'f/b.json': '', 'f/c.mjs': 'export default [' })
    const { ended, out, err } = startProgram(['check', 'f'], cwd)
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(out()).toMatch(/^f\/a\.json:1:4 error$/m)
    expect(out()).toMatch(/^f\/b\.json:1:1 error$/m)
    expect(out()).toMatch(/^f\/c\.mjs:\d+:\d+ error$/m)
    expect(out()).toMatch(/\n3 problems in 3 files\.\n$/)
    expect(err()).toBe('')
  })

  it('exits with 0 without problems', async () => {
    const { ended, out } = startProgram(['check'], createFolder(files))
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(out()).toBe('No problems: 2 resources, 1 record.\n')
  })
})

/** A configuration that prints when a request arrives, and answers it after that many milliseconds. */
function slow(milliseconds: number): Record<string, string> {
  const config = `
    const entry = () => {
      console.log('reached')
      return new Promise((resolve) => setTimeout(resolve, ${milliseconds}))
    }
    export default { use: [{ name: 'slow', create: () => ({ at: { entry } }) }] }
  `
  return { 'mock.config.mjs': config }
}

/** Sends a request over a new connection. */
function ask({ url }: RunningServer): Promise<IncomingMessage> {
  const request = get(`${url}/posts/1`, { agent: false })
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Waits until the port refuses connections. */
async function refuses(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isRefused = await new Promise((resolve) => {
      socket.once('connect', () => resolve(false))
      socket.once('error', () => resolve(true))
    })
    socket.destroy()
    if (isRefused) return
  }
}
