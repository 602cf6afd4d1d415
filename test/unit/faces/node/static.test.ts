import { once } from 'node:events'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'
import { send, sendRaw, type WireRequest } from '../../../wire.ts'
import { createFolder, type Files } from '../../loader/folder.ts'

const text = 'abcdefghij'

async function start(files: Files): Promise<{ port: number; folder: string }> {
  const folder = createFolder(files)
  const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
  const { port, close } = await serve(mock, { port: 0, grace: 100, static: folder })
  onTestFinished(() => close())
  return { port, folder }
}

describe('a file whose name is', () => {
  const names: [name: string, target: string][] = [
    ['a b.txt', '/a%20b.txt'],
    ['a@2x.txt', '/a@2x.txt'],
    ['a@2x.txt', '/a%402x.txt'],
    ['a,b&c=d+e;f.txt', '/a%2Cb%26c%3Dd%2Be%3Bf.txt'],
    ['a,b&c=d+e;f.txt', '/a,b&c=d+e;f.txt'],
    ['a#b.txt', '/a%23b.txt'],
    ['100%.txt', '/100%25.txt'],
    ['100%.txt', '/100%.txt'],
    ['%41.txt', '/%2541.txt'],
    ['é.txt', '/%C3%A9.txt'],
    ['[id].txt', '/%5Bid%5D.txt'],
    ['sub/a.txt', '/sub/a.txt'],
    ['sub/a.txt', '/sub%2Fa.txt'],
    ['sub/index.html', '/sub/'],
    ['sub/index.html', '/sub?c'],
    ['page.html', '/page'],
    ['.well-known/a.txt', '/.well-known/a.txt'],
    ['a.txt', 'http://localhost/a.txt'],
  ]
  // Windows allows no question mark in file names.
  if (process.platform !== 'win32') names.push(['a?b.txt', '/a%3Fb.txt?c'])

  it.each(names)('%s is found by %s', async (name, target) => {
    const { port } = await start({ [name]: text })
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const answer = await sendRaw(port, head)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(new RegExp(`\r\n\r\n${text}$`))
  })

  const others = [
    ['.env', '/.env'],
    ['.env', '/%2eenv'],
    ['.git/config', '/.git/config'],
    ['.git/config', '/a/..%2f.git/config'],
    ['.git/config', '/a%5C.git/config'],
    ['a.txt', '/b/../a.txt'],
    ['a.txt', '/A%00.txt'],
    ['posts', '/posts/2'],
    ['posts/2.txt', 'http://localhost/posts/2.txt'],
  ] as const

  it.each(others)('%s is not found by %s', async (name, target) => {
    const { port } = await start({ [name]: text })
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    expect(await sendRaw(port, head)).toMatch(/^HTTP\/1\.1 404 /)
  })
})

describe('a request for a file', () => {
  const rows: [title: string, request: WireRequest, status: number, body: string][] = [
    ['with HEAD', { method: 'HEAD' }, 200, ''],
    ['for a part of it', { headers: { range: 'bytes=2-4' } }, 206, 'cde'],
    ['for one byte of it', { headers: { range: 'bytes=2-2' } }, 206, 'c'],
    ['for its end', { headers: { range: 'bytes=7-' } }, 206, 'hij'],
    ['beyond its end', { headers: { range: 'bytes=7-99' } }, 206, 'hij'],
    ['after its end', { headers: { range: 'bytes=10-' } }, 416, ''],
    ['for an invalid range', { headers: { range: 'bytes=4-2' } }, 200, text],
    ['for its last bytes', { headers: { range: 'bytes=-2' } }, 200, text],
    ['up to a large position', { headers: { range: `bytes=0-${'9'.repeat(15)}` } }, 206, text],
    ['up to an unsafe integer', { headers: { range: `bytes=0-${'9'.repeat(30)}` } }, 200, text],
    ['for several parts', { headers: { range: 'bytes=0-1,3-4' } }, 200, text],
    ['in an unknown unit', { headers: { range: 'kilobytes=2-4' } }, 200, text],
    ['with an unknown host', { headers: { host: 'evil.test' } }, 403, ''],
  ]

  it.each(rows)('%s', async (_, request, status, body) => {
    const { port } = await start({ 'a.txt': text })
    const answer = await send(port, { path: '/a.txt', ...request })
    expect(answer.status).toBe(status)
    if (status < 400) expect(answer.text).toBe(body)
  })

  it('gets 304 until the file changes', async () => {
    const { port, folder } = await start({ 'a.txt': text })
    const first = await send(port, { path: '/a.txt' })
    const headers = { 'if-none-match': first.headers['etag'] ?? '' }
    expect((await send(port, { path: '/a.txt', headers })).status).toBe(304)
    writeFileSync(join(folder, 'a.txt'), 'other')
    expect(await send(port, { path: '/a.txt', headers })).toMatchObject({
      status: 200,
      text: 'other',
    })
  })

  it.skipIf(process.platform === 'win32')(
    'for an unreadable file aborts only its own response',
    async () => {
      const { port, folder } = await start({ 'a.txt': text })
      const other = createServer().listen(join(folder, 'a.sock'))
      onTestFinished(() => void other.close())
      await once(other, 'listening')
      await expect(send(port, { path: '/a.sock' })).rejects.toThrow('socket hang up')
      expect((await send(port, { path: '/a.txt' })).status).toBe(200)
    },
  )

  // Only Linux lists the open files of a process.
  it.skipIf(process.platform !== 'linux')(
    'closes the file when its client disconnects',
    async () => {
      const { port, folder } = await start({ 'a.txt': text.repeat(1_000_000) })
      const isOpen = (): boolean =>
        readdirSync('/proc/self/fd').some((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
          } catch {
            return false
          }
        })
      const client = connect(port, '127.0.0.1')
      client.write('GET /a.txt HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await once(client, 'readable')
      expect(isOpen()).toBe(true)
      client.destroy()
      await expect.poll(isOpen).toBe(false)
    },
  )

  it('with POST goes to the mock', async () => {
    const { port } = await start({ 'a.txt': text })
    const answer = await send(port, { method: 'POST', path: '/a.txt', body: '{}' })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toContain('application/problem+json')
  })
})
