import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'

import { auth, faults, routes } from '../../src/behaviours.ts'
import type { Har } from '../../src/har.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { listen } from '../peers/harness/server.ts'
import { expectHar } from '../har.ts'
import { openPage } from './page.ts'

/** The URL of a server that answers every path with a page. */
let pageUrl = ''

beforeAll(async () => {
  const server = await listen((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<title>App</title>')
  })
  pageUrl = server.url
  return server.close
})

/** A request of a page: `fields` are sent as a multipart form. */
interface Asked {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
  fields?: Record<string, string>
}

const json = { 'Content-Type': 'application/json' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

const session: Asked[] = [
  { path: '/posts' },
  { path: '/posts?title:contains=%C3%BC&_sort=-id,title&_page=1&_limit=2' },
  { path: '/posts/1' },
  { path: '/posts/9' },
  { path: '/posts/1', method: 'HEAD' },
  { path: '/posts', method: 'POST', headers: json, body: '{ "title": "Grün 🔑" }' },
  { path: '/posts', method: 'POST', headers: json, body: '{"title":"Blau"}' },
  { path: '/posts', method: 'POST', headers: form, body: 'title=Rot&tag=a+b' },
  { path: '/posts', method: 'POST', fields: { title: 'Gelb', 'a"b': 'x\ny' } },
  { path: '/posts/1', method: 'PUT', headers: json, body: '{"title":"Uno"}' },
  { path: '/posts/2', method: 'PATCH', headers: json, body: '{"title":"Due"}' },
  { path: '/posts/2', method: 'DELETE' },
  { path: '/posts/3', method: 'DELETE', headers: { Prefer: 'return=minimal' } },
  { path: '/pixel' },
  { path: '/old' },
  { path: '/down' },
  { path: '/login', method: 'POST', headers: json, body: '{"email":"ada","password":"S3CRET"}' },
  { path: '/login', method: 'POST', headers: form, body: 'email=ada&password=wrong' },
  { path: '/me', headers: { Authorization: 'Bearer known' } },
]

it('replays a session from its archive with routeFromHAR', async () => {
  const mock = createMock({
    fixtures: {
      posts: [
        { id: 1, title: 'Grün' },
        { id: 2, title: 'Für "alle"\n' },
        { id: 3, title: 'x'.repeat(5000) },
      ],
      users: [{ id: 1, email: 'ada', password: 'S3CRET' }],
    },
    use: [
      faults({ rules: [{ on: 'GET /down', status: 503, headers: { 'Retry-After': '3' } }] }),
      auth({ known: { known: 1 }, protect: ['nothing'] }),
      routes({
        'GET /pixel': () =>
          new Response(new Uint8Array([137, 80, 0, 255]), {
            headers: { 'Content-Type': 'image/png' },
          }),
        'GET /old': () =>
          new Response(null, { status: 302, headers: { Location: '/posts?title=Uno' } }),
      }),
    ],
  })
  const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  const { page: recording } = await openPage(pageUrl)
  const recorded = await send(recording, url)
  const har: unknown = await (await fetch(`${url}/__mock/log.har?redactedBodies=false`)).json()
  await close()
  expectHar(har)
  expect(recorded.map(({ status }) => status)).toEqual([
    200, 200, 200, 404, 200, 201, 201, 201, 201, 200, 200, 200, 204, 200, 200, 503, 200, 401, 200,
  ])

  const { page } = await openPage()
  const path = await write(har)
  await page.context().routeFromHAR(path, { url: `${url}/**`, notFound: 'abort' })
  await page.goto(pageUrl)
  const replayed = await send(page, url)
  for (const [at, { path }] of session.entries()) {
    expect(replayed[at], path).toEqual(toArchived(recorded[at]))
  }
  expect(JSON.stringify(har)).not.toContain('S3CRET')
})

/** A response as a page sees it. */
interface Seen {
  status: number
  headers: [string, string][]
  body: string
}

/** Sends the requests of the session from a page. */
async function send(page: Page, url: string): Promise<Seen[]> {
  const seen: Seen[] = []
  for (const asked of session) seen.push(await page.evaluate(ask, [url, asked] as const))
  return seen
}

/** Runs in a page. */
async function ask([url, { path, fields, ...init }]: readonly [string, Asked]): Promise<Seen> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields ?? {})) form.set(name, value)
  const body = fields ? form : init.body
  const response = await fetch(url + path, { ...init, cache: 'no-store', ...(body && { body }) })
  const bytes = new Uint8Array(await response.arrayBuffer())
  // Depends on the connection.
  const connection =
    /^(?:connection|content-encoding|content-length|date|keep-alive|transfer-encoding)$/
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !connection.test(name)),
    body: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
  }
}

/** The part of a response that the archive contains. */
function toArchived(seen: Seen | undefined): Seen | undefined {
  return (
    seen && {
      ...seen,
      // The archive describes responses before compression.
      headers: seen.headers.map(([name, value]) => [name, value.replace(/-(?:br|gzip)"$/, '"')]),
      body: seen.body.replaceAll(/("(?:access|refresh)_token":")[^"]+/g, '$1[redacted]'),
    }
  )
}

async function write(har: Har): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fixtura-har-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'session.har')
  writeFileSync(path, JSON.stringify(har))
  return path
}
