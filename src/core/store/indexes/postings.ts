import {
  type Bits,
  clearBit,
  createBits,
  setBit,
  isFew,
  type SlotSet,
  toBits,
} from '../../structures/slot-set.ts'
import { keyOfValue } from '../../json/equality.ts'
import type { JsonRecord } from '../../json/json.ts'
import { lowerBound } from '../../structures/lower-bound.ts'
import { type Path, someAt } from '../../json/path.ts'
import type { Index, IndexedRecords } from './indexed.ts'

/** Builds the postings of a path: the index by which a query for equality, such as `userId=1`, finds records. */
export function buildPostings(records: IndexedRecords, path: Path): Index<Postings> {
  const postings = new Map<string, Posting>()

  function add(key: string, slot: number): void {
    const posting = postings.get(key) ?? { size: 0, list: [] }
    if (posting.size++ === 0) postings.set(key, posting)
    if (posting.bits) {
      posting.bits = withRoom(posting.bits, slot)
      setBit(posting.bits, slot)
    } else if (posting.list) {
      const at = lowerBound(posting.list, slot)
      if (at === posting.list.length) posting.list.push(slot)
      else posting.list.splice(at, 0, slot)
      if (isFew(posting.size, records.size)) return
      posting.bits = toBits(posting as SlotSet, records.length)
      posting.list = undefined
    }
  }

  function remove(key: string, slot: number): void {
    const posting = postings.get(key)
    if (!posting) return
    if (--posting.size === 0) postings.delete(key)
    if (posting.bits) clearBit(posting.bits, slot)
    else posting.list?.splice(lowerBound(posting.list, slot), 1)
  }

  records.each((record, slot) => eachKey(record, path, (key) => add(key, slot)))
  return {
    entries: postings as Postings,
    update(before) {
      for (const [slot, held] of before) {
        const now = records.at(slot)
        if (held) eachKey(held, path, (key) => remove(key, slot))
        if (now) eachKey(now, path, (key) => add(key, slot))
      }
    },
  }
}

/** Each value at a path, encoded by `keyOfValue`, with the slots of its records. */
type Postings = ReadonlyMap<string, SlotSet>

/** The slots of a value: a list, ascending, until bits take less memory. */
interface Posting {
  size: number
  list?: number[] | undefined
  bits?: Bits | undefined
}

/** Returns the bits with room for a slot. */
function withRoom(bits: Bits, slot: number): Bits {
  if (slot >>> 5 < bits.length) return bits
  const grown = createBits(slot + (slot >> 1))
  grown.set(bits)
  return grown
}

/** Calls back once for each key of the values at a path. */
function eachKey(record: JsonRecord, path: Path, callback: (key: string) => void): void {
  let first: string | undefined
  let all: Set<string> | undefined
  someAt(record, path, 0, (value) => {
    const key = keyOfValue(value)
    if (key === undefined || key === first || all?.has(key)) return false
    if (first === undefined) first = key
    else (all ??= new Set()).add(key)
    callback(key)
    return false
  })
}
