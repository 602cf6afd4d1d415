import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { ParsedExchange } from '../parse/parsed-exchange.ts'
import { findList } from './envelope.ts'

/**
 * Returns a record of Spring Data REST without its links, which the mock adds, and with the id that only its
 * link has.
 */
export function withoutLinks(record: JsonRecord): JsonRecord {
  const { _links: links, ...rest } = record
  if (!isRecord(links)) return record
  const self = links['self']
  const target = isRecord(self) ? self['href'] : undefined
  const href = typeof target === 'string' ? target.replace(/\{.*$/, '') : ''
  const id = href.slice(href.lastIndexOf('/') + 1)
  return 'id' in rest || id === '' ? rest : { id: toId(id), ...rest }
}

/** Whether the lists in exchanges are those of Spring Data REST: `_embedded` beside `page.totalElements`. */
export function isSpring(exchanges: readonly ParsedExchange[]): boolean {
  return exchanges.some(({ json }) => {
    const page = isRecord(json) ? json['page'] : undefined
    return findList(json)?.at[0] === '_embedded' && isRecord(page) && 'totalElements' in page
  })
}

/** Returns a record of OData without its annotations of the response. */
export function withoutContext(record: JsonRecord): JsonRecord {
  const { [contextKey]: _context, ...rest } = record
  return rest
}

/** The member of responses of OData that names the type of the record. */
export const contextKey = '@odata.context'

/** Converts the segment of a path to an id: to a number if the segment is a number. */
export function toId(segment: string): Json {
  return /^(?:0|[1-9]\d{0,14})$/.test(segment) ? Number(segment) : segment
}
