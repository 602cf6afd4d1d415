import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'
import { headerOf, type HeaderList } from '../../core/http/contract/messages.ts'
import { findJsonError } from '../../core/json/json-error.ts'
import { isRecord, type Json, type JsonRecord, tryJson } from '../../core/json/json.ts'
import { type RecordedExchange, toAddress, toSearch } from '../../core/learn/parse-exchange.ts'
import { createTextMap } from '../../loader/text/code-frame.ts'
import { findPathProblem } from '../../loader/discover/path-problem.ts'
import { decodeBody as decodeMessage } from '../../proxy/decode-body.ts'

/** Reads a HAR 1.2 with its attached bodies (`content: 'attach'`). @throws MockError for a file that is no HAR */
export async function readHar(path: string, label: string): Promise<ReadHar> {
  const bytes = await readFile(path).catch(async (cause: unknown) => {
    const { message, advice } = await findPathProblem(path, label, cause)
    throw new MockError(`${message} ${advice}`, { code: 'IMPORT_INVALID', cause })
  })
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    const advice = 'Please unpack it, and import the .har file that it contains.'
    throw wrongHar(label, 'it is a ZIP archive', advice)
  }
  const har = parse(bytes.toString('utf8').replace(/^\uFEFF/, ''), label)
  checkEntries(har, label)
  const found = await readEntries(har, dirname(path))
  if (found) return found
  const advice = 'Please save the requests of the network panel as HAR.'
  throw wrongHar(label, 'it has no "log.entries"', advice)
}

/** The content of a HAR: the exchanges, and the requests whose response is missing. */
export interface ReadHar {
  exchanges: RecordedExchange[]
  /** The requests whose response has a size and no body in the HAR. */
  missing: string[]
  /** The entries without a response: requests that were blocked, or still run. */
  unanswered: number
}

/** Reads the exchanges of a parsed HAR and its folder; returns undefined for a value that is no HAR. */
export async function readEntries(har: unknown, folder: string): Promise<ReadHar | undefined> {
  const log = isRecord(har) ? har['log'] : undefined
  const entries = isRecord(log) ? log['entries'] : undefined
  if (!Array.isArray(entries)) return undefined
  const found: ReadHar = { exchanges: [], missing: [], unanswered: 0 }
  for (const entry of entries.filter(isRecord)) await addEntry(found, entry, folder)
  return { ...found, exchanges: inOrder(found.exchanges) }
}

function parse(text: string, label: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    const error = findJsonError(text, 'file')
    if (!error) throw wrongHar(label, 'it is no JSON', 'Please save it again.', cause)
    const { line, column } = createTextMap(text).position(error.offset)
    const reason = `${error.problem} (line ${line}, column ${column})`
    throw wrongHar(label, reason, 'Please save it again.', cause)
  }
}

/** @throws MockError for an entry that no program writes, which names its index */
function checkEntries(har: unknown, label: string): void {
  const log = isRecord(har) ? har['log'] : undefined
  const entries = isRecord(log) && Array.isArray(log['entries']) ? log['entries'] : []
  for (const [at, entry] of entries.entries()) {
    const request = isRecord(entry) ? entry['request'] : undefined
    // Some programs write null for a request that they did not see.
    const isKnown = request === null || (isRecord(request) && typeof request['url'] === 'string')
    if (isKnown) continue
    const reason = `"log.entries[${at}]" has no request with a "url"`
    throw wrongHar(label, reason, 'Please save it again, or remove this entry.')
  }
}

async function addEntry(found: ReadHar, entry: JsonRecord, folder: string): Promise<void> {
  const { request, response, startedDateTime } = entry
  if (!isRecord(request) || typeof request['url'] !== 'string') return
  const status = isRecord(response) ? Number(response['status']) : 0
  if (!isRecord(response) || !(status >= 100)) {
    found.unanswered++
    return
  }
  const content = isRecord(response['content']) ? response['content'] : {}
  const headers = toHeaders(response['headers'])
  const mimeType = textOf(content['mimeType'])
  if (mimeType && headerOf(headers, 'Content-Type') === undefined) {
    headers.push(['Content-Type', mimeType])
  }
  const method = textOf(request['method']) || 'GET'
  const stored = await withFile(content, folder)
  const text = await decodeBody(stored, headers)
  const base64 = text === undefined ? toBase64(stored) : undefined
  const isLost = isMissing(text, content, method, status)
  if (isLost) found.missing.push(`${method} ${request['url']}`)
  const requestHeaders = toHeaders(request['headers'])
  const time = Date.parse(textOf(startedDateTime))
  found.exchanges.push({
    startedAt: Number.isNaN(time) ? 0 : time,
    method,
    url: request['url'],
    requestHeaders,
    requestBody: await toRequestBody(request['postData'], requestHeaders, folder),
    // Browsers write a response from their cache with the status of the revalidation and the cached body.
    status: status === 304 && text ? 200 : status,
    headers,
    body: isLost ? undefined : text,
    ...(base64 !== undefined && { base64 }),
  })
}

