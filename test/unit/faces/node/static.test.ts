import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { serve, type ServeOptions } from '../../../../src/node.ts'
import { send, sendRaw, type WireRequest } from '../../../wire.ts'
import { canLink, createFolder, type Files } from '../../loader/folder.ts'

const text = 'abcdefghij'

async function start(
  files: Files,
  options: ServeOptions = {},
): Promise<{ port: number; folder: string }> {
  const folder = createFolder(files)
  const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
  const { port, close } = await serve(mock, { port: 0, grace: 100, static: folder, ...options })
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
    ['for its first byte', { headers: { range: 'bytes=0-0' } }, 206, 'a'],
    ['for its last bytes', { headers: { range: 'bytes=-2' } }, 206, 'ij'],
    ['for more last bytes than it has', { headers: { range: 'bytes=-99' } }, 206, text],
    ['for none of its last bytes', { headers: { range: 'bytes=-0' } }, 416, ''],
    ['for no range', { headers: { range: 'bytes=-' } }, 200, text],
    ['up to a large position', { headers: { range: `bytes=0-${'9'.repeat(15)}` } }, 206, text],
    ['up to an unsafe integer', { headers: { range: `bytes=0-${'9'.repeat(30)}` } }, 206, text],
    ['from an unsafe integer', { headers: { range: `bytes=${'9'.repeat(30)}-` } }, 416, ''],
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

  const versions: [string, (tag: string, date: string) => string, number][] = [
    ['the tag of the file', (tag) => tag, 206],
    ['another tag', () => '"other"', 200],
    ['a weak tag', (tag) => `W/${tag}`, 200],
    ['the time of the file', (_, date) => date, 206],
    ['an earlier time', () => 'Thu, 01 Jan 1970 00:00:00 GMT', 200],
    ['nonsense', () => 'x', 200],
  ]

  it.each(versions)('for a part of it if its version is %s', async (_, toCondition, status) => {
    const { port } = await start({ 'a.txt': text })
    const { headers } = await send(port, { path: '/a.txt' })
    const condition = toCondition(headers['etag'] ?? '', headers['last-modified'] ?? '')
    const sent = { range: 'bytes=2-4', 'if-range': condition }
    const answer = await send(port, { path: '/a.txt', headers: sent })
    expect([answer.status, answer.text]).toEqual([status, status === 206 ? 'cde' : text])
    expect(answer.headers['content-length']).toBe(status === 206 ? '3' : '10')
  })

  it('for a part of it with HEAD ignores the range', async () => {
    const { port } = await start({ 'a.txt': text })
    const request = { method: 'HEAD', path: '/a.txt', headers: { range: 'bytes=2-4' } }
    const { status, headers } = await send(port, request)
    expect([status, headers['content-length']]).toEqual([200, '10'])
  })

  const conditions: [string, (tag: string, date: string) => object, number][] = [
    ['one of several tags', (tag) => ({ 'if-none-match': `"a", ${tag}` }), 304],
    ['a weak form of its tag', (tag) => ({ 'if-none-match': `W/${tag}` }), 304],
    ['any tag', () => ({ 'if-none-match': '*' }), 304],
    ['its time', (_, date) => ({ 'if-modified-since': date }), 304],
    ['its tag for a part', (tag) => ({ 'if-none-match': tag, range: 'bytes=2-4' }), 304],
    ['another tag', () => ({ 'if-none-match': '"a"' }), 200],
    ['its tag, which it needs', (tag) => ({ 'if-match': tag }), 200],
    ['another tag, which it needs', () => ({ 'if-match': '"a"' }), 412],
    [
      'an earlier time, which it needs',
      () => ({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
      412,
    ],
  ]

  it.each(conditions)('with %s as a condition', async (_, toHeaders, status) => {
    const { port } = await start({ 'a.txt': text })
    const { headers } = await send(port, { path: '/a.txt' })
    const { etag = '', 'last-modified': date = '' } = headers
    const sent = { ...toHeaders(etag, date) }
    const answer = await send(port, { path: '/a.txt', headers: sent })
    expect([answer.status, answer.text]).toEqual([status, status === 200 ? text : ''])
    expect(answer.headers).toMatchObject({ etag, 'cache-control': 'no-cache' })
    if (status === 304) expect(answer.headers['content-length']).toBeUndefined()
  })

  const types: [name: string, type: string | undefined][] = [
    ['a.html', 'text/html;charset=utf-8'],
    ['a.css', 'text/css;charset=utf-8'],
    ['a.mjs', 'text/javascript;charset=utf-8'],
    ['a.svg', 'image/svg+xml'],
    ['a.tar.gz', 'application/gzip'],
    ['a.unknown', undefined],
  ]

  it.each(types)('%s has the type %s', async (name, type) => {
    const { port } = await start({ [name]: text })
    const { headers } = await send(port, { path: `/${name}` })
    expect([headers['content-type'], headers['content-encoding']]).toEqual([type, undefined])
  })

  it('has the range in the response', async () => {
    const { port } = await start({ 'a.txt': text, 'b.txt': '' })
    const part = await send(port, { path: '/a.txt', headers: { range: 'bytes=-3' } })
    expect(part.headers['content-range']).toBe('bytes 7-9/10')
    for (const [path, size] of Object.entries({ '/a.txt': 10, '/b.txt': 0 })) {
      const { status, headers } = await send(port, { path, headers: { range: 'bytes=10-' } })
      expect([status, headers['content-range']]).toEqual([416, `bytes */${size}`])
    }
    expect(await send(port, { path: '/b.txt' })).toMatchObject({ status: 200, text: '' })
  })

  it.skipIf(process.platform === 'win32')('is 404 for what is no file', async () => {
    const { port, folder } = await start({ 'a.txt': text })
    const other = createServer().listen(join(folder, 'a.sock'))
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    expect((await send(port, { path: '/a.sock' })).status).toBe(404)
  })

  // On Linux, nobody can read this file, not even root.
  const unreadable = '/sys/bus/cpu/uevent'

  it.runIf(existsSync(unreadable))(
    'for an unreadable file aborts only its own response',
    async () => {
      const { port, folder } = await start({ 'a.txt': text }, { staticSymlinks: true })
      symlinkSync(unreadable, join(folder, 'link'))
      await expect(send(port, { path: '/link' })).rejects.toThrow('socket hang up')
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

describe.runIf(canLink)('a symbolic link', () => {
  const links: [title: string, target: string, path: string, status: number][] = [
    ['to a file in the folder', 'real/a.txt', '/link', 200],
    ['to a folder in the folder', 'real', '/link/a.txt', 200],
    ['to nothing', 'missing', '/link', 404],
    ['to a file outside', '../outside/secret.txt', '/link', 404],
    ['to a folder outside', '../outside', '/link/secret.txt', 404],
    ['to a folder outside with an index', '../outside', '/link/', 404],
    [
      'to a folder whose name only begins with the name of the folder',
      '../public2',
      '/link/a.txt',
      404,
    ],
  ]
  const files = {
    'public/real/a.txt': text,
    'public2/a.txt': text,
    'outside/secret.txt': text,
    'outside/index.html': text,
  }

  it.each(links)('%s', async (_, target, path, status) => {
    const root = createFolder(files)
    symlinkSync(target, join(root, 'public/link'))
    const folder = join(root, 'public')
    const { port } = await start({}, { static: folder })
    const { port: following } = await start({}, { static: folder, staticSymlinks: true })
    expect((await send(port, { path })).status).toBe(status)
    const isMissing = target === 'missing'
    expect((await send(following, { path })).status).toBe(isMissing ? 404 : 200)
  })

  it('to the folder itself is followed', async () => {
    const root = createFolder({ 'real/a.txt': text })
    symlinkSync('real', join(root, 'public'))
    const { port } = await start({}, { static: join(root, 'public') })
    expect((await send(port, { path: '/a.txt' })).text).toBe(text)
  })

  it('that leads out gives way to a file of another name', async () => {
    const root = createFolder({ ...files, 'public/link/index.html': 'index' })
    symlinkSync('../outside/secret.txt', join(root, 'public/link.html'))
    const { port } = await start({}, { static: join(root, 'public') })
    expect((await send(port, { path: '/link' })).text).toBe('index')
  })
})
