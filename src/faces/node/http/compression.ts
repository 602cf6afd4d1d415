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

/** The content coding that the client prefers (RFC 9110 §12.5.3); undefined to send the body uncompressed. */
export function chooseCoding(
  accepted: string | undefined,
  { headers, body }: MockResponse,
): Coding | undefined {
  if (accepted === undefined || sizeOf(body, headers) < minSize) return undefined
  if (headerOf(headers, 'Content-Encoding') !== undefined) return undefined
  // Images and archives are already compressed.
  if (!/json|text|xml|script/.test(headerOf(headers, 'Content-Type') ?? '')) return undefined
  const wanted = parsePreferences(accepted)
  const qualityOf = (coding: Coding): number =>
    (wanted.find(({ name }) => name === coding) ?? wanted.find(({ name }) => name === '*'))
      ?.quality ?? 0
  const [best] = codings.toSorted((one, other) => qualityOf(other) - qualityOf(one))
  return best !== undefined && qualityOf(best) > 0 ? best : undefined
}

/** Compresses a response, and adds a suffix to its ETag, because its bytes differ (RFC 9110 §8.8.3.3). */
export async function encode(response: MockResponse, coding: Coding): Promise<MockResponse> {
  const { status, body } = response
  const headers: HeaderList = response.headers
    .filter(([name]) => name !== 'Content-Length')
    .map(([name, value]) => [name, name === 'ETag' ? withSuffix(value, coding) : value])
  headers.push(['Content-Encoding', coding])
  const isWhole = typeof body === 'string' || isBytes(body)
  return { status, headers, body: isWhole ? await compress(body, coding) : body }
}

type Coding = 'br' | 'gzip'

/** The compression of each coding. The first coding wins if a client prefers neither. */
const compressors: Readonly<Record<Coding, (body: string | Uint8Array) => Promise<Buffer>>> = {
  br: (body) => compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => compressGzip(body),
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const codings = Object.keys(compressors) as Coding[]

/** The minimum size of a body to compress, in bytes. */
const minSize = 1024

/** Compressed bytes by their original, for as long as the core caches the original. */
const compressedBytes = new WeakMap<Uint8Array, Partial<Record<Coding, Promise<Buffer>>>>()

function compress(body: string | Uint8Array, coding: Coding): Promise<Buffer> {
  if (typeof body === 'string') return compressors[coding](body)
  const found = compressedBytes.get(body) ?? {}
  compressedBytes.set(body, found)
  return (found[coding] ??= compressors[coding](body))
}

/** Removes the suffixes of compressed responses from the ETags in `If-None-Match` and `If-Match`. */
export function withoutTagSuffixes(received: IncomingHttpHeaders): MockRequest['headers'] {
  const headers = received as MockRequest['headers']
  if (headers['if-none-match'] === undefined && headers['if-match'] === undefined) return headers
  const withoutSuffix = (name: string): string | undefined =>
    headers[name]?.replaceAll(suffixes, '"')
  return {
    ...headers,
    'if-none-match': withoutSuffix('if-none-match'),
    'if-match': withoutSuffix('if-match'),
  }
}

/** Gives a 304 the ETag that the client sent, with the suffix of a compressed response if it has one. */
export function withClientTag(response: MockResponse, sent: string | undefined): MockResponse {
  if (response.status !== 304 || sent === undefined) return response
  const headers = response.headers.map(([name, value]): HeaderList[number] => {
    if (name !== 'ETag') return [name, value]
    const tags = [value, ...codings.map((coding) => withSuffix(value, coding))]
    return [name, tags.find((tag) => sent.includes(tag)) ?? value]
  })
  return { ...response, headers }
}

const suffixes = /-(?:br|gzip)"/g

function withSuffix(tag: string, coding: Coding): string {
  return tag.replace(/"$/, `-${coding}"`)
}

/** The size of a body in bytes; a response to HEAD states it in `Content-Length`. */
function sizeOf(body: MockResponse['body'], headers: HeaderList): number {
  if (typeof body === 'string' || isBytes(body)) return Buffer.byteLength(body)
  if (body !== null) return 0
  return Number(headerOf(headers, 'Content-Length') ?? 0)
}
