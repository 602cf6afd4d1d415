import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { headerOf, isStream, type MockResponse } from '../../../core/http/contract/messages.ts'
import type { ExpressResponse } from './express.ts'

/**
 * Replaces `writeHead`, so that headers of middlewares win over those of the mock, and their status over a
 * 200. A header that differs from `presets`, from before the middlewares, is one of a middleware.
 */
export function keepHeaders(response: ServerResponse, presets: OutgoingHttpHeaders): void {
  const writeHead = response.writeHead.bind(response) as WriteHead
  const write: WriteHead = (status, headers) => {
    if (!Array.isArray(headers)) return writeHead(status, headers)
    for (const name of bodyHeaders) response.removeHeader(name)
    const own = ownHeaders(response, presets)
    const lines: string[] = []
    for (let at = 0; at < headers.length; at += 2) {
      const [name = '', value = ''] = headers.slice(at, at + 2) as string[]
      if (!own.has(name.toLowerCase())) lines.push(name, value)
      else if (repeatable.has(name.toLowerCase())) lines.push(name, value)
    }
    for (const name of repeatable) for (const value of own.get(name) ?? []) lines.push(name, value)
    expose(lines, [...own.keys()])
    return writeHead(statusOf(status, response), lines)
  }
  Object.assign(response, { writeHead: write })
}

/** Headers that a response can repeat: the values of the middlewares and of the mock are all sent. */
const repeatable = new Set(['set-cookie', 'vary'])

/** Headers that describe the sent body: only the values of the mock are right. */
const bodyHeaders = ['content-encoding', 'content-length', 'transfer-encoding']

type WriteHead = (status: number, headers?: unknown) => ServerResponse

/** Lets pages of other origins read the headers of middlewares (WHATWG Fetch §3.3.3). */
function expose(lines: string[], names: readonly string[]): void {
  const at = lines.indexOf('Access-Control-Expose-Headers') + 1
  const listed = names.filter(
    (name) => !/^(?:access-control-.*|cache-control|set-cookie|vary)$/.test(name),
  )
  if (at > 0) lines[at] = [lines[at], ...listed].join(', ')
}

function ownHeaders(response: ServerResponse, presets: OutgoingHttpHeaders): Map<string, string[]> {
  const own = new Map<string, string[]>()
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (String(value) !== String(presets[name])) own.set(name, [value ?? ''].flat().map(String))
  }
  return own
}

/** The status of the mock, unless it is 200; then the status that a middleware has set. */
function statusOf(status: number, { statusCode }: ServerResponse): number {
  return status === 200 ? statusCode : status
}

/** Sends by `res.jsonp` or `res.send` if a middleware has replaced it; returns whether the response was sent. */
export function sendThroughOverride(
  { status, headers, body }: MockResponse,
  response: ExpressResponse,
  presets: OutgoingHttpHeaders,
): boolean {
  const isJsonp = Object.hasOwn(response, 'jsonp')
  if (isStream(body) || !(isJsonp || Object.hasOwn(response, 'send'))) return false
  const own = ownHeaders(response, presets)
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    // The validators hold for the body of the mock alone.
    if (own.has(key) || /^(?:content-length|etag|last-modified)$/.test(key)) continue
    if (headerOf(headers, name) === value) response.setHeader(name, value)
    else response.appendHeader(name, value)
  }
  response.statusCode = statusOf(status, response)
  const text =
    body === null || typeof body === 'string' ? (body ?? '') : Buffer.from(body).toString()
  const isJson = headerOf(headers, 'Content-Type')?.includes('json') === true && text !== ''
  if (isJsonp && isJson) response.jsonp(JSON.parse(text))
  else response.send(text)
  return true
}
