import { type JsonRecord, ownValue } from '../../json/json.ts'
import type { LinkedResource } from '../contract/dialect.ts'
import { idText, keysIn } from './names.ts'

/**
 * Creates an index of the records that hold keys of others, as the operations of a request have left them: each
 * relationship is read from the store once, and each write updates the index. `planned` has the written records.
 */
export function createHolders(planned: {
  records(collection: string): Iterable<readonly [id: string, record: JsonRecord]>
  /** The record after the operations so far: a stored one without writes, undefined if it is removed. */
  current(collection: string, id: string, stored: JsonRecord): JsonRecord | undefined
}): Holders {
  const indexes = new Map<string, Index>()
  return {
    find(owner, { collection, foreignKey }, far, idField, load) {
      const keys = foreignKey?.keys ?? []
      const key = JSON.stringify([collection, keys, far])
      let index = indexes.get(key)
      if (!index) {
        index = { collection, keys, far, members: new Map(), loaded: new Set() }
        indexes.set(key, index)
        for (const [id, record] of planned.records(collection)) change(index, id, record, true)
      }
      if (!index.loaded.has(owner)) {
        index.loaded.add(owner)
        for (const stored of load()) {
          const id = idText(stored[idField])
          const record = planned.current(collection, id, stored)
          const isHeld = record && keysIn(record, keys).map(idText).includes(owner)
          if (isHeld) change(index, id, record, true, [owner])
        }
      }
      return index.members.get(owner) ?? new Map<string, Set<string>>()
    },
    update(collection, id, before, after) {
      for (const index of indexes.values()) {
        if (index.collection !== collection) continue
        change(index, id, before, false)
        change(index, id, after, true)
      }
    },
  }
}

/** The index of the records that hold keys of others. */
interface Holders {
  /**
   * The ids of the records that hold the key of an owner, by the id of the related record: that of the holder itself
   * or, of a record that joins both sides, the id in its field `far`. `load` reads the stored holders.
   */
  find(
    owner: string,
    relation: LinkedResource,
    far: string | undefined,
    idField: string,
    load: () => readonly JsonRecord[],
  ): ReadonlyMap<string, ReadonlySet<string>>
  /** Takes over a write; `before` and `after` need the changed keys alone, unless the record joins two others. */
  update(collection: string, id: string, before: JsonRecord, after: JsonRecord): void
}

interface Index {
  collection: string
  keys: readonly string[]
  far: string | undefined
  /** The ids of holders by owner and related record. */
  members: Map<string, Map<string, Set<string>>>
  /** The owners whose stored holders are in `members`. */
  loaded: Set<string>
}

function change(
  { keys, far, members }: Index,
  id: string,
  record: JsonRecord,
  isAdded: boolean,
  owners: readonly string[] = keysIn(record, keys).map(idText),
): void {
  const member = far === undefined ? id : idText(ownValue(record, far))
  for (const owner of owners) {
    const ofOwner = members.get(owner) ?? new Map<string, Set<string>>()
    const holders = ofOwner.get(member) ?? new Set()
    if (isAdded) holders.add(id)
    else holders.delete(id)
    if (holders.size > 0) ofOwner.set(member, holders)
    else ofOwner.delete(member)
    members.set(owner, ofOwner)
  }
}