/** Gives the requests of one millisecond times that keep them in the order of the HAR. */
function inOrder(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  let last = -Infinity
  return exchanges
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((exchange) => {
      // A fraction that a number of this size can represent.
      last = Math.max(exchange.startedAt, last + 1 / 1024)
      return { ...exchange, startedAt: last }
    })
}

/** Browsers leave out or cut off long bodies, bodies before a navigation, and cached bodies. */
function isMissing(
  text: string | undefined,
  content: JsonRecord,
  method: string,
  status: number,
): boolean {
  const isBodiless = method === 'HEAD' || status === 204 || status < 200
  const isJson = /[/+]json/i.test(textOf(content['mimeType']))
  if (isBodiless || !isJson) return false
  if (!text) return status === 304 || content['size'] !== 0
  return /^\s*[[{]/.test(text) && tryJson(text) === undefined
}

async function withFile(content: JsonRecord, folder: string): Promise<JsonRecord> {
  const file = content['_file']
  if (typeof file !== 'string' || content['text'] !== undefined) return content
  const bytes = await readFile(join(folder, basename(file))).catch(() => undefined)
  return bytes ? { ...content, text: bytes.toString('base64'), encoding: 'base64' } : content
}

async function toRequestBody(
  data: Json | undefined,
  headers: HeaderList,
  folder: string,
): Promise<string | undefined> {
  if (!isRecord(data)) return undefined
  const text = await decodeBody(await withFile(data, folder), headers)
  const params = data['params']
  const type = textOf(data['mimeType'])
  // Firefox puts the headers of a form in front of its text.
  const body = /urlencoded/i.test(type) ? text?.replace(/^(?:[\w-]+: .*\r?\n)+\r?\n/, '') : text
  if (body !== undefined && body !== '') return body
  if (!Array.isArray(params) || /multipart/i.test(type)) return undefined
  return toSearch(params.filter(isRecord).map(({ name, value }) => [textOf(name), textOf(value)]))
}

function toHeaders(headers: Json | undefined): [string, string][] {
  if (!Array.isArray(headers)) return []
  // Chromium writes the pseudo-headers of HTTP/2, such as `:status`.
  return headers
    .filter(isRecord)
    .map(({ name, value }): [string, string] => [textOf(name), textOf(value)])
    .filter(([name]) => name !== '' && !name.startsWith(':'))
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function wrongHar(label: string, reason: string, advice: string, cause?: unknown): MockError {
  const message = `Failed to import "${label}": ${reason}. ${advice}`
  return new MockError(message, { code: 'IMPORT_INVALID', cause })
}

/** Counts the JSON responses by origin, the most frequent first: the default of `mock import`. */
export function countOrigins(
  exchanges: readonly RecordedExchange[],
): [origin: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { url, body = '', headers } of exchanges) {
    const origin = toAddress(url)?.origin
    const type = headerOf(headers, 'Content-Type') ?? ''
    if (origin === undefined || !/json/i.test(type) || body === '') continue
    counts.set(origin, (counts.get(origin) ?? 0) + 1)
  }
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}

/** Undefined for no text: Charles stores the bytes of content codings that it cannot decode, such as Brotli. */
export async function decodeBody(
  { text, encoding }: JsonRecord,
  headers: HeaderList,
): Promise<string | undefined> {
  if (typeof text !== 'string') return undefined
  if (encoding !== 'base64') return text
  const bytes = Buffer.from(text, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : decodeMessage(bytes, headers, maxBytes)
}

/** Returns the bytes of a body that is no text, which archives hold in base64. */
function toBase64({ text, encoding }: JsonRecord): string | undefined {
  return typeof text === 'string' && text !== '' && encoding === 'base64' ? text : undefined
}

/** The size of a body in bytes: decompression fails above eight times this limit. */
const maxBytes = 16 * 1024 * 1024
