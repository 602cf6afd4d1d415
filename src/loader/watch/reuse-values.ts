import type { Source } from '../../core/fixtures/source.ts'
import { isSame, type Json } from '../../core/json/json.ts'
import type { LoadedFile } from '../read/read-file.ts'

/**
 * Replaces the values of a file that was read again, and the elements of its lists, by the equal objects of
 * the read before. Unchanged values are then found by identity, without a deep comparison.
 */
export function reuseSources(now: LoadedFile, before: LoadedFile | undefined): LoadedFile {
  const old = new Map(before?.sources.map((source) => [source.file, source]))
  const reuse = (source: Source): Source => {
    const other = old.get(source.file)
    if (!other) return source
    const value = reuseValue(other.value, source.value)
    return value === other.value ? other : { ...source, value }
  }
  // A file without errors has the same list twice.
  const isValid = now.sources === now.drafts
  const sources = now.sources.map(reuse)
  return { ...now, sources, drafts: isValid ? sources : now.drafts }
}

/**
 * Returns the old value if both are equal, otherwise the new value. In lists, an element is compared with the
 * old elements at the same distance from the start and from the end.
 */
export function reuseValue(before: Json, now: Json): Json {
  if (!Array.isArray(before) || !Array.isArray(now)) return isSame(before, now) ? before : now
  const shift = before.length - now.length
  let changes = 0
  const reuse = (value: Json, at: number): Json => {
    // After so many changes, further comparisons cost more than they save.
    if (changes > MAX_CHANGES) return value
    const [front, back] = [before[at], before[at + shift]]
    if (front !== undefined && isSame(front, value)) return front
    if (back !== undefined && shift !== 0 && isSame(back, value)) return back
    changes++
    return value
  }
  const reused = now.map(reuse)
  return shift === 0 && reused.every((value, at) => value === before[at]) ? before : reused
}

const MAX_CHANGES = 256
