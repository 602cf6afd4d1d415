import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { expect, it, onTestFinished } from 'vitest'

import { serve } from '../../src/node.ts'
import { loadRecorded } from '../peers/backends/play.ts'
import { startRecording } from '../peers/backends/recording.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { openPage } from './page.ts'

const posts = [
  { id: 1, title: 'Hello' },
  { id: 2, title: 'World' },
]

/** A real application: a page, a login with a cookie, a check against forged requests, compressed JSON. */
const application: RequestListener = (request, response) => {
  const { url = '', method, headers } = request
  const send = (status: number, value: unknown, own: object = {}): void => {
    const body = gzipSync(JSON.stringify(value))
    const type = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    response.writeHead(status, { ...type, ...own }).end(body)
  }
  const isForged = headers.origin !== undefined && headers.origin !== `http://${headers.host}`
  if (method !== 'GET' && isForged) return send(403, { error: 'forged' })
  if (url === '/login') {
    const cookie = 'sid=browser-secret; Path=/; HttpOnly; Secure; SameSite=None; Domain=127.0.0.1'
    return void response.writeHead(303, { Location: '/', 'Set-Cookie': cookie }).end()
  }
  if (url === '/') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')
  if (url === '/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: one\n\n')
    return
  }
  if (headers.cookie !== 'sid=browser-secret') return send(401, { error: 'login' })
  const [, , id] = url.split('/')
  if (id === undefined) return send(200, posts)
  const post = posts.find((one) => String(one.id) === id)
  return post ? send(200, post) : send(404, { error: 'not found' })
}

it('records a page of Chromium with a login, and answers its requests', async () => {
  const server = createServer(application).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const folder = createFolder({})
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const recording = await startRecording(origin, folder)
  const { page } = await openPage(recording.url)
  const read = (paths: readonly string[]): Promise<unknown[]> =>
    page.evaluate(
      (paths) =>
        Promise.all(
          paths.map(async (path) => {
            const response = await fetch(path)
            return [path, response.status, await response.json()]
          }),
        ),
      paths,
    )
  expect(await read(['/posts'])).toEqual([['/posts', 401, { error: 'login' }]])
  const landed = await page.evaluate(async () => (await fetch('/login', { method: 'POST' })).url)
  expect(landed).toBe(`${recording.url}/`)
  const event = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const source = new EventSource('/events')
        source.addEventListener('message', ({ data }) => {
          source.close()
          resolve(data)
        })
      }),
  )
  expect(event).toBe('one')
  const paths = ['/posts', '/posts/1', '/posts/2', '/posts/3']
  const wanted = await read(paths)
  expect(wanted.map((one) => (one as unknown[])[1])).toEqual([200, 200, 200, 404])
  await page.close()
  await recording.close()

  const fixtures = join(folder, 'fixtures')
  const serving = await serve(await loadRecorded(folder), { port: 0 })
  onTestFinished(() => serving.close())
  const found = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(serving.url + path)
      return [path, response.status, await response.json()]
    }),
  )
  expect(found).toEqual(wanted)
  const files = readdirSync(fixtures, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  expect(files.length).toBeGreaterThan(0)
  expect(files.join('')).not.toContain('browser-secret')
})
