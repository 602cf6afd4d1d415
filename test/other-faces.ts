import { basename } from 'node:path'

import { expect } from 'vitest'

import type { Answered } from './runtimes/host.ts'
import {
  type Answer,
  type Connection,
  isList,
  parse,
  type Row,
  sendOverHttp,
  type TableRequest,
} from './table-requests.ts'

/** A row of a table: its number, and the rows of the table with this title. */
export interface Place {
  title: string
  rows: readonly Row[]
  at: number
}

const runtimes = JSON.parse(process.env['RUNTIME_PORTS'] ?? '{}') as Record<string, number>

/**
 * Faces of the tables whose mocks are created in other programs, which the set-up of the test run has started:
 * CONTRACT_FACE=workerd (test/worker/setup.ts) and runtimes (test/runtimes/setup.ts: `bun http`, `bun fetch`).
 */
export const otherFaces: Record<string, (mock: unknown, place?: Place) => Promise<Connection>> = {
  ...(process.env['WORKERD_PORT'] && { workerd: connectToWorker }),
  ...Object.fromEntries(
    Object.entries(runtimes).flatMap(([name, port]) => [
      [
        `${name} http`,
        async (_: unknown, place?: Place) => withReasons(name, await connectToRuntime(port, place)),
      ],
      [
        `${name} fetch`,
        async (_: unknown, place?: Place) => withReasons(name, await fetchOnRuntime(port, place)),
      ],
    ]),
  ),
}

/** The name of a table in the other program: two files can have tables of one title. */
function tableOf(title = ''): string {
  return `${basename(expect.getState().testPath ?? '')} ${title}`
}

/**
 * Connects to an object of its own, whose mock the table creates inside of `workerd`. In every tenth row, the
 * object is discarded before each further request, so that it answers from its storage.
 */
async function connectToWorker(_: unknown, place?: Place): Promise<Connection> {
  const table = tableOf(place?.title)
  const id = `${process.pid} ${++objects}`
  const isRestarted = objects % 10 === 0
  let requests = 0
  const send = (request: TableRequest, more: Record<string, string> = {}): Promise<Answer> => {
    const { method, path, headers, body } = parse(request)
    const own = { ...headers, 'x-table': encodeURIComponent(table), 'x-object': id, ...more }
    return sendOverHttp(Number(process.env['WORKERD_PORT']), {
      request: `${method} ${path}`,
      headers: own,
      body,
    })
  }
  return {
    skipReason(request) {
      if (table.startsWith('sessions.test.ts')) return 'a worker has sessions of its own'
      const { path } = parse(request)
      // RFC 3986 §2: a client has to escape other characters.
      return /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/.test(path)
        ? 'workerd refuses a URL with characters that have to be escaped'
        : undefined
    },
    async send(request) {
      if (isRestarted && requests++ > 0) await send('GET /', { 'x-restart': '1' })
      return send(request)
    },
    close: async () => {},
  }
}

let objects = 0

/** Names the rows that a runtime cannot pass. */
function withReasons(runtime: string, connection: Connection): Connection {
  const skipReason = (request: TableRequest): string | undefined =>
    runtime === 'bun' && parse(request).path === '/api/upload'
      ? 'Bun adds a charset to the type of a file'
      : undefined
  return { ...connection, skipReason }
}

/** Connects to a mock that the table creates on a runtime, over HTTP. */
async function connectToRuntime(program: number, place: Place | undefined): Promise<Connection> {
  const table = tableOf(place?.title)
  const port = (await ask(program, { table, ended: ended.get(program) })) as number
  ended.set(program, port)
  return { send: (request) => sendOverHttp(port, request), close: async () => {} }
}

/** The servers of earlier rows, which the next row ends. */
const ended = new Map<number, number>()

/** Sends the rows of a table to `mock.fetch` on a runtime: all of them with the first. */
async function fetchOnRuntime(program: number, place: Place | undefined): Promise<Connection> {
  const table = tableOf(place?.title)
  const key = `${program} ${table}`
  const rows = place?.rows.map(([, requests]) => (isList(requests) ? requests : [requests]))
  const answers = fetched.get(key) ?? ask(program, { table, ended: undefined, rows })
  fetched.set(key, answers)
  const own = ((await answers) as Answered[][])[place?.at ?? 0] ?? []
  return {
    async send() {
      const answer = own.shift()
      if (answer && 'status' in answer) return answer
      throw new TypeError(answer?.error)
    },
    close: async () => {},
  }
}

const fetched = new Map<string, Promise<unknown>>()

async function ask(program: number, asked: object): Promise<unknown> {
  const { status, text } = await sendOverHttp(program, { request: 'POST /', body: asked })
  if (status === 200) return JSON.parse(text) as unknown
  throw new TypeError(text)
}
