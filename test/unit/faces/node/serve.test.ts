import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { delay, routes } from '../../../../src/behaviours.ts'
import { jsonServer0 } from '../../../../src/dialects.ts'
import type { Behaviour } from '../../../../src/core/http/contract/behaviour.ts'
import type { HeaderList, MockResponse } from '../../../../src/core/http/contract/messages.ts'
import { createMock, type MockConfig } from '../../../../src/index.ts'
import { serve, type ServeOptions, type Serving } from '../../../../src/node.ts'
import { send } from '../../../wire.ts'

const fixtures = { posts: [{ id: 1, title: 'Hello' }] }
const get = 'GET /posts/1 HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('serve', () => {
  it('answers on 127.0.0.1 and ::1 by default', async () => {
    const { port } = await start()
    for (const host of ['127.0.0.1', '[::1]']) {
      const response = await fetch(`http://${host}:${port}/posts/1`)
      expect(await response.json()).toEqual(fixtures.posts[0])
    }
  })

  it('answers and closes with fake timers', async () => {
    const { url, close } = await start({ grace: 60_000 })
    vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const response = await fetch(`${url}/posts/1`)
    expect(await response.json()).toEqual(fixtures.posts[0])
    await close()
  })

  it.each([
    ['127.0.0.1', '::1'],
    ['::1', '127.0.0.1'],
  ])('names a port that is in use on %s', async (host, free) => {
    const other = createServer().listen(0, host)
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    await expect(start({ port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Failed to listen on "localhost:${port}": the port is in use. Please stop the other program or choose another port.`,
    })
    await expect(open(port, free)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('a server beyond localhost', () => {
  it.each([
    ['::1', '[::1]'],
    ['127.0.0.1', '127.0.0.1'],
  ])('on %s has its address in its URL', async (host, name) => {
    const { url, port } = await start({ host }, { base: '/api' })
    expect(url).toBe(`http://${name}:${port}/api`)
    expect((await fetch(`${url}/posts`)).status).toBe(200)
  })

  it('says whether an address is in use or does not exist', async () => {
    const { port } = await start({ host: '127.0.0.1' })
    await expect(start({ host: '127.0.0.1', port })).rejects.toThrow(
      `Failed to listen on "127.0.0.1:${port}": the port is in use.`,
    )
    await expect(start({ host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'EADDRNOTAVAIL',
      message: expect.stringContaining('Please choose another host.'),
    })
  })

  it('refuses unknown options', async () => {
    await expect(start({ prot: 1 } as ServeOptions)).rejects.toThrow('Did you mean "port"?')
  })
})

describe('the root', () => {
  const other = { Origin: 'http://localhost:5173' }
  const jsonServer = { dialect: jsonServer0 }
  const rows: [string, Partial<MockConfig>, RequestInit, unknown[]][] = [
    ['lists the resources for a program', {}, {}, [200, { resources: ['/posts'] }]],
    ['does so with a base', { base: '/api' }, {}, [200, { resources: ['/api/posts'] }]],
    [
      'does so for pages of other origins',
      {},
      { headers: other },
      [200, { resources: ['/posts'] }],
    ],
    ['does so in a dialect with its own routes', jsonServer, {}, [200, { resources: ['/posts'] }]],
    ['accepts no POST', {}, { method: 'POST' }, [404]],
    ['can be answered by a behaviour', answering('"mine"'), {}, [200, 'mine']],
  ]

  it.each(rows)('%s', async (_, config, init, [status, value = expect.anything()]) => {
    const { port } = await start({}, config)
    const response = await fetch(`http://localhost:${port}/`, init)
    expect([response.status, await response.json()]).toEqual([status, value])
  })

  it('answers HEAD, which tools use to wait for a server', async () => {
    const { url } = await start()
    const response = await fetch(url, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('a response that cannot be sent', () => {
  const rows: [title: string, answer: Partial<MockResponse>, why: string][] = [
    ['its header', { headers: [['X-A', '€']] }, 'Invalid character in header content ["X-A"]'],
    ['its status', { status: 99 }, 'Invalid status code: 99'],
    ['its body', { body: 7 as never }, 'The "string" argument must be of type string'],
  ]

  it.each(rows)('becomes an error that names the problem of %s', async (_, answer, why) => {
    const { url } = await start({}, answering('a', answer))
    const response = await fetch(`${url}/posts`)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      status: 500,
      detail: expect.stringContaining(`Failed to send the response: ${why}`),
    })
  })
})

describe('the length of a response without a body (RFC 9110 §8.6)', () => {
  const rows: [method: string, status: number, length: string | undefined][] = [
    ['GET', 200, '0'],
    ['GET', 500, '0'],
    ['GET', 204, undefined],
    ['GET', 304, undefined],
    ['HEAD', 200, undefined],
  ]

  it.each(rows)('%s %d is %j', async (method, status, length) => {
    const { port } = await start({}, answering(null, { status }))
    const answer = await send(port, { method, path: '/posts' })
    expect([answer.status, answer.headers['content-length']]).toEqual([status, length])
    expect(answer.headers['transfer-encoding']).toBeUndefined()
  })

  it('is missing where the connection is dropped', async () => {
    const { port } = await start({}, answering(null, { status: 0 }))
    await expect(send(port, { path: '/posts' })).rejects.toThrow('socket hang up')
  })
})

describe('the token of a server', () => {
  const random = expect.stringMatching(/^[\da-f]{32}$/) as string
  const rows: [title: string, options: ServeOptions, token: string | undefined][] = [
    ['is missing on localhost', {}, undefined],
    ['is missing on localhost where the option is empty', { token: '' }, undefined],
    ['is the given one on localhost', { token: 'abc' }, 'abc'],
    ['is random beyond localhost', { host: '0.0.0.0' }, random],
    [
      'is random beyond localhost where the option is empty',
      { host: '0.0.0.0', token: '' },
      random,
    ],
    ['is the given one beyond localhost', { host: '0.0.0.0', token: 'abc' }, 'abc'],
  ]

  it.each(rows)('%s', async (_, options, token) => {
    const { port, ...serving } = await start(options)
    expect(serving.token).toEqual(token)
    const answer = await fetch(`http://127.0.0.1:${port}/__mock/state`)
    expect(answer.status).toBe(token === undefined ? 200 : 401)
  })
})

describe('a stream', () => {
  it('releases the chunks that it has sent', async () => {
    const sent: WeakRef<Uint8Array>[] = []
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 5; count++) {
        const chunk = new Uint8Array(1000)
        sent.push(new WeakRef(chunk))
        yield chunk
        await new Promise(setImmediate)
      }
      await new Promise(() => {})
    }
    const { url } = await start({ grace: 0 }, answering(chunks()))
    const reader = (await fetch(url)).body?.getReader()
    for (let left = 5000; left > 0;) left -= (await reader?.read())?.value?.length ?? left
    await expect
      .poll(() => collectGarbage() ?? sent.filter((one) => one.deref()).length)
      .toBeLessThan(2)
  })

  it('arrives where a test environment has no ReadableStream', async () => {
    async function* chunks(): AsyncGenerator<string> {
      yield 'a'
    }
    const { port } = await start({}, answering(chunks()))
    vi.stubGlobal('ReadableStream', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    expect((await send(port, { path: '/' })).text).toBe('a')
  })

  it('arrives whole while the server closes', async () => {
    const { promise, resolve: release } = withResolve()
    async function* chunks(): AsyncGenerator<string> {
      yield 'a'
      await promise
      yield 'b'
    }
    const { url, close } = await start({}, answering(chunks()))
    const answer = await fetch(url)
    const closed = close()
    release()
    expect(await answer.text()).toBe('ab')
    await closed
  })

  it.each([7, null, { a: 1 }])('is aborted at the invalid chunk %j', async (odd) => {
    async function* chunks(): AsyncGenerator<string> {
      yield 'a'.repeat(100_000)
      yield odd as never
    }
    const { url } = await start({}, answering(chunks()))
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
  })
})

describe('a stream of events', () => {
  const headers: HeaderList = [['Content-Type', 'text/event-stream']]

  it.each([
    ['while it is open', 0],
    ['before it begins', 5],
  ])('ends when its client ends its side %s', async (_, milliseconds) => {
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    async function* tell(): AsyncGenerator<string> {
      try {
        for (;;) {
          yield 'data: 1\n\n'
          await new Promise(setImmediate)
        }
      } finally {
        end()
      }
    }
    const entry = (): MockResponse => ({ status: 200, headers, body: tell() })
    const answering: Behaviour = { name: 'tell', create: () => ({ at: { resource: entry } }) }
    const { port } = await start({ grace: 0 }, { use: [delay(milliseconds), answering] })
    const socket = await open(port)
    socket.resume().end(get)
    await ended
  })

  it.each(['/rule', '/route'])(
    'of %s ends with its client, even without further events',
    async (path) => {
      const { promise: ended, resolve: cancel } = withResolve()
      const init = { headers: { 'Content-Type': 'text/event-stream' } }
      const first = new TextEncoder().encode('data: 1\n\n')
      const tell = (): ReadableStream =>
        new ReadableStream({ start: (controller) => controller.enqueue(first), cancel })
      const use = [routes({ 'GET /route': () => new Response(tell(), init) })]
      const mock = createMock({ fixtures, use })
      mock.on('GET', '/rule').reply(200, tell, init)
      const { url, close } = await serve(mock, { port: 0, grace: 0 })
      onTestFinished(() => close())
      const controller = new AbortController()
      await fetch(url + path, { signal: controller.signal })
      controller.abort()
      await ended
    },
  )

  it.each<[title: string, at: (port: number) => ServeOptions]>([
    ['at another port', () => ({})],
    ['at another address', (port) => ({ host: '::1', port })],
  ])('goes on while another server %s closes', async (_, at) => {
    const { promise, resolve: release } = withResolve()
    async function* tell(): AsyncGenerator<string> {
      yield 'data: 1\n\n'
      await promise
      yield 'data: 2\n\n'
    }
    const { url, port } = await start({ host: '127.0.0.1' }, answering(tell(), { headers }))
    const answer = await fetch(url)
    const other = await start(at(port))
    await other.close()
    release()
    expect(await answer.text()).toBe('data: 1\n\ndata: 2\n\n')
  })

  it('that ends leaves no listener on its connection', async () => {
    async function* tell(): AsyncGenerator<string> {
      yield 'data: 1\n\n'
    }
    const entry = (): MockResponse => ({ status: 200, headers, body: tell() })
    const { url } = await start({}, { use: [{ name: 'tell', create: () => ({ at: { entry } }) }] })
    const warnings: string[] = []
    const hear = ({ message }: Error): unknown => warnings.push(message)
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    for (let count = 0; count < 12; count++) {
      const [answer] = (await once(request(url, { agent }).end(), 'response')) as [IncomingMessage]
      expect(Buffer.concat(await answer.toArray()).toString()).toBe('data: 1\n\n')
    }
    expect(warnings).toEqual([])
  })
})

describe('a connection', () => {
  it.each([
    ['plain', false],
    ['encrypted', true],
  ])('that is %s leaks no memory', async (_, https) => {
    const seen: WeakRef<object>[] = []
    const entry = ({ headers }: { headers: object }): undefined =>
      void seen.push(new WeakRef(headers))
    const use: Behaviour[] = [{ name: 'seen', create: () => ({ at: { entry } }) }]
    const { port } = await start({ https }, { use })
    const one = https ? requestSecurely : request
    for (let count = 0; count < 3; count++) {
      const asked = one({ port, path: '/posts/1', agent: false, rejectUnauthorized: false }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      await answer.resume().toArray()
    }
    await expect
      .poll(() => collectGarbage() ?? seen.filter((headers) => headers.deref()).length)
      .toBeLessThan(2)
  })
})

describe('close', () => {
  it('closes idle and unused connections', async () => {
    const { close, port } = await start({ grace: 60_000 })
    const unused = await open(port)
    const used = await open(port)
    used.write(get)
    await once(used, 'data')
    const closed = [once(unused, 'close'), once(used, 'close')]
    await close()
    await Promise.all(closed)
  })

  it('finishes a request in progress, and then closes its connection', async () => {
    const held = hold()
    const { close, port } = await start({ grace: 60_000 }, { use: [held.behaviour] })
    const socket = await open(port)
    const answer = readAll(socket)
    socket.write(get)
    await held.reached
    const closed = close()
    await expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    held.release()
    expect(await answer).toContain('"title":"Hello"')
    await closed
  })

  const leaves: [title: string, leave: (end: () => void, close: Serving['close']) => unknown][] = [
    [
      'before',
      async (end, close) => {
        end()
        await new Promise(setImmediate)
        await close()
      },
    ],
    [
      'meanwhile',
      async (end, close) => {
        const closed = close()
        await new Promise(setImmediate)
        await new Promise(setImmediate)
        end()
        await closed
      },
    ],
  ]

  it.each(leaves)('does not wait for a client that has gone %s', async (_, leave) => {
    const held = hold()
    const { close, port } = await start({ grace: 60_000 }, { use: [held.behaviour] })
    const socket = await open(port)
    socket.write(get)
    await held.reached
    await leave(() => socket.end(), close)
    held.release()
  })

  it('aborts requests that are still in progress after the grace period', async () => {
    const held = hold()
    const { close, port } = await start({ grace: 20 }, { use: [held.behaviour] })
    const socket = await open(port)
    const answer = readAll(socket)
    socket.write(get)
    await held.reached
    await close()
    expect(await answer).toBe('')
    held.release()
  })

  it('ends streams of events', async () => {
    async function* tell(): AsyncGenerator<string> {
      yield 'data: 1\n\n'
      await new Promise(() => undefined)
    }
    const headers: HeaderList = [['Content-Type', 'text/event-stream']]
    const { close, port } = await start({ grace: 60_000 }, answering(tell(), { headers }))
    const socket = await open(port)
    const answer = readAll(socket)
    socket.write(get)
    await once(socket, 'data')
    await close()
    expect(await answer).toMatch(/data: 1\n\n\r\n0\r\n\r\n$/)
  })

  it('may be called twice', async () => {
    const { close } = await start()
    await Promise.all([close(), close()])
    await close()
  })
})

async function start(options: ServeOptions = {}, config: MockConfig = {}): Promise<Serving> {
  const serving = await serve(createMock({ fixtures, ...config }), { port: 0, ...options })
  onTestFinished(() => serving.close())
  return serving
}

/** A behaviour that makes every request wait. */
function hold(): { behaviour: Behaviour; reached: Promise<void>; release(): void } {
  let release = (): void => undefined
  let reach = (): void => undefined
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<undefined>((resolve) => (release = () => resolve(undefined)))
  const network = (): Promise<undefined> => {
    reach()
    return released
  }
  const behaviour: Behaviour = { name: 'hold', create: () => ({ at: { network } }) }
  return { behaviour, reached, release }
}

/** A mock that answers everything with a body, status 200 and no headers, unless others are given. */
function answering(body: MockResponse['body'], more: Partial<MockResponse> = {}): MockConfig {
  const entry = (): MockResponse => ({ status: 200, headers: [], body, ...more })
  return { use: [{ name: 'answering', create: () => ({ at: { entry } }) }] }
}

/** A promise with its resolve function. */
function withResolve(): { promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
}

function collectGarbage(): undefined {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

async function open(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect(port, host)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString()
}
