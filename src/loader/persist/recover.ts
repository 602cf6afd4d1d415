import { readdir, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Intake } from '../../core/fixtures/fixture-data.ts'
import type { RecordDifference } from '../../core/fixtures/record-difference.ts'
import { type Diagnostic, isError, type Source } from '../../core/fixtures/source.ts'
import { discover, exists, toLabel, type FixtureFile } from '../discover/discover.ts'
import type { LoadOptions } from '../load.ts'
import { createLimit, MAX_READS } from '../read/limit.ts'
import { readFixture } from '../read/read-file.ts'
import type { PreparedFile } from '../watch/scanner.ts'
import { isWritable, replaceFile } from './fixture-file.ts'
import { readJournal, writeJournal } from './journal.ts'
import {
  toDuplicateProblem,
  toEditProblem,
  toPersistProblem,
  toUnreadableProblem,
  toUnsavedProblem,
} from './persist-problem.ts'
import { isMissing, removeIfEmpty, statePathsOf, type StatePaths } from './state-folder.ts'
import type { Conflict } from '../../core/fixtures/fixtures.ts'
import { isSame, type Json, type JsonRecord } from '../../core/json/json.ts'
import { addToMultimap } from '../../core/structures/add-to-multimap.ts'

/** Applies the journals of a killed process, merged with edits since; that of a file with errors stays. */
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

/** Applies a killed process's journal to a file that was not there at the start, unless one cannot be read. */
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

/** Warns of journals with writes that their fixture files lack, or that cannot be read, without `--persist`. */
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

/** Applies the journal of a killed process to a fixture file, and deletes the journal. */
async function recoverFile(
  file: FixtureFile,
  state: StatePaths,
  options: RecoverOptions,
): Promise<PreparedFile> {
  const label = toLabel(state.journal, options.cwd ?? process.cwd())
  try {
    const writes = await readJournal(state)
    // The writes count as missing in the file only as long as the temporary file is there, which is removed.
    if (writes && (await exists(state.temp))) writeJournal(state, writes)
    if (writes) return await applyJournal(file, state, writes, options)
    await removeIncomplete(state)
    return { isDone: true, diagnostics: [] }
  } catch (error) {
    return { isDone: false, diagnostics: [toUnreadableProblem(label, error)] }
  }
}

async function applyJournal(
  file: FixtureFile,
  state: StatePaths,
  writes: readonly RecordDifference[],
  options: RecoverOptions,
): Promise<PreparedFile> {
  const loaded = await readFixture(file, options.id)
  if (loaded.diagnostics.some(isError)) return { isDone: false, diagnostics: [] }
  const { sources, conflicts } = replay(loaded.sources, writes, options.intake)
  try {
    // An edit by hand in the meantime is merged in the next attempt.
    if (!(await replaceFile(loaded, () => sources, options.intake.idsOf))) {
      return await applyJournal(file, state, writes, options)
    }
    await rm(state.journal, { force: true })
    await removeIncomplete(state)
  } catch (error) {
    return { isDone: false, diagnostics: [toPersistProblem(file.label, error, START_AGAIN)] }
  }
  const diagnostics = conflicts.map((conflict) => toEditProblem(file.label, conflict))
  return { isDone: true, diagnostics }
}

const START_AGAIN = ' and start again: a journal holds writes of the last run.'

async function removeIncomplete({ folder, temp, nextJournal }: StatePaths): Promise<void> {
  for (const path of [temp, nextJournal]) await rm(path, { force: true }).catch(() => undefined)
  await removeIfEmpty(folder)
}

async function findUnsavedIn(
  { file, state }: FoundState,
  { cwd = process.cwd() }: LoadOptions,
  severity: Diagnostic['severity'],
): Promise<Diagnostic[]> {
  const label = toLabel(state.journal, cwd)
  try {
    const { length } = (await readJournal(state)) ?? []
    return length === 0 ? [] : [toUnsavedProblem(label, length, file?.label)]
  } catch (error) {
    return [{ ...toUnreadableProblem(label, error), severity }]
  }
}

interface FoundState {
  /** The fixture file; undefined if the file has been removed. */
  file: FixtureFile | undefined
  /** The same file under another path. */
  duplicate?: FixtureFile
  state: StatePaths
  /** Whether the state folder has a file of this state. */
  hasLeftovers: boolean
}

