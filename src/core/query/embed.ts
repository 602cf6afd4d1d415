import { MockError } from '../errors/mock-error.ts'
import { define, type Json, type JsonRecord } from '../json/json.ts'
import type { Embed } from './tree.ts'

/**
 * Copies records and embeds related ones under the names of relations. Relations can go to and fro, so the
 * related records are limited.
 * @throws MockError 400 for an unknown relation, or when the limit is exceeded
 */
export function embedAll(
  records: readonly JsonRecord[],
  embeds: readonly Embed[],
  collection: string,
  lookup: Lookup,
): readonly JsonRecord[] {
  return createEmbedder(embeds, collection, lookup, { left: maxRelated })(records)
}

/** A relation between records of two collections, such as from a post to its comments or to its author. */
interface Link {
  /** The name of the related collection. */
  collection: string
  /** The related records of each record: a list of children, or a parent, which is null if missing. */
  follow(records: readonly JsonRecord[]): readonly (readonly JsonRecord[] | JsonRecord | null)[]
}

/** Finds a relation; `parameter` is the query parameter, for the error. @throws MockError 400 for an unknown one */
export type Lookup = (collection: string, name: string, parameter: string) => Link

/** The most related records in one response. */
const maxRelated = 1_000_000

/** Creates the function that embeds relations in records; every relation is looked up once. */
function createEmbedder(
  embeds: readonly Embed[],
  collection: string,
  lookup: Lookup,
  budget: { left: number },
): (records: readonly JsonRecord[]) => readonly JsonRecord[] {
  if (embeds.length === 0) return (records) => records
  const links = embeds.map(({ name, parameter, embed, in: holder }) => {
    const link = lookup(collection, name, parameter)
    const toInner = createEmbedder(embed, link.collection, lookup, budget)
    return { name, parameter, holder, link, toInner }
  })
  return (records) => {
    const embedded = links.map(({ name, parameter, holder, link, toInner }) => {
      const found = link.follow(records)
      const lists = found.map((one) => {
        const list = one === null ? [] : Array.isArray(one) ? one : [one]
        budget.left -= list.length
        if (budget.left < 0) throw tooMany(parameter)
        return toInner(list)
      })
      return { name, holder, found, lists }
    })
    let isAdded = true
    const copies = records.map((record, at) => {
      const copy = { ...record }
      for (const { name, holder, found, lists } of embedded) {
        const related = Array.isArray(found[at]) ? lists[at] : lists[at]?.[0]
        const value = (related ?? null) as Json
        // A relation can replace a field of its name, or another relation.
        isAdded &&= holder === undefined && !Object.hasOwn(copy, name)
        if (holder === undefined) define(copy, name, value)
        else define(copy, holder, { ...(copy[holder] as JsonRecord), [name]: value })
      }
      return copy
    })
    if (isAdded) embeddings.set(copies, { records, embedded })
    return copies
  }
}

/** The parts of a list of records with embedded ones: the records, and for each relation their related records. */
interface Embedding {
  records: readonly JsonRecord[]
  embedded: readonly { name: string; lists: readonly (readonly JsonRecord[])[] }[]
}

/** The lists that `embedAll` has made by only adding fields to records. */
export const embeddings: WeakMap<readonly JsonRecord[], Embedding> = new WeakMap()

function tooMany(parameter: string): MockError {
  const reason = `more than ${maxRelated} related records would be in the answer`
  return new MockError(
    `Failed to embed: ${reason}. Please ask for a page, or follow fewer relations.`,
    { status: 400, code: 'QUERY_INVALID', errors: { [parameter]: reason } },
  )
}
