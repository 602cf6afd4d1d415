import type { Json } from '../../core/json/json.ts'
import { lowerBound } from '../../core/structures/lower-bound.ts'
import type { OutlinedBytes } from '../read/file-content.ts'
import type { ListOutline, Outline } from '../text/outline.ts'
import { countCommonEnd, countCommonStart } from './common-bytes.ts'
import { parseElements } from './parse-elements.ts'

/**
 * Parses only the changed elements of a list, so that saving one record of ten thousand costs a comparison
 * of bytes. `listOf` returns the old value of the list with a key. Returns undefined if the change is not
 * inside one list, removes all its elements, or does not parse.
 *
 * The result is that of parsing the whole text: the bytes in front of the first parsed element and behind
 * the last have not changed, so that they are valid around any other elements, at least one.
 */
export function parseIncrementally(
  { bytes: before, outline }: OutlinedBytes,
  bytes: Buffer,
  listOf: (key: string | undefined) => readonly Json[] | undefined,
): ListSplice | undefined {
  const start = countCommonStart(before, bytes)
  const limit = Math.min(before.length, bytes.length) - start
  const end = before.length - countCommonEnd(before, bytes, limit)
  const at = outline.lists.findIndex((list) => list.start <= start && end <= list.end)
  const list = outline.lists[at]
  const values = list && listOf(list.key)
  if (!values || values.length === 0 || values.length !== list.starts.length) return undefined
  const { key, starts, ends } = list
  const from = Math.max(lowerBound(starts, start + 1) - 1, 0)
  const last = Math.min(lowerBound(ends, end), ends.length - 1)
  const shift = bytes.length - before.length
  // A change in front of the first element, or behind the last, is parsed too.
  const parseFrom = Math.min(starts[from] ?? 0, start)
  const parseTo = Math.max(ends[last] ?? 0, end) + shift
  const to = last + 1
  const parsed = parseElements(bytes, parseFrom, parseTo, {
    bytes: before,
    starts: starts.subarray(from, to),
    ends: ends.subarray(from, to),
    values: values.slice(from, to),
  })
  if (!parsed || parsed.values.length === 0) return undefined
  const { offsets } = parsed
  const splice = { key, from, to, values: parsed.values, bytes: bytes.subarray(parseFrom, parseTo) }
  if (!offsets) return { ...splice, outline: undefined }
  const changed: ListOutline = {
    ...list,
    end: list.end + shift,
    starts: spliceOffsets(starts, from, to, offsets.starts, shift),
    ends: spliceOffsets(ends, from, to, offsets.ends, shift),
  }
  const lists = outline.lists.map((one, index) =>
    index === at ? changed : index > at && shift !== 0 ? move(one, shift) : one,
  )
  return { ...splice, outline: { lists } }
}

/**
 * The change that a save has made to one list of a JSON file: `values` replace the elements from the index
 * `from` up to, but not including, the index `to`.
 */
export interface ListSplice {
  /** The key of the list; undefined if the whole text is the list. */
  key: string | undefined
  from: number
  to: number
  values: Json[]
  /** The part of the new text that was parsed. */
  bytes: Buffer
  /** The outline of the new text; undefined if it was not computed. */
  outline: Outline | undefined
}

/** Replaces the offsets from one index up to another, and shifts those behind. */
function spliceOffsets(
  offsets: Uint32Array,
  from: number,
  to: number,
  added: readonly number[],
  shift: number,
): Uint32Array {
  const spliced = new Uint32Array(offsets.length - (to - from) + added.length)
  spliced.set(offsets.subarray(0, from))
  spliced.set(added, from)
  spliced.set(offsets.subarray(to), from + added.length)
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
    starts: starts.map((offset) => offset + shift),
    ends: ends.map((offset) => offset + shift),
  }
}
