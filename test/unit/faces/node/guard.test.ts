import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { type Behaviour, delay } from '../../../../src/behaviours.ts'
import type { MockResponse } from '../../../../src/core/http/contract/messages.ts'
import { createManualClock, createMock, type MockConfig } from '../../../../src/index.ts'
import { serve, type ServeOptions } from '../../../../src/node.ts'
import { send, sendRaw } from '../../../wire.ts'

const fixtures = { posts: [{ id: 1, title: 'First' }] }
const host = 'Host: localhost\r\n'

async function start(options: ServeOptions = {}, config: MockConfig = {}): Promise<number> {
  const { port, close } = await serve(createMock({ fixtures, ...config }), {
    port: 0,
    grace: 100,
    ...options,
  })
  onTestFinished(() => close())
  return port
}

function inChunks(text: string): string {
  const chunks = Array.from(text, (char) => `1\r\n${char}\r\n`)
  return `${chunks.join('')}0\r\n\r\n`
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** The statuses of all responses of a connection. */
async function readStatuses(socket: Socket, begun: Buffer = Buffer.alloc(0)): Promise<number[]> {
  const answers = Buffer.concat([begun, ...(await socket.toArray())]).toString('latin1')
  return Array.from(answers.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status))
}

describe('a method that Node does not support', () => {
  it('is named in the response, as QUERY is before Node 20.19.2', async () => {
    const answer = await sendRaw(await start(), `BREW /posts HTTP/1.1\r\n${host}\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 405 [^]*\r\nAllow: GET, HEAD, /)
    expect(answer).toContain(
      `"detail":"Node ${process.versions.node} does not support the method BREW."`,
    )
  })

  it.each([
    ['patch', 'PATCH'],
    ['Post', 'POST'],
  ])('gets the correct spelling for %s', async (method, name) => {
    const answer = await sendRaw(await start(), `${method} /posts HTTP/1.1\r\n${host}\r\n`)
    expect(answer).toContain(`does not support the method ${method}. Please write ${name}."`)
  })

  it('is named after another request, too', async () => {
    const get = `GET /posts/1 HTTP/1.1\r\n${host}\r\n`
    const answer = await sendRaw(await start(), `${get}BREW /posts HTTP/1.1\r\n${host}\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(answer).toContain('does not support the method BREW.')
  })
})

describe('an invalid request', () => {
  const rows: [title: string, bytes: string, status: number][] = [
    ['is not HTTP', 'hello\r\n\r\n', 400],
    ['has an unknown method', `BREW /posts HTTP/1.1\r\n${host}\r\n`, 405],
    ['has another version', `GET /posts HTTP/9.9\r\n${host}\r\n`, 400],
    ['is a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['has a header without a name', `GET /posts HTTP/1.1\r\n${host}: x\r\n\r\n`, 400],
    ['has a line end in a header', `GET /posts HTTP/1.1\r\n${host}A: b\rX: y\r\n\r\n`, 400],
    ['has a zero byte in its path', `GET /po\0sts HTTP/1.1\r\n${host}\r\n`, 400],
    [
      'has two lengths',
      `POST /posts HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
    ],
    [
      'has a length and chunks',
      `POST /posts HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['has a negative length', `POST /posts HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    ['has two hosts', `GET /posts HTTP/1.1\r\n${host}host: x\r\n\r\n`, 400],
    ['has an invalid host', 'GET /posts HTTP/1.1\r\nHost: a b.localhost\r\n\r\n', 400],
    ['has a path in its host', 'GET /posts HTTP/1.1\r\nHost: x?.localhost\r\n\r\n', 400],
    ['has no host', 'GET /posts HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'has a header that is too large',
      `GET /posts HTTP/1.1\r\n${host}A: ${'a'.repeat(60_000)}\r\n\r\n`,
      431,
    ],
    ['has too many headers', `GET /posts HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(200)}\r\n`, 431],
    [
      'has a URL that is larger than any header',
      `GET /${'a'.repeat(60_000)} HTTP/1.1\r\n${host}\r\n`,
      414,
    ],
    [
      'has a URL that is too long',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      414,
    ],
    [
      'has an unsupported transfer coding',
      `POST /posts HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      400,
    ],
    [
      'has a long chunk extension',
      `POST /posts HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
      413,
    ],
    ['opens a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, 405],
    ['has an unsupported expectation', `GET /posts HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`, 417],
  ]

  it.each(rows)('%s', async (_, bytes, status) => {
    const answer = await sendRaw(await start(), bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    if (!answer.includes('Content-Type')) return
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toContain('application/problem+json')
    expect(head).toMatch(/cache-control: no-store/i)
    expect(head).toMatch(/^date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r?$/im)
    const title = expect.not.stringMatching(/^(?:Client|Server) Error$/) as string
    expect(JSON.parse(body)).toMatchObject({ status, title, message: expect.any(String) })
  })
})

it.each(['A', 'From'])('a request may have 200 header lines, %s among them', async (name) => {
  const lines = `${host}${`${name}: b\r\n`.repeat(198)}Connection: close\r\n`
  expect(await sendRaw(await start(), `GET /posts HTTP/1.1\r\n${lines}\r\n`)).toMatch(
    /^HTTP\/1\.1 200 /,
  )
})

describe('bytes after a request in the same packet', () => {
  const get = `GET /posts/1 HTTP/1.1\r\n${host}\r\n`
  const head = `HEAD /posts/2 HTTP/1.1\r\n${host}\r\n`
  const json = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  const post = `POST /posts HTTP/1.1\r\n${host}${json}`
  const tunnel = `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`
  const rows: [title: string, bytes: string, statuses: number[]][] = [
    ['are answered after it', get + head + get, [200, 404, 200]],
    ['are refused after its response', `${get}hello\r\n\r\n`, [200, 400]],
    ['are refused after all responses', `${get}${head}BREW / HTTP/1.1\r\n\r\n`, [200, 404, 405]],
    ['are refused after the response to a body', `${post}hello\r\n\r\n`, [201, 400]],
    ['are refused as a tunnel', get + tunnel, [200, 405]],
  ]

  it.each(rows)('%s', async (_, bytes, statuses) => {
    const socket = await open(await start())
    socket.end(bytes)
    expect(await readStatuses(socket)).toEqual(statuses)
  })
})

describe('invalid bytes after a queued request', () => {
  it('are refused after both responses', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    async function* chunks(): AsyncGenerator<string> {
      yield 'begun'
      await released
    }
    const slow: Behaviour = {
      name: 'slow',
      create: () => ({
        at: {
          entry: ({ path }) =>
            path === '/slow' ? { status: 200, headers: [], body: chunks() } : undefined,
        },
      }),
    }
    const port = await start({}, { use: [slow] })
    const socket = await open(port)
    socket.write(`GET /slow HTTP/1.1\r\n${host}\r\nGET /posts/1 HTTP/1.1\r\n${host}\r\n`)
    const [begun] = (await once(socket, 'data')) as [Buffer]
    const warnings: string[] = []
    const hear = ({ message }: Error): unknown => warnings.push(message)
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    for (let count = 0; count < 40; count++) {
      socket.write('BREW / HTTP/1.1\r\n\r\n')
      // The server handles this later request after the bytes above.
      await fetch(`http://127.0.0.1:${port}/posts`)
    }
    release()
    expect(await readStatuses(socket, begun)).toEqual([200, 200, 405])
    expect(warnings).toEqual([])
  })
})

describe('invalid bytes while a response is in progress', () => {
  async function answerWhile(head: string, garbage: string): Promise<string> {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    async function* chunks(): AsyncGenerator<string> {
      yield 'begun'
      await released
      yield ' and ended'
    }
    const entry = (): MockResponse => ({ status: 200, headers: [], body: chunks() })
    const port = await start({}, { use: [{ name: 'slow', create: () => ({ at: { entry } }) }] })
    const socket = await open(port)
    let answers = ''
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString('latin1')))
    const closed = once(socket, 'close')
    socket.write(head)
    await once(socket, 'data')
    socket.write(garbage)
    // The server handles this later request after the bytes above.
    await (await fetch(`http://127.0.0.1:${port}/__mock/routes`)).text()
    release()
    await closed
    return answers
  }

  it('are refused after the response', async () => {
    const answers = await answerWhile(`GET /posts HTTP/1.1\r\n${host}\r\n`, 'hello\r\n\r\n')
    expect(answers).toMatch(/^HTTP\/1\.1 200 [^]* and ended[^]*\r\nHTTP\/1\.1 400 /)
  })

  it('abort the response where they belong to the body of its request', async () => {
    const head = `POST /posts HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`
    const answers = await answerWhile(head, 'hello\r\n')
    expect(answers).toMatch(/^HTTP\/1\.1 200 [^]*begun/)
    expect(answers).not.toContain('HTTP/1.1 400 ')
  })
})

describe('a client that ends its side of the connection', () => {
  const json = 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  const rows: [title: string, bytes: string, statuses: number[]][] = [
    ['gets the answer', `GET /posts/1 HTTP/1.1\r\n${host}\r\n`, [200]],
    ['gets the answer of HTTP/1.0', 'GET /posts/1 HTTP/1.0\r\n\r\n', [200]],
    ['gets the answer to a body', `POST /posts HTTP/1.1\r\n${host}${json}`, [201]],
    [
      'gets all answers',
      `POST /posts HTTP/1.1\r\n${host}${json}GET /posts/2 HTTP/1.1\r\n${host}\r\n`,
      [201, 200],
    ],
  ]

  it.each(rows)('%s', async (_, bytes, statuses) => {
    const socket = await open(await start({}, { use: [delay(5)] }))
    socket.end(bytes)
    expect(await readStatuses(socket)).toEqual(statuses)
  })

  it('is disconnected without a response in time', async () => {
    const never: Behaviour = {
      name: 'never',
      create: () => ({ at: { network: () => new Promise(() => {}) } }),
    }
    const socket = await open(await start({ requestTimeout: 300 }, { use: [never] }))
    socket.end(`GET /posts/1 HTTP/1.1\r\n${host}\r\n`)
    const statuses = await readStatuses(socket)
    expect(statuses.filter((status) => status !== 102)).toEqual([])
  })

  it.each([
    ['a read', `GET /posts/1 HTTP/1.1\r\n${host}\r\n`, [200]],
    ['a write', `POST /posts HTTP/1.1\r\n${host}${json}`, [201]],
    ['many reads', `GET /posts/1 HTTP/1.1\r\n${host}\r\n`.repeat(20), Array(20).fill(200)],
  ])('gets interim responses before the answer to %s', async (_, bytes, statuses) => {
    const warnings: Error[] = []
    const warn = (warning: Error): void => void warnings.push(warning)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const clock = createManualClock()
    const socket = await open(await start({}, { clock, use: [delay('2s')] }))
    socket.end(bytes)
    const [begun] = (await once(socket, 'data')) as [Buffer]
    clock.advance(2000)
    const received = await readStatuses(socket, begun)
    expect(received[0]).toBe(102)
    expect(received.filter((status) => status !== 102)).toEqual(statuses)
    expect(warnings).toEqual([])
  })
})

describe('a target', () => {
  const rows: [title: string, target: string, status: number][] = [
    ['in absolute form', 'http://localhost/posts/1', 200],
    ['in absolute form with user information', 'http://ada:S3CRET@localhost/posts/1', 200],
    ['in absolute form without a path', 'http://localhost', 200],
    ['with a fragment', '/posts#x', 404],
    ['with dots', '/posts/../posts', 404],
    ['with bytes that have to be encoded', '/posts?title=é', 400],
    ['with characters that should be encoded', '/posts?_where={"title":"First"}', 200],
    ['with a broken escape', '/posts/%', 400],
    ['with an escaped zero byte', '/posts/%00', 404],
    ['with an escaped slash', '/posts%2F1', 404],
  ]

  it.each(rows)('%s', async (_, target, status) => {
    const bytes = Buffer.from(`GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
    expect(await sendRaw(await start(), bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('that is * answers OPTIONS', async () => {
    const bytes = `OPTIONS * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
    const answer = await sendRaw(await start(), bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
    expect(answer).toContain('Allow: GET, HEAD')
  })
})

describe('Expect: 100-continue (RFC 9110 §10.1.1)', () => {
  const post = (length: number, path = '/posts'): string =>
    `POST ${path} HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`

  it('gets 100 Continue where the body is read', async () => {
    const socket = await open(await start())
    socket.write(post(2))
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toMatch(/^HTTP\/1\.1 100 Continue\r\n/)
    socket.write('{}')
    const [second] = (await once(socket, 'data')) as [Buffer]
    expect(second.toString()).toMatch(/^HTTP\/1\.1 201 /)
    expect(second.toString()).not.toContain('Connection: close')
  })

  it.each([
    ['a body that is too large', post(20_000_000), 413],
    ['a body for nothing', post(2, '/nope'), 404],
  ])('gets no 100 Continue for %s', async (_, bytes, status) => {
    const answer = await sendRaw(await start(), bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain('Connection: close')
  })
})

describe('a body', () => {
  const ten = '{"a":"bb"}'
  const eleven = '{"a":"bbb"}'
  const sized: [title: string, framing: string, body: string, status: number][] = [
    ['of the most bytes', 'Content-Length: 10', ten, 201],
    ['of one byte more', 'Content-Length: 11', eleven, 413],
    ['of the most bytes in chunks', 'Transfer-Encoding: chunked', inChunks(ten), 201],
    ['of the most bytes in chunks in capitals', 'Transfer-Encoding: Chunked', inChunks(ten), 201],
    ['of one byte more in chunks', 'Transfer-Encoding: chunked', inChunks(eleven), 413],
  ]

  it.each(sized)('%s', async (_, framing, body, status) => {
    const head = `POST /posts HTTP/1.1\r\n${host}Connection: close\r\n${framing}\r\n\r\n`
    const answer = await sendRaw(await start({}, { maxBody: 10 }), head + body)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('that is too large is refused before it arrives', async () => {
    const socket = await open(await start({}, { maxBody: 10 }))
    socket.write(`POST /posts HTTP/1.1\r\n${host}Content-Length: 1000\r\n\r\n`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('in chunks is refused when it exceeds the limit', async () => {
    const port = await start({}, { maxBody: 10 })
    const chunk = `5\r\n"aaaa\r\n`
    const bytes = `POST /posts HTTP/1.1\r\n${host}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`
    expect(await sendRaw(port, bytes)).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('that is not UTF-8 is refused', async () => {
    const answer = await send(await start(), {
      method: 'POST',
      path: '/posts',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from([0x22, 0xff, 0x22]),
    })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('UTF-8')
  })

  it('that is incomplete changes nothing, and is logged', async () => {
    const mock = createMock({ fixtures })
    const { port, close } = await serve(mock, { port: 0 })
    onTestFinished(() => close())
    const socket = await open(port)
    const logged = new Promise((resolve) => mock.onRequest(resolve))
    socket.end(`POST /posts HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\n{"title":`)
    expect(await logged).toMatchObject({
      status: 400,
      reason: expect.stringContaining('broke off'),
    })
    expect(mock.db.posts.count()).toBe(1)
  })
})

describe('a client that is slow', () => {
  it('with its header gets 408', async () => {
    const port = await start({ headersTimeout: 50 })
    expect(await sendRaw(port, `GET /posts HTTP/1.1\r\n${host}`)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('with its body gets 408', async () => {
    const port = await start({ requestTimeout: 50 })
    const bytes = `POST /posts HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\n{`
    expect(await sendRaw(port, bytes)).toMatch(/^HTTP\/1\.1 408 /)
  })
})

describe('connections', () => {
  it('beyond the limit get 429', async () => {
    const port = await start({ maxConnections: 2 })
    await Promise.all([open(port), open(port)])
    const answer = await send(port, { path: '/posts' })
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '1'])
  })

  it('that are closed make room', async () => {
    const port = await start({ maxConnections: 1 })
    const socket = await open(port)
    socket.destroy()
    await expect.poll(async () => (await send(port, { path: '/posts' })).status).toBe(200)
  })

  it('answer pipelined requests in order', async () => {
    const get = (id: number, close = ''): string =>
      `GET /posts/${id} HTTP/1.1\r\n${host}${close}\r\n`
    const answer = await sendRaw(await start(), get(1) + get(2) + get(1, 'Connection: close\r\n'))
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 404',
      'HTTP/1.1 200',
    ])
  })
  const end = 'Connection: close\r\n'
  const get = (more = ''): string => `GET /posts HTTP/1.1\r\n${host}${more}\r\n`
  const head = `HEAD /posts HTTP/1.1\r\n${host}\r\n`
  const post = `POST /posts HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
  const remove = `DELETE /posts/1 HTTP/1.1\r\n${host}\r\n`
  const orders: [title: string, bytes: string, counts: (number | undefined)[]][] = [
    ['a read behind a write', post + get(end), [undefined, 2]],
    ['two reads behind a write', post + get() + head + get(end), [undefined, 2, 2, 2]],
    ['a write behind a read', get() + remove + get(end), [1, undefined, 0]],
    [
      'writes behind each other',
      post + get() + post + get() + remove + get(end),
      [undefined, 2, undefined, 3, undefined, 2],
    ],
  ]

  // RFC 9112 §9.3.2: only safe methods may be processed at once.
  it.each(orders)('process pipelined requests in order: %s', async (_, bytes, counts) => {
    const answers = (await sendRaw(await start(), bytes)).split('HTTP/1.1 ').slice(1)
    const found = answers.map((one) => /X-Total-Count: (\d+)/.exec(one)?.[1])
    expect(found.map((one) => one && Number(one))).toEqual(counts)
  })

  it('do not process queued requests after the connection has ended', async () => {
    const mock = createMock({ fixtures })
    const { port, close } = await serve(mock, { port: 0, grace: 100 })
    onTestFinished(() => close())
    await sendRaw(port, get(end) + post)
    mock.on('GET', '/posts').drop()
    await sendRaw(port, get() + post).catch(() => undefined)
    expect(mock.db.posts.count()).toBe(1)
  })

  it('process pipelined reads in parallel', async () => {
    const waiting: (() => void)[] = []
    const together: Behaviour = {
      name: 'together',
      create: () => ({
        at: {
          entry: () =>
            new Promise((resolve) => {
              waiting.push(() => resolve(undefined))
              if (waiting.length === 3) for (const go of waiting) go()
            }),
        },
      }),
    }
    const answer = await sendRaw(
      await start({}, { use: [together] }),
      get() + get('X-A: 1\r\n') + get(end),
    )
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
  })
})
