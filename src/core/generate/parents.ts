import type { Json, JsonRecord } from '../json/json.ts'
import type { Shape } from '../shape/shapes.ts'
import type { Place } from '../shape/place.ts'
import type { Random } from '../time/random.ts'
import { bucketOf, createDraws, pick } from './draw.ts'

/** The records to which keys lead. */
export interface Parents {
  /**
   * Draws the id of a record of a collection for a key; undefined if the collection has no records. Records get as many
   * children as those of the examples. `unique` is the place of a key that no two records share.
   */
  draw(collection: string, key: string, random: Random, unique?: Place): Json | undefined
  /** The record with an id. */
  find(collection: string, id: Json): JsonRecord | undefined
}

/**
 * Creates the choice of parents for the keys of one collection. `recordsOf` returns the records of a collection,
 * also those that are generated.
 */
export function createParents(
  child: Shape,
  examples: readonly JsonRecord[],
  recordsOf: (collection: string) => Candidates | undefined,
  seed: number | string,
): Parents {
  const spreads = new Map<string, Spread>()
  const used = new Map<string, Set<Json>>()

  function spreadOf(collection: string): Spread {
    const known = spreads.get(collection)
    if (known) return known
    const place = child.relations.find(({ to }) => to === collection)?.place ?? []
    const created = findSpread(examples, place, recordsOf(collection)?.ids.length ?? 0)
    spreads.set(collection, created)
    return created
  }

  return {
    find: (collection, id) => recordsOf(collection)?.byId(id),
    draw(collection, key, random, unique) {
      const ids = recordsOf(collection)?.ids ?? []
      if (ids.length === 0) return undefined
      if (unique) {
        const name = JSON.stringify([collection, unique])
        const taken = used.get(name) ?? new Set(examples.map((one) => one[unique[0] ?? ''] ?? null))
        used.set(name, taken)
        const free = ids.filter((id) => !taken.has(id))
        const id = pick(random, free)
        if (id !== undefined) taken.add(id)
        return id
      }
      const { counts, most } = spreadOf(collection)
      const weigh = createDraws(seed, `${child.name}>${collection}`)
      let at = 0
      for (let times = 0; times < 40; times++) {
        at = bucketOf(`${seed} ${key} ${times}`, ids.length)
        const weight = counts.length === 0 ? most : (pick(weigh(at, ''), counts) ?? most)
        if (random() * most < weight) break
      }
      return ids[at]
    },
  }
}

/** The records of a collection to which keys may lead. */
export interface Candidates {
  ids: readonly Json[]
  byId(id: Json): JsonRecord | undefined
}

/** How many children the records of a collection have. */
interface Spread {
  counts: readonly number[]
  most: number
}

function findSpread(examples: readonly JsonRecord[], [key = '']: Place, parents: number): Spread {
  const counts = new Map<Json, number>()
  for (const example of examples) {
    for (const id of [example[key] ?? null].flat()) {
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  if (examples.length < 8) return { counts: [], most: 1 }
  const zeros = Array.from({ length: Math.max(0, Math.min(parents, 1000) - counts.size) }, () => 0)
  const all = [...counts.values(), ...zeros]
  return { counts: all, most: Math.max(1, ...all) }
}
