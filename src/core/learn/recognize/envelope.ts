import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import { isPluralOf } from '../../text/plurals.ts'

/** A list in the body of a response: its records, and the keys that lead to them. */
export interface FoundList {
  at: Path
  items: JsonRecord[]
}

/** A record in the body of a response, and the keys that lead to it. */
export interface FoundRecord {
  at: Path
  record: JsonRecord
}

/** Keys under which envelopes hold the records of a list, the most usual first. */
const listKeys =
  /^(?:data|items|results|value|records|rows|content|list|docs|documents|hits|entries|elements|objects|collection|nodes|values|members|resources|payload|response|result)$/i

/** Keys under which envelopes hold a single record. */
const recordKeys = /^(?:data|item|result|record|entity|object|resource|payload|response|d)$/i

/** Keys of envelopes that say something about the response, and nothing about a record. */
const metaKeys =
  /^(?:total.*|count|.*count|.*pages?|page.*|per_?page|limit|offset|skip|take|size|first|last|prev(?:ious)?.*|next.*|from|to|cursor.*|has_?(?:more|next|prev).*|_?links?|meta(?:data)?|_meta|pagination|paging|paginator|status(?:_?code)?|success|ok|message|errors?|code|jsonapi|included|facets|aggregations|took|timestamp|request_?id|version|@.*|odata\..*|__.*|self|kind|object|url)$/i

/** Finds the list of records in the body of a response: the body itself, or a member of an envelope. */
export function findList(json: Json | undefined, name = ''): FoundList | undefined {
  if (isRecords(json)) return { at: [], items: json }
  if (!isRecord(json)) return undefined
  const embedded = json['_embedded']
  if (isRecord(embedded)) {
    const [found, ...others] = Object.entries(embedded).filter(([, value]) => isRecords(value))
    const inner =
      found && others.length === 0 ? { at: ['_embedded', found[0]], items: found[1] } : undefined
    return inner as FoundList | undefined
  }
  return findIn(json, name, 0)
}

function findIn(envelope: JsonRecord, name: string, depth: number): FoundList | undefined {
  const entries = Object.entries(envelope)
  const isListKey = (key: string): boolean => listKeys.test(key) || key === name
  const named = entries.filter(([key, value]) => isRecords(value) && isListKey(key))
  const [first, second] = named
  const best = second ? named.find(([key]) => key === name || key === 'data') : first
  const others = entries.filter(([key]) => key !== best?.[0])
  if (best) {
    const isEnvelope = others.every(([key, value]) => metaKeys.test(key) || isEmptyMeta(value))
    return isEnvelope ? { at: [best[0]], items: best[1] as JsonRecord[] } : undefined
  }
  if (depth === 2) return undefined
  // `{ data: { items: [...], total: 3 } }`
  for (const [key, value] of entries) {
    if (!isRecord(value) || !isListKey(key)) continue
    const inner = findIn(value, name, depth + 1)
    const isEnvelope = entries.every(([other]) => other === key || metaKeys.test(other))
    if (inner && isEnvelope) return { at: [key, ...inner.at], items: inner.items }
  }
  return undefined
}

/** Finds the record in the body of a response: the body itself, or the only record of an envelope. */
export function findRecord(json: Json | undefined, collection = ''): FoundRecord | undefined {
  if (!isRecord(json)) return undefined
  const entries = Object.entries(json)
  const isNamed = (key: string): boolean => collection !== '' && isPluralOf(collection, key)
  const found = entries.find(
    ([key, value]) => isRecord(value) && (recordKeys.test(key) || isNamed(key)),
  )
  if (!found) return { at: [], record: json }
  const [key, record] = found
  const isEnvelope = entries.every(([other]) => other === key || metaKeys.test(other))
  return isEnvelope && !('id' in json)
    ? { at: [key], record: record as JsonRecord }
    : { at: [], record: json }
}

/** Whether a value is a list of records; an empty list may be such a list. */
export function isRecords(value: unknown): value is JsonRecord[] {
  return Array.isArray(value) && value.every(isRecord)
}

function isEmptyMeta(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}
