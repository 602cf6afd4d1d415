import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createBackEnd, createData, record, serveBackEnd } from '../../drift/back-end.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo, type FakeIo } from '../fake-io.ts'

const posts = [
  { id: 1, title: 'One', slug: 'one', views: 1 },
  { id: 2, title: 'Two', slug: 'two', views: 2 },
]

interface Run {
  code: number
  io: FakeIo
  read(file: string): string
}

/** Runs `mock drift` with these arguments in a folder with these files. */
async function run(args: readonly string[], files: Files, columns?: number): Promise<Run> {
  const cwd = createFolder(files)
  const io = createFakeIo({
    cwd,
    env: { NO_COLOR: '1' },
    ...(columns !== undefined && { columns }),
  })
  const code = await main(['drift', ...args], io)
  return { code, io, read: (file) => readFileSync(join(cwd, file), 'utf8') }
}

/** Serves collections as a live API. */
function serve(data: Record<string, unknown>, status = 200): Promise<string> {
  return serveBackEnd({
    answer(url) {
      const [, name = '', id] = new URL(url, 'http://localhost').pathname.split('/')
      const rows = data[name]
      const found =
        id === undefined || !Array.isArray(rows)
          ? rows
          : (rows as { id: unknown }[]).find((row) => String(row.id) === id)
      const headers = {}
      if (found === undefined) return { status: 404, headers, body: { message: 'Not found' } }
      return { status, headers, body: found }
    },
  })
}

/** The posts of a back end: one field is gone, one is new, and one has another type. */
const moved = posts.map(({ slug: _slug, views, ...post }) => ({
  ...post,
  views: String(views),
  likes: 7,
}))

