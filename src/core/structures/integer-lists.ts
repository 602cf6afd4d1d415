import { addToMultimap } from './add-to-multimap.ts'

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

/** The columns of the table of lists: the place of a list in the buffer, and its last integer. */
const [start, size, room, last, width] = [0, 1, 2, 3, 4]

/**
 * Creates lists without any list. An integer is the distance to the one before, as one to five bytes of seven bits, of
 * which the high bit says that another byte follows (LEB128). A list without room moves to a place of twice the room.
 */
export function createIntegerLists(): IntegerLists {
  let bytes = new Uint8Array(1024)
  let table = new Uint32Array(1024)
  let count = 0
  let end = 0
  /** The starts of places that lists have left, by their room. */
  const left = new Map<number, number[]>()
  const cell = (list: number, column: number): number => table[list * width + column] ?? 0

  function move(list: number): void {
    const [from, held] = [cell(list, start), cell(list, room)]
    const wanted = held * 2 || 4
    let to = left.get(wanted)?.pop()
    if (to === undefined) {
      to = end
      end += wanted
      if (end > bytes.length) {
        const old = bytes
        bytes = new Uint8Array(end * 1.5)
        bytes.set(old)
      }
    }
    bytes.copyWithin(to, from, from + held)
    if (held > 0) addToMultimap(left, held, from)
    table[list * width + start] = to
    table[list * width + room] = wanted
  }

  function append(list: number, integer: number): void {
    let rest = integer - cell(list, last)
    let used = cell(list, size)
    for (let isLast = false; !isLast; rest >>>= 7) {
      isLast = rest >>> 0 <= 127
      if (used === cell(list, room)) move(list)
      bytes[cell(list, start) + used++] = isLast ? rest : (rest & 127) | 128
    }
    table[list * width + size] = used
    table[list * width + last] = integer
  }

  function rewrite(list: number, integers: Uint32Array): void {
    table[list * width + size] = 0
    table[list * width + last] = 0
    for (const integer of integers) append(list, integer)
  }

  function read(lists: readonly number[]): Uint32Array {
    const integers = new Uint32Array(lists.reduce((sum, list) => sum + cell(list, size), 0))
    let next = 0
    for (const list of lists) {
      let at = cell(list, start)
      const stop = at + cell(list, size)
      for (let integer = 0; at < stop; integers[next++] = integer) {
        let byte = 128
        for (let shift = 0; byte > 127; shift += 7) {
          byte = bytes[at++] ?? 0
          integer += ((byte & 127) << shift) >>> 0
        }
      }
    }
    return integers.subarray(0, next)
  }

  return {
    create() {
      if (table.length < (count + 1) * width) {
        const old = table
        table = new Uint32Array(old.length * 1.5)
        table.set(old)
      }
      return count++
    },
    add(list, integer) {
      if (cell(list, size) === 0 || integer > cell(list, last)) return append(list, integer)
      if (integer === cell(list, last)) return
      const integers = read([list])
      if (!integers.includes(integer))
        rewrite(list, Uint32Array.from([integer, ...integers]).sort())
    },
    remove: (list, integer) =>
      rewrite(
        list,
        read([list]).filter((one) => one !== integer),
      ),
    sizeOf: (list) => cell(list, size),
    read,
  }
}
