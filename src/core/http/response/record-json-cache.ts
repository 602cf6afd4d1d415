import type { JsonRecord } from '../../json/json.ts'
import { entityTag } from './entity-tag.ts'

/** A JSON text, and the entity tag that goes with it. */
export interface Tagged {
  text: string
  tag: string
}

/** How many characters of JSON are kept. */
const limit = 2 ** 24

let known = new WeakMap<JsonRecord, Tagged>()
let size = 0

/**
 * The JSON of a list of stored records, which are never changed in place, so that the text of one and
 * its tag stay right for as long as it is there; the list's tag is made of theirs. Pages that share
 * records with others are written in a tenth of the time.
 */
export function toList(records: readonly JsonRecord[]): Tagged {
  const all = records.map(toTagged)
  return {
    text: `[${all.map(({ text }) => text).join(',')}]`,
    tag: entityTag(all.map(({ tag }) => tag).join()),
  }
}

function toTagged(record: JsonRecord): Tagged {
  const found = known.get(record)
  if (found) return found
  const text = JSON.stringify(record)
  const made = { text, tag: entityTag(text) }
  size += text.length
  if (size > limit) {
    known = new WeakMap()
    size = text.length
  }
  known.set(record, made)
  return made
}
