import { existsSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createFolder } from '../unit/loader/folder.ts'
import { type Program, startProgram } from './program.ts'

/** Serves a real API until the test has finished. */
async function startApi(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json: RequestListener = ({ url = '' }, response) => {
  const [, , id] = url.split('/')
  const posts = [
    { id: 1, title: 'Hello' },
    { id: 2, title: 'World' },
  ]
  const value = id === undefined ? posts : posts[Number(id) - 1]
  response.writeHead(value ? 200 : 404, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(value ?? { error: 'not found' }))
}

/** Starts `mock record` and waits for its banner. */
async function startRecord(
  api: string,
  folder: string,
  ...args: string[]
): Promise<Program & { url: string }> {
  const started = startProgram(['record', api, '--port', '0', ...args], folder)
  const [, url = ''] = await started.printed(/Fixtura \S+ {2}(http\S+)\n[^]*\n\n/)
  return { ...started, url }
}

describe('mock record', () => {
  it('prints a line for each request, and a summary at the end', async () => {
    const api = await startApi(json)
    const record = await startRecord(api, createFolder({}))
    expect(record.out()).toContain(`Records ${api}: use ${record.url} in its place.`)
    expect(await (await fetch(`${record.url}/posts`)).json()).toHaveLength(2)
    await record.printed(/GET {4}\/posts +200 +\d+ ms +\d+ B {2}\S.*\n/)
    record.child.kill('SIGINT')
    expect(await record.ended).toEqual({ code: 0, signal: null })
    expect(record.out()).toMatch(/Recorded 1 request\n[^]*Next: npx fixtura server\n/)
    expect(record.err()).toBe('')
  })

  it('names the path of the API in the banner, and learns below it alone', async () => {
    const record = await startRecord(`${await startApi(json)}/v1`, createFolder({}))
    expect(record.out()).toContain('/v1 in its place')
    await fetch(new URL('/posts', record.url))
    await record.printed(/GET {4}\/posts +200 .*not among the paths to learn/)
  })

  it('writes whole files while it records, and the same again', async () => {
    const api = await startApi(json)
    const folder = createFolder({})
    const file = join(folder, 'fixtures/posts.json')
    const record = await startRecord(api, folder)
    await fetch(`${record.url}/posts`)
    await expect.poll(() => existsSync(file)).toBe(true)
    record.child.kill('SIGKILL')
    await record.ended
    const written = readFileSync(file, 'utf8')
    expect(JSON.parse(written)).toHaveLength(2)
    const again = await startRecord(api, folder)
    await fetch(`${again.url}/posts`)
    again.child.kill('SIGINT')
    expect(await again.ended).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(written)
  })

  it('says that a server is down', async () => {
    const record = await startRecord('http://127.0.0.1:1', createFolder({}))
    expect((await fetch(record.url)).status).toBe(502)
    await record.printed(/GET {4}\/ +502 .*Failed to get a response/)
  })

  it('shows no secret of a URL', async () => {
    const record = await startRecord(await startApi(json), createFolder({}))
    await fetch(`${record.url}/posts?token=abc123`)
    await record.printed(/GET {4}\/posts\S* +200/)
    expect(record.out()).not.toContain('abc123')
  })

  it.each([
    [['record'], /Please|please/],
    [['record', 'api.example.com'], /fixtura record https:\/\/api\.example\.com/],
    [['record', 'http://127.0.0.1:1', '--host', '192.0.2.1'], /Failed to listen/],
  ])('ends with 1 for %j', async (args, message) => {
    const { ended, err } = startProgram(args, createFolder({}))
    expect(await ended).toMatchObject({ code: 1 })
    expect(err()).toMatch(message)
  })
})

describe('mock server --proxy', () => {
  it('passes what no fixture answers on to the real API', async () => {
    const api = await startApi(json)
    const folder = createFolder({ 'fixtures/users.json': [{ id: 1 }] })
    const server = startProgram(['server', '--port', '0', '--proxy', api], folder)
    const [, url = ''] = await server.printed(/Fixtura \S+ {2}(http\S+) .*\n[^]*\n\n/)
    expect(await (await fetch(`${url}/posts/2`)).json()).toEqual({ id: 2, title: 'World' })
    expect(await (await fetch(`${url}/users`)).json()).toEqual([{ id: 1 }])
    await server.printed(new RegExp(`GET {4}/posts/2 +200 .* proxied to ${api}\n`))
  })

  it('refuses what is no URL', async () => {
    const { ended, err } = startProgram(['server', '--proxy', 'api'], createFolder({}))
    expect(await ended).toMatchObject({ code: 1 })
    expect(err()).toContain('Failed to read --proxy: "api" is not the URL of a server.')
  })
})
