import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { jsonApi } from '../../src/dialects.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { loadRecorded } from './backends/play.ts'
import { startRecording } from './backends/recording.ts'

const type = 'application/vnd.api+json'

/** Fixtura's own service. */
async function serveOwn(): Promise<string> {
  const mock = createMock({
    dialect: jsonApi,
    base: '/api',
    fixtures: {
      articles: [
        { id: 1, title: 'One', views: 3, writerId: 2, tagIds: [1, 2] },
        { id: 2, title: 'Two', views: 9, writerId: 1, tagIds: [] },
        { id: 3, title: 'Three', views: 5, writerId: 2, tagIds: [2] },
      ],
      people: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bob' },
      ],
      tags: [
        { id: 1, label: 'a' },
        { id: 2, label: 'b' },
      ],
      comments: [
        { id: 5, body: 'First', articleId: 1 },
        { id: 6, body: 'Second', articleId: 1 },
        { id: 7, body: 'Third', articleId: 3 },
      ],
    },
    resources: { articles: { relations: { writerId: 'people' } } },
  })
  const server = await serve(mock, { port: 0 })
  onTestFinished(() => server.close())
  return server.url.replace(/\/api$/, '')
}

/** A service written by hand: no `jsonapi`, no links, linkage by `include` alone, and totals under another name. */
async function serveOther(): Promise<string> {
  const authors = [
    { id: 'a1', name: 'Ada', born: 1815 },
    { id: 'a2', name: 'Bob', born: 1990 },
  ]
  const books = ['One', 'Two', 'Three', 'Four', 'Five'].map((title, at) => ({
    id: String(at + 1),
    title,
    'page-count': 100 * (5 - at),
    author: at % 2 === 0 ? 'a1' : 'a2',
  }))
  const toAuthor = ({ id, ...attributes }: (typeof authors)[0]): object => ({
    type: 'authors',
    id,
    attributes,
  })
  const toBook = ({ id, author, ...attributes }: (typeof books)[0]): object => ({
    type: 'books',
    id,
    attributes,
    relationships: { author: { data: { type: 'authors', id: author } } },
  })
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://books.test')
    const [, , name, id] = pathname.split('/')
    const size = Number(searchParams.get('page[size]') ?? 10)
    const first = (Number(searchParams.get('page[number]') ?? 1) - 1) * size
    const included = searchParams.has('include') ? { included: authors.map(toAuthor) } : {}
    const found =
      name === 'authors'
        ? { list: authors.map(toAuthor), one: authors.filter((one) => one.id === id).map(toAuthor) }
        : { list: books.map(toBook), one: books.filter((one) => one.id === id).map(toBook) }
    const body =
      id === undefined
        ? {
            data: found.list.slice(first, first + size),
            ...included,
            meta: { 'record-count': found.list.length },
          }
        : found.one[0] && { data: found.one[0], ...included }
    const missing = { errors: [{ status: '404', title: 'Not found' }] }
    response.writeHead(body ? 200 : 404, { 'Content-Type': type })
    response.end(JSON.stringify(body ?? missing))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Records the session of a client with a service, and returns a client of the mock and the configuration. */
async function record(origin: string, session: readonly string[]): Promise<Recorded> {
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const recording = await startRecording(origin, folder)
  const reads = new Map<string, Document>()
  for (const line of session) {
    const [method = 'GET', path = '', body] = line.split(' ')
    const sent = body === undefined ? {} : { body, headers: { 'Content-Type': type } }
    const answer = await toDocument(await fetch(recording.url + path, { method, ...sent }))
    if (method === 'GET') reads.set(path, withOrigin(answer, recording.url, origin))
  }
  await recording.close()
  const mock = await loadRecorded(folder)
  const config = readFileSync(join(folder, 'mock.config.jsonc'), 'utf8')
  return { reads, ask: async (path) => toDocument(await mock.fetch(`${origin}${path}`)), config }
}

/** The last response to each read of a recording, a client of its mock, and the configuration. */
interface Recorded {
  reads: ReadonlyMap<string, Document>
  ask: (path: string) => Promise<Document>
  config: string
}

interface Document {
  status: number
  type: string | null
  json: unknown
}

function withOrigin(document: Document, from: string, to: string): Document {
  return JSON.parse(JSON.stringify(document).replaceAll(from, to)) as Document
}

async function toDocument(response: Response): Promise<Document> {
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    json: text === '' ? undefined : JSON.parse(text),
  }
}

