import type { Answer, Result } from '../../dialects/contract/dialect.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Query } from '../../query/tree.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { MockResponse } from '../contract/messages.ts'
import { isSafe } from '../routing/methods.ts'
import { represent, type Validity } from './represent.ts'

/** Writes an answer; it has validators only where it shows what is there. */
export function write(
  exchange: Exchange,
  answer: Answer,
  validity?: Validity,
  cacheControl: string = exchange.service.cacheControl(exchange.target?.resource.name ?? ''),
): MockResponse {
  const { indent } = exchange.service.dialect
  return represent(answer, exchange, { indent, cacheControl, validity })
}

/** What validators the answer has that shows a result, given the `Last-Modified` of records. */
export function validityOf(
  exchange: Exchange,
  result: Result,
  modifiedOf: (record: JsonRecord) => string | undefined,
): Validity {
  const isPlain = exchange.params.length === 0
  const record = isPlain && result.type === 'record' ? result.record : undefined
  const modified = record && modifiedOf(record)
  const isCurrent = isSafe(exchange.method) || (isPlain && isKept(exchange, result))
  const isStored =
    result.type === 'list' && exchange.records.views.length === 0 && !hasOwnForm(result.asked.query)
  return { isCurrent, modified, stored: isStored ? result.records : undefined }
}

/** Whether a query changes how records look. */
function hasOwnForm({ embed, fields }: Query): boolean {
  return embed !== undefined || fields !== undefined
}

/** Whether what a write answers with is what is there from now on (RFC 9110 §9.3.4 for PUT). */
function isKept({ whole }: Exchange, result: Result): boolean {
  if (result.type !== 'record' || result.action === 'removed') return false
  return result.action !== 'replaced' || JSON.stringify(whole) === JSON.stringify(result.record)
}
