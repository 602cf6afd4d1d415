/**
 * A set of small integers as bits, such as the indexes of the records that a filter finds. The integer `n` is
 * bit `n % 32` of word `n / 32`, so that two sets are intersected 32 integers at a time.
 */
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

/** Toggles the integers of a list without repetitions. */
export function flipEach(bits: Bits, list: Uint32Array): void {
  for (let at = 0; at < list.length; at++) {
    const integer = list[at] ?? 0
    bits[integer >>> 5] = (bits[integer >>> 5] ?? 0) ^ (1 << integer)
  }
}

/** Toggles the integers of another set: adds absent integers to the set, and removes present integers. */
export function flipBits(bits: Bits, other: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) ^ (other[at] ?? 0)
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
