import { readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Intake } from '../../core/fixtures/fixture-data.ts'
import { type Conflict, pathOf } from '../../core/fixtures/fixtures.ts'
import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import { discover, toLabel, type FixtureFile } from '../discover/discover.ts'
import { exists } from '../discover/exists.ts'
import type { LoadOptions } from '../load.ts'
import { isModule, readFixture } from '../read/read-file.ts'
import { writeTempFile } from './temp-file.ts'
import { toFileValue, toFixtureText } from './file-value.ts'
import type { JournalEntry } from './journal.ts'
import { retryOnWindows } from './retry-on-windows.ts'
import { toDuplicateProblem, toPersistProblem } from './persist-problem.ts'
import { findCreatedIds, parseJournal, replay } from './replay.ts'
import { removeIfEmpty, statePathsOf, type StatePaths } from './state-folder.ts'

/**
 * The options of {@link recoverFixtures}, which applies the journals of a killed process (its writes that
 * are not in the fixture files) when the mock starts again.
 */
export interface RecoverOptions extends LoadOptions {
  intake: Intake
}

/**
 * Applies the journals of a killed process to the fixture files, before they are loaded, and merges them
 * with edits made since. The journal of a file with errors stays until the file can be loaded.
 */
export async function recoverFixtures(
  paths: readonly string[],
  options: RecoverOptions,
): Promise<Diagnostic[]> {
  const journals = await findJournals(paths, options)
  const diagnostics = await Promise.all(
    journals.map(async (journal) => {
      const { file, duplicate } = journal
      if (!file) return [toUnsavedWarning(journal, options)]
      if (duplicate) return [toDuplicateProblem(duplicate.label, file.label)]
      try {
        return await recoverFile(file, journal, options)
      } catch (error) {
        return [toPersistProblem(file.label, error, START_AGAIN)]
      }
    }),
  )
  return diagnostics.flat()
}

/** Warns about each journal with writes that its fixture file does not have. */
export async function findUnsaved(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<Diagnostic[]> {
  const journals = await findJournals(paths, options)
  return journals
    .filter(({ entries }) => entries)
    .map((journal) => toUnsavedWarning(journal, options))
}

const START_AGAIN = ' and start again: a journal holds writes of the last run.'

interface FoundJournal {
  /** The fixture file; undefined if the file has been removed. */
  file: FixtureFile | undefined
  /** The same file under another path. */
  duplicate?: FixtureFile
  state: StatePaths
  /** Undefined if there is no journal. */
  entries: JournalEntry[] | undefined
}

/** Finds the journals of all writable fixture files, and of fixture files that have been removed. */
async function findJournals(
  paths: readonly string[],
  { cwd }: LoadOptions,
): Promise<FoundJournal[]> {
  const { files } = await discover(paths, cwd ?? process.cwd())
  const found = new Map<string, FoundJournal>()
  for (const file of files) {
    if (file.kind === 'schema' || file.scenario !== undefined || isModule(file)) continue
    const state = statePathsOf(await realpath(file.path).catch(() => file.path))
    const same = found.get(state.journal)
    if (same && same.file?.path !== file.path) same.duplicate = file
    else found.set(state.journal, { file, state, entries: await readJournal(state.journal) })
  }
  for (const folder of new Set([...found.values()].map(({ state }) => state.folder))) {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((name) => name.endsWith('.journal'))) {
      const path = join(dirname(folder), name.slice(0, -'.journal'.length))
      const state = statePathsOf(path)
      // The journals of existing files that are not served are left alone.
      if (found.has(state.journal) || (await exists(path))) continue
      found.set(state.journal, {
        file: undefined,
        state,
        entries: await readJournal(state.journal),
      })
    }
  }
  return [...found.values()]
}

function readJournal(path: string): Promise<JournalEntry[] | undefined> {
  return readFile(path, 'utf8').then(parseJournal, () => undefined)
}

async function recoverFile(
  file: FixtureFile,
  { state, entries }: FoundJournal,
  { id, intake }: RecoverOptions,
): Promise<Diagnostic[]> {
  // Incomplete files of a killed process.
  for (const path of [state.temp, `${state.journal}.next`]) {
    await rm(path, { force: true }).catch(() => undefined)
  }
  if (!entries) {
    await removeIfEmpty(state.folder)
    return []
  }
  const loaded = await readFixture(file, id)
  if (loaded.diagnostics.some(isError)) return []
  const names = new Set(loaded.sources.map(({ name }) => name))
  const removed = new Set(entries.map(({ name }) => name).filter((name) => !names.has(name)))
  const conflicts = [...removed].map((name) =>
    toConflictWarning(file, { collection: name, id: '' }),
  )
  const sources = loaded.sources.map((source) => {
    const { name, value } = source
    const ownEntries = entries.filter((entry) => entry.name === name)
    if (ownEntries.length === 0) return source
    const createdIds = findCreatedIds(ownEntries)
    const normalized = intake.load(name, value, (id) => createdIds.has(id))
    const replayed = replay(normalized, ownEntries, (list) => intake.idsOf(name, list))
    for (const id of replayed.conflicts) {
      conflicts.push(toConflictWarning(file, { collection: name, id }))
    }
    return { ...source, value: replayed.value }
  })
  const text = toFixtureText(loaded, await readFile(file.path, 'utf8'), intake.idsOf)
  if (text.update(toFileValue(file, sources))) {
    await writeTempFile(state, text.pieces(), await stat(file.path))
    const real = await realpath(file.path)
    await retryOnWindows(() => rename(state.temp, real))
  }
  await rm(state.journal, { force: true })
  await removeIfEmpty(state.folder)
  return conflicts
}

function toConflictWarning(file: FixtureFile, conflict: Conflict): Diagnostic {
  return {
    severity: 'warning',
    file: file.label,
    message: `Failed to keep the change of a request to "${pathOf(conflict)}": "${file.label}" was edited in the meantime.`,
    advice: 'The version in the file is used.',
  }
}

function toUnsavedWarning(
  { file, state, entries = [] }: FoundJournal,
  { cwd }: LoadOptions,
): Diagnostic {
  const label = toLabel(state.journal, cwd ?? process.cwd())
  const count = `${entries.length} ${entries.length === 1 ? 'write' : 'writes'}`
  const reason = file ? `that "${file.label}" does not have` : 'of a fixture file that was removed'
  return {
    severity: 'warning',
    file: label,
    message: `Failed to load all writes: "${label}" holds ${count} ${reason}.`,
    advice: file
      ? 'Please start once with --persist to write them, or delete the journal.'
      : 'Please restore the fixture file, or delete the journal.',
  }
}
