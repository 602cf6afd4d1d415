import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { proxy } from '../../../src/behaviours.ts'
import { loadMock } from '../../../src/node.ts'
import { startBackend } from './backend.ts'

/** Loads a mock from files, whose proxies send requests with `node:http`. */
async function load(use: ReturnType<typeof proxy>[]): ReturnType<typeof loadMock> {
  const fixtures = join(await mkdtemp(join(tmpdir(), 'proxy-')), 'posts.json')
  await writeFile(fixtures, '[{"id":1}]')
  return loadMock({ fixtures, use })
}

describe('proxy() of a mock from files', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes %s', async (coding, pack) => {
    const { origin } = await startBackend((_, response) => {
      const headers = { 'Content-Encoding': coding, 'Content-Type': 'application/json' }
      response.writeHead(200, headers).end(pack('{"a":1}'))
    })
    const mock = await load([proxy({ to: origin })])
    const response = await mock.fetch('/x')
    expect([response.headers.get('content-encoding'), await response.json()]).toEqual([
      null,
      { a: 1 },
    ])
  })

  it('passes a body with an unknown coding on', async () => {
    const { origin } = await startBackend((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'constructor' }).end('abc')
    })
    const mock = await load([proxy({ to: origin })])
    const response = await mock.fetch('/x')
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([
      'constructor',
      'abc',
    ])
  })

  it('sends method, body and headers', async () => {
    const { origin } = await startBackend((request, response) => {
      response.setHeader('X-Host', request.headers.host ?? '')
      request.pipe(response)
    })
    const mock = await load([proxy({ to: origin })])
    const response = await mock.fetch('/x', { method: 'POST', body: 'abc' })
    expect(await response.text()).toBe('abc')
    expect(response.headers.get('x-host')).toBe(origin.slice(7))
  })

  it('answers HEAD', async () => {
    const { origin } = await startBackend((_, response) => {
      response.writeHead(200, { 'Content-Length': 5 }).end()
    })
    const mock = await load([proxy({ to: origin })])
    expect((await mock.fetch('/x', { method: 'HEAD' })).status).toBe(200)
  })

  it('accepts any certificate with `insecure`', async () => {
    const { origin } = await startBackend((_, response) => response.end('safe'), true)
    const careful = await load([proxy({ to: origin })])
    expect((await careful.fetch('/x')).status).toBe(502)
    const insecure = await load([proxy({ to: origin, insecure: true })])
    expect(await (await insecure.fetch('/x')).text()).toBe('safe')
  })

  it('sends a request again that took a connection the server has just closed', async () => {
    let count = 0
    const { origin } = await startBackend((request, response) => {
      count++
      if (count === 2) request.socket.destroy()
      else response.end(String(count))
    })
    const mock = await load([proxy({ to: origin })])
    const texts: string[] = []
    for (let round = 0; round < 2; round++) texts.push(await (await mock.fetch('/x')).text())
    expect(texts).toEqual(['1', '3'])
  })

  it('comes after the other behaviours, and gives way to the option', async () => {
    const { origin } = await startBackend((_, response) => response.end('real'))
    const folder = await mkdtemp(join(tmpdir(), 'proxy-'))
    await writeFile(join(folder, 'posts.json'), '[{"id":1}]')
    const mock = await loadMock({
      fixtures: join(folder, 'posts.json'),
      proxy: origin,
      use: [proxy({ to: 'http://127.0.0.1:1' })],
    })
    expect(await (await mock.fetch('/x')).text()).toBe('real')
  })
})
