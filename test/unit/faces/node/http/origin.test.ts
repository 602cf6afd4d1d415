import { describe, expect, it, onTestFinished } from 'vitest'

import { createMock } from '../../../../../src/index.ts'
import { serve, type ServeOptions } from '../../../../../src/node.ts'
import { createCertificate } from '../../../../../src/faces/node/certificate.ts'
import { send, sendRaw } from '../../../../wire.ts'

const fixtures = { posts: [{ id: 1 }, { id: 2 }] }

async function start(options: ServeOptions = {}): Promise<number> {
  const all: ServeOptions = { port: 0, host: '127.0.0.1', allowHost: '*', ...options }
  const { port, close } = await serve(createMock({ fixtures }), all)
  onTestFinished(close)
  return port
}

/** The origin of the links that a request gets; `HERE` stands for the address of the server. */
async function originFor(
  headers: Record<string, string>,
  options: ServeOptions = {},
): Promise<string> {
  const port = await start(options)
  const path = '/posts?_page=1&_limit=1'
  const { headers: got } = await send(port, { path, headers: { host: 'api.test', ...headers } })
  const origin = /^<(.*?)\/posts\?/.exec(got['link'] ?? '')?.[1] ?? ''
  return origin.replace(`127.0.0.1:${port}`, 'HERE')
}

describe('the origin of links', () => {
  const hosts: [host: string, origin: string][] = [
    ['localhost:3000', 'http://localhost:3000'],
    ['api.example.com', 'http://api.example.com'],
    ['my_host', 'http://my_host'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['[2001:db8::7]', 'http://[2001:db8::7]'],
    ["a,b;c='d'", 'http://HERE'],
    ['a%22b', 'http://HERE'],
    ['', 'http://HERE'],
  ]

  it.each(hosts)('for the host "%s" is %s', async (host, origin) => {
    expect(await originFor({ host })).toBe(origin)
  })

  it('is the address of the server for a target with another sign', async () => {
    const port = await start()
    const target = 'http://user@a,b;c(d)/posts?_page=1&_limit=1'
    const answer = await sendRaw(
      port,
      `GET ${target} HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toContain(`Link: <http://127.0.0.1:${port}/posts?`)
  })

  it('is the address of the server for HTTP/1.0', async () => {
    const port = await start()
    const answer = await sendRaw(port, 'GET /posts?_page=1&_limit=1 HTTP/1.0\r\n\r\n')
    expect(answer).toContain(`Link: <http://127.0.0.1:${port}/posts?`)
  })

  it('is that of each request, also of one that the cache answers', async () => {
    const port = await start()
    const path = '/posts?_page=1&_limit=1'
    for (const host of ['a.test', 'b.test', 'a.test', 'b.test']) {
      const { headers } = await send(port, { path, headers: { host } })
      expect(headers['link']).toContain(`<http://${host}/posts?_page=2&_limit=1>; rel="next"`)
    }
  })

  it('has the scheme of the server', async () => {
    const { key, cert } = createCertificate(['api.test'])
    const port = await start({ https: { key, cert } })
    const request = { method: 'POST', path: '/posts', headers: { host: 'api.test' }, body: '{}' }
    const { headers } = await send(port, { ...request, ca: cert })
    expect(headers['location']).toBe('https://api.test/posts/3')
  })
})

describe('the origin of links behind a proxy', () => {
  const rows: [headers: Record<string, string>, origin: string][] = [
    [{}, 'http://api.test'],
    [{ 'x-forwarded-host': 'app.test' }, 'http://app.test'],
    [{ 'x-forwarded-proto': 'https' }, 'https://api.test'],
    [
      { 'x-forwarded-proto': 'HTTPS, http', 'x-forwarded-host': 'a.test:8443, b' },
      'https://a.test:8443',
    ],
    [{ forwarded: 'for=192.0.2.1;proto=https;host=app.test' }, 'https://app.test'],
    [{ forwarded: 'Host="[::1]:8080"; Proto="http", host=b' }, 'http://[::1]:8080'],
    [{ forwarded: ';proto=https;' }, 'https://api.test'],
    [{ forwarded: 'host="a\\pp.test"' }, 'http://app.test'],
    [{ forwarded: 'host=f.test', 'x-forwarded-host': 'x.test' }, 'http://f.test'],
    [{ forwarded: 'host=f.test', 'x-forwarded-proto': 'https' }, 'https://f.test'],
    [{ forwarded: 'for="_x, y";proto=https' }, 'https://api.test'],
    [{ forwarded: 'proto=https;host="a' }, 'http://api.test'],
    [{ forwarded: 'proto=https host=a' }, 'http://api.test'],
    [{ forwarded: 'proto=ftp;host=a/b' }, 'http://api.test'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://api.test'],
    [{ 'x-forwarded-host': '' }, 'http://api.test'],
    [{ 'x-forwarded-host': 'a"b' }, 'http://api.test'],
    [{ 'x-forwarded-host': 'a@b' }, 'http://api.test'],
  ]

  it.each(rows)('with %j is %s', async (headers, origin) => {
    expect(await originFor(headers, { trustProxy: true })).toBe(origin)
  })

  it.each(rows)('that is not trusted with %j is its own', async (headers) => {
    expect(await originFor(headers)).toBe('http://api.test')
  })

  it('is used for the check of a page that asks through the proxy', async () => {
    const headers = { 'x-forwarded-host': 'app.test', origin: 'https://app.test' }
    const reset = { method: 'POST', path: '/__mock/reset' }
    const sent = { host: 'api.test', ...headers, 'x-forwarded-proto': 'https' }
    const trusting = await send(await start({ trustProxy: true }), { ...reset, headers: sent })
    const other = await send(await start(), { ...reset, headers: sent })
    expect([trusting.status, other.status]).toEqual([200, 403])
  })
})
