/**
 * Maps the id of each record of a collection to its slot: the index of the record in the list of records.
 * Forking the map does not copy its entries.
 */
export interface IdMap {
  get(id: string): number | undefined
  set(id: string, slot: number): void
  delete(id: string): void
  /** Creates a map with the same content. A later change to either map takes memory only in that map. */
  fork(): IdMap
}

/** Marks an id in `changes` that was deleted from the base. */
const deleted = -1

/** Creates an empty map. */
export function createIdMap(): IdMap {
  return open(new Map(), new Map(), true)
}

/** Forks share `base`, which is read-only from the first fork on, and put later changes in `changes`. */
function open(base: Map<string, number>, changes: Map<string, number>, ownsBase: boolean): IdMap {
  let ownsChanges = ownsBase
  function ownMap(): Map<string, number> {
    if (ownsBase) return base
    if (!ownsChanges) changes = new Map(changes)
    ownsChanges = true
    return changes
  }
  return {
    get(id) {
      const slot = changes.size > 0 ? (changes.get(id) ?? base.get(id)) : base.get(id)
      return slot === deleted ? undefined : slot
    },
    set(id, slot) {
      ownMap().set(id, slot)
    },
    delete(id) {
      if (ownsBase) base.delete(id)
      else ownMap().set(id, deleted)
    },
    fork() {
      ownsBase = false
      ownsChanges = false
      return open(base, changes, false)
    },
  }
}
