import type { Operand } from '../../json/equality.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { Indexes, OrderKey, Urgency } from '../../structures/indexes.ts'
import { type Bits, createBits, noSlots, setBit } from '../../structures/slot-set.ts'
import { createVersionedCache } from '../../structures/versioned-cache.ts'
import {
  type Before,
  type Building,
  type Index,
  type IndexedRecords,
  workPerStep,
} from './indexed.ts'
import { sortRecordSlots } from './order.ts'
import { buildPostings, type Key, type Postings, toKey, tooMany } from './postings.ts'
import { buildTexts } from './texts.ts'

/** The indexes of a collection, which records every write: the next query updates the indexes it uses. */
export interface CollectionIndexes extends Indexes {
  /** Records a write to a slot, with the record before the write. */
  noteWrite(slot: number, before: JsonRecord | undefined): void
}

/** The most indexes of a collection: a further index replaces the index that was used least recently. */
const maxIndexes = 64
/** An index goes that none of so many questions has used: they take minutes of use by people and seconds of load. */
const maxIdle = 100_000
/** The most names of indexes that are remembered for the second query; then all names are forgotten. */
const maxRequested = 1000
/** The work on an index that a query does while it is built: about 10 milliseconds. */
const workPerQuery = 4 * workPerStep

/** An index, or the steps that build it from the records before the writes that it has not seen. */
interface Entry {
  index?: Index<unknown> | undefined
  building?: Building<unknown> | undefined
  /** The number of writes that the index has applied. */
  seen: number
  /** The number of the question that used it last. */
  used: number
}

/** Creates the indexes of a collection; each index is built later. */
export function createIndexes(records: IndexedRecords): CollectionIndexes {
  const entries = new Map<string, Entry>()
  /** The names of indexes that a query could have used. */
  const requested = new Set<string>()
  let questions = 0
  let writes: { slot: number; before: JsonRecord | undefined }[] = []

  /** The updated entries of an index; undefined while it is not complete. */
  function entriesOf<Entries>(
    name: string,
    urgency: Urgency,
    build: () => Building<Entries> | undefined,
  ): Entries | undefined {
    let entry = entries.get(name)
    if (!entry) {
      if (urgency === 'second' && !requested.has(name)) {
        if (requested.size === maxRequested) requested.clear()
        requested.add(name)
        return undefined
      }
      const building = build()
      if (!building) return undefined
      entry = { building, seen: writes.length, used: 0 }
      entries.set(name, entry)
    }
    entry.used = ++questions
    if (entries.size > maxIndexes || questions % 1024 === 0) removeIdle()
    advance(entry, urgency === 'whole' ? Infinity : workPerQuery)
    if (entry.index && entry.seen < writes.length) {
      entry.index.update(writesSince(entry.seen), records)
      entry.seen = writes.length
    }
    return entry.index?.entries as Entries | undefined
  }

  /** Removes the indexes that were used least recently, if they are too many or idle. */
  function removeIdle(): void {
    const latestFirst = [...entries].sort(([, one], [, other]) => other.used - one.used)
    for (const [at, [name, { used }]] of latestFirst.entries())
      if (at >= maxIndexes || questions - used > maxIdle) entries.delete(name)
  }

  function writesSince(seen: number): Before {
    const before = new Map<number, JsonRecord | undefined>()
    for (let at = seen; at < writes.length; at++) {
      const write = writes[at]
      if (write && !before.has(write.slot)) before.set(write.slot, write.before)
    }
    return before
  }

  function* build(paths: readonly Path[], order: readonly OrderKey[]): Building<Postings> {
    const snapshot = records.snapshot()
    const slots = yield* sortRecordSlots(snapshot, order)
    return yield* buildPostings(snapshot, paths, order, slots)
  }

  function postingsOf(
    paths: readonly Path[],
    order: readonly OrderKey[],
    urgency: Urgency,
  ): Postings | undefined {
    return entriesOf(nameOf(paths, order), urgency, () => {
      if (paths.length === 0 || order.length === 0) return build(paths, order)
      // The lists are filled in the order of all records.
      const sooner = urgency === 'second' ? 'first' : urgency
      const all = postingsOf([], order, sooner)?.get('')?.list.slice()
      return all && buildPostings(records.snapshot(), paths, order, all)
    })
  }

  const results = createVersionedCache(() => records.version)
  return {
    get length() {
      return records.length
    },
    at: records.at,
    results,
    live: () => results.get('live', () => liveSlots(records)),
    lists(paths, values, order = [], urgency = 'second') {
      const postings = postingsOf(paths, order, urgency)
      if (!postings || postings.has(tooMany)) return undefined
      return keysOf(values).map((key) => postings.get(key) ?? noSlots)
    },
    texts: (path, text) =>
      entriesOf(`~${path.join('\0')}`, 'second', () => buildTexts(records.snapshot(), path))?.(
        text,
        records.length,
      ),
    noteWrite(slot, before) {
      if (entries.size === 0) return
      writes.push({ slot, before })
      // Past this many writes, rebuilding an index is cheaper than replaying them.
      if (writes.length <= 1024 + records.size / 8) return
      const half = writes.length >> 1
      for (const [name, entry] of entries) {
        entry.seen -= half
        if (entry.seen < 0) entries.delete(name)
      }
      writes = entries.size > 0 ? writes.slice(half) : []
    },
  }
}

/** Returns the keys of all combinations of a value for each path, without paths that of the list of all records. */
function keysOf(values: readonly (readonly Operand[])[]): readonly Key[] {
  const [only = ['']] = values
  if (values.length < 2) return only
  let joined: Operand[][] = [[]]
  for (const some of values) joined = joined.flatMap((one) => some.map((value) => [...one, value]))
  return joined.map(toKey)
}

/** The name of an index, which is short for the usual one over a field, without an order. */
function nameOf(paths: readonly Path[], order: readonly OrderKey[]): string {
  const [[field = '', ...inner] = []] = paths
  if (paths.length === 1 && inner.length === 0 && order.length === 0) return `=${field}`
  return JSON.stringify([paths, order.map(({ path, descending }) => [descending, ...path])])
}

/** Continues to build an index, until it is complete or the work is done. */
function advance(entry: Entry, most: number): void {
  for (let work = 0; entry.building && work < most;) {
    const step = entry.building.next()
    if (!step.done) work += step.value
    else [entry.index, entry.building] = [step.value, undefined]
  }
}

/** Returns the slots (indexes in the collection) that hold a record. */
function liveSlots({ size, length, at }: IndexedRecords): Bits {
  const slots = createBits(length)
  if (size < length) {
    for (let slot = 0; slot < length; slot++) if (at(slot)) setBit(slots, slot)
  } else {
    slots.fill(-1)
    // The last word has bits of slots that are not in use.
    if (length % 32 > 0) slots[slots.length - 1] = 2 ** (length % 32) - 1
  }
  return slots
}
