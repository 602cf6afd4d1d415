import { MockError } from '../../core/errors/mock-error.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { toPersistProblem } from './persist-problem.ts'

/**
 * A report of a persister: the new problems with writing fixture files, and the files that can be written
 * again.
 */
export interface Report {
  /** New problems. A problem is reported once. */
  reported: Diagnostic[]
  /** Labels of files that can be written again. */
  resolved: string[]
}

/** Reports each problem of each file once, until the file can be written again. */
export interface ProblemReporter {
  /** Reports the result of writing the file with a label: an error, or undefined for success. */
  result(label: string, error: unknown): void
}

/** Creates a reporter of problems. */
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
