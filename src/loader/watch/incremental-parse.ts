import type { Json } from '../../core/json/json.ts'
import { lowerBound } from '../../core/structures/lower-bound.ts'
import type { Imprinted } from '../read/file-content.ts'
import type { ListOutline, Outline } from '../text/outline.ts'
import { countSameEnd, countSameStart } from './common-bytes.ts'
import { readElements } from './parse-elements.ts'

/** What a save has made of one list: the elements from one place up to another are these values now. */
export interface Splice {
  /** The key of the list; undefined where the whole text is the list. */
  key: string | undefined
  from: number
  to: number
  values: Json[]
  /** The outline of the text as it is now, where it came along. */
  outline: Outline | undefined
}

/**
 * Parses only the elements of one list that a text has changed in, so that saving one record of ten
 * thousand costs a comparison of bytes; `listOf` gives the lists as they were. Undefined where the change
 * goes beyond the elements of a list, or does not parse.
 *
 * It is the same as parsing it all: what is in front of the first of these elements and behind the last
 * is byte for byte what was valid before, and JSON allows any other elements, at least one, in between.
 */
export function resume(
  { bytes: before, outline }: Imprinted,
  bytes: Buffer,
  listOf: (key: string | undefined) => readonly Json[] | undefined,
): Splice | undefined {
  const start = countSameStart(before, bytes)
  const most = Math.min(before.length, bytes.length) - start
  const end = before.length - countSameEnd(before, bytes, most)
  const at = outline.lists.findIndex((list) => list.start <= start && end <= list.end)
  const list = outline.lists[at]
  const held = list && listOf(list.key)
  if (!held || held.length === 0 || held.length !== list.starts.length) return undefined
  const { key, starts, ends } = list
  const from = Math.max(lowerBound(starts, start + 1) - 1, 0)
  const last = Math.min(lowerBound(ends, end), ends.length - 1)
  const shift = bytes.length - before.length
  // A change in front of the first element, or behind the last, is part of what is parsed.
  const begin = Math.min(starts[from] ?? 0, start)
  const limit = Math.max(ends[last] ?? 0, end) + shift
  const to = last + 1
  const found = readElements(bytes, begin, limit, {
    bytes: before,
    starts: starts.subarray(from, to),
    ends: ends.subarray(from, to),
    values: held.slice(from, to),
  })
  if (!found || found.values.length === 0) return undefined
  const { values, places } = found
  if (!places) return { key, from, to, values, outline: undefined }
  const changed: ListOutline = {
    ...list,
    end: list.end + shift,
    starts: splice(starts, from, to, places.starts, shift),
    ends: splice(ends, from, to, places.ends, shift),
  }
  const lists = outline.lists.map((one, index) =>
    index === at ? changed : index > at && shift !== 0 ? move(one, shift) : one,
  )
  return { key, from, to, values, outline: { lists } }
}

function splice(
  places: Uint32Array,
  from: number,
  to: number,
  added: readonly number[],
  shift: number,
): Uint32Array {
  const spliced = new Uint32Array(places.length - (to - from) + added.length)
  spliced.set(places.subarray(0, from))
  spliced.set(added, from)
  spliced.set(places.subarray(to), from + added.length)
  if (shift === 0) return spliced
  for (let at = from + added.length; at < spliced.length; at++)
    spliced[at] = (spliced[at] ?? 0) + shift
  return spliced
}

function move(list: ListOutline, shift: number): ListOutline {
  const { starts, ends } = list
  return {
    ...list,
    start: list.start + shift,
    end: list.end + shift,
    starts: starts.map((place) => place + shift),
    ends: ends.map((place) => place + shift),
  }
}
