import { type JsonRecord, ownValue } from '../json/json.ts'
import {
  type Bits,
  countWord,
  hasBit,
  type SlotSet,
  toBits,
  clearBit,
  countBits,
  eachBit,
  flipBits,
  intersectBits,
  createBits,
  flipEach,
  isFew,
} from '../structures/slot-set.ts'
import { type Predicate, joinTests, search } from './operators.ts'
import type { Indexes } from '../structures/indexes.ts'
import { sortRecords } from './sort.ts'
import type { Query, SortKey, Where, Condition } from './tree.ts'
import { rankOfType } from '../json/compare.ts'
import { firstAt } from '../structures/lower-bound.ts'

/** Finds the records that match a query and sorts them; the caller slices the page. Uses and caches indexes, if any. */
export function select(
  source: Pick<QuerySource, 'records' | 'indexes'>,
  query: SelectQuery,
): Selection {
  const { where, search, sort } = query
  const { indexes } = source
  if (!where && !search && !sort) return source.records()
  if (!indexes) return scan(source.records(), query)
  const filterKey = JSON.stringify([where, search])
  return indexes.results.get(filterKey + JSON.stringify(sort), () => {
    const set = indexes.results.get(filterKey, () => filterSlots(query, indexes))
    return sort?.length ? inOrder(set, sort, indexes) : inSlotOrder(set, indexes)
  })
}

/** The records that a query finds, in order, before slicing. */
export interface Selection {
  readonly length: number
  slice(start: number, end: number): readonly JsonRecord[]
}

/** The collection that a query runs on: its records in insertion order, and its indexes if there are any. */
export interface QuerySource {
  readonly name: string
  records(): readonly JsonRecord[]
  /** The ordinal of a record, which orders equal records and stays the same until the record is removed. */
  ordinalOf(record: JsonRecord): number
  /** Indexes of the records, if there are any. */
  indexes?: Indexes
}

type SelectQuery = Pick<Query, 'where' | 'search' | 'sort'>

/** Tests and sorts the records themselves. */
function scan(records: readonly JsonRecord[], query: SelectQuery): readonly JsonRecord[] {
  const found = records.filter(toPredicate(query))
  return query.sort?.length ? sortRecords(found, query.sort) : found
}

/** Returns the predicate of the filter and the search of a query. */
export function toPredicate(query: Pick<Query, 'where' | 'search'>): Predicate {
  return compileWhere({ and: partsOf(query) })
}

/**
 * The records of a set in the order of a sort. A page is read from the nearer end of the order; once pages
 * have read more than the whole order, the set is put in order. A short list is sorted instead.
 */
function inOrder(set: SlotSet, sort: readonly SortKey[], indexes: Indexes): Selection {
  const { size } = set
  const order = indexes.order(sort, size * 4 > indexes.length)
  // A short list is sorted faster than found in the order of all.
  if (!order || size ** 2 * 8 < indexes.length) {
    const whole = inSlotOrder(set, indexes)
    return sortRecords(whole.slice(0, size), sort)
  }
  const { at } = indexes
  let ordered = size === order.length ? order : undefined
  let read = 0
  const bits = toBits(set, indexes.length)
  return {
    length: size,
    slice(start, end) {
      const stop = Math.min(end, size)
      read += Math.min(stop, size - start)
      if (read > size) ordered ??= pickSlots(order, bits, 0, size, 1)
      if (ordered) return toRecords(ordered.subarray(start, end), at)
      if (stop <= size - start) return toRecords(pickSlots(order, bits, start, stop, 1), at)
      return toRecords(pickSlots(order, bits, size - stop, size - start, -1), at).reverse()
    },
  }
}

/**
 * The slots from `start` up to `stop`, from the first or last of an order. The loop adds the bit of each slot
 * instead of testing it, which a processor cannot predict.
 */
