import type { JsonRecord } from '../json/json.ts'
import type { VersionedCache } from '../structures/versioned-cache.ts'
import type { Path } from '../json/path.ts'
import { joinTests, type Predicate } from './predicate.ts'
import { sortRecords } from './sort.ts'
import type { Condition, Query, SortKey, Where } from './tree.ts'
import { compileSearch } from './search.ts'
import { compileWhere } from './where.ts'

/** The records that a query runs over, in order. */
export interface QuerySource {
  readonly name: string
  records(): readonly JsonRecord[]
  /** Where a record stands in the collection. */
  place(record: JsonRecord): number
  /** Ways around looking at every record, where there are any. */
  shortcuts?: Shortcuts
}

/** What a collection knows beside its records; a slot is where a record stands in it. */
export interface Shortcuts {
  readonly length: number
  at(slot: number): JsonRecord | undefined
  readonly indexes: {
    equal(path: Path, keys: readonly string[]): readonly number[] | undefined
    order(path: Path, descending: boolean): readonly number[] | undefined
    column(field: string): readonly unknown[] | undefined
  }
  /** Query results that are valid until the next write. */
  readonly results: VersionedCache
}

/** The records that a query finds, in its order, before it is sliced. */
export interface Selection {
  readonly length: number
  slice(start: number, end: number): readonly JsonRecord[]
}

type Question = Pick<Query, 'where' | 'search' | 'sort'>

/** Finds the records of a query; the answer to a question is kept while its pages are turned. */
export function select(
  source: Pick<QuerySource, 'records' | 'shortcuts'>,
  question: Question,
): Selection {
  const { where, search, sort } = question
  const { shortcuts } = source
  if (!where && !search && !sort) return source.records()
  if (!shortcuts) return scan(source, toPredicate(where ? [where] : [], search), sort)
  const filter = JSON.stringify([where, search])
  return shortcuts.results.get(filter + JSON.stringify(sort), () =>
    bySlots(source, shortcuts, question, filter),
  )
}

/** Looks at every record. */
function scan(
  source: Pick<QuerySource, 'records'>,
  predicate: Predicate | undefined,
  sort: readonly SortKey[] = [],
): Selection {
  const records = source.records()
  const found = predicate ? records.filter(predicate) : records
  return sort.length > 0 ? sortRecords(found, sort) : found
}

/** Lets indexes say which records come into question, and in which order. */
function bySlots(
  source: Pick<QuerySource, 'records'>,
  shortcuts: Shortcuts,
  question: Question,
  filter: string,
): Selection {
  const { sort = [] } = question
  const { slots, predicate } = shortcuts.results.get(filter, () => narrow(question, shortcuts))
  const [key] = sort
  const order =
    key && sort.length === 1 ? shortcuts.indexes.order(key.path, key.descending) : undefined
  // The fewer, the sooner they are sorted, and the further an order is gone through to find a page of them.
  const isFew = slots && slots.length ** 2 * 8 < shortcuts.length
  if (order && !isFew) {
    if (slots) return inOrder(order, slots, shortcuts)
    return fromSlots(predicate ? order.filter(onSlot(predicate, shortcuts)) : order, shortcuts)
  }
  if (!slots) return scan(source, predicate, sort)
  if (sort.length === 0) return fromSlots(slots, shortcuts)
  return sortRecords(fromSlots(slots, shortcuts).slice(0, slots.length), sort)
}

/** The slots that a question allows; where no index knows any, what every record is to be tested with. */
interface Narrowed {
  slots?: readonly number[]
  predicate?: Predicate | undefined
}

function narrow({ where, search }: Question, shortcuts: Shortcuts): Narrowed {
  const { slots, rest } = drive(where, shortcuts)
  if (!slots) return { predicate: toPredicate(rest, search) }
  let left = slots
  for (const one of rest) left = left.filter(toTest(one, shortcuts))
  return { slots: search ? left.filter(onSlot(compileSearch(search), shortcuts)) : left }
}

/** Tests the record in a slot, or where the column of its field is at hand, no more than the value. */
function toTest(where: Where, shortcuts: Shortcuts): (slot: number) => boolean {
  const byRecord = onSlot(compileWhere(where), shortcuts)
  if (!isCondition(where) || where.path.length > 1) return byRecord
  const { operator, path, operands } = where
  const test = operator.test?.(operands)
  const column = test && shortcuts.indexes.column(path[0] ?? '')
  if (!column) return byRecord
  return (slot) => {
    const value = column[slot]
    return typeof value === 'object' ? byRecord(slot) : test(value)
  }
}

/** The shortest list of slots that an equality allows, and what is left to be tested. */
function drive(
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

function toPredicate(rest: Where[], search: string | undefined): Predicate | undefined {
  const tests = rest.map(compileWhere)
  if (search) tests.push(compileSearch(search))
  return tests.length > 0 ? joinTests(tests, 'every') : undefined
}

function onSlot(predicate: Predicate, { at }: Shortcuts): (slot: number) => boolean {
  return (slot) => {
    const record = at(slot)
    return record !== undefined && predicate(record)
  }
}

/** The slots of a list in an order, which is gone through only as far as somebody looks. */
function inOrder(
  order: readonly number[],
  slots: readonly number[],
  shortcuts: Shortcuts,
): Selection {
  const ordered: number[] = []
  let next = 0

  function goOn(wanted: number): void {
    const { marks, mark } = newMarks(shortcuts.length)
    for (const slot of slots) marks[slot] = mark
    for (; ordered.length < wanted && next < order.length; next++) {
      const slot = order[next] ?? 0
      if (marks[slot] === mark) ordered.push(slot)
    }
  }

  return {
    length: slots.length,
    slice(start, end) {
      const wanted = Math.min(end, slots.length)
      if (ordered.length < wanted) goOn(wanted)
      return fromSlots(ordered, shortcuts).slice(start, end)
    },
  }
}

/** The last mark of each slot: new places for every question would cost more than it. */
let allMarks = new Uint32Array(0)
let last = 0

/** A place for a mark for each slot, and a mark that none of them has. */
function newMarks(length: number): { marks: Uint32Array; mark: number } {
  if (allMarks.length < length || last === 2 ** 32 - 1) {
    allMarks = new Uint32Array(length * 2)
    last = 0
  }
  return { marks: allMarks, mark: ++last }
}

/** A selection that looks records up when they are handed out. */
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
