/** Which slot holds the record with an id. */
export interface IdMap {
  get(id: string): number | undefined
  set(id: string, slot: number): void
  delete(id: string): void
  /** A second map with the same content; what either changes afterwards costs memory only for itself. */
  fork(): IdMap
}

const gone = -1

/** Creates an empty map. */
export function createIdMap(): IdMap {
  return open(new Map(), new Map(), true)
}

/** `base` is shared with forks and read only once it is; what came after lies over it in `changes`. */
function open(base: Map<string, number>, changes: Map<string, number>, ownsBase: boolean): IdMap {
  let ownsChanges = ownsBase
  function own(): Map<string, number> {
    if (ownsBase) return base
    if (!ownsChanges) changes = new Map(changes)
    ownsChanges = true
    return changes
  }
  return {
    get(id) {
      const slot = changes.size > 0 ? (changes.get(id) ?? base.get(id)) : base.get(id)
      return slot === gone ? undefined : slot
    },
    set(id, slot) {
      own().set(id, slot)
    },
    delete(id) {
      if (ownsBase) base.delete(id)
      else own().set(id, gone)
    },
    fork() {
      ownsBase = false
      ownsChanges = false
      return open(base, changes, false)
    },
  }
}
