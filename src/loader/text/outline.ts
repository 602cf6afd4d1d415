/**
 * Where the lists at the top of a JSON text stand, and every element of them. It takes as long to find as
 * the text does to parse, once; after that, it tells which elements a save has changed.
 */
export interface Outline {
  lists: readonly ListOutline[]
}

/** One list, with offsets in bytes. */
export interface ListOutline {
  /** The key of the object that holds the list; undefined where the list is all there is. */
  key: string | undefined
  /** Behind its opening bracket. */
  start: number
  /** In front of its closing bracket. */
  end: number
  starts: Uint32Array
  ends: Uint32Array
}

/**
 * The outline of a text that is known to be valid JSON; undefined where it is neither a list nor an
 * object, or where an object has a key twice, of which only the last counts.
 */
export function toOutline(bytes: Uint8Array): Outline | undefined {
  const at = skipSpace(bytes, bytes[0] === MARK ? 3 : 0)
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

/** The places of elements, and where looking for them has ended. */
export interface Elements {
  starts: number[]
  ends: number[]
  end: number
}

/**
 * The places of so many elements at most, from an offset up to the end of their list, or up to a limit that
 * nothing else may come before; undefined where they are not parted by commas. What is inside them is not
 * looked at.
 */
export function findElements(
  bytes: Uint8Array,
  from: number,
  limit?: number,
  most: number = MOST,
): Elements | undefined {
  const starts: number[] = []
  const ends: number[] = []
  let at = skipSpace(bytes, from)
  if (limit === undefined && bytes[at] === LIST_END) return { starts, ends, end: at }
  while (starts.length < most) {
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

/** Where there are more, their places take up more than they save. */
const MOST = 200_000
const MARK = 0xef
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

/** Behind the string whose opening quote is in front of the offset. */
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
  if (first !== OBJECT && first !== LIST) return skipWord(bytes, from)
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

/** Behind a number or a word. */
function skipWord(bytes: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === undefined || byte <= 32 || byte === COMMA) return at
    if (byte === LIST_END || byte === OBJECT_END) return at
    at++
  }
}
