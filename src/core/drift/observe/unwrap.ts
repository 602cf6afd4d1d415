import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { baseName } from '../../text/foreign-keys.ts'

/** The content of a body, and how the body holds the content. */
export interface Unwrapped<T> {
  content: T
  /** The place of the content in words: `an array`, `records in "data"`. */
  place: string
  /** All keys of the body: `{data, meta.total}`. */
  keys?: string
}

/** The keys that hold the records of a list, in many APIs. */
export const listKeys: readonly string[] =
  'data items results value records rows content list docs hits entries nodes elements'.split(' ')
/** The keys that hold an object which holds the records. */
const outerKeys = ['_embedded', 'data', 'result', 'response']
/** The keys beside a record. */
export const metaKey: RegExp =
  /^(?:meta|_meta|links|_links|included|jsonapi|status|success|message|errors?)$/i
/** The keys that come and go with the position of a page. */
const pagingKey = /^(?:next|prev|first|last|_?links|@odata\.(?:next|context)|cursor)/i
const innerKeys = /^(?:meta|_meta|page|paging|pagination)$/i

/** The records of a list; undefined for a body that holds none. */
export function unwrapList(body: unknown, resource: string): Unwrapped<JsonRecord[]> | undefined {
  const found = findRows(body, baseName(resource))
  if (!found) return undefined
  const { keys, rows } = found
  const isJsonApi = rows.length > 0 && rows.every(isJsonApiRecord)
  const place = describePlace(keys)
  return {
    content: rows.map((row) => toPlain(isJsonApi ? fromJsonApi(row) : row)),
    place: isJsonApi ? `${place} of JSON:API` : place,
    ...(isRecord(body) && { keys: describeKeys(body, keys) }),
  }
}

/** A record, or the value of a resource that is no collection. */
export function unwrapRecord(body: unknown): Unwrapped<Json> | undefined {
  if (body === undefined) return undefined
  if (!isRecord(body)) return { content: body as Json, place: 'the record' }
  const key = ['data', 'item', 'record', 'result'].find((name) => isRecord(body[name]))
  const isAlone = Object.keys(body).every((name) => name === key || metaKey.test(name))
  if (key === undefined || !isAlone) return { content: toPlain(body), place: 'the record' }
  const inner = body[key] as JsonRecord
  const record = isJsonApiRecord(inner) ? fromJsonApi(inner) : inner
  return { content: toPlain(record), place: `the record in "${key}"` }
}

interface Rows {
  keys: string[]
  rows: JsonRecord[]
}

function findRows(body: unknown, name: string): Rows | undefined {
  if (isRows(body)) return { keys: [], rows: body }
  if (!isRecord(body)) return undefined
  const key = [name, ...listKeys].find((one) => isRows(body[one]))
  if (key !== undefined) return { keys: [key], rows: body[key] as JsonRecord[] }
  for (const outer of outerKeys) {
    const inner = body[outer]
    if (!isRecord(inner)) continue
    const only = outer === '_embedded' ? Object.keys(inner) : []
    const at = [name, ...listKeys, ...only].find((one) => isRows(inner[one]))
    if (at !== undefined) return { keys: [outer, at], rows: inner[at] as JsonRecord[] }
  }
  return undefined
}

function isRows(value: unknown): value is JsonRecord[] {
  return Array.isArray(value) && value.every(isRecord)
}

/** The place of records in a body in words, by the keys that lead to them. */
export function describePlace(keys: readonly string[]): string {
  return keys.length === 0 ? 'an array' : `records in "${keys.join('.')}"`
}

function describeKeys(body: JsonRecord, keys: readonly string[]): string {
  const others = Object.entries(body).flatMap(([name, value]) => {
    if (name === keys[0] || pagingKey.test(name)) return []
    if (!innerKeys.test(name) || !isRecord(value)) return [name]
    return Object.keys(value).flatMap((key) => (pagingKey.test(key) ? [] : `${name}.${key}`))
  })
  return `{${[keys.join('.'), ...others.toSorted()].join(', ')}}`
}

function isJsonApiRecord(row: JsonRecord): boolean {
  return typeof row['type'] === 'string' && isRecord(row['attributes'])
}

function fromJsonApi({ id, attributes }: JsonRecord): JsonRecord {
  return { ...(id !== undefined && { id }), ...(attributes as JsonRecord) }
}

/** A record without the links and annotations that HAL and OData add. */
function toPlain(row: JsonRecord): JsonRecord {
  const entries = Object.entries(row)
  const own = entries.filter(([key]) => key !== '_links' && !key.startsWith('@odata.'))
  return own.length === entries.length ? row : Object.fromEntries(own)
}
