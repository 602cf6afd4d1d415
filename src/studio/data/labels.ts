import { type Signal, signal } from '@preact/signals'
import { ask, dbPath, findRows } from '../control.ts'
import { findResource, revision, type Row } from '../app/state.ts'

/**
 * Returns the record that a foreign key leads to, null if there is none, and undefined until it is known. The
 * records of all keys that a frame shows are fetched with one request for each collection.
 */
export function referredRecord(collection: string, id: string): Row | null | undefined {
  const known = records.value.get(keyOf(collection, id))
  if (known?.revision !== revision.value) request(collection, id)
  return known?.record
}

/** Finds records whose text contains what a person types, for a picker. */
export async function findReferred(collection: string, text: string): Promise<Row[]> {
  const [byText, byId] = await Promise.all([
    findRows(collection, { ...(text !== '' && { search: text }), limit: 12 }),
    text === ''
      ? undefined
      : ask<Row>(dbPath(collection), { params: { id: text } }).catch(() => undefined),
  ])
  const idField = findResource(collection)?.idField ?? 'id'
  const others = byId ? byText.filter((one) => one[idField] !== byId[idField]) : byText
  return [...(byId ? [byId] : []), ...others]
}

interface Known {
  record: Row | null
  revision: number
}

const records: Signal<ReadonlyMap<string, Known>> = signal(new Map())

/** The most records that are kept. */
const maxRecords = 5000

/** The ids to fetch by collection; undefined while no request is prepared. */
let wanted: Map<string, Set<string>> | undefined

/** The keys that were asked for, with the revision. */
const asked = new Map<string, number>()

function keyOf(collection: string, id: string): string {
  return `${collection} ${id}`
}

function request(collection: string, id: string): void {
  const key = keyOf(collection, id)
  if (asked.get(key) === revision.peek()) return
  asked.set(key, revision.peek())
  if (!wanted) {
    wanted = new Map()
    setTimeout(() => {
      for (const [name, ids] of wanted ?? []) void fetchRecords(name, [...ids])
      wanted = undefined
    }, 20)
  }
  wanted.set(collection, (wanted.get(collection) ?? new Set()).add(id))
}

async function fetchRecords(collection: string, ids: readonly string[]): Promise<void> {
  const { idField = 'id' } = findResource(collection) ?? {}
  const turn = revision.peek()
  const input = { where: { [idField]: { in: ids } } }
  const found = await findRows(collection, input).catch(() => undefined)
  if (!found) return
  const next = new Map(records.peek())
  if (next.size > maxRecords) {
    next.clear()
    asked.clear()
  }
  for (const id of ids) next.set(keyOf(collection, id), { record: null, revision: turn })
  for (const record of found)
    next.set(keyOf(collection, String(record[idField])), { record, revision: turn })
  records.value = next
}
