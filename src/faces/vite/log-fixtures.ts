import type { Logger } from 'vite'
import { type Conflict, pathOf } from '../../core/fixtures/fixtures.ts'
import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import { formatDiagnostic } from '../../loader/check/format.ts'
import { describeSkipped } from '../../loader/discover/extensions.ts'
import type { LoadResult } from '../../loader/load.ts'
import type { FixtureChange } from '../../loader/watch/change.ts'

/** Logs the problems of the fixtures that a Vite server has loaded, and the files that were not loaded. */
export function logLoaded({ diagnostics, skipped }: LoadResult, logger: Logger): void {
  logProblems(diagnostics, logger)
  for (const line of describeSkipped(skipped)) logger.warn(line, stamped)
}

/**
 * Logs a change of the fixture files: new problems, files without errors again, and conflicts with requests.
 */
export function logChange(
  { reported, resolved }: FixtureChange,
  conflicts: readonly Conflict[],
  logger: Logger,
): void {
  logProblems(reported, logger)
  for (const file of resolved) logger.info(`${file} can be read again.`, stamped)
  for (const conflict of conflicts) {
    logger.warn(`${pathOf(conflict)}: the fixture replaced changes made by requests.`)
  }
}

const stamped = { timestamp: true }

function logProblems(problems: readonly Diagnostic[], logger: Logger): void {
  for (const problem of problems) {
    const log = isError(problem) ? logger.error : logger.warn
    log(formatDiagnostic(problem), stamped)
  }
}
