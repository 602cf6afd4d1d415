import { isUtf8 } from 'node:buffer'
import type { HeaderList } from '../../core/http/contract/messages.ts'
import type { JsonRecord } from '../../core/json/json.ts'
import { decodeBody as decodeMessage } from '../../proxy/decode-body.ts'

/** In bytes. Decompression fails above eight times this limit. */
const limit = 16 * 1024 * 1024

/**
 * The text of a body in an archive; undefined for none, and for bytes that are no text. Proxies such as Charles
 * archive the bytes of codings that they cannot decode, such as Brotli.
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