function pickSlots(
  order: Uint32Array,
  bits: Bits,
  start: number,
  stop: number,
  step: 1 | -1,
): Uint32Array {
  const picked = new Uint32Array(Math.max(0, stop - start))
  let seen = 0
  for (let at = step > 0 ? 0 : order.length - 1; seen < stop; at += step) {
    const slot = order[at]
    if (slot === undefined) break
    if (seen >= start) picked[seen - start] = slot
    seen += ((bits[slot >>> 5] ?? 0) >>> slot) & 1
  }
  return picked
}

/** Returns the records of a set in insertion order; words before the page are skipped by their number of bits. */
function inSlotOrder(set: SlotSet, { at }: Indexes): Selection {
  const { size, list, bits } = set
  return {
    length: size,
    slice(start, end) {
      if (list) return toRecords(list.slice(start, end), at)
      const slots: number[] = []
      let seen = 0
      for (let word = 0; word < bits.length && seen < end; word++) {
        const count = countWord(bits[word] ?? 0)
        if (seen + count > start) {
          for (let slot = word * 32; slot < word * 32 + 32 && seen < end; slot++) {
            if (hasBit(bits, slot) && seen++ >= start) slots.push(slot)
          }
        } else seen += count
      }
      return toRecords(slots, at)
    },
  }
}

/** Returns the records in some slots. `Array.from` with a function takes ten times as long as the loop. */
function toRecords(slots: readonly number[] | Uint32Array, at: Indexes['at']): JsonRecord[] {
  const records: JsonRecord[] = []
  for (const slot of slots) {
    const record = at(slot)
    if (record) records.push(record)
  }
  return records
}

/**
 * Finds matching records as slots: intersects the results of indexes, and tests the records that are left with
 * the other parts. After a short list, only equalities use an index.
 */
function filterSlots(query: Pick<Query, 'where' | 'search'>, indexes: Indexes): SlotSet {
  const parts = partsOf(query)
  let sets = parts.map((part) => slotsOfEquality(part, indexes))
  const isShort = sets.some((set) => set?.list)
  if (!isShort) sets = parts.map((part, at) => sets[at] ?? slotsOf(part, indexes))
  const [set] = sets
  if (set && parts.length === 1) return set
  const bits = indexes.live().slice()
  for (const set of sets) if (set) intersectBits(bits, toBits(set, indexes.length))
  const rest = parts.filter((_part, at) => !sets[at])
  if (!isShort) for (const part of rest) removeByTexts(bits, part, indexes)
  for (const part of rest) {
    const test = compileWhere(part)
    eachBit(bits, (slot) => {
      const record = indexes.at(slot)
      if (!record || !test(record)) clearBit(bits, slot)
    })
  }
  return { size: countBits(bits), bits }
}

/** Removes the slots of records that lack a text between the wildcards (`%`, `_`) of a pattern, by an index. */
function removeByTexts(found: Bits, part: Part, indexes: Indexes): void {
  if (!('operator' in part) || !part.operator.isText || part.operands.length > 1) return
  indexes.removeByTexts(found, String(part.operands[0]).toLowerCase().split(/[%_]/))
}

/** Returns the slots of an equality, from its index. */
function slotsOfEquality(part: Part, indexes: Indexes): SlotSet | undefined {
  if (!('operator' in part) || !part.operator.keys) return undefined
  return indexes.equal(part.path, part.operands.flatMap(part.operator.keys))
}

/** Returns the slots of any part of a filter; undefined for a condition without an index. */
function slotsOf(part: Part, indexes: Indexes): SlotSet | undefined {
  if ('not' in part) return complementOf([part.not], indexes)
  if ('or' in part) {
    const { bits } = complementOf(part.or, indexes)
    flipBits(bits, indexes.live())
    return { size: countBits(bits), bits }
  }
  const { opposite } = part.operator
  return opposite
    ? complementOf([{ ...part, operator: opposite }], indexes)
    : slotsInRange(part, indexes)
}

