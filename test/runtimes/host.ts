/** Runs on Bun or Deno: serves the mocks of the tables, one server for each row, and answers with `mock.fetch`. */
import { createServer, type IncomingMessage } from 'node:http'

import { createMock, type Mock } from '../../src/index.ts'
import { serve, type Serving } from '../../src/node.ts'
import { type Answer, origin, parse, type TableRequest } from '../table-requests.ts'
import { createTable } from '../worker/table-list.ts'

export { createMock }
export { anything, contractOf, describe } from '../worker/table-list.ts'

/** What the tests ask of this program: a server for a row of a table, or the answers to the requests of rows. */
export interface Asked {
  /** The name of the table. */
  table: string
  /** The server of an earlier row, which has ended. */
  ended: number | undefined
  /** The requests of all rows, for `mock.fetch`; without them, a server is started. */
  rows?: TableRequest[][]
}

/** An answer, or the error of a request. */
export type Answered = Answer | { error: string }

const servers = new Map<number, Serving>()

async function answer({ table, ended, rows }: Asked): Promise<unknown> {
  if (ended !== undefined) void servers.get(ended)?.close()
  if (ended !== undefined) servers.delete(ended)
  if (rows) {
    const answers: Answered[][] = []
    for (const requests of rows) answers.push(await send(toMock(table), requests))
    return answers
  }
  const serving = await serve(toMock(table), { port: 0, host: '127.0.0.1', allowHost: 'mock.test' })
  servers.set(serving.port, serving)
  return serving.port
}

function toMock(table: string): Mock {
  const created = createTable(table)
  return 'fetch' in created ? created : createMock(created)
}

async function send(mock: Mock, requests: TableRequest[]): Promise<Answered[]> {
  const answers: Answered[] = []
  for (const request of requests) {
    const { path, ...init } = parse(request)
    try {
      const response = await mock.fetch(new Request(origin + path, init as RequestInit))
      answers.push({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      })
    } catch (error) {
      answers.push({ error: String(error) })
    }
  }
  return answers
}

/** Starts the program; prints its port. */
export function startHost(): void {
  const server = createServer((request, response) => {
    void read(request)
      .then((text) => answer(JSON.parse(text) as Asked))
      .then(
        (value) => response.end(JSON.stringify(value)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify(server.address()))
  })
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
