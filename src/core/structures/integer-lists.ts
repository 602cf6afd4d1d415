import { addToMultimap } from './add-to-multimap.ts'
import { lowerBound } from './lower-bound.ts'

/** Lists of ascending integers below 2^32, by number, as bytes in one buffer. */
export interface IntegerLists {
  /** Creates an empty list; returns its number, which counts from 0. */
  create(): number
  /** Adds an integer, unless the list has it. An integer above all of the list is appended without reading the list. */
  add(list: number, integer: number): void
  remove(list: number, integer: number): void
  /** The size of a list in bytes; 0 if it is empty. */
  sizeOf(list: number): number
  /** Returns the integers of some lists, one list after the other. */
  read(lists: readonly number[]): Uint32Array
}

/** The numbers that describe a list: where it starts in the buffer, its size in bytes, and its last integer. */
const [start, size, last, width] = [0, 1, 2, 3]
/** The fewest bytes that a list has room for, of which the others have twice, four times and so on. */
const leastRoom = 4

/**
 * Creates lists without any list. An integer is the distance to the one before, as one to five bytes of seven bits, of
 * which the high bit says that another byte follows (LEB128). A list without room moves to twice the room.
 */
export function createIntegerLists(): IntegerLists {
  let bytes = new Uint8Array(1024)
  let table = new Uint32Array(1024)
  let count = 0
  let end = 0
  /** The starts of unused places, by their room. */
  const unused = new Map<number, number[]>()

  /** Makes room for more bytes; returns where they begin. */
  function reserve(list: number, more: number): number {
    const [from, used] = [table[list + start] ?? 0, table[list + size] ?? 0]
    const held = used === 0 ? 0 : roomFor(used)
    table[list + size] = used + more
    if (used + more <= held) return from + used
    const room = roomFor(used + more)
    let to = unused.get(room)?.pop()
    if (to === undefined) {
      to = end
      end += room
      if (end > bytes.length) {
        const grown = new Uint8Array(end * 1.5)
        grown.set(bytes)
        bytes = grown
      }
    }
    bytes.copyWithin(to, from, from + used)
    if (held > 0) addToMultimap(unused, held, from)
    table[list + start] = to
    return to + used
  }

  function append(list: number, integer: number): void {
    let rest = integer - (table[list + last] ?? 0)
    table[list + last] = integer
    const more = rest === 0 ? 1 : Math.ceil((32 - Math.clz32(rest)) / 7)
    let at = reserve(list, more)
    for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128
    bytes[at] = rest
  }

  function rewrite(list: number, integers: readonly number[]): void {
    const [from, used] = [table[list + start] ?? 0, table[list + size] ?? 0]
    if (used > 0) addToMultimap(unused, roomFor(used), from)
    table.fill(0, list, list + width)
    for (const integer of integers) append(list, integer)
  }

  function read(lists: readonly number[]): Uint32Array {
    const sum = lists.reduce((total, list) => total + (table[list * width + size] ?? 0), 0)
    const integers = new Uint32Array(sum)
    let next = 0
    for (const list of lists) {
      let at = table[list * width + start] ?? 0
      const stop = at + (table[list * width + size] ?? 0)
      let integer = 0
      while (at < stop) {
        let byte = bytes[at++] ?? 0
        let distance = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++] ?? 0
          distance |= (byte & 127) << shift
        }
        integer += distance >>> 0
        integers[next++] = integer
      }
    }
    return integers.subarray(0, next)
  }

  return {
    create() {
      if ((count + 1) * width > table.length) {
        const grown = new Uint32Array(table.length * 1.5)
        grown.set(table)
        table = grown
      }
      return count++
    },
    add(number, integer) {
      const list = number * width
      const isEmpty = table[list + size] === 0
      const highest = table[list + last] ?? 0
      if (isEmpty || integer > highest) return append(list, integer)
      if (integer === highest) return
      const integers = [...read([number])]
      const position = lowerBound(integers, integer)
      if (integers[position] === integer) return
      integers.splice(position, 0, integer)
      rewrite(list, integers)
    },
    remove(number, integer) {
      rewrite(
        number * width,
        [...read([number])].filter((one) => one !== integer),
      )
    },
    sizeOf: (number) => table[number * width + size] ?? 0,
    read,
  }
}

function roomFor(used: number): number {
  return used <= leastRoom ? leastRoom : 2 ** (32 - Math.clz32(used - 1))
}