/** Returns the slots of the records that no filter matches: the complement of the union. */
function complementOf(
  filters: readonly Where[],
  indexes: Indexes,
): Extract<SlotSet, { bits: Bits }> {
  const bits = indexes.live().slice()
  for (const where of filters) {
    intersectBits(bits, toBits(filterSlots({ where }, indexes), indexes.length), -1)
  }
  return { size: countBits(bits), bits }
}

/**
 * The slots of a comparison such as `age >= 18`: in the index of a field, matching numbers (rank 0) and texts
 * (rank 1) are two runs. Undefined without the index, for a nested field, and if a record has a list or an
 * object there (rank 3).
 */
function slotsInRange(
  { operator, path, operands }: Condition,
  indexes: Indexes,
): SlotSet | undefined {
  const [field = ''] = path
  const test = operator.monotone?.(operands)
  const order = test && path.length < 2 && indexes.order([{ path, descending: false }])
  if (!order) return undefined
  const valueAt = (position: number): unknown =>
    ownValue(indexes.at(order[position] ?? 0) ?? {}, field)
  const startOf = (rank: number): number =>
    firstAt(0, order.length, (position) => rankOfType(valueAt(position)) >= rank)
  // Of a list, each element is compared.
  if (startOf(3) < startOf(4)) return undefined
  const toRun = (rank: number): [start: number, end: number] => {
    const [start, end] = [startOf(rank), startOf(rank + 1)]
    const holds = test(valueAt(start))
    const turn = firstAt(start, end, (position) => test(valueAt(position)) !== holds)
    return holds ? [start, turn] : [turn, end]
  }
  const runs = [toRun(0), toRun(1)].filter(([start, end]) => start < end)
  const size = runs.reduce((sum, [start, stop]) => sum + stop - start, 0)
  if (isFew(size, indexes.length)) {
    const list = runs.flatMap(([start, stop]) => [...order.subarray(start, stop)])
    return { size, list: list.sort((a, b) => a - b) }
  }
  const live = indexes.live()
  const bits = createBits(live.length * 32)
  for (const edge of runs.flat()) flipBits(bits, firstSlots(order, edge, live))
  return { size, bits }
}

/** The first slots of an order as bits, by their number. A write creates another order. */
const prefixes = new WeakMap<Uint32Array, Map<number, Bits>>()

/**
 * Returns the first slots of an order as bits: flips the slots between the requested number and the nearest kept
 * one. Keeps a result that is a sixteenth of the order away from all kept ones, so that later calls flip few.
 */
function firstSlots(order: Uint32Array, count: number, live: Bits): Bits {
  const kept = prefixes.get(order) ?? new Map([[order.length, live]])
  prefixes.set(order, kept)
  let [nearest, prefix] = [0, createBits(live.length * 32)]
  for (const [other, bits] of kept) {
    if (Math.abs(other - count) < Math.abs(nearest - count)) [nearest, prefix] = [other, bits]
  }
  const bits = prefix.slice()
  flipEach(bits, order.subarray(Math.min(nearest, count), Math.max(nearest, count)))
  if (Math.abs(nearest - count) * 16 > order.length) kept.set(count, bits)
  return bits
}

/** Compiles a tree of conditions to a predicate that tests one record. */
function compileWhere(where: Where): Predicate {
  if ('and' in where) return joinTests(where.and.map(compileWhere), 'every')
  if ('or' in where) return joinTests(where.or.map(compileWhere), 'some')
  if ('not' in where) {
    const inner = compileWhere(where.not)
    return (record) => !inner(record)
  }
  return where.operator.compile(where.path, where.operands)
}

/** A part of a filter that is not itself a list of parts which all have to hold. */
type Part = Exclude<Where, { and: Where[] }>

/** Returns the parts of a query that all have to hold, a full-text search last. */
function partsOf({ where, search: text }: Pick<Query, 'where' | 'search'>): Part[] {
  const parts = where ? flatten(where) : []
  return text ? [...parts, { path: [], operator: search, operands: [text] }] : parts
}

function flatten(where: Where): Part[] {
  return 'and' in where ? where.and.flatMap(flatten) : [where]
}
