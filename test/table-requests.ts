/** The rows of the tables, and sending their requests. */
import { request as httpRequest } from 'node:http'

/** A request of a table: `GET /posts`, or with headers and a body. Other bodies than strings are sent as JSON. */
export type TableRequest =
  | string
  | { request: string; headers?: Record<string, string>; body?: unknown }

/** The expected response; a header of null must be missing. */
export interface Expected {
  status: number
  headers?: Record<string, string | RegExp | null>
  body?: unknown
}

/** A row sends its requests in sequence to a fresh mock; the expectation is for the last response. */
export type Row = readonly [
  title: string,
  request: TableRequest | readonly TableRequest[],
  expected: Expected,
]

/** Whether a row has several requests. */
export function isList(requests: Row[1]): requests is readonly TableRequest[] {
  return Array.isArray(requests)
}

/** A response in the same form from every face. Header names are lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

/** A connection to one mock through one face. */
export interface Connection {
  /** The reason to skip a request that this face cannot send, or whose response it cannot read. */
  skipReason?(request: TableRequest, expected: Expected): string | undefined
  send(request: TableRequest): Promise<Answer>
  close(): Promise<void>
}

/** The host of every request. */
export const host = 'mock.test'
/** The origin of every request. */
export const origin = `http://${host}`

/** A parsed request of a table. */
export interface ParsedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

/** Parses a request of a table; a body gets the type JSON by default. */
export function parse(tableRequest: TableRequest): ParsedRequest {
  const {
    request,
    headers = {},
    body,
  } = typeof tableRequest === 'string' ? { request: tableRequest } : tableRequest
  const [method = 'GET', path = '/'] = request.split(' ', 2)
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    method,
    path,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(named),
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** Sends a request with `node:http`, because `fetch` forbids some methods and headers. */
export function sendOverHttp(port: number, tableRequest: TableRequest): Promise<Answer> {
  const { method, path, headers, body } = parse(tableRequest)
  headers['host'] ??= host
  // Node sends the body of DELETE without a length, so the server would read it as the next request.
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  const options = { port, host: '127.0.0.1', method, path, headers, agent: false }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.once('error', reject)
      response.once('end', () => {
        const entries = Object.entries(response.headers).map(([name, value]) => [
          name,
          String(value),
        ])
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(entries), text })
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
