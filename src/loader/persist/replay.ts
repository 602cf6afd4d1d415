import type { Intake } from '../../core/fixtures/fixture-data.ts'
import type { Conflict } from '../../core/fixtures/fixtures.ts'
import type { RecordDifference } from '../../core/fixtures/record-difference.ts'
import type { Source } from '../../core/fixtures/source.ts'
import { isSame, type Json, type JsonRecord } from '../../core/json/json.ts'
import { addToMultimap } from '../../core/structures/add-to-multimap.ts'

/**
 * Applies the writes of a journal to the resources of a file. A record whose value is any state from the
 * journal was not edited since, however many of the writes the file has. Any other value is an edit by hand
 * and wins: the writes to that record are dropped.
 */
export function replay(
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
export interface Replayed {
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
