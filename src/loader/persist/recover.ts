import { rm } from 'node:fs/promises'
import type { Intake } from '../../core/fixtures/fixture-data.ts'
import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import { toLabel, type FixtureFile } from '../discover/discover.ts'
import type { LoadOptions } from '../load.ts'
import { readFixture } from '../read/read-file.ts'
import type { PreparedFile } from '../watch/new-files.ts'
import { findStates, isWritable, stateOf } from './find-states.ts'
import { findUnsavedIn } from './find-unsaved.ts'
import { summarize, type JournalSummary } from './journal-summary.ts'
import { createLimit, MAX_READS } from '../read/limit.ts'
import {
  toDuplicateProblem,
  toEditProblem,
  toPersistProblem,
  toUnreadableProblem,
} from './persist-problem.ts'
import { replaceFile } from './replace-file.ts'
import { replayJournal } from './replay-journal.ts'
import { removeIfEmpty, type StatePaths } from './state-folder.ts'

/**
 * Recovers the writes of a killed process before the fixtures are loaded: applies the journals, which have the
 * writes that are not in the fixture files, and merges them with edits made since. The journal of a file with
 * errors stays until the file can be loaded.
 */
export async function recoverFixtures(
  paths: readonly string[],
  options: RecoverOptions,
): Promise<Diagnostic[]> {
  const { found, problems } = await findStates(paths, options.cwd)
  const limit = createLimit(MAX_READS)
  const recovered = found.map((one) =>
    limit(async (): Promise<Diagnostic[]> => {
      const { file, duplicate, state, hasLeftovers } = one
      if (!file) return findUnsavedIn(one, options, 'error')
      if (duplicate) return [toDuplicateProblem(duplicate.label, file.label)]
      return hasLeftovers ? (await recoverFile(file, state, options)).diagnostics : []
    }),
  )
  const diagnostics = [...problems, ...(await Promise.all(recovered)).flat()]
  for (const folder of new Set(found.map(({ state }) => state.folder))) await removeIfEmpty(folder)
  return diagnostics
}

/** The options of {@link recoverFixtures}. */
export interface RecoverOptions extends LoadOptions {
  intake: Intake
}

/** Returns the label of the file that a journal at a path belongs to in this process; undefined for no file. */
export type FindOwner = (journal: string) => string | undefined

/**
 * Applies the journal of a killed process to a fixture file that was not there at the start. Is not done as long
 * as the file or its journal cannot be read.
 */
export async function recoverNewFile(
  file: FixtureFile,
  findOwner: FindOwner,
  options: RecoverOptions,
): Promise<PreparedFile> {
  if (!isWritable(file)) return { isDone: true, diagnostics: [] }
  const state = await stateOf(file)
  const owner = findOwner(state.journal)
  if (owner === undefined) return recoverFile(file, state, options)
  return { isDone: false, diagnostics: [toDuplicateProblem(file.label, owner)] }
}

/** Applies the journal of a killed process to a fixture file, and deletes the journal. */
async function recoverFile(
  file: FixtureFile,
  state: StatePaths,
  options: RecoverOptions,
): Promise<PreparedFile> {
  const label = toLabel(state.journal, options.cwd ?? process.cwd())
  try {
    const summary = await summarize(state.journal)
    // Incomplete files of a killed process.
    for (const path of [state.temp, state.nextJournal]) {
      await rm(path, { force: true }).catch(() => undefined)
    }
    if (summary) return await applyJournal(file, state, summary, options)
    await removeIfEmpty(state.folder)
    return { isDone: true, diagnostics: [] }
  } catch (error) {
    return { isDone: false, diagnostics: [toUnreadableProblem(label, error)] }
  }
}

async function applyJournal(
  file: FixtureFile,
  state: StatePaths,
  summary: JournalSummary,
  options: RecoverOptions,
): Promise<PreparedFile> {
  const loaded = await readFixture(file, options.id)
  if (loaded.diagnostics.some(isError)) return { isDone: false, diagnostics: [] }
  const replayed = await replayJournal(loaded, state.journal, summary, options.intake)
  try {
    // An edit by hand in the meantime is merged in the next attempt.
    if (!(await replaceFile(loaded, replayed.sources, options.intake.idsOf))) {
      return await applyJournal(file, state, summary, options)
    }
    await rm(state.journal, { force: true })
    await removeIfEmpty(state.folder)
  } catch (error) {
    return { isDone: false, diagnostics: [toPersistProblem(file.label, error, START_AGAIN)] }
  }
  return {
    isDone: true,
    diagnostics: replayed.conflicts.map((conflict) => toEditProblem(file.label, conflict)),
  }
}

const START_AGAIN = ' and start again: a journal holds writes of the last run.'
