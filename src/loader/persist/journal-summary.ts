import { readJournal } from './journal-entry.ts'

/**
 * Reads a journal once for the facts that have to be known before its entries are applied; undefined if there
 * is no journal.
 * @throws the error of the file system, or an error that names a line that is not a journal entry
 */
export async function summarize(path: string): Promise<JournalSummary | undefined> {
  const summary: JournalSummary = { count: 0, names: new Set(), createdIds: new Map() }
  const hasJournal = await readJournal(path, ({ name, id, from }) => {
    summary.count++
    summary.names.add(name)
    if (id === undefined || from === undefined) return
    const created = summary.createdIds.get(name) ?? new Set()
    summary.createdIds.set(name, created)
    // The last entry with a previous value says whether a request has created the record.
    if (from === null) created.add(id)
    else created.delete(id)
  })
  return hasJournal ? summary : undefined
}

/** The result of {@link summarize}. */
export interface JournalSummary {
  /** The number of entries. */
  count: number
  /** The names of the resources that were written. */
  names: Set<string>
  /** The ids of the records that requests have created, by resource name. */
  createdIds: Map<string, Set<string>>
}
