import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { startBackend, startProxied, startProxy } from './backend.ts'

/** Sends a request without a connection pool, and returns the response with its raw body. */
async function send(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: string } = {},
): Promise<{ response: IncomingMessage; body: string }> {
  const sent = httpRequest(url, { method, headers: { ...headers }, agent: false })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { response, body: await text(response) }
}

describe('a proxy', () => {
  it('passes method, path, headers and body on, and the response back', async () => {
    const { origin, proxy } = await startProxied(async (request, response) => {
      const { method, url, headers } = request
      const body = await text(request)
      response.writeHead(207, 'Done', { 'X-Own': 'a' })
      response.end(JSON.stringify({ method, url, host: headers.host, own: headers['x-own'], body }))
    })
    const { response, body } = await send(`${proxy.url}/a%20b?c=%2F&d`, {
      method: 'REPORT',
      headers: { 'X-Own': '1', 'Content-Length': 3 },
      body: 'abc',
    })
    expect([response.statusCode, response.statusMessage, response.headers['x-own']]).toEqual([
      207,
      'Done',
      'a',
    ])
    expect(JSON.parse(body)).toEqual({
      method: 'REPORT',
      url: '/a%20b?c=%2F&d',
      host: origin.slice(7),
      own: '1',
      body: 'abc',
    })
  })

  it('answers 508 to a request that it has passed on itself', async () => {
    const { proxy } = await startProxied(async ({ url = '', headers }, response) => {
      // Another proxy, which passes everything on to the first one.
      const back = await send(proxy.url + url, { headers: { 'CDN-Loop': headers['cdn-loop'] } })
      response.writeHead(back.response.statusCode ?? 0).end(back.body)
    })
    const { response, body } = await send(`${proxy.url}/a`, { headers: { 'CDN-Loop': 'other' } })
    expect(response.statusCode).toBe(508)
    expect(body).toContain('the request has come back to this proxy')
  })

  it.each([
    ['HEAD', 200, '5', ''],
    ['GET', 204, undefined, ''],
    ['GET', 304, undefined, ''],
    ['GET', 404, '5', 'hello'],
    ['GET', 500, '5', 'hello'],
  ])('passes %s with status %i on', async (method, status, length, expected) => {
    const { proxy } = await startProxied((_, response) => {
      const headers = length === undefined ? {} : { 'Content-Length': length }
      response.writeHead(status, headers).end(length === undefined ? undefined : 'hello')
    })
    const { response, body } = await send(proxy.url, { method })
    expect([response.statusCode, response.headers['content-length'], body]).toEqual([
      status,
      length,
      expected,
    ])
  })

  it('sends no framing for requests without a body, and a length for POST', async () => {
    const { proxy } = await startProxied(({ headers }, response) => {
      response.end(JSON.stringify([headers['content-length'], headers['transfer-encoding']]))
    })
    expect((await send(proxy.url)).body).toBe('[null,null]')
    expect((await send(proxy.url, { method: 'DELETE' })).body).toBe('[null,null]')
    const empty = await fetch(proxy.url, { method: 'POST' })
    expect(await empty.text()).toBe('["0",null]')
  })

  it('passes a compressed body on as it is', async () => {
    const packed = gzipSync('{"a":1}')
    const { proxy } = await startProxied((_, response) => {
      response
        .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': packed.length })
        .end(packed)
    })
    const sent = httpRequest(proxy.url, { agent: false }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks)).toEqual(packed)
    expect(response.headers['content-encoding']).toBe('gzip')
  })

  it('streams a response as it comes', async () => {
    let finish = (): void => undefined
    const { proxy } = await startProxied((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
      finish = () => response.end('data: 2\n\n')
    })
    const reader = (await fetch(proxy.url)).body?.getReader()
    const decode = (value?: Uint8Array): string => new TextDecoder().decode(value)
    expect(decode((await reader?.read())?.value)).toBe('data: 1\n\n')
    finish()
    expect(decode((await reader?.read())?.value)).toBe('data: 2\n\n')
  })

  it('streams a request as it comes', async () => {
    const { proxy } = await startProxied((request, response) => {
      request.once('data', (chunk: Buffer) => response.write(`got ${String(chunk)};`))
      request.once('end', () => response.end('end'))
    })
    const sent = httpRequest(proxy.url, { method: 'POST', agent: false })
    sent.write('first')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const [chunk] = (await once(response, 'data')) as [Buffer]
    expect(String(chunk)).toBe('got first;')
    sent.end('second')
    expect(await text(response)).toBe('end')
  })

  it('aborts the request when its client aborts', async () => {
    let aborted = Promise.resolve<unknown>(undefined)
    const { proxy } = await startProxied((_, response) => {
      aborted = once(response, 'close')
      response.write('a')
    })
    const controller = new AbortController()
    await fetch(proxy.url, { signal: controller.signal })
    const exchange = proxy.next()
    controller.abort()
    await aborted
    expect(await exchange).toMatchObject({ failure: 'the client aborted the request' })
  })

  it('breaks the connection where the server breaks it', async () => {
    const { proxy } = await startProxied((_, response) => {
      response.writeHead(200, { 'Content-Length': '10' }).write('abc', () => response.destroy())
    })
    const exchange = proxy.next()
    await expect(send(proxy.url)).rejects.toThrow('aborted')
    expect(await exchange).toMatchObject({ failure: 'the connection broke off' })
  })

  it('answers 502 where the server is down', async () => {
    const { origin, server, proxy } = await startProxied(() => undefined)
    server.close()
    const response = await fetch(proxy.url, { headers: { Origin: 'http://localhost:5173' } })
    expect(response.status).toBe(502)
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(await response.json()).toMatchObject({
      status: 502,
      detail: expect.stringContaining(origin),
    })
  })

  it.each([
    ['control characters in the status line', '200 O\u0001K'],
    ['a status that no response can have', '099 Low'],
  ])('answers 502 for %s', async (_title, line) => {
    const { server, proxy } = await startProxied(() => undefined)
    server.prependListener('connection', (socket) => {
      socket.end(`HTTP/1.1 ${line}\r\nContent-Length: 2\r\n\r\nhi`)
    })
    const { response, body } = await send(proxy.url)
    expect(response.statusCode).toBe(502)
    expect(body).toContain('its response is not valid HTTP')
  })

  it('passes messages on whose trailers are announced and never sent', async () => {
    const { proxy } = await startProxied((request, response) => {
      response.writeHead(200, { 'Transfer-Encoding': 'chunked', Trailer: 'X-Sum' })
      response.end(request.headers.trailer)
    })
    const headers = { 'Transfer-Encoding': 'chunked', Trailer: 'X-Sum' }
    const { response } = await send(proxy.url, { method: 'HEAD', headers })
    expect(response.statusCode).toBe(200)
  })

  it('answers 504 where the server is slow', async () => {
    const { proxy } = await startProxied(() => undefined, { timeout: 20 })
    const response = await fetch(proxy.url)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({
      detail: expect.stringContaining('within 0.02 s'),
    })
  })

  it('sends a request again that took a connection the server has just closed', async () => {
    let count = 0
    const { server, proxy } = await startProxied((request, response) => {
      count++
      // Breaks a connection with its second request, as a server does whose idle time is over.
      if (count === 2) request.socket.destroy()
      else response.end(String(count))
    })
    server.keepAliveTimeout = 60_000
    expect((await send(proxy.url)).body).toBe('1')
    expect((await send(proxy.url)).body).toBe('3')
  })

  it('passes 100 Continue on', async () => {
    const { server, proxy } = await startProxied(() => undefined)
    server.on('checkContinue', (request, response) => {
      response.writeContinue()
      request.pipe(response)
    })
    const sent = httpRequest(proxy.url, {
      method: 'POST',
      headers: { Expect: '100-continue', 'Content-Length': 3 },
      agent: false,
    })
    sent.flushHeaders()
    await once(sent, 'continue')
    sent.end('abc')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await text(response)).toBe('abc')
  })

  it('passes a refusal on to a client that waits for 100 Continue', async () => {
    const { server, proxy } = await startProxied(() => undefined)
    server.on('checkContinue', (_, response) => response.writeHead(413).end())
    const sent = httpRequest(proxy.url, {
      method: 'POST',
      headers: { Expect: '100-continue', 'Content-Length': 3 },
      agent: false,
    })
    sent.flushHeaders()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(413)
    sent.destroy()
  })

  it('refuses an unknown host', async () => {
    const { proxy } = await startProxied((_, response) => response.end())
    const { response } = await send(proxy.url, { headers: { Host: 'evil.test' } })
    expect(response.statusCode).toBe(403)
    expect(proxy.exchanges).toEqual([])
  })

  it('needs permission for a certificate that is not trusted', async () => {
    const { origin } = await startBackend((_, response) => response.end('safe'), true)
    const careful = await startProxy(origin)
    const { response, body } = await send(careful.url)
    expect([response.statusCode, body]).toEqual([502, expect.stringContaining('--insecure')])
    const insecure = await startProxy(origin, { isInsecure: true })
    expect((await send(insecure.url)).body).toBe('safe')
  })

  it('captures bodies up to the limit and passes longer ones on', async () => {
    const { proxy } = await startProxied((request, response) => void request.pipe(response), {
      limit: 3,
    })
    for (const body of ['abc', 'abcd']) {
      const next = proxy.next()
      const sent = await fetch(`${proxy.url}/echo`, { method: 'POST', body })
      expect(await sent.text()).toBe(body)
      const { requestBody, body: responseBody } = await next
      const captured = [requestBody.bytes(), responseBody.bytes()].map((one) => one && String(one))
      expect(captured).toEqual(body.length > 3 ? [undefined, undefined] : [body, body])
      expect(responseBody.size()).toBe(body.length)
    }
  })

  it('tunnels an upgraded connection both ways', async () => {
    const { origin, server, proxy } = await startProxied(() => undefined)
    server.on('upgrade', ({ headers }: IncomingMessage, socket) => {
      const { host, origin: page } = headers
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      )
      socket.write(`${host} ${page}\n`)
      socket.on('data', (chunk: Buffer) => socket.write(String(chunk).toUpperCase()))
    })
    const socket = connect(proxy.port, '127.0.0.1')
    const page = `Origin: ${proxy.url}\r\n`
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    socket.write(`GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\n${page}${upgrade}\r\n`)
    const read = async (pattern: RegExp): Promise<string> => {
      let all = ''
      while (!pattern.test(all)) all += String((await once(socket, 'data'))[0])
      return all
    }
    expect(await read(/\n\r?\n.*\n/)).toMatch(
      new RegExp(`^HTTP/1.1 101 [^]*\\r\\n\\r\\n${origin.slice(7)} ${origin}\\n$`),
    )
    socket.write('hello')
    expect(await read(/O$/)).toBe('HELLO')
    // A tunnel that is open does not keep the proxy from closing.
    await Promise.all([once(socket, 'close'), proxy.close()])
  })

  it('passes the refusal of an upgrade on', async () => {
    const { proxy } = await startProxied((_, response) => response.writeHead(426).end('no'))
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' }
    const { response, body } = await send(proxy.url, { headers })
    expect([response.statusCode, body]).toEqual([426, 'no'])
  })
})
