import { MockError } from '../errors/mock-error.ts'
import { define, type JsonRecord } from '../json/json.ts'
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
): JsonRecord[] {
  return records.map(createEmbedder(embeds, collection, lookup, { left: maxRelated }))
}

/** A relation between records of two collections, such as from a post to its comments or to its author. */
interface Link {
  /** The name of the related collection. */
  collection: string
  /** The related records: a list of children, or a parent, which is null if missing. */
  follow(record: JsonRecord): readonly JsonRecord[] | JsonRecord | null
}

/** Finds a relation; `parameter` is the query parameter, for the error. @throws MockError 400 for an unknown one */
export type Lookup = (collection: string, name: string, parameter: string) => Link

/** The most related records in one response. */
const maxRelated = 1_000_000

/** Creates the function that embeds relations in a record; every relation is looked up once. */
function createEmbedder(
  embeds: readonly Embed[],
  collection: string,
  lookup: Lookup,
  budget: { left: number },
): (record: JsonRecord) => JsonRecord {
  if (embeds.length === 0) return (record) => record
  const links = embeds.map(({ name, parameter, embed, in: holder }) => {
    const link = lookup(collection, name, parameter)
    return {
      name,
      parameter,
      holder,
      link,
      toInner: createEmbedder(embed, link.collection, lookup, budget),
    }
  })
  return (record) => {
    const copy = { ...record }
    const embedded: [string, JsonRecord | readonly JsonRecord[] | null][] = []
    let isAdded = true
    for (const { name, parameter, holder, link, toInner } of links) {
      const found = link.follow(record)
      const list = found === null ? [] : Array.isArray(found) ? found : [found]
      budget.left -= list.length
      if (budget.left < 0) throw tooMany(parameter)
      const inner = list.map(toInner)
      const value = Array.isArray(found) ? inner : (inner[0] ?? null)
      // A relation can replace a field of its name, or another relation.
      isAdded &&= holder === undefined && !Object.hasOwn(copy, name)
      if (holder === undefined) define(copy, name, value)
      else define(copy, holder, { ...(copy[holder] as JsonRecord | undefined), [name]: value })
      embedded.push([name, value])
    }
    // It is not enumerable, so that no copy with other fields has it.
    if (isAdded) Object.defineProperty(copy, embedding, { value: { record, embedded } })
    return copy
  }
}

/** A record with embedded ones: the record, and the related records by the names of their relations. */
export interface Embedding {
  record: JsonRecord
  embedded: readonly (readonly [string, JsonRecord | readonly JsonRecord[] | null])[]
}

const embedding: unique symbol = Symbol('embedding')

/** Returns what a record consists of that `embedAll` has made by adding fields; else undefined. */
export function embeddedIn(
  record: JsonRecord & { [embedding]?: Embedding },
): Embedding | undefined {
  return record[embedding]
}

function tooMany(parameter: string): MockError {
  const reason = `more than ${maxRelated} related records would be in the answer`
  return new MockError(
    `Failed to embed: ${reason}. Please ask for a page, or follow fewer relations.`,
    { status: 400, code: 'QUERY_INVALID', errors: { [parameter]: reason } },
  )
}
