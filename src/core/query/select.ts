import type { JsonRecord } from '../json/json.ts'
import type { VersionedCache } from '../structures/versioned-cache.ts'
import type { Path } from '../json/path.ts'
import { joinTests, type Predicate } from './predicate.ts'
import { sortRecords } from './sort.ts'
import type { Condition, Query, SortKey, Where } from './tree.ts'
import { compileSearch } from './search.ts'
import { compileWhere } from './where.ts'

/**
 * The collection that a query runs on: its records in insertion order, and `shortcuts` to indexes and cached
 * results if the collection has them.
 */
export interface QuerySource {
  readonly name: string
  records(): readonly JsonRecord[]
  /** The ordinal of a record, which orders equal records and stays the same until the record is removed. */
  ordinalOf(record: JsonRecord): number
  /** Indexes of the records, if there are any. */
  shortcuts?: Shortcuts
}

/** Access to the records of a collection that avoids a scan. Slots ascend in the order of the records. */
export interface Shortcuts {
  /** One more than the highest slot in use. */
  readonly length: number
  at(slot: number): JsonRecord | undefined
  /** Each function returns undefined if there is no index for the query yet. */
  readonly indexes: {
    /** The slots of the records with a value at the path that has any of these keys. */
    equal(path: Path, keys: readonly string[]): readonly number[] | undefined
    /** Every slot in the order of the values at the path. */
    order(path: Path, descending: boolean): readonly number[] | undefined
    /** The values of a field by slot. */
    column(field: string): readonly unknown[] | undefined
  }
  /** Query results that are valid until the next write. */
  readonly results: VersionedCache
}

/** The records that a query finds, in order, before slicing. */
export interface Selection {
  readonly length: number
  slice(start: number, end: number): readonly JsonRecord[]
}

type SelectQuery = Pick<Query, 'where' | 'search' | 'sort'>

/** Finds the records of a query. With shortcuts the result is cached, for further pages of the same query. */
export function select(
  source: Pick<QuerySource, 'records' | 'shortcuts'>,
  query: SelectQuery,
): Selection {
  const { where, search, sort } = query
  const { shortcuts } = source
  if (!where && !search && !sort) return source.records()
  if (!shortcuts) return scan(source, toPredicate(query), sort)
  const filterKey = JSON.stringify([where, search])
  return shortcuts.results.get(filterKey + JSON.stringify(sort), () =>
    selectSlots(source, shortcuts, query, filterKey),
  )
}

/** Tests every record. */
function scan(
  source: Pick<QuerySource, 'records'>,
  predicate: Predicate | undefined,
  sort: readonly SortKey[] = [],
): Selection {
  const records = source.records()
  const found = predicate ? records.filter(predicate) : records
  return sort.length > 0 ? sortRecords(found, sort) : found
}

/** Filters and sorts slots with indexes; scans the records if no index applies. */
function selectSlots(
  source: Pick<QuerySource, 'records'>,
  shortcuts: Shortcuts,
  query: SelectQuery,
  filterKey: string,
): Selection {
  const { sort = [] } = query
  const { slots, predicate } = shortcuts.results.get(filterKey, () => filter(query, shortcuts))
  const [key] = sort
  const order =
    key && sort.length === 1 ? shortcuts.indexes.order(key.path, key.descending) : undefined
  // Few slots are sorted faster than they are found in the order of all.
  const isFew = slots && slots.length ** 2 * 8 < shortcuts.length
  if (order && !isFew) {
    if (slots) return inOrder(order, slots, shortcuts)
    return fromSlots(predicate ? order.filter(onSlot(predicate, shortcuts)) : order, shortcuts)
  }
  if (!slots) return scan(source, predicate, sort)
  if (sort.length === 0) return fromSlots(slots, shortcuts)
  return sortRecords(fromSlots(slots, shortcuts).slice(0, slots.length), sort)
}

/** The slots that a filter finds or, if no index applies, the predicate for a scan. */
interface Filtered {
  slots?: readonly number[]
  predicate?: Predicate | undefined
}

