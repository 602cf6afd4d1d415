import { MockError } from '../errors/mock-error.ts'
import { define, type JsonRecord } from '../json/json.ts'
import type { Embed } from './tree.ts'

/** A relation, ready to be followed from records of one collection. */
export interface Link {
  /** The collection that it leads to. */
  collection: string
  /** The records that belong to this one: many, or one or none. */
  follow(record: JsonRecord): readonly JsonRecord[] | JsonRecord | null
}

/**
 * Hands out the relation of a collection by name.
 * @throws MockError 400 when there is none, with the parameter that names it
 */
export type Lookup = (collection: string, name: string, parameter: string) => Link

/** How many related records one answer may hold. */
const most = 1_000_000

/**
 * Puts related records into copies of these, under the relation's name.
 * @throws MockError 400 when there is no such relation, or the answer would have no end: each child of
 * a parent, each with its parent, each with its children, and so on
 */
export function embedAll(
  records: readonly JsonRecord[],
  embeds: readonly Embed[],
  collection: string,
  lookup: Lookup,
  room: { left: number } = { left: most },
): JsonRecord[] {
  const links = embeds.map((one) => ({ ...one, link: lookup(collection, one.name, one.parameter) }))
  return records.map((record) => {
    const copy = { ...record }
    for (const { name, parameter, embed, link } of links) {
      const found = link.follow(record)
      const list = found === null ? [] : Array.isArray(found) ? found : [found]
      room.left -= list.length
      if (room.left < 0) throw tooMany(parameter)
      const inner = embed.length > 0 ? embedAll(list, embed, link.collection, lookup, room) : list
      define(copy, name, Array.isArray(found) ? inner : (inner[0] ?? null))
    }
    return copy
  })
}

function tooMany(parameter: string): MockError {
  const reason = `more than ${most} related records would be in the answer`
  return new MockError(
    `Failed to embed: ${reason}. Please ask for a page, or follow fewer relations.`,
    { status: 400, code: 'QUERY_INVALID', errors: { [parameter]: [reason] } },
  )
}
