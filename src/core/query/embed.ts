import { define, type JsonRecord } from '../json.ts'
import type { Embed } from './tree.ts'

/** A relation, ready to be followed from records of one collection. */
export interface Link {
  /** The collection that it leads to. */
  collection: string
  /** The records that belong to this one: many, or one or none. */
  follow(record: JsonRecord): JsonRecord[] | JsonRecord | null
}

/**
 * Hands out the relation of a collection by name.
 * @throws MockError 400 when there is none
 */
export type Lookup = (collection: string, name: string) => Link

/** Puts related records into copies of these, under the relation's name. */
export function embedAll(
  records: readonly JsonRecord[],
  embeds: readonly Embed[],
  collection: string,
  lookup: Lookup,
): JsonRecord[] {
  const links = embeds.map(({ name, embed }) => ({ name, embed, link: lookup(collection, name) }))
  return records.map((record) => {
    const copy = { ...record }
    for (const { name, embed, link } of links) {
      const found = link.follow(record)
      const list = found === null ? [] : Array.isArray(found) ? found : [found]
      const inner = embed.length > 0 ? embedAll(list, embed, link.collection, lookup) : list
      define(copy, name, Array.isArray(found) ? inner : (inner[0] ?? null))
    }
    return copy
  })
}
