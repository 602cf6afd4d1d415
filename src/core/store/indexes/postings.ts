import { append, clearBit, setBit, type SlotList } from '../../structures/slot-set.ts'
import { isScalar, type Operand } from '../../json/equality.ts'
import type { JsonRecord } from '../../json/json.ts'
import { firstAt } from '../../structures/lower-bound.ts'
import { type Path, someAt } from '../../json/path.ts'
import type { OrderKey } from '../../structures/indexes.ts'
import { type Before, type Building, type SlottedRecords, workPerStep } from './indexed.ts'
import { createOrder } from './order.ts'

/** For each combination of values at the paths, by its key, the slots of its records. */
export type Postings = ReadonlyMap<Key, SlotList>

/** The key of a combination: a single value itself, otherwise a text, or `tooMany`. */
export type Key = Operand | typeof tooMany

/** The key of records with too many combinations, for which an index over several paths is not used. */
export const tooMany: unique symbol = Symbol('too many')
const maxCombinations = 256

/**
 * Builds the index by which a query finds and sorts records: for each combination of values at some paths, such as
 * `status=draft` and `userId=1`, the list of its records in an order. Without paths, the list is the order of all
 * records; without an order, it is that of the slots. `slots` are those of all records, in that order.
 */
export function* buildPostings(
  { at }: SlottedRecords,
  paths: readonly Path[],
  keys: readonly OrderKey[],
  slots: readonly number[] | Uint32Array,
): Building<Postings> {
  const postings = new Map<Key, Posting>()
  const order = createOrder(keys)

  function listOf(key: Key): Posting {
    const posting = postings.get(key) ?? { size: 0, list: [] }
    if (posting.size === 0) postings.set(key, posting)
    return posting
  }

  if (paths.length === 0) postings.set('', { size: slots.length, list: [...slots] })
  else {
    for (let position = 0; position < slots.length; position++) {
      if (position % workPerStep === workPerStep - 1) yield workPerStep
      const slot = slots[position] ?? 0
      eachKey(at(slot), paths, (key) => {
        const posting = listOf(key)
        posting.size = append(posting, slot)
      })
    }
  }

  /** Collects the edits of each list, whose positions are those before all of the writes. */
  function editsOf(before: Before, records: SlottedRecords): Map<Key, Edit[]> {
    const edits = new Map<Key, Edit[]>()
    const readBefore = (slot: number): JsonRecord | undefined =>
      before.has(slot) ? before.get(slot) : records.at(slot)
    const addEdit = (key: Key, slot: number, record: JsonRecord, isAdded: boolean): void => {
      const list = postings.get(key)?.list ?? []
      const compareAt = (position: number): number => {
        const other = list[position] ?? 0
        return order.compare(readBefore(other), other, record, slot)
      }
      // New records mostly belong at the end.
      const isLast = list.length === 0 || compareAt(list.length - 1) < 0
      const position = isLast ? list.length : firstAt(0, list.length, (one) => compareAt(one) >= 0)
      const all = edits.get(key) ?? []
      if (all.push({ position, slot, record, isAdded }) === 1) edits.set(key, all)
    }
    for (const [slot, held] of before) {
      const now = records.at(slot)
      const heldKeys = keysOf(held, paths)
      const keysNow = keysOf(now, paths)
      const isUnmoved = held && now && order.isSame(held, now)
      for (const key of heldKeys)
        if (held && !(isUnmoved && keysNow.has(key))) addEdit(key, slot, held, false)
      for (const key of keysNow)
        if (now && !(isUnmoved && heldKeys.has(key))) addEdit(key, slot, now, true)
    }
    return edits
  }

  return {
    entries: postings,
    update(before, records) {
      for (const [key, edits] of editsOf(before, records)) {
        // The last position first. At one position, entries are inserted in their order, and before the entry that leaves.
        edits.sort(
          (a, b) =>
            b.position - a.position ||
            Number(a.isAdded) - Number(b.isAdded) ||
            order.compare(b.record, b.slot, a.record, a.slot),
        )
        const posting = listOf(key)
        applyEdits(posting, edits)
        if (posting.size === 0) postings.delete(key)
      }
    },
  }
}

interface Posting extends SlotList {
  size: number
  list: number[]
}

/** An entry that joins or leaves a list, before the entry at a position. */
interface Edit {
  position: number
  slot: number
  record: JsonRecord
  isAdded: boolean
}

/** Past this many edits, a copy of a list takes less time than moving its entries for each edit. */
const maxMoves = 16

function applyEdits(posting: Posting, edits: readonly Edit[]): void {
  const { list, bits } = posting
  const removed = edits.length > maxMoves ? list.splice(0) : undefined
  let end = removed?.length ?? 0
  const parts: number[][] = []
  for (const { position, slot, isAdded } of edits) {
    if (removed) {
      if (isAdded) parts.push(removed.slice(position, end), [slot])
      else parts.push(removed.slice(position + 1, end))
      end = position
    } else if (isAdded) list.splice(position, 0, slot)
    else list.splice(position, 1)
    if (bits && slot >>> 5 >= bits.length) posting.bits = undefined
  }
  if (removed) posting.list = removed.slice(0, end).concat(...parts.toReversed())
  posting.size = posting.list.length
  if (!posting.bits) return
  // A record whose place in the order changes leaves and joins the list.
  for (const { slot, isAdded } of edits) if (!isAdded) clearBit(posting.bits, slot)
  for (const { slot, isAdded } of edits) if (isAdded) setBit(posting.bits, slot)
}

/** Returns the key of a value for each of several paths. */
export function toKey(values: readonly Operand[]): string {
  return values
    .map((value) => (typeof value === 'string' ? `${value.length}"${value}` : `${value};`))
    .join('')
}

function keysOf(record: JsonRecord | undefined, paths: readonly Path[]): Set<Key> {
  const keys = new Set<Key>()
  eachKey(record, paths, (key) => keys.add(key))
  return keys
}

/** Calls back once for each combination of the values at the paths. */
function eachKey(
  record: JsonRecord | undefined,
  paths: readonly Path[],
  callback: (key: Key) => void,
): void {
  if (!record) return
  const [only] = paths
  if (only && paths.length === 1) return scalarsAt(record, only).forEach(callback)
  let joined: Operand[][] = [[]]
  for (const path of paths) {
    const values = [...scalarsAt(record, path)]
    if (joined.length * values.length > maxCombinations) return callback(tooMany)
    joined = joined.flatMap((some) => values.map((value) => [...some, value]))
  }
  for (const values of joined) callback(toKey(values))
}

/** Returns the different scalars at a path. */
function scalarsAt(record: JsonRecord, path: Path): readonly Operand[] | Set<Operand> {
  let first: Operand | undefined
  let all: Set<Operand> | undefined
  someAt(record, path, 0, (value) => {
    if (!isScalar(value) || value === first) return false
    if (first === undefined) first = value
    else (all ??= new Set([first])).add(value)
    return false
  })
  return all ?? (first === undefined ? [] : [first])
}
