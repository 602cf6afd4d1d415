import { readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Intake } from '../../core/fixtures/fixture-data.ts'
import { type Conflict, pathOf } from '../../core/fixtures/fixtures.ts'
import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import { discover, toLabel, type FixtureFile } from '../discover/discover.ts'
import { exists } from '../discover/exists.ts'
import type { LoadOptions } from '../load.ts'
import { isModule, readFixture } from '../read/read-file.ts'
import { writeDraft } from './temp-file.ts'
import { toFileValue, toFixtureText } from './file-value.ts'
import type { JournalEntry } from './journal.ts'
import { patiently } from './retry-on-windows.ts'
import { toPersistProblem, toTwinProblem } from './persist-problem.ts'
import { idsMade, parseJournal, replay } from './replay.ts'
import { removeIfEmpty, statePathsOf, type StatePaths } from './state-folder.ts'

/** How journals are brought in. */
export interface RecoverOptions extends LoadOptions {
  intake: Intake
}

/**
 * Brings what a killed process left in its journals into the fixture files, before they are loaded. Edits
 * made by hand since then are merged. The journal of a file that does not parse stays until it does.
 */
export async function recoverFixtures(
  paths: readonly string[],
  options: RecoverOptions,
): Promise<Diagnostic[]> {
  const found = await findJournals(paths, options)
  const diagnostics = await Promise.all(
    found.map(async (one) => {
      if (!one.file) return [toUnsaved(one, options)]
      if (one.twin) return [toTwinProblem(one.twin.label, one.file.label)]
      try {
        return await recoverFile(one.file, one, options)
      } catch (error) {
        return [toPersistProblem(one.file.label, error, WAITING)]
      }
    }),
  )
  return diagnostics.flat()
}

/** Says which fixture files have writes in a journal that are not in them. */
export async function findUnsaved(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<Diagnostic[]> {
  const found = await findJournals(paths, options)
  return found.filter(({ entries }) => entries).map((one) => toUnsaved(one, options))
}

const WAITING = ' and start again: writes of the last run are waiting in a journal.'

interface Found {
  /** The fixture file; undefined if it is gone. */
  file: FixtureFile | undefined
  /** The same file by another name. */
  twin?: FixtureFile
  state: StatePaths
  /** Undefined where there is no journal. */
  entries: JournalEntry[] | undefined
}

/** Every fixture file that can be written, and the journals of those that are gone. */
async function findJournals(paths: readonly string[], { cwd }: LoadOptions): Promise<Found[]> {
  const { files } = await discover(paths, cwd ?? process.cwd())
  const found = new Map<string, Found>()
  for (const file of files) {
    if (file.kind === 'schema' || file.scenario !== undefined || isModule(file)) continue
    const state = statePathsOf(await realpath(file.path).catch(() => file.path))
    const same = found.get(state.journal)
    if (same && same.file?.path !== file.path) same.twin = file
    else found.set(state.journal, { file, state, entries: await readJournal(state.journal) })
  }
  for (const folder of new Set([...found.values()].map(({ state }) => state.folder))) {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((name) => name.endsWith('.journal'))) {
      const path = join(dirname(folder), name.slice(0, -'.journal'.length))
      const state = statePathsOf(path)
      // A neighbour that is not served now is none of our business.
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
  { state, entries }: Found,
  { id, intake }: RecoverOptions,
): Promise<Diagnostic[]> {
  // What a killed process had only begun to write.
  for (const draft of [state.temp, `${state.journal}.next`]) {
    await rm(draft, { force: true }).catch(() => undefined)
  }
  if (!entries) {
    await removeIfEmpty(state.folder)
    return []
  }
  const loaded = await readFixture(file, id)
  if (loaded.diagnostics.some(isError)) return []
  const names = new Set(loaded.sources.map(({ name }) => name))
  const gone = new Set(entries.map(({ name }) => name).filter((name) => !names.has(name)))
  const conflicts = [...gone].map((name) => tellConflict(file, { collection: name, id: '' }))
  const sources = loaded.sources.map((source) => {
    const { name, value } = source
    const own = entries.filter((entry) => entry.name === name)
    if (own.length === 0) return source
    const made = idsMade(own)
    const loaded = intake.load(name, value, (id) => made.has(id))
    const played = replay(loaded, own, (list) => intake.idsOf(name, list))
    conflicts.push(...played.conflicts.map((id) => tellConflict(file, { collection: name, id })))
    return { ...source, value: played.value }
  })
  const text = toFixtureText(loaded, await readFile(file.path, 'utf8'), intake.idsOf)
  if (text.update(toFileValue(file, sources))) {
    await writeDraft(state, text.pieces(), await stat(file.path))
    const real = await realpath(file.path)
    await patiently(() => rename(state.temp, real))
  }
  await rm(state.journal, { force: true })
  await removeIfEmpty(state.folder)
  return conflicts
}

function tellConflict(file: FixtureFile, conflict: Conflict): Diagnostic {
  return {
    severity: 'warning',
    file: file.label,
    message: `Failed to keep what a request did to "${pathOf(conflict)}": "${file.label}" was edited meanwhile.`,
    advice: 'The version of the file counts.',
  }
}

function toUnsaved({ file, state, entries = [] }: Found, { cwd }: LoadOptions): Diagnostic {
  const label = toLabel(state.journal, cwd ?? process.cwd())
  const reason = file ? `which "${file.label}" does not have` : 'but its fixture file is gone'
  return {
    severity: 'warning',
    file: label,
    message: `Failed to load all writes: "${label}" holds ${entries.length}, ${reason}.`,
    advice: file
      ? 'Please start once with --persist to take them over, or delete the journal.'
      : 'Please bring the fixture file back, or delete the journal.',
  }
}
