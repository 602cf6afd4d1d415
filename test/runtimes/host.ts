/** Runs on Bun or Deno: serves the mocks of the tables, one server for each row, and answers with `mock.fetch`. */
import { createServer, type IncomingMessage } from 'node:http'

import { createMock, type Mock } from '../../src/index.ts'
import { serve, type Serving } from '../../src/node.ts'
import { createTable } from '../worker/table-list.ts'

export { createMock }
export { anything, contractOf, describe } from '../worker/table-list.ts'

/** What the tests ask of this program. */
interface Asked {
  /** The name of the row. */
  row: string
  /** The table of a new row. */
  table?: string
  /** A request for `mock.fetch`. */
  request?: { method: string; path: string; headers: Record<string, string>; body?: string }
}

const rows = new Map<string, { mock: Mock; serving: Serving }>()

async function answer({ row, table, request }: Asked): Promise<unknown> {
  if (table !== undefined) {
    const created = createTable(table)
    const mock = 'fetch' in created ? created : createMock(created)
    const serving = await serve(mock, { port: 0, host: '127.0.0.1', allowHost: 'mock.test' })
    rows.set(row, { mock, serving })
    return { port: serving.port }
  }
  const found = rows.get(row)
  if (!found) throw new Error(`There is no row ${row}.`)
  if (!request) {
    rows.delete(row)
    await found.serving.close()
    return {}
  }
  const { path, ...init } = request
  const response = await found.mock.fetch(new Request(`http://mock.test${path}`, init))
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
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
