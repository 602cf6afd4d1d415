import { type Diagnostic, isError } from '../../core/fixtures/source.ts'

/**
 * Decides which problems of watched fixture files to report: a problem is reported once when it appears, and
 * again only if its message or position changes.
 */
export interface ProblemTracker {
  /**
   * Compares all problems that there are now with the reported problems. New problems are reported only
   * while the disk is quiet, solved problems at once.
   */
  update(diagnostics: readonly Diagnostic[], isQuiet: boolean): ProblemNews
}

/** The problems to report now. */
export interface ProblemNews {
  reported: Diagnostic[]
  /** The labels of the files that have no error any more. */
  resolved: string[]
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
