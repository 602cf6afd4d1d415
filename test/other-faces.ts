import { basename } from 'node:path'

import { expect } from 'vitest'

import {
  type Answer,
  type Connection,
  parse,
  sendOverHttp,
  type TableRequest,
} from './table-requests.ts'

/**
 * Faces of the tables whose mocks are created in another program, which the set-up of the test run has started:
 * CONTRACT_FACE=workerd (test/worker/setup.ts) or runtime (test/runtimes/setup.ts).
 */
export const otherFaces: Record<string, (mock: unknown, title?: string) => Promise<Connection>> = {
  ...(process.env['WORKERD_PORT'] && { workerd: connectToWorker }),
  ...(process.env['RUNTIME_PORT'] && {
    'runtime http': (_, title) => connectToRuntime(title, false),
    'runtime fetch': (_, title) => connectToRuntime(title, true),
  }),
}

/** The name of a table in the other program: two files can have tables of one title. */
function tableOf(title = ''): string {
  return `${basename(expect.getState().testPath ?? '')} ${title}`
}

/**
 * Connects to an object of its own, whose mock the table creates inside of `workerd`. In every tenth row, the
 * object is discarded before each further request, so that it answers from its storage.
 */
async function connectToWorker(_: unknown, title = ''): Promise<Connection> {
  const table = tableOf(title)
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

/** Connects to a mock that the table creates in Bun or Deno: over HTTP, or by its function `fetch`. */
async function connectToRuntime(title: string | undefined, isFetch: boolean): Promise<Connection> {
  const row = ++runtimeRows
  const ask = async (asked: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${process.env['RUNTIME_PORT']}/`, {
      method: 'POST',
      body: JSON.stringify({ row: `${process.pid} ${row}`, ...asked }),
    })
    if (response.ok) return response.json()
    throw new TypeError(await response.text())
  }
  const { port } = (await ask({ table: tableOf(title) })) as { port: number }
  return {
    async send(request) {
      if (!isFetch) return sendOverHttp(port, request)
      return (await ask({ request: parse(request) })) as Answer
    },
    close: async () => void (await ask({})),
  }
}

let runtimeRows = 0
