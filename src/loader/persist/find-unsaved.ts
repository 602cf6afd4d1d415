import type { Diagnostic } from '../../core/fixtures/source.ts'
import { toLabel } from '../discover/discover.ts'
import type { LoadOptions } from '../load.ts'
import { createLimit, MAX_READS } from '../read/limit.ts'
import { findStates, type FoundState } from './find-states.ts'
import { summarize } from './journal-summary.ts'
import { toUnreadableProblem, toUnsavedProblem } from './persist-problem.ts'

/**
 * Returns a warning about each journal with writes that its fixture file does not have, or that cannot be read. A
 * server without `--persist` reports them at its start, and leaves the journals to a server with `--persist`.
 */
export async function findUnsaved(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<Diagnostic[]> {
  const { found, problems } = await findStates(paths, options.cwd)
  const limit = createLimit(MAX_READS)
  const left = found.filter(({ hasLeftovers }) => hasLeftovers)
  const unsaved = left.map((one) => limit(() => findUnsavedIn(one, options, 'warning')))
  const warnings = problems.map((problem): Diagnostic => ({ ...problem, severity: 'warning' }))
  return [...warnings, ...(await Promise.all(unsaved)).flat()]
}

/** Finds the writes of one journal that its fixture file does not have. */
export async function findUnsavedIn(
  { file, state }: FoundState,
  { cwd = process.cwd() }: LoadOptions,
  severity: Diagnostic['severity'],
): Promise<Diagnostic[]> {
  const label = toLabel(state.journal, cwd)
  try {
    const { count } = (await summarize(state.journal)) ?? { count: 0 }
    return count === 0 ? [] : [toUnsavedProblem(label, count, file?.label)]
  } catch (error) {
    return [{ ...toUnreadableProblem(label, error), severity }]
  }
}
