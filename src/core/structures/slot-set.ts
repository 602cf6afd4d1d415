/** A set of small integers as bits: `n` is bit `n % 32` of word `n / 32`, so that 32 integers are intersected at a time. */
export type Bits = Uint32Array

/** Creates an empty set with room for integers below `length`. */
export function createBits(length: number): Bits {
  return new Uint32Array((length + 31) >>> 5)
}

/** Whether the set has the integer; false for an integer that it has no room for. */
export function hasBit(bits: Bits, at: number): boolean {
  return ((bits[at >>> 5] ?? 0) & (1 << at)) !== 0
}

/** Adds an integer, which the set has room for. */
export function setBit(bits: Bits, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << at)
}

/** Removes an integer. */
export function clearBit(bits: Bits, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) & ~(1 << at)
}

/** Toggles the integers of a part of a list without repetitions. */
export function flipEach(bits: Bits, list: readonly number[], start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const integer = list[at] ?? 0
    bits[integer >>> 5] = (bits[integer >>> 5] ?? 0) ^ (1 << integer)
  }
}

/** Returns the number of set bits in a word. */
export function countWord(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Returns the number of integers in the set. */
export function countBits(bits: Bits): number {
  let count = 0
  for (let at = 0; at < bits.length; at++) count += countWord(bits[at] ?? 0)
  return count
}

/** Intersects a set in place with another set, or, with `flip` -1, with the complement of the other set. */
export function intersectBits(bits: Bits, other: Bits, flip: 0 | -1 = 0): void {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) & ((other[at] ?? 0) ^ flip)
}

/** Calls back for the integers of the set, ascending. */
export function eachBit(bits: Bits, callback: (at: number) => void): void {
  for (let at = 0; at < bits.length; at++) {
    for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) {
      callback((at << 5) + 31 - Math.clz32(word & -word))
    }
  }
}

/** The records that a filter finds, as slots: a list if they are few, otherwise bits, which are intersected word by word. */
export type SlotSet = SlotList | { readonly size: number; readonly list?: undefined; bits: Bits }

/** The slots of an index, in its order; ascending, unless the index has another order. Many slots have bits, too. */
export interface SlotList {
  readonly size: number
  readonly list: readonly number[]
  /** The same slots as bits; undefined until used. */
  bits?: Bits | undefined
}

/** The empty list. */
export const noSlots: SlotList = { size: 0, list: [] }

/** Adds a slot at the end of a list; returns the new size. An empty array that grows would have room for seventeen. */
export function append(to: { list: number[] }, slot: number): number {
  if (to.list.length > 0) return to.list.push(slot)
  to.list = [slot]
  return 1
}

/** Whether a list takes less time than bits for that many of all slots. */
export function isFew(size: number, length: number): boolean {
  return size <= 64 || size * 32 < length
}

/** Converts slots to bits, which must not be changed. The bits of many slots are kept with the set. */
export function toBits(set: SlotSet, length: number): Bits {
  if (set.bits && set.bits.length >= (length + 31) >>> 5) return set.bits
  const bits = createBits(length)
  for (const slot of set.list ?? []) setBit(bits, slot)
  if (!isFew(set.size, length)) set.bits = bits
  return bits
}

/** Calls back for every slot of the set. */
export function eachSlot(set: SlotSet, callback: (slot: number) => void): void {
  if (set.list) for (const slot of set.list) callback(slot)
  else eachBit(set.bits, callback)
}

/** So many records are tested in less time than bits of all records are intersected. */
export const fewToTest = 256

/** Returns the intersection of two sets, ascending. */
export function intersect(one: SlotSet, other: SlotSet, length: number): SlotSet {
  const bits = toBits(other, length)
  if (one.list) {
    const list = one.list.filter((slot) => hasBit(bits, slot))
    return { size: list.length, list }
  }
  const both = one.bits.slice()
  intersectBits(both, bits)
  return { size: countBits(both), bits: both }
}

/** Returns the union of sets, ascending: the only set that is not empty, otherwise a new set. */
export function unite(sets: readonly SlotSet[], length: number): SlotSet {
  const [only = noSlots, ...others] = sets.filter(({ size }) => size > 0)
  if (others.length === 0) return only
  const all = [only, ...others]
  const lists = all.flatMap(({ list }) => (list ? [list] : []))
  const sum = all.reduce((count, { size }) => count + size, 0)
  if (lists.length === all.length && isFew(sum, length))
    return toSlotSet(Uint32Array.from(lists.flat()), length)
  const bits = createBits(length)
  for (const set of all) {
    const other = set.list && isFew(set.size, length) ? undefined : toBits(set, length)
    if (!other) for (const slot of set.list ?? []) setBit(bits, slot)
    else for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) | (other[at] ?? 0)
  }
  return { size: countBits(bits), bits }
}

/** Returns the set of some slots in any order, which can be repeated; sorts them in place if they are few. */
export function toSlotSet(slots: Uint32Array, length: number): SlotSet {
  if (isFew(slots.length, length)) {
    slots.sort()
    const list = [...slots].filter((slot, at) => slot !== slots[at - 1])
    return { size: list.length, list }
  }
  const bits = createBits(length)
  for (const slot of slots) setBit(bits, slot)
  return { size: countBits(bits), bits }
}