/** Finds the state files of killed processes, also for removed fixture files, and the problems of their folders. */
async function findStates(
  paths: readonly string[],
  cwd: string = process.cwd(),
): Promise<{ found: FoundState[]; problems: Diagnostic[] }> {
  const { files } = await discover(paths, cwd)
  const found = new Map<string, FoundState>()
  for (const file of files.filter(isWritable)) {
    const state = await stateOf(file)
    const same = found.get(state.journal)
    if (same && same.file?.path !== file.path) same.duplicate = file
    else found.set(state.journal, { file, state, hasLeftovers: false })
  }
  const problems: Diagnostic[] = []
  for (const folder of new Set([...found.values()].map(({ state }) => state.folder))) {
    const names = await readdir(folder).catch((error: unknown) => {
      if (!isMissing(error)) problems.push(toUnreadableProblem(toLabel(folder, cwd), error))
      return []
    })
    for (const name of names) {
      const base = LEFTOVER.exec(name)?.[1]
      if (base === undefined) continue
      const path = join(dirname(folder), base)
      const state = statePathsOf(path)
      const known = found.get(state.journal)
      if (known) known.hasLeftovers = true
      else if (name.endsWith('.journal') && !(await exists(path))) {
        found.set(state.journal, { file: undefined, state, hasLeftovers: true })
      }
    }
  }
  return { found: [...found.values()], problems }
}

async function stateOf(file: FixtureFile): Promise<StatePaths> {
  return statePathsOf(await realpath(file.path).catch(() => file.path))
}

/** The name of a journal, or of an incomplete file. */
const LEFTOVER = /^(.+)\.(?:journal|journal\.next|tmp)$/

/**
 * Applies the writes of a journal to the resources of a file. A record whose value is any state from the
 * journal was not edited since, however many of the writes the file has. Any other value is an edit by hand
 * and wins: the writes to that record are dropped.
 */
function replay(
  sources: readonly Source[],
  writes: readonly RecordDifference[],
  intake: Intake,
): Replayed {
  const conflicts: Conflict[] = []
  const byName = new Map<string, RecordDifference[]>()
  for (const write of writes) addToMultimap(byName, write.collection, write)
  const replayed = sources.map((source): Source => {
    const own = byName.get(source.name)
    byName.delete(source.name)
    if (!own) return source
    const created = findCreated(own)
    const value = intake.load(source.name, source.value, (id) => created.has(id))
    const result = replayResource(value, own, (list) => intake.idsOf(source.name, list))
    for (const id of result.conflicts) conflicts.push({ collection: source.name, id })
    return { ...source, value: result.value }
  })
  for (const name of byName.keys()) conflicts.unshift({ collection: name, id: '' })
  return { sources: replayed, conflicts }
}

/** The sources with the writes of the journal, and the records whose writes an edit by hand dropped. */
interface Replayed {
  sources: Source[]
  conflicts: Conflict[]
}

/** The ids of records that requests have created, and not the fixture file since. */
function findCreated(writes: readonly RecordDifference[]): Set<string> {
  const created = new Set<string>()
  const last = new Map<string, JsonRecord | undefined>()
  for (const { id, type, record, previous } of writes) {
    if (id === undefined) continue
    if (type === 'created') created.add(id)
    else if (!isSame(previous, last.get(id))) created.delete(id)
    last.set(id, record)
  }
  return created
}

function replayResource(
  value: Json,
  writes: readonly RecordDifference[],
  idsOf: (list: readonly Json[]) => readonly string[],
): { value: Json; conflicts: string[] } {
  const isList = Array.isArray(value)
  const ids = isList ? idsOf(value) : []
  const records = new Map<string, Json>(
    isList ? value.map((record, at) => [ids[at] ?? '', record]) : [['', value]],
  )
  const states = new Map<string, (Json | undefined)[]>()
  for (const { id = '', previous, record } of writes) {
    addToMultimap(states, id, previous)
    addToMultimap(states, id, record)
  }
  const conflicts = new Set<string>()
  for (const [id, ofRecord] of states) {
    const isUnedited = ofRecord.some((state) => isSame(state, records.get(id)))
    if (isList === (id === '') || !isUnedited) conflicts.add(id)
  }
  for (const { id = '', record, isMoved } of writes) {
    if (conflicts.has(id)) continue
    if (!record || isMoved) records.delete(id)
    if (record) records.set(id, record)
  }
  const result = isList ? [...records.values()] : (records.get('') ?? value)
  return { value: result, conflicts: [...conflicts] }
}
