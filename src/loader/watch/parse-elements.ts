import { isUtf8 } from 'node:buffer'
import type { Json } from '../../core/json/json.ts'
import { findElements, type Elements } from '../text/outline.ts'

/** Elements of a list as they stood in a text, one after another. */
export interface KnownElements {
  bytes: Buffer
  starts: Uint32Array
  ends: Uint32Array
  values: readonly Json[]
}

/** What elements say, and where they stand; that is not looked for where most of them have changed. */
export interface ReadElements {
  values: Json[]
  places?: Elements
}

/**
 * Reads the elements that fill a text from an offset up to another, at least one. Those whose bytes are the
 * same as of one that is known, at the same distance from either end, are that one and not parsed again,
 * which takes a fifth of the time. Where most of the first have changed, all are parsed at once instead.
 * Undefined where there is anything but elements with commas in between.
 */
export function readElements(
  bytes: Buffer,
  from: number,
  limit: number,
  known: KnownElements,
): ReadElements | undefined {
  if (!isUtf8(bytes.subarray(from, limit))) return undefined
  const sample = findElements(bytes, from, limit, SAMPLE)
  if (!sample) return undefined
  if (sample.end < limit && !isMostlySame(bytes, sample, known)) {
    const values = parseList(bytes, from, limit)
    return values && { values }
  }
  const places = findElements(bytes, from, limit)
  // Where there are too many, the last ones were not looked for.
  if (!places || places.end < limit) return undefined
  const { starts, ends } = places
  const shift = known.starts.length - starts.length
  const values: Json[] = []
  let misses = 0
  const findSame = (at: number): Json | undefined => {
    // Where most have changed, looking for the others is not worth it.
    if (misses > 64 && misses > values.length / 2) return undefined
    const other = [at, at + shift].find((place) => isSame(bytes, places, at, known, place))
    if (other === undefined) misses++
    return other === undefined ? undefined : known.values[other]
  }
  for (let at = 0; at < starts.length;) {
    const same = findSame(at)
    if (same !== undefined) {
      values.push(same)
      at++
      continue
    }
    let end = at + 1
    let next: Json | undefined
    while (end < starts.length && (next = findSame(end)) === undefined) end++
    const parsed = parseList(bytes, starts[at] ?? from, ends[end - 1] ?? limit)
    if (parsed?.length !== end - at) return undefined
    for (const value of parsed) values.push(value)
    at = end
    if (next === undefined) continue
    values.push(next)
    at++
  }
  return { values, places }
}

/** So many elements tell whether most have changed. */
const SAMPLE = 128

function isMostlySame(bytes: Buffer, sample: Elements, known: KnownElements): boolean {
  // Some may have come or gone in front.
  return [0, -1, 1, -2, 2].some((shift) => {
    const same = sample.starts.filter((_, at) => isSame(bytes, sample, at, known, at + shift))
    return same.length > SAMPLE / 2
  })
}

function isSame(
  bytes: Buffer,
  { starts, ends }: Elements,
  at: number,
  known: KnownElements,
  place: number,
): boolean {
  const [start = 0, end = 0] = [starts[at], ends[at]]
  const [from, to] = [known.starts[place], known.ends[place]]
  if (from === undefined || to === undefined || to - from !== end - start) return false
  return bytes.compare(known.bytes, from, to, start, end) === 0
}

/** For the moment, what stands around the elements become brackets, which saves a copy of the text. */
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
