import { type Bits, createBits, eachBit, setBit } from './bits.ts'

/**
 * The records that a filter finds, as a set of slots (indexes in the list of records of the collection): an
 * ascending list if they are few, otherwise bits, which then take less memory and are intersected word by word.
 */
export type SlotSet =
  | {
      readonly size: number
      readonly list: readonly number[] | Uint32Array
      readonly bits?: undefined
    }
  | { readonly size: number; readonly list?: undefined; readonly bits: Bits }

/** Whether a list takes less memory than bits for that many of all slots. */
export function isFew(size: number, length: number): boolean {
  return size <= 64 || size * 32 < length
}

/** Converts slots to bits; returns the bits of the set itself if it has any, which must not be changed. */
export function toBits(set: SlotSet, length: number): Bits {
  if (set.bits) return set.bits
  const bits = createBits(length)
  for (const slot of set.list) setBit(bits, slot)
  return bits
}

/** Calls back for every slot of the set, ascending. */
export function eachSlot(set: SlotSet, callback: (slot: number) => void): void {
  if (set.list) for (const slot of set.list) callback(slot)
  else eachBit(set.bits, callback)
}

/** Returns the union of sets, as a new set or the only set that is not empty. */
export function unite(sets: readonly SlotSet[]): SlotSet {
  const [only = { size: 0, list: [] as number[] }, ...others] = sets.filter(({ size }) => size > 0)
  if (others.length === 0) return only
  const members = new Set<number>()
  for (const set of [only, ...others]) eachSlot(set, (slot) => void members.add(slot))
  const list = Uint32Array.from(members).sort()
  return { size: list.length, list }
}
