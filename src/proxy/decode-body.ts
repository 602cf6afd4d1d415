import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { headerOf, type HeaderList } from '../core/http/contract/messages.ts'
import { ownValue } from '../core/json/json.ts'

/** Decodes a captured body to text; undefined for unknown types, codings and charsets, and beyond 8 × `limit` bytes. */
export async function decodeBody(
  bytes: Uint8Array,
  headers: HeaderList,
  limit: number,
): Promise<string | undefined> {
  const type = headerOf(headers, 'Content-Type') ?? ''
  if (bytes.length === 0 || !isText.test(type)) return undefined
  const body = await decodeBytes(bytes, headers, limit)
  try {
    const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? []
    return body && new TextDecoder(charset, { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Decodes the content codings of a captured body; undefined for an unknown coding, a damaged or a too long body. */
export async function decodeBytes(
  bytes: Uint8Array,
  headers: HeaderList,
  limit: number,
): Promise<Uint8Array | undefined> {
  const codings = (headerOf(headers, 'Content-Encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^x-/, ''))
    .filter((name) => name !== '' && name !== 'identity')
  try {
    let body = bytes
    // The coding that was applied last is decoded first.
    for (const coding of codings.toReversed()) {
      const decode = ownValue(decoders, coding)
      if (!decode) return undefined
      body = await decode(body, { maxOutputLength: 8 * limit })
    }
    return body
  } catch {
    return undefined
  }
}

type Decode = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

/** Node before 22.15 has no zstd. */
const { zstdDecompress } = zlib as { zstdDecompress?: typeof zlib.gunzip }

/** The content codings that can be decoded (RFC 9110 §8.4.1, RFC 8878). */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(zlib.gunzip),
  // Servers send `deflate` with and without the header of zlib.
  deflate: (body, options) =>
    promisify((body[0] ?? 0) % 16 === 8 ? zlib.inflate : zlib.inflateRaw)(body, options),
  br: promisify(zlib.brotliDecompress),
  ...(zstdDecompress && { zstd: promisify(zstdDecompress) }),
}

/** The content codings that {@link decodeBody} decodes. */
export const knownCodings: readonly string[] = Object.keys(decoders)

/** The media types of texts. A body without a type may be JSON. */
const isText = /^$|json|^text\/|xml|javascript|x-www-form-urlencoded|graphql|yaml/i