function filter({ where, search }: SelectQuery, shortcuts: Shortcuts): Filtered {
  const { slots, rest } = findDriver(where, shortcuts)
  if (!slots) return { predicate: toPredicate({ where, search }) }
  let found = slots
  for (const one of rest) found = found.filter(toSlotTest(one, shortcuts))
  return { slots: search ? found.filter(onSlot(compileSearch(search), shortcuts)) : found }
}

/** Creates the test of a slot, which reads the value from the column of the field, if there is one. */
function toSlotTest(where: Where, shortcuts: Shortcuts): (slot: number) => boolean {
  const testRecord = onSlot(compileWhere(where), shortcuts)
  if (!isCondition(where) || where.path.length > 1) return testRecord
  const { operator, path, operands } = where
  const test = operator.test?.(operands)
  const column = test && shortcuts.indexes.column(path[0] ?? '')
  if (!column) return testRecord
  return (slot) => {
    const value = column[slot]
    return typeof value === 'object' ? testRecord(slot) : test(value)
  }
}

/** Finds the equality with the fewest slots in its index, and the conditions that are left to test. */
function findDriver(
  where: Where | undefined,
  { indexes }: Shortcuts,
): { slots: readonly number[] | undefined; rest: Where[] } {
  const all = where ? flatten(where) : []
  let slots: readonly number[] | undefined
  let driver: Where | undefined
  for (const one of all) {
    if (!isCondition(one) || !one.operator.keys) continue
    const found = indexes.equal(one.path, one.operands.flatMap(one.operator.keys))
    if (!found || (slots && slots.length <= found.length)) continue
    slots = found
    driver = one
  }
  return { slots, rest: all.filter((one) => one !== driver) }
}

/** The parts of a tree that all have to hold. */
function flatten(where: Where): Where[] {
  return 'and' in where ? where.and.flatMap(flatten) : [where]
}

function isCondition(where: Where): where is Condition {
  return 'operator' in where
}

/** The predicate of the filter and the search of a query; undefined for a query that has neither. */
export function toPredicate({
  where,
  search,
}: Pick<Query, 'where' | 'search'>): Predicate | undefined {
  const tests = where ? flatten(where).map(compileWhere) : []
  if (search) tests.push(compileSearch(search))
  return tests.length > 0 ? joinTests(tests, 'every') : undefined
}

function onSlot(predicate: Predicate, { at }: Shortcuts): (slot: number) => boolean {
  return (slot) => {
    const record = at(slot)
    return record !== undefined && predicate(record)
  }
}

/** Selects slots in an order, which is read only as far as slices need. */
function inOrder(
  order: readonly number[],
  slots: readonly number[],
  shortcuts: Shortcuts,
): Selection {
  const ordered: number[] = []
  let next = 0

  function readUntil(length: number): void {
    const { marks, mark } = createMarks(shortcuts.length)
    for (const slot of slots) marks[slot] = mark
    for (; ordered.length < length && next < order.length; next++) {
      const slot = order[next] ?? 0
      if (marks[slot] === mark) ordered.push(slot)
    }
  }

  return {
    length: slots.length,
    slice(start, end) {
      const length = Math.min(end, slots.length)
      if (ordered.length < length) readUntil(length)
      return fromSlots(ordered, shortcuts).slice(start, end)
    },
  }
}

/**
 * Scratch memory, because an array for each query would cost more than the query. All collections of the
 * process share it: a query uses it without interruption, and ignores the marks of others.
 */
let scratch = new Uint32Array(0)
let lastMark = 0

/** An array with a place for each slot, and a mark that no place has. */
function createMarks(length: number): { marks: Uint32Array; mark: number } {
  if (scratch.length < length || lastMark === 2 ** 32 - 1) {
    scratch = new Uint32Array(length * 2)
    lastMark = 0
  }
  return { marks: scratch, mark: ++lastMark }
}

/** A selection that fetches only the records of a slice. */
function fromSlots(slots: readonly number[], { at }: Shortcuts): Selection {
  return {
    length: slots.length,
    slice: (start, end) =>
      slots
        .slice(start, end)
        .map(at)
        .filter((record) => record !== undefined),
  }
}
