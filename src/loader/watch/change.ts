import { isSame } from '../../core/json/json.ts'
import type { Diagnostic, Source } from '../../core/fixtures/source.ts'
import type { LoadResult } from '../load.ts'
import type { ProblemNews } from './problem-tracker.ts'

/**
 * Returns the difference between two scans of the fixture files on the disk: new, changed and removed
 * resources, and new and solved problems. Undefined if both scans found the same.
 */
export function compare(
  before: LoadResult,
  current: LoadResult,
  { reported, resolved }: ProblemNews,
): FixtureChange | undefined {
  const old = new Map(before.sources.map(({ name, value }) => [name, value]))
  const names = new Set(current.sources.map(({ name }) => name))
  const sources = current.sources.filter(({ name, value }) => old.get(name) !== value)
  const removed = [...old.keys()].filter((name) => !names.has(name))
  const isEmpty = [sources, removed, reported, resolved].every((list) => list.length === 0)
  const hasSameRules =
    isSame(before.schemas, current.schemas) && isSame(before.scenarios, current.scenarios)
  return isEmpty && hasSameRules ? undefined : { sources, removed, reported, resolved, current }
}

/** The difference between two scans, which the mock takes over. */
export interface FixtureChange {
  /** The resources that are new or have other content. */
  sources: Source[]
  /** The names of the resources that are gone. */
  removed: string[]
  /** The problems that have not been reported yet. */
  reported: Diagnostic[]
  /** The labels of the files that had an error and have none now. */
  resolved: string[]
  /** All fixtures as they are now; a broken file with its last good content. */
  current: LoadResult
}
