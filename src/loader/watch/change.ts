import { isSame, type Json } from '../../core/json/json.ts'
import { type Diagnostic, isError, type Source } from '../../core/fixtures/source.ts'
import type { LoadResult } from '../load.ts'
import type { LoadedFile } from '../read/read-file.ts'

/** What has changed on the disk since the change before. */
export interface FixtureChange {
  /** The resources that are new or whose content is another. */
  sources: Source[]
  /** The names of the resources that are gone. */
  removed: string[]
  /** The problems that were not there before. */
  reported: Diagnostic[]
  /** The files, as messages show them, that had an error and have none now. */
  resolved: string[]
  /** Everything as it stands now; where a file is broken, as it last stood. */
  current: LoadResult
}

/** The problems that are news: each is told once, and again only when it has changed. */
export interface Reports {
  /** Problems count only when the disk is quiet; that one is gone counts at once. */
  update(diagnostics: readonly Diagnostic[], isQuiet: boolean): News
}

/** Problems that came and went, and whether some wait for the disk to be quiet. */
export interface News {
  reported: Diagnostic[]
  resolved: string[]
  isOpen: boolean
}

/** Remembers which problems have been told. */
export function createReports(known: readonly Diagnostic[]): Reports {
  let told = new Map(known.map((diagnostic) => [toKey(diagnostic), diagnostic]))
  return {
    update(diagnostics, isQuiet) {
      const broken = new Set(diagnostics.filter(isError).map(({ file }) => file))
      const mended = [...told.values()].filter((one) => isError(one) && !broken.has(one.file))
      const untold = diagnostics.filter((diagnostic) => !told.has(toKey(diagnostic)))
      if (isQuiet) told = new Map(diagnostics.map((diagnostic) => [toKey(diagnostic), diagnostic]))
      else for (const diagnostic of mended) told.delete(toKey(diagnostic))
      return {
        reported: isQuiet ? untold : [],
        resolved: [...new Set(mended.map(({ file }) => file))],
        isOpen: !isQuiet && untold.length > 0,
      }
    },
  }
}

/** The difference between two states, or undefined if nobody would see one. */
export function compare(
  before: LoadResult,
  current: LoadResult,
  { reported, resolved }: News,
): FixtureChange | undefined {
  const old = new Map(before.sources.map(({ name, value }) => [name, value]))
  const names = new Set(current.sources.map(({ name }) => name))
  const sources = current.sources.filter(({ name, value }) => old.get(name) !== value)
  const removed = [...old.keys()].filter((name) => !names.has(name))
  const isQuiet = [sources, removed, reported, resolved].every((list) => list.length === 0)
  const hasSameRest =
    isSame(before.schemas, current.schemas) && isSame(before.scenarios, current.scenarios)
  return isQuiet && hasSameRest ? undefined : { sources, removed, reported, resolved, current }
}

/**
 * The file with the values, and the elements of lists, that it had before wherever they are equal, so
 * that equal means identical for everybody who compares them later.
 */
export function keepSame(now: LoadedFile, before: LoadedFile | undefined): LoadedFile {
  const old = new Map(before?.sources.map((source) => [source.source, source]))
  const keep = (source: Source): Source => {
    const other = old.get(source.source)
    if (!other) return source
    const value = keepEqual(other.value, source.value)
    return value === other.value ? other : { ...source, value }
  }
  const isSound = now.sources === now.drafts
  const sources = now.sources.map(keep)
  return { ...now, sources, drafts: isSound ? sources : now.drafts }
}

/** The value before where they are equal; equal elements of two lists are looked for at the same distance from either end. */
export function keepEqual(before: Json, now: Json): Json {
  if (!Array.isArray(before) || !Array.isArray(now)) return isSame(before, now) ? before : now
  const shift = before.length - now.length
  let changes = 0
  const keep = (value: Json, at: number): Json => {
    // Where so many have changed, looking for the others is not worth it.
    if (changes > MOST) return value
    const [front, back] = [before[at], before[at + shift]]
    if (front !== undefined && isSame(front, value)) return front
    if (back !== undefined && shift !== 0 && isSame(back, value)) return back
    changes++
    return value
  }
  const kept = now.map(keep)
  return shift === 0 && kept.every((value, at) => value === before[at]) ? before : kept
}

const MOST = 256

function toKey({ file, line, column, message }: Diagnostic): string {
  return JSON.stringify([file, line, column, message])
}
