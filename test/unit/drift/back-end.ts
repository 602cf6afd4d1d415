import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

/** A record of the back end. */
export type Row = Record<string, unknown>

/** The data of a back end: collections and one singleton. */
export interface Data {
  posts: Row[]
  users: Row[]
  comments: Row[]
  settings: Row
}

/** A back end whose data and responses a test changes. */
export interface BackEnd {
  data: Data
  /** The names of collections without a route. */
  removed: Set<string>
  pageSize: number
  unknownStatus: number
  /** The body of a list. */
  toList(rows: unknown[], total: number): unknown
  /** A record in a list. */
  toRow(row: Row): unknown
  answer(url: string): Response
}

/** A server that answers requests. */
interface Answering {
  answer(url: string, headers: IncomingHttpHeaders): Response
}

interface Response {
  status: number
  headers: Record<string, string>
  body: unknown
}

const statuses = ['draft', 'published', 'archived']

/** Makes the same shape with other values for each `salt`. */
export function createData(salt: string, count = 60): Data {
  const each = <T>(size: number, make: (at: number) => T): T[] =>
    Array.from({ length: size }, (_, at) => make(at + 1))
  return {
    posts: each(count, (id) => ({
      id,
      title: `${salt} title ${id}`,
      slug: `${salt}-${id}`,
      views: (id * 37 + salt.length) % 1000,
      rating: id + 0.5,
      isOpen: id % 2 === 0,
      status: statuses[(id + salt.length) % 3],
      publishedAt: new Date(1e12 + id * 1e9 + salt.length).toISOString(),
      subtitle: id % 2 === 0 ? null : `${salt} subtitle ${id}`,
      tags: [`${salt}${id}`, 'x'],
      author: { name: `${salt} ${id}`, address: { city: `${salt} town ${id}`, zip: `z${id}` } },
      userId: (id % 10) + 1,
    })),
    users: each(10, (id) => ({
      id,
      name: `${salt} user ${id}`,
      email: `${salt}${id}@example.com`,
    })),
    comments: each(30, (id) => ({ id, body: `${salt} comment ${id}`, postId: (id % 20) + 1 })),
    settings: { theme: `${salt} theme`, fontSize: salt.length, isCompact: salt.length > 3 },
  }
}

/** Creates a back end that answers as the default dialect does. */
export function createBackEnd(data: Data = createData('live')): BackEnd {
  const backEnd: BackEnd = {
    data,
    removed: new Set(),
    pageSize: Infinity,
    unknownStatus: 404,
    toList: (rows) => rows,
    toRow: (row) => row,
    answer(url) {
      const { pathname, searchParams } = new URL(url, 'http://localhost')
      const [, name = '', id] = pathname.split('/')
      const found = (backEnd.data as unknown as Record<string, unknown>)[name]
      const ok = (body: unknown, headers = {}): Response => ({ status: 200, headers, body })
      const missing = (status: number): Response => ({ status, headers: {}, body: { detail: '?' } })
      if (found === undefined || backEnd.removed.has(name)) return missing(404)
      if (!Array.isArray(found)) return ok(found)
      const rows = found as Row[]
      if (id !== undefined) {
        const row = rows.find((one) => String(one['id']) === id)
        return row ? ok(row) : missing(backEnd.unknownStatus)
      }
      const { pageSize } = backEnd
      const page = Number(searchParams.get('page') ?? 1)
      const shown = rows.slice((page - 1) * pageSize || 0, page * pageSize)
      const hasNext = page * pageSize < rows.length
      const headers = hasNext ? { Link: `</${name}?page=${page + 1}>; rel="next"` } : {}
      return ok(backEnd.toList(shown.map(backEnd.toRow), rows.length), headers)
    },
  }
  return backEnd
}

/** Serves a back end until the end of the test. Resolves to its URL. */
export async function serveBackEnd({ answer }: Answering): Promise<string> {
  const server = createServer((request, response) => {
    const { status, headers, body } = answer(request.url ?? '', request.headers)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Records what a client of a back end reads: lists, some members, and an id that does not exist. */
export function record({ answer, data }: BackEnd): unknown {
  const paths = Object.entries(data).flatMap(([name, value]) =>
    Array.isArray(value)
      ? [
          `/${name}`,
          ...value.slice(0, 3).map((row: Row) => `/${name}/${String(row['id'])}`),
          `/${name}/404404`,
        ]
      : [`/${name}`],
  )
  const entries = paths.map((path) => {
    const { status, headers, body } = answer(path)
    return {
      request: { method: 'GET', url: `https://api.example.com${path}`, headers: [] },
      response: {
        status,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        content: { mimeType: 'application/json; charset=utf-8', text: JSON.stringify(body) },
      },
    }
  })
  return { log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } }
}