describe('a recording of a JSON:API service', () => {
  it('of Fixtura answers recorded and other questions as the service does', async () => {
    const origin = await serveOwn()
    const session = [
      'GET /api/articles?include=writer,tags&page[size]=2',
      'GET /api/articles?page[number]=2&page[size]=2',
      'GET /api/articles/1?include=comments',
      'GET /api/articles/1/writer',
      'GET /api/articles/1/comments',
      'GET /api/articles/3/relationships/comments',
      'GET /api/comments',
      'GET /api/people?filter[name]=Ada',
      'GET /api/people/2',
      'GET /api/tags',
      'GET /api/articles?filter[views][gt]=4&sort=-views',
      'GET /api/articles/9',
      'POST /api/comments {"data":{"type":"comments","attributes":{"body":"Fourth"},"relationships":{"article":{"data":{"type":"articles","id":"2"}}}}}',
      'PATCH /api/articles/2 {"data":{"type":"articles","id":"2","attributes":{"views":1}}}',
      'PATCH /api/articles/3/relationships/writer {"data":{"type":"people","id":"1"}}',
      'DELETE /api/comments/5',
      'GET /api/comments?sort=-id',
    ]
    const questions = [
      '/api/articles',
      '/api/articles/2?include=writer',
      '/api/articles/3/writer',
      '/api/articles/3/tags',
      '/api/articles/3/comments?include=article',
      '/api/articles?filter[writer.name]=Bob&sort=-title&fields[articles]=title,writer',
      '/api/articles?filter[tags]=2&page[size]=1',
      '/api/comments/7?include=article.writer',
      '/api/people?sort=-name',
      '/api/articles/2/comments',
      '/api/articles/9/writer',
    ]
    const { reads, ask, config } = await record(origin, session)
    expect(config).toContain('"dialect": "json-api"')
    const differences: string[] = []
    const expected = new Map<string, Document>(reads)
    for (const path of questions) expected.set(path, await toDocument(await fetch(origin + path)))
    for (const [path, wanted] of expected) {
      const found = await ask(path)
      try {
        expect(found).toEqual(wanted)
      } catch {
        differences.push(`${path}\n${JSON.stringify(found)}\n${JSON.stringify(wanted)}`)
      }
    }
    expect(differences).toEqual([])
  })

  it('in another style answers recorded questions as recorded, others in JSON:API', async () => {
    const origin = await serveOther()
    const session = [
      'GET /v1/books?page[size]=3&include=author',
      'GET /v1/books?page[size]=3&page[number]=2',
      'GET /v1/books/4',
      'GET /v1/books/77',
    ]
    const { reads, ask, config } = await record(origin, session)
    expect(config).toContain('"dialect": "json-api"')
    for (const [path, wanted] of reads) expect([path, await ask(path)]).toEqual([path, wanted])
    expect(
      await ask('/v1/books?sort=page-count&filter[author.name]=Ada&page[size]=2'),
    ).toMatchObject({
      status: 200,
      type,
      json: {
        data: [
          { type: 'books', id: '5', attributes: { title: 'Five', 'page-count': 100 } },
          { type: 'books', id: '3', attributes: { title: 'Three', 'page-count': 300 } },
        ],
        meta: { total: 3 },
      },
    })
    expect(await ask('/v1/authors/a2')).toMatchObject({
      status: 200,
      json: { data: { type: 'authors', id: 'a2', attributes: { name: 'Bob', born: 1990 } } },
    })
  })
})