describe('mock drift', () => {
  it('reports each difference in a line, and exits with 1', async () => {
    const url = await serve({ posts: moved })
    const { code, io } = await run([url], { 'fixtures/posts.json': posts })
    expect([code, io.err()]).toEqual([1, ''])
    expect(io.out()).toBe(`posts.views: string there, integer here, such as "1" (GET /posts/1)
posts.slug: missing there, string here, such as "one" (GET /posts/1)
posts.likes: missing here, integer there, such as 7 (GET /posts/1)
3 differences in 1 of 1 resource.
`)
  })

  it('exits with 0 where there is no difference', async () => {
    const url = await serve({ posts })
    const { code, io } = await run([url], { 'fixtures/posts.json': posts })
    expect([code, io.out()]).toEqual([0, 'No differences in 1 resource.\n'])
  })

  it('gives each part a line of its own on a narrow terminal', async () => {
    const url = await serve({ posts: moved })
    const { io } = await run([url], { 'fixtures/posts.json': posts }, 40)
    expect(io.out()).toContain(
      'posts.views\n  string there, integer here, such as "1"\n  GET /posts/1\n',
    )
  })

  it('prints the result as JSON', async () => {
    const url = await serve({ posts: moved })
    const { code, io } = await run([url, '--json'], { 'fixtures/posts.json': posts })
    const { differences, compared } = JSON.parse(io.out()) as Record<string, unknown[]>
    expect(code).toBe(1)
    expect(compared).toEqual([{ resource: 'posts', here: 2, there: 2 }])
    expect(differences?.[0]).toEqual({
      kind: 'type',
      resource: 'posts',
      path: 'posts.views',
      place: ['views'],
      here: 'integer',
      there: 'string',
      example: '1',
      seen: 'GET /posts/1',
    })
  })

  it('leaves out ignored paths and does not ask for ignored resources', async () => {
    const url = await serve({ posts: moved })
    const files = { 'fixtures/posts.json': posts, 'fixtures/users.json': [{ id: 1 }] }
    const args = [url, '--ignore', 'posts.views', '--ignore', '*.slug', '--ignore=*likes']
    const { code, io } = await run([...args, '--ignore', 'users'], files)
    expect([code, io.out()]).toEqual([0, 'No differences in 1 resource.\n'])
  })

  it('sends headers, and prints no secret', async () => {
    let sent = ''
    const url = await serveBackEnd({
      answer: (_url, headers) => {
        sent = String(headers['authorization'])
        const body = [{ ...posts[0], password: 'hunter2' }]
        return { status: 200, headers: {}, body }
      },
    })
    const args = [url, '--header', 'Authorization: Bearer t0p']
    const { io } = await run(args, { 'fixtures/posts.json': posts })
    expect(sent).toBe('Bearer t0p')
    expect(io.out()).toContain('posts.password: missing here, string there, such as "[redacted]"')
    expect(io.out() + io.err()).not.toMatch(/hunter2|t0p/)
  })

  it.each<[string, string[], RegExp]>([
    ['nothing to compare with', [], /nothing to compare with.*npx fixtura drift https:/],
    ['a URL that is none', ['http://'], /it is no URL/],
    [
      'a file that is not there',
      ['openapi.yaml'],
      /"openapi.yaml": there is no such file\. Please check the path\./,
    ],
    ['a broken file', ['broken.yaml'], /Failed to read "broken.yaml"/],
    ['another file', ['other.json'], /neither an OpenAPI document nor a recording/],
    ['a document without the resources', ['empty.json'], /none of the paths.*\/posts/],
    ['a header without a name', ['http://x', '--header', 's3cret'], /--header 'Authorization/],
    ['a header without a value', ['http://x', '--header', 'X-Key:'], /--header 'Authorization/],
    ['a wrong number of pages', ['http://x', '--pages', 'x'], /Please give a whole number/],
    ['a wrong time', ['http://x', '--timeout', 'x'], /Failed to read --timeout/],
  ])('exits with 2 for %s', async (_title, args, message) => {
    const { code, io } = await run(args, {
      'fixtures/posts.json': posts,
      'broken.yaml': 'a: [',
      'other.json': { a: 1 },
      'empty.json': { openapi: '3.1.0', paths: { '/pets': { get: {} } } },
    })
    expect([code, io.out()]).toEqual([2, ''])
    expect(io.err()).toMatch(message)
    expect(io.err()).not.toContain('s3cret')
  })

  it('exits with 2 for a server that is down', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const { code, io } = await run([`http://127.0.0.1:${port}`], { 'fixtures/posts.json': posts })
    expect([code, io.out()]).toEqual([2, ''])
    expect(io.err()).toMatch(
      /the API cannot be reached \(ECONNREFUSED\)\. Please check the URL, and that the API runs\./,
    )
  })

  it.each([
    [401, /the API answers 401.*--header/],
    [503, /the API answers 503/],
  ])('exits with 2 for the status %i', async (status, message) => {
    const url = await serve({ posts }, status)
    const { code, io } = await run([url], { 'fixtures/posts.json': posts })
    expect(code).toBe(2)
    expect(io.err()).toMatch(message)
  })

  it('names the URL that has no resource in common', async () => {
    const url = await serve({})
    const { code, io } = await run([`${url}/v2`], { 'fixtures/posts.json': posts })
    expect(code).toBe(2)
    expect(io.err()).toContain(`it has none of the resources at ${url}/v2: /posts`)
  })

  it('takes the shape over with --update, and keeps the layout', async () => {
    const url = await serve({ posts: moved })
    const text = `[
  { "id": 1, "title": "One", "slug": "one", "views": 1 },
  { "id": 2, "title": "Two", "slug": "two", "views": 2 }
]
`
    const { code, io, read } = await run([url, '--update'], { 'fixtures/posts.json': text })
    expect([code, io.err()]).toEqual([0, ''])
    expect(io.out()).toBe(`posts.views: converted to string in 2 of 2 (updated)
posts.slug: removed from 2 of 2 (updated)
posts.likes: set in 2 of 2 (updated)
3 differences updated, 0 left.
`)
    expect(read('fixtures/posts.json')).toBe(`[
  { "id": 1, "title": "One", "views": "1", "likes": 7 },
  { "id": 2, "title": "Two", "views": "2", "likes": 7 }
]
`)
  })

  it('writes no secret of the other side', async () => {
    const url = await serve({ posts: posts.map((post) => ({ ...post, apiToken: 't0p' })) })
    const { code, read } = await run([url, '--update'], { 'fixtures/posts.json': posts })
    expect(code).toBe(0)
    expect(read('fixtures/posts.json')).toContain('"apiToken": "[redacted]"')
  })

  it('leaves a module that computes the fixtures', async () => {
    const url = await serve({ posts: moved })
    const text = `export default ${JSON.stringify(posts)}`
    const { code, io, read } = await run([url, '--update'], { 'fixtures/posts.mjs': text })
    expect(code).toBe(1)
    expect(io.out()).toContain('a module computes the fixtures. Please edit the module (left)')
    expect(read('fixtures/posts.mjs')).toBe(text)
  })

  it('takes the values of the other side over where none can be converted', async () => {
    const theirs = posts.map((post, at) => ({ ...post, title: at }))
    const url = await serve({ posts: theirs })
    const { code, read } = await run([url, '--update'], { 'fixtures/posts.json': posts })
    expect(code).toBe(0)
    expect(JSON.parse(read('fixtures/posts.json'))).toEqual(theirs)
  })

  it('leaves nothing that the next run reports', async () => {
    const here = createData('mine')
    const there = createData('theirs')
    for (const [at, post] of there.posts.entries()) {
      if (at < 8) Object.assign(post, { status: 'hidden', title: null, publishedAt: 'soon' })
      if (at < 8) delete post['rating']
      Object.assign(post, { views: { total: at, by: null }, tags: [{ name: 't' }] })
    }
    const url = await serve({ posts: there.posts })
    const files = { 'fixtures/posts.json': here.posts }
    const { code, read } = await run([url, '--update'], files)
    expect(code).toBe(0)
    const updated = { 'fixtures/posts.json': read('fixtures/posts.json') }
    const { io } = await run([url], updated)
    expect(io.out()).toBe('No differences in 1 resource.\n')
  })

  it('compares with a recording, and says what is not in it', async () => {
    const { code, io } = await run(['traffic.har'], {
      'traffic.har': record(createBackEnd()),
      'fixtures/users.json': createData('mine').users,
      'fixtures/tags.json': [{ id: 1 }],
    })
    expect([code, io.out()]).toEqual([
      0,
      'Not compared: tags, as it is not in the recording.\nNo differences in 1 resource.\n',
    ])
  })

  it('finds a configuration beside the fixtures', async () => {
    const url = await serve({ posts })
    const folder = createFolder({
      'data/posts.json': posts,
      'mock.config.json': { fixtures: 'data', base: '/api' },
    })
    const io = createFakeIo({ cwd: folder })
    expect(await main(['drift', `${url}/`], io)).toBe(2)
    expect(io.err()).toContain(`${url}/api: /posts`)
  })
})
