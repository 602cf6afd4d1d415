import { isSame } from '../../core/json/json.ts'
import { type Diagnostic, isError, type Source } from '../../core/fixtures/source.ts'
import type { LoadResult } from '../load.ts'

/** The difference between two scans of the fixture files, which the mock takes over. */
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

/** Returns the difference between two scans; undefined if both scans found the same. */
export function compare(
  before: LoadResult,
  current: LoadResult,
  { reported, resolved }: Pick<FixtureChange, 'reported' | 'resolved'>,
): FixtureChange | undefined {
  const old = new Map(before.sources.map(({ name, value }) => [name, value]))
  const names = new Set(current.sources.map(({ name }) => name))
  // A source whose data has not changed keeps its value, see `parseFixture`.
  const sources = current.sources.filter(({ name, value }) => old.get(name) !== value)
  const removed = [...old.keys()].filter((name) => !names.has(name))
  const isEmpty = [sources, removed, reported, resolved].every((list) => list.length === 0)
  const hasSameRules =
    isSame(before.schemas, current.schemas) && isSame(before.scenarios, current.scenarios)
  return isEmpty && hasSameRules ? undefined : { sources, removed, reported, resolved, current }
}

/** Decides which problems to report: each once when it appears, and again if its message or position changes. */
export interface ProblemTracker {
  /**
   * Compares all problems that there are now with the reported problems. New problems are reported only
   * while the disk is quiet, solved problems at once.
   */
  update(diagnostics: readonly Diagnostic[], isQuiet: boolean): ProblemNews
}

/** The problems to report now. */
export interface ProblemNews extends Pick<FixtureChange, 'reported' | 'resolved'> {
  /** Whether new problems wait for the disk to be quiet. */
  isPending: boolean
}

/** Creates a tracker of problems that have been reported already. */
export function createProblemTracker(initial: readonly Diagnostic[]): ProblemTracker {
  let reported = toMap(initial)
  return {
    update(diagnostics, isQuiet) {
      const broken = new Set(diagnostics.filter(isError).map(({ file }) => file))
      const solved = [...reported.values()].filter((one) => isError(one) && !broken.has(one.file))
      const added = diagnostics.filter((diagnostic) => !reported.has(toKey(diagnostic)))
      if (isQuiet) reported = toMap(diagnostics)
      else for (const diagnostic of solved) reported.delete(toKey(diagnostic))
      return {
        reported: isQuiet ? added : [],
        resolved: [...new Set(solved.map(({ file }) => file))],
        isPending: !isQuiet && added.length > 0,
      }
    },
  }
}

function toMap(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic> {
  return new Map(diagnostics.map((diagnostic) => [toKey(diagnostic), diagnostic]))
}

function toKey({ file, line, column, message }: Diagnostic): string {
  return JSON.stringify([file, line, column, message])
}
