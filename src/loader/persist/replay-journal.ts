import type { Intake } from '../../core/fixtures/fixture-data.ts'
import type { Conflict } from '../../core/fixtures/fixtures.ts'
import type { Source } from '../../core/fixtures/source.ts'
import type { LoadedFile } from '../read/read-file.ts'
import { readJournal } from './journal-entry.ts'
import type { JournalSummary } from './journal-summary.ts'
import { createReplay } from './replay.ts'

/**
 * Returns the sources of a fixture file as they are after the writes of its journal, which a killed process
 * has left. Each resource is replayed by `createReplay`.
 * @throws the error of the file system, or an error that says why an entry cannot be applied
 */
export async function replayJournal(
  { sources }: LoadedFile,
  journal: string,
  { names, createdIds }: JournalSummary,
  intake: Intake,
): Promise<ReplayedSources> {
  const written = sources.filter(({ name }) => names.has(name))
  const replays = new Map(
    written.map(({ name, value }) => {
      const isTaken = (id: string): boolean => createdIds.get(name)?.has(id) === true
      const normalized = intake.load(name, value, isTaken)
      return [name, createReplay(normalized, (list) => intake.idsOf(name, list))]
    }),
  )
  await readJournal(journal, (entry) => replays.get(entry.name)?.add(entry))
  const removed = [...names].filter((name) => !replays.has(name))
  const conflicts = removed.map((name): Conflict => ({ collection: name, id: '' }))
  const replayed = sources.map((source) => {
    const result = replays.get(source.name)?.finish()
    if (!result) return source
    for (const id of result.conflicts) conflicts.push({ collection: source.name, id })
    return { ...source, value: result.value }
  })
  return { sources: replayed, conflicts }
}

/**
 * The sources with the writes of the journal, and the records that were edited by hand since, so that their
 * writes were dropped.
 */
export interface ReplayedSources {
  sources: Source[]
  conflicts: Conflict[]
}
