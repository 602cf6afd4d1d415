import { isUtf8 } from 'node:buffer'
import type { Json } from '../../core/json/json.ts'
import { findElements, type Elements } from '../text/outline.ts'

/**
 * Parses the elements, at least one, between two byte offsets of a saved JSON file. An element with the same
 * bytes as an old element at the same distance from the start or from the end keeps the old value, because a
 * comparison takes a fifth of the time of parsing. If most of the first elements have changed, all are parsed
 * at once instead. Returns undefined if the bytes are not elements separated by commas.
 */
export function parseElements(
  bytes: Buffer,
  from: number,
  to: number,
  old: OldElements,
): ParsedElements | undefined {
  if (!isUtf8(bytes.subarray(from, to))) return undefined
  const sample = findElements(bytes, from, to, SAMPLE)
  if (!sample) return undefined
  if (sample.end < to && !isMostlySame(bytes, sample, old)) {
    const values = parseList(bytes, from, to)
    return values && { values }
  }
  const offsets = findElements(bytes, from, to)
  // findElements stops at a maximum number of elements.
  if (!offsets || offsets.end < to) return undefined
  const { starts, ends } = offsets
  const shift = old.starts.length - starts.length
  const values: Json[] = []
  let misses = 0
  const findOld = (at: number): Json | undefined => {
    // When most elements have changed, further comparisons cost more than they save.
    if (misses > 64 && misses > values.length / 2) return undefined
    const oldAt = [at, at + shift].find((index) => isSame(bytes, offsets, at, old, index))
    if (oldAt === undefined) misses++
    return oldAt === undefined ? undefined : old.values[oldAt]
  }
  for (let at = 0; at < starts.length;) {
    const same = findOld(at)
    if (same !== undefined) {
      values.push(same)
      at++
      continue
    }
    let end = at + 1
    let next: Json | undefined
    while (end < starts.length && (next = findOld(end)) === undefined) end++
    const parsed = parseList(bytes, starts[at] ?? from, ends[end - 1] ?? to)
    if (parsed?.length !== end - at) return undefined
    for (const value of parsed) values.push(value)
    at = end
    if (next === undefined) continue
    values.push(next)
    at++
  }
  return { values, offsets }
}

/** Consecutive elements of a list in a JSON file before a save: their values, and their offsets in `bytes`. */
export interface OldElements {
  bytes: Buffer
  starts: Uint32Array
  ends: Uint32Array
  values: readonly Json[]
}

/** The values of elements, and their byte offsets unless most of the elements have changed. */
export interface ParsedElements {
  values: Json[]
  offsets?: Elements
}

/** The number of elements that decide whether most elements have changed. */
const SAMPLE = 128

function isMostlySame(bytes: Buffer, sample: Elements, old: OldElements): boolean {
  // Up to two elements may have been added or removed in front of the sample.
  return [0, -1, 1, -2, 2].some((shift) => {
    const same = sample.starts.filter((_, at) => isSame(bytes, sample, at, old, at + shift))
    return same.length > SAMPLE / 2
  })
}

function isSame(
  bytes: Buffer,
  { starts, ends }: Elements,
  at: number,
  old: OldElements,
  oldAt: number,
): boolean {
  const [start = 0, end = 0] = [starts[at], ends[at]]
  const [from, to] = [old.starts[oldAt], old.ends[oldAt]]
  if (from === undefined || to === undefined || to - from !== end - start) return false
  return bytes.compare(old.bytes, from, to, start, end) === 0
}

/** Overwrites the bytes around the elements with brackets while it parses, which saves a copy of the text. */
function parseList(bytes: Buffer, from: number, to: number): Json[] | undefined {
  const [open = 0, close = 0] = [bytes[from - 1], bytes[to]]
  bytes[from - 1] = 91
  bytes[to] = 93
  try {
    return JSON.parse(bytes.toString('utf8', from - 1, to + 1)) as Json[]
  } catch {
    return undefined
  } finally {
    bytes[from - 1] = open
    bytes[to] = close
  }
}
