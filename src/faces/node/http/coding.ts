import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parsePreferences } from '../../../core/http/response/accept.ts'
import {
  headerOf,
  type HeaderList,
  isBytes,
  type MockRequest,
  type MockResponse,
} from '../../../core/http/contract/messages.ts'

/** What a body can be compressed with; the first is taken where a client likes them equally. */
const codings: Record<string, (body: string | Uint8Array) => Promise<Buffer>> = {
  br: (body) => compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => compressGzip(body),
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** The smallest body that is worth it, in bytes. */
const least = 1024

/** The coding in which a response is to go, or undefined for none (RFC 9110 §12.5.3). */
export function chooseCoding(
  accepted: string | undefined,
  { headers, body }: MockResponse,
): string | undefined {
  if (accepted === undefined || sizeOf(body, headers) < least) return undefined
  if (headerOf(headers, 'Content-Encoding') !== undefined) return undefined
  // Pictures and archives are compressed already.
  if (!/json|text|xml|script/.test(headerOf(headers, 'Content-Type') ?? '')) return undefined
  const wanted = parsePreferences(accepted)
  const qualityOf = (coding: string): number =>
    (wanted.find(({ name }) => name === coding) ?? wanted.find(({ name }) => name === '*'))
      ?.quality ?? 0
  const [best] = Object.keys(codings).sort((a, b) => qualityOf(b) - qualityOf(a))
  return best !== undefined && qualityOf(best) > 0 ? best : undefined
}

/**
 * Compresses a response. Its entity tag becomes another, as the bytes are others (RFC 9110 §8.8.3.3).
 */
export async function encode(response: MockResponse, coding: string): Promise<MockResponse> {
  const { status, body } = response
  const headers: HeaderList = response.headers
    .filter(([name]) => name !== 'Content-Length')
    .map(([name, value]) => [name, name === 'ETag' ? withSuffix(value, coding) : value])
  headers.push(['Content-Encoding', coding])
  const isWhole = typeof body === 'string' || isBytes(body)
  const compressed = isWhole ? await compress(body, coding) : body
  return { status, headers, body: compressed ?? body }
}

/** Bytes that were compressed before, for as long as the core keeps an answer made of them. */
const known = new WeakMap<Uint8Array, Record<string, Promise<Buffer> | undefined>>()

function compress(body: string | Uint8Array, coding: string): Promise<Buffer> | undefined {
  if (typeof body === 'string') return codings[coding]?.(body)
  const found = known.get(body) ?? {}
  known.set(body, found)
  return (found[coding] ??= codings[coding]?.(body))
}

/** The headers of a request in which the tags of compressed answers are those of plain ones. */
export function withPlainTags(headers: IncomingHttpHeaders): MockRequest['headers'] {
  const plain = headers as MockRequest['headers']
  if (plain['if-none-match'] === undefined && plain['if-match'] === undefined) return plain
  const withoutSuffix = (name: string): string | undefined => plain[name]?.replaceAll(suffixes, '"')
  return {
    ...plain,
    'if-none-match': withoutSuffix('if-none-match'),
    'if-match': withoutSuffix('if-match'),
  }
}

/** A 304 names the tag that the client holds, which may be that of a compressed answer. */
export function withHeldTag(response: MockResponse, held: string | undefined): MockResponse {
  if (response.status !== 304 || held === undefined) return response
  const headers = response.headers.map(([name, value]): HeaderList[number] => {
    const tags =
      name === 'ETag' ? [value, ...Object.keys(codings).map((one) => withSuffix(value, one))] : []
    return [name, tags.find((tag) => held.includes(tag)) ?? value]
  })
  return { ...response, headers }
}

const suffixes = /-(?:br|gzip)"/g

function withSuffix(tag: string, coding: string): string {
  return tag.replace(/"$/, `-${coding}"`)
}

/** The size of a text; an answer to HEAD says what it would be. */
function sizeOf(body: MockResponse['body'], headers: HeaderList): number {
  if (typeof body === 'string' || isBytes(body)) return Buffer.byteLength(body)
  if (body !== null) return 0
  return Number(headerOf(headers, 'Content-Length') ?? 0)
}
