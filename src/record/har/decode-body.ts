import { isUtf8 } from 'node:buffer'
import type { HeaderList } from '../../core/http/contract/messages.ts'
import type { JsonRecord } from '../../core/json/json.ts'
import { decodeBody as decodeMessage } from '../../proxy/decode-body.ts'

/**
 * Decodes a body in a HAR to text; returns undefined if there is no body, or if its bytes are no text. Proxies
 * such as Charles store the bytes of content codings that they cannot decode, such as Brotli.
 */
export async function decodeBody(
  { text, encoding }: JsonRecord,
  headers: HeaderList,
): Promise<string | undefined> {
  if (typeof text !== 'string') return undefined
  if (encoding !== 'base64') return text
  const bytes = Buffer.from(text, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : decodeMessage(bytes, headers, limit)
}

/** The size of a body in bytes: decompression fails above eight times this limit. */
const limit = 16 * 1024 * 1024
