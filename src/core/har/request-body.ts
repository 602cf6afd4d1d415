import type { LoggedExchange } from '../log/log.ts'
import { isForm } from '../log/logged-body.ts'
import type { Redactor } from '../log/redact.ts'
import { utf8Length } from '../text/utf8-length.ts'
import { toBodyText } from './body-text.ts'
import type { HarPostData } from './har.ts'
import { toMultipart } from './multipart.ts'
import { encodeRedacted, toParams } from './params.ts'
import { isJsonText, redactText } from './redact-text.ts'

/** Describes the body of a logged request for a HAR: its size and its redacted text, or why there is none. */
export function toRequestBody(exchange: LoggedExchange, redactor: Redactor): RequestBody {
  const { received, headers, status } = exchange
  const stated = statedSize(exchange)
  const type = headers['content-type'] ?? ''
  if (received === undefined) {
    return stated === 0 ? { bodySize: 0 } : { bodySize: stated, comment: 'The log has no body.' }
  }
  if (isForm(received)) return { bodySize: stated || -1, ...toMultipart(received, type, redactor) }
  const { text, encoding } = toBodyText(received, type)
  if (text === '') return { bodySize: 0 }
  const size = typeof received === 'string' ? utf8Length(received) : received.length
  const bodySize = Math.max(stated, size)
  const isExcerpt = bodySize > size
  const isJson = encoding === undefined && isJsonText(text, type)
  // Secrets cannot be found in JSON with a wrong syntax.
  if (isJson && (isExcerpt ? status === 400 : !isParsable(text))) {
    return { bodySize, comment: 'The body is left out, because it is no JSON.' }
  }
  const isUrlencoded = type.includes('urlencoded')
  const redacted = encoding ? text : redactText(text, type, redactor)
  const shown = isUrlencoded ? encodeRedacted(redacted) : redacted
  const postData: HarPostData = {
    mimeType: type,
    text: shown,
    ...(encoding && { encoding }),
    ...(isUrlencoded && { params: toParams(shown) }),
    ...(isExcerpt && { comment: `The first ${size} of ${bodySize} bytes.` }),
  }
  return { bodySize, postData, isRedacted: redacted !== text }
}

/** The members of a request in a HAR that describe its body. */
export interface RequestBody {
  /** In bytes; -1 if unknown. */
  bodySize: number
  postData?: HarPostData
  /** Why there is no `postData`. */
  comment?: string
  /** Whether secrets in `postData` were redacted. */
  isRedacted?: boolean
}

/** Returns the size of the body by the headers, in bytes; -1 if unknown. */
function statedSize({ method, headers }: LoggedExchange): number {
  const length = Number(headers['content-length'])
  if (Number.isInteger(length)) return length
  if (method === 'GET' || method === 'HEAD') return 0
  return (headers['transfer-encoding'] ?? headers['content-type']) ? -1 : 0
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
