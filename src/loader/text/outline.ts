/**
 * The byte offsets of each list in a JSON file that is the root value or a member of the root object, and of
 * the elements of the list. With the offsets, a save can be parsed by its changed elements alone. Finding
 * the offsets takes as long as parsing the file.
 */
export interface Outline {
  lists: readonly ListOutline[]
}

/** The offsets of a list and of its elements, in bytes. */
export interface ListOutline {
  /** The key of the list in the root object; undefined if the list is the root. */
  key: string | undefined
  /** The offset after the opening bracket. */
  start: number
  /** The offset of the closing bracket. */
  end: number
  starts: Uint32Array
  ends: Uint32Array
}

/**
 * Finds the outline of valid JSON. Undefined for a scalar, and for an object with duplicate keys, of which
 * `JSON.parse` keeps only the last.
 */
export function toOutline(bytes: Uint8Array): Outline | undefined {
  const at = skipSpace(bytes, bytes[0] === BYTE_ORDER_MARK ? 3 : 0)
  if (bytes[at] === LIST) {
    const list = toList(bytes, at)
    return list && { lists: [list] }
  }
  if (bytes[at] !== OBJECT) return undefined
  const lists: ListOutline[] = []
  const keys = new Set<string>()
  let from = skipSpace(bytes, at + 1)
  while (bytes[from] === QUOTE) {
    const colon = skipString(bytes, from + 1)
    const key = JSON.parse(Buffer.from(bytes.subarray(from, colon)).toString()) as string
    if (keys.has(key)) return undefined
    keys.add(key)
    const value = skipSpace(bytes, skipSpace(bytes, colon) + 1)
    const list = bytes[value] === LIST ? toList(bytes, value, key) : undefined
    if (list) lists.push(list)
    const comma = skipSpace(bytes, list ? list.end + 1 : skipValue(bytes, value))
    from = skipSpace(bytes, comma + 1)
  }
  return { lists }
}

/** The offsets of elements, in bytes. */
export interface Elements {
  starts: number[]
  ends: number[]
  /** The offset at which the search ended. */
  end: number
}

/**
 * Finds elements of a list, `maxCount` at most, from an offset to the end of the list. With a `limit`, the
 * elements have to end at that offset. Undefined if the elements are not separated by commas. Skips the
 * content of elements unchecked.
 */
export function findElements(
  bytes: Uint8Array,
  from: number,
  limit?: number,
  maxCount: number = MAX_COUNT,
): Elements | undefined {
  const starts: number[] = []
  const ends: number[] = []
  let at = skipSpace(bytes, from)
  if (limit === undefined && bytes[at] === LIST_END) return { starts, ends, end: at }
  while (starts.length < maxCount) {
    const end = skipValue(bytes, at)
    if (end === at || end > (limit ?? bytes.length)) return undefined
    starts.push(at)
    ends.push(end)
    at = skipSpace(bytes, end)
    const isEnd = limit === undefined ? bytes[at] === LIST_END : at >= limit
    if (isEnd) return { starts, ends, end: at }
    if (bytes[at] !== COMMA) return undefined
    at = skipSpace(bytes, at + 1)
  }
  return { starts, ends, end: at }
}

/** The offsets of more elements need more memory than they save time. */
const MAX_COUNT = 200_000
/** The first byte of a byte order mark in UTF-8. */
const BYTE_ORDER_MARK = 0xef
const QUOTE = 34
const COMMA = 44
const LIST = 91
const BACKSLASH = 92
const LIST_END = 93
const OBJECT = 123
const OBJECT_END = 125

function toList(bytes: Uint8Array, at: number, key?: string): ListOutline | undefined {
  const found = findElements(bytes, at + 1)
  if (!found || bytes[found.end] !== LIST_END) return undefined
  const [starts, ends] = [Uint32Array.from(found.starts), Uint32Array.from(found.ends)]
  return { key, start: at + 1, end: found.end, starts, ends }
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return at
    at++
  }
}

/** The offset after a string, from the offset after its opening quote. */
function skipString(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at++]
    if (byte === QUOTE || byte === undefined) return at
    if (byte === BACKSLASH) at++
  }
}

function skipValue(bytes: Uint8Array, from: number): number {
  const first = bytes[from]
  if (first === QUOTE) return skipString(bytes, from + 1)
  if (first !== OBJECT && first !== LIST) return skipLiteral(bytes, from)
  let depth = 0
  let at = from
  for (;;) {
    const byte = bytes[at++]
    if (byte === QUOTE) at = skipString(bytes, at)
    else if (byte === OBJECT || byte === LIST) depth++
    else if (byte === OBJECT_END || byte === LIST_END) depth--
    if (depth === 0 || byte === undefined) return at
  }
}

/** The offset after a number or a literal. */
function skipLiteral(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === undefined || byte <= 32 || byte === COMMA) return at
    if (byte === LIST_END || byte === OBJECT_END) return at
    at++
  }
}
