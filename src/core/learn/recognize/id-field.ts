import type { JsonRecord } from '../../json/json.ts'
import { singularOf } from '../../text/plurals.ts'

/**
 * Finds the id field of a collection: the field whose values are in the paths of records, otherwise a field
 * with a usual name.
 */
export function findIdField({ name, listed, members }: IdEvidence): FoundIdField | undefined {
  const votes = new Map<string, number>()
  for (const [segment, record] of members) {
    for (const [key, value] of Object.entries(record)) {
      if (isId(value) && String(value) === segment) votes.set(key, (votes.get(key) ?? 0) + 1)
    }
  }
  const usual = usualNames(name)
  const rank = (key: string): number => (usual.includes(key) ? usual.indexOf(key) : usual.length)
  const [best] = [...votes].toSorted(([a, x], [b, y]) => y - x || rank(a) - rank(b))
  if (best && isUniqueIn(best[0], listed)) return { name: best[0], paths: best[1] }
  const all = listed.length > 0 ? listed : members.map(([, record]) => record)
  const named = usual.find((key) => all.length > 0 && isUniqueIn(key, all))
  return named === undefined ? undefined : { name: named, paths: 0 }
}

/** The usual names of id fields, the likeliest first. */
const usualIds = ['id', '_id', 'uuid', 'guid', 'ID', 'Id', 'uid', 'key', 'slug', 'code', 'sku']

/** The records of a collection, as lists and the paths of single records show them. */
export interface IdEvidence {
  /** The name of the collection: `posts`. */
  name: string
  listed: readonly JsonRecord[]
  /** The last segments of paths, and the records of the responses. */
  members: readonly (readonly [segment: string, record: JsonRecord])[]
}

/** An id field, with the evidence that the field has the ids. */
export interface FoundIdField {
  name: string
  /** The number of paths that identify a record by this field; 0 if only its name is evidence. */
  paths: number
}

/** Returns the usual names of the id field of a collection, with `postId` and `post_id` for `posts`. */
function usualNames(collection: string): string[] {
  const singular = singularOf(collection)
  const own = [
    `${singular}Id`,
    `${singular}_id`,
    `${singular}ID`,
    `${collection}Id`,
    `${collection}_id`,
  ]
  return [...usualIds.slice(0, 2), ...own, ...usualIds.slice(2)]
}

/** Whether every record has a value of a field that can be an id. */
function isUniqueIn(key: string, records: readonly JsonRecord[]): boolean {
  return records.every((record) => isId(record[key]))
}

/** Returns the value of the first field that is usually an id. */
export function idOf(record: JsonRecord): string | number | undefined {
  return usualIds.map((name) => record[name]).find(isId)
}

/** Whether a value can be an id. */
export function isId(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}
