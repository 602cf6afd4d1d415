import { readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../core/source.ts'
import { writeDraft } from './atomic-write.ts'
import { discover, toLabel, type FixtureFile } from './discover.ts'
import { toFileValue, toPatchOptions, type IdsOf } from './file-value.ts'
import type { JournalEntry } from './journal.ts'
import type { LoadOptions } from './load.ts'
import { createFixtureText } from './patch-text.ts'
import { toPersistProblem } from './persist-problem.ts'
import { isModule, readFixture } from './read-file.ts'
import { parseJournal, replay } from './replay.ts'
import { removeIfEmpty, statePathsOf, type StatePaths } from './state-folder.ts'

/** How journals are brought in. */
export interface RecoverOptions extends LoadOptions {
  idsOf: IdsOf
}

/**
 * Brings what a killed process left in its journals into the fixture files, before they are loaded. Edits
 * made by hand since then are merged. The journal of a file that does not parse stays until it does.
 */
export async function recoverFixtures(
  paths: readonly string[],
  options: RecoverOptions,
): Promise<Diagnostic[]> {
  const { found, drafts } = await findJournals(paths, options)
  for (const draft of drafts) await rm(draft, { force: true }).catch(() => undefined)
  const diagnostics = await Promise.all(
    found.map(async ({ file, state, entries }) => {
      try {
        return file ? await recoverFile(file, state, entries, options) : []
      } catch (error) {
        return [toPersistProblem(file?.label ?? state.journal, error, WAITING)]
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
  const { found } = await findJournals(paths, options)
  return found.map(({ file, state, entries }) => {
    const label = toLabel(state.journal, options.cwd ?? process.cwd())
    const reason = file ? `which "${file.label}" does not have` : 'but its fixture file is gone'
    return {
      severity: 'warning',
      file: label,
      message: `Failed to load all writes: "${label}" holds ${entries.length}, ${reason}.`,
      advice: file
        ? 'Please start once with --persist to take them over, or delete the journal.'
        : 'Please bring the fixture file back, or delete the journal.',
    }
  })
}

const WAITING = ' and start again: writes of the last run are waiting in a journal.'

interface Found {
  /** The fixture file; undefined if it is gone. */
  file: FixtureFile | undefined
  state: StatePaths
  entries: JournalEntry[]
}

/** The journals beside the fixture files, and what a killed process had only begun to write. */
async function findJournals(
  paths: readonly string[],
  { cwd }: LoadOptions,
): Promise<{ found: Found[]; drafts: string[] }> {
  const { files } = await discover(paths, cwd ?? process.cwd())
  const states = new Map<string, { file: FixtureFile; state: StatePaths }>()
  for (const file of files) {
    if (file.kind === 'schema' || file.scenario !== undefined || isModule(file)) continue
    const state = statePathsOf(await realpath(file.path).catch(() => file.path))
    states.set(state.journal, { file, state })
  }
  const folders = new Set([...states.values()].map(({ state }) => state.folder))
  const found: Found[] = []
  const drafts: string[] = []
  for (const folder of folders) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      const known = states.get(path)
      if (name.endsWith('.tmp') || name.endsWith('.next')) drafts.push(path)
      if (!name.endsWith('.journal')) continue
      const entries = parseJournal(await readFile(path, 'utf8'))
      const state =
        known?.state ?? statePathsOf(join(dirname(folder), name.replace(/\.journal$/, '')))
      found.push({ file: known?.file, state, entries })
    }
  }
  return { found, drafts }
}

async function recoverFile(
  file: FixtureFile,
  state: StatePaths,
  entries: readonly JournalEntry[],
  { id, idsOf }: RecoverOptions,
): Promise<Diagnostic[]> {
  const loaded = await readFixture(file, id)
  if (loaded.diagnostics.some(({ severity }) => severity === 'error')) return []
  const conflicts: Diagnostic[] = []
  const sources = loaded.sources.map((source) => {
    const { name, value } = source
    const own = entries.filter((entry) => entry.name === name)
    const played = replay(value, own, (list) => idsOf(name, list))
    conflicts.push(...played.conflicts.map((id) => toConflict(file, name, id)))
    return { ...source, value: played.value }
  })
  const text = createFixtureText(
    await readFile(file.path, 'utf8'),
    toFileValue(file, loaded.sources),
    toPatchOptions(file, idsOf),
  )
  if (entries.length > 0 && text.update(toFileValue(file, sources))) {
    await writeDraft(state, text.pieces(), await stat(file.path))
    await rename(state.temp, await realpath(file.path))
  }
  await rm(state.journal, { force: true })
  await removeIfEmpty(state.folder)
  return conflicts
}

function toConflict(file: FixtureFile, name: string, id: string): Diagnostic {
  return {
    severity: 'warning',
    file: file.label,
    message: `Failed to keep what a request did to "${id === '' ? name : `${name}/${id}`}": "${file.label}" was edited meanwhile.`,
    advice: 'The version of the file counts.',
  }
}
