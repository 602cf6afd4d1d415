import { setupServer } from 'msw/node'
import { describe, expect, it } from 'vitest'

import { internalsOf } from '../src/core/http/contract/internals.ts'
import { toMockRequest } from '../src/faces/web/web.ts'
import { createMock, type Mock, type MockOptions } from '../src/index.ts'
import { handlers, strict } from '../src/msw.ts'
import { serve } from '../src/node.ts'
import { otherFaces, type Place } from './other-faces.ts'
import {
  type Answer,
  type Connection,
  type Expected,
  host,
  isList,
  origin,
  parse,
  type Row,
  sendOverHttp,
  type TableRequest,
} from './table-requests.ts'

export {
  type Answer,
  type Connection,
  type Expected,
  parse,
  type ParsedRequest,
  type Row,
  sendOverHttp,
  type TableRequest,
} from './table-requests.ts'

/**
 * Runs every row of a table (title, requests, expected response) through every face and those that CONTRACT_FACE
 * adds, each with a fresh mock, so that all faces answer with the same bytes. A test file or a set-up file may
 * replace the faces before.
 */
export function contract(
  title: string,
  create: () => Mock | MockOptions<Record<string, unknown>>,
  rows: readonly Row[],
): void {
  const tableFaces = { ...faces, ...otherFaces }
  for (const name of Object.keys(tableFaces)) tables.add(`${title} (${name})`)
  describe.each(Object.keys(tableFaces))(`${title} (%s)`, (name) => {
    it.for(rows.map((row, at) => [...row, at] as [string, Row[1], Expected, number]))(
      '%s',
      async ([, requests, expected, at], { skip }) => {
        const created = create()
        const mock = 'fetch' in created ? created : createMock(created)
        const connection = await tableFaces[name]?.(mock, { title, rows, at })
        if (!connection) throw new Error(`There is no face "${name}".`)
        try {
          let answer: Answer | undefined
          for (const request of isList(requests) ? requests : [requests]) {
            const reason = connection.skipReason?.(request, expected)
            if (reason !== undefined) skip(reason)
            answer = await connection.send(request)
            if (parse(request).method !== 'HEAD') expectLength(answer)
          }
          expectAnswer(answer, expected)
        } finally {
          await connection.close()
        }
      },
    )
  })
}

/** Compares a response with an expectation. */
export function expectAnswer(answer: Answer | undefined, expected: Expected): void {
  expect(answer?.status, answer?.text).toBe(expected.status)
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const actual = answer?.headers[name.toLowerCase()]
    if (value === null) expect(actual, name).toBeUndefined()
    else if (value instanceof RegExp) expect(actual, name).toMatch(value)
    else expect(actual, name).toBe(value)
  }
  if ('body' in expected) expect(bodyOf(answer)).toEqual(expected.body)
}

/** Returns the body of a response: parsed if it is JSON, otherwise text. */
export function bodyOf(answer: Answer | undefined): unknown {
  const { text = '', headers = {} } = answer ?? {}
  return headers['content-type']?.includes('json') && text !== '' ? JSON.parse(text) : text
}

/** Every face that runs in this process, by name, with a function that connects to the mock of a row. */
export const faces: Record<string, (mock: Mock, place?: Place) => Promise<Connection>> = {
  core: async (mock) => ({
    async send(tableRequest) {
      const { method, path, headers, body } = parse(tableRequest)
      const [pathname = '', search] = path.split(/(?=\?)/)
      const carrier = toMockRequest(
        new Request(origin, { method: 'POST', headers, body: body ?? null }),
      )
      const request = {
        method,
        path: pathname,
        search: search ?? '',
        origin,
        headers: { host, ...headers },
        text: carrier.text,
        form: carrier.form,
        bytes: carrier.bytes,
      }
      const response = await internalsOf(mock).handle(request, { origins: 'any' })
      if (response.status === 0) throw new TypeError('dropped')
      return {
        status: response.status,
        // `Headers` joins repeated lines into one value, as all clients do.
        headers: Object.fromEntries(new Headers(response.headers)),
        text: await textOf(response.body),
      }
    },
    close: async () => {},
  }),

  fetch: async (mock) => ({
    send: async (request) => fromResponse(await mock.fetch(toRequest(request))),
    close: async () => {},
  }),

  msw: async (mock) => {
    const server = setupServer(...handlers(mock))
    server.listen(strict())
    return {
      send: async (request) => fromResponse(await fetch(toRequest(request))),
      close: async () => server.close(),
    }
  },

  http: async (mock) => {
    const serving = await serve(mock, { port: 0, host: '127.0.0.1', allowHost: 'mock.test' })
    return { send: (request) => sendOverHttp(serving.port, request), close: () => serving.close() }
  },
}

/** The names of the test groups that `contract` has created. */
export const tables: Set<string> = new Set()

/** Compares the length that a response states, if any, with its body. */
function expectLength({ headers, text }: Answer): void {
  const length = headers['content-length']
  if (length !== undefined) expect(Number(length)).toBe(Buffer.byteLength(text))
}

function toRequest(request: TableRequest): Request {
  const { method, path, headers, body } = parse(request)
  const init = { method, headers, redirect: 'manual' as const }
  return new Request(origin + path, { ...init, ...(body !== undefined && { body }) })
}

async function fromResponse(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
}

async function textOf(
  body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null,
): Promise<string> {
  if (body === null || typeof body === 'string') return body ?? ''
  const decoder = new TextDecoder()
  if (body instanceof Uint8Array) return decoder.decode(body)
  let text = ''
  for await (const chunk of body)
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text
}
