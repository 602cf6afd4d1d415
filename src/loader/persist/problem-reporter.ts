import { MockError } from '../../core/errors/mock-error.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { toPersistProblem } from './persist-problem.ts'

/**
 * Creates a reporter of the problems with writing fixture files. A problem of a file is reported once, until
 * the file can be written again.
 */
export function createProblemReporter(report: (news: Report) => void): ProblemReporter {
  /** The last problem of each file that cannot be written, by label. */
  const problems = new Map<string, string>()
  return {
    result(label, error) {
      if (error === undefined) {
        if (problems.delete(label)) report({ reported: [], resolved: [label] })
        return
      }
      const problem = toPersistProblem(label, error)
      // The loss of the lock concerns all files.
      const key = error instanceof MockError ? '' : label
      if (problems.get(key) === problem.message) return
      problems.set(key, problem.message)
      report({ reported: [problem], resolved: [] })
    },
  }
}

/** Receives the results of writing fixture files. */
export interface ProblemReporter {
  /** Reports the result of writing the file with a label: an error, or undefined for success. */
  result(label: string, error: unknown): void
}

/** The new problems with writing fixture files, and the files that can be written again. */
export interface Report {
  /** New problems. A problem is reported once. */
  reported: Diagnostic[]
  /** Labels of files that can be written again. */
  resolved: string[]
}
