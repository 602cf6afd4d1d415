import { isUtf8 } from 'node:buffer'
import type { JsonRecord } from '../../core/json/json.ts'

/** The text of a body in an archive; undefined for none, and for bytes that are no UTF-8. */
export function decodeBody({ text, encoding }: JsonRecord): string | undefined {
  if (typeof text !== 'string') return undefined
  if (encoding !== 'base64') return text
  const bytes = Buffer.from(text, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}
