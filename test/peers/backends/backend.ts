import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A back end that is recorded. */
export interface Backend {
  origin: string
  close(): Promise<void>
}

/** A request of a back end. */
export interface Call {
  method: string
  /** With the origin that the client has asked. */
  url: URL
  headers: IncomingMessage['headers']
  /** The parsed body; undefined for none. */
  body: Record<string, unknown> | undefined
}

/** A response of a back end: JSON, bytes of the type that its headers say, or no body. */
export interface Reply {
  status: number
  value?: unknown
  bytes?: string | Uint8Array
  headers?: Record<string, string | string[]>
}

/** Serves a back end on a free port. */
export async function serveBackend(answer: (call: Call) => Reply): Promise<Backend> {
  const server = createServer((request, response) => void respond(request, response, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (call: Call) => Reply,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const sent = await text(request)
  const {
    status,
    value,
    bytes,
    headers: own,
  } = answer({
    method,
    url: new URL(url, `http://${headers.host}`),
    headers,
    body: sent === '' ? undefined : (JSON.parse(sent) as Record<string, unknown>),
  })
  for (const [name, line] of Object.entries(own ?? {})) response.setHeader(name, line)
  if (value !== undefined) response.setHeader('Content-Type', 'application/json')
  response.writeHead(status).end(value === undefined ? bytes : JSON.stringify(value))
}

export type Row = Record<string, unknown> & { id: number }

/** The records that the back ends begin with. */
export function createData(): { users: Row[]; posts: Row[] } {
  const users = Array.from({ length: 5 }, (_, at) => ({
    id: at + 1,
    name: `User ${at + 1}`,
    is_active: at % 2 === 0,
    created_at: `2026-01-0${at + 1}T10:00:00Z`,
  }))
  const posts = Array.from({ length: 23 }, (_, at) => ({
    id: at + 1,
    user_id: (at % 5) + 1,
    title: `Post ${String.fromCharCode(97 + (at % 23))}`,
    views: (at * 7) % 40,
    published_at: at % 4 === 0 ? null : `2026-02-${String(at + 1).padStart(2, '0')}T08:00:00Z`,
  }))
  return { users, posts }
}

/** Sorts a copy of the rows by a field; a minus in front of the field sorts downwards. */
export function sortRows(rows: readonly Row[], order: string): Row[] {
  const field = order.replace(/^-/, '')
  const direction = order.startsWith('-') ? -1 : 1
  const rank = (row: Row): string => {
    const value = row[field]
    return typeof value === 'number' ? String(value).padStart(8, '0') : String(value)
  }
  return rows.toSorted((a, b) => direction * (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
}

/** The number in a query, else the default. */
export function numberOf({ searchParams }: URL, name: string, standard: number): number {
  return Number(searchParams.get(name) ?? standard)
}
