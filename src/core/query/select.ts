import { type JsonRecord, ownValue } from '../json/json.ts'
import type { Operand } from '../json/equality.ts'
import type { Path } from '../json/path.ts'
import {
  type Bits,
  clearBit,
  countBits,
  countWord,
  createBits,
  eachBit,
  fewToTest,
  flipEach,
  hasBit,
  intersectBits,
  isFew,
  noSlots,
  type SlotSet,
  toBits,
  toSlotSet,
  unite,
} from '../structures/slot-set.ts'
import { type Predicate, joinTests, search } from './operators.ts'
import type { Indexes, TextMatches } from '../structures/indexes.ts'
import { sortPage } from './sort.ts'
import type { Query, SortKey, Where, Condition } from './tree.ts'
import { rankOfType } from '../json/compare.ts'
import { firstAt } from '../structures/lower-bound.ts'

/** Finds the records that match a query and sorts them; the caller slices the page. Uses and caches indexes, if any. */
export function select(
  source: Pick<QuerySource, 'records' | 'indexes'>,
  query: SelectQuery,
): Selection {
  const { where, search, sort = [] } = query
  const { indexes } = source
  if (!where && !search && sort.length === 0) return source.records()
  if (!indexes) return scan(source.records(), query)
  const parts = partsOf(query)
  const filterKey = JSON.stringify([where, search])
  return indexes.results.get(filterKey + JSON.stringify(sort), () => {
    const ordered = parts.length > 0 && !isUnindexed(sort) && inListOrder(parts, sort, indexes)
    if (ordered) return ordered
    const set = indexes.results.get(filterKey, () => filterSlots(parts, indexes))
    return sort.length > 0 ? inOrder(set, sort, indexes) : inSlotOrder(set, indexes)
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
function scan(records: readonly JsonRecord[], query: SelectQuery): Selection {
  const found = records.filter(toPredicate(query))
  return query.sort?.length ? sortPage(found, query.sort) : found
}

/** Returns the predicate of the filter and the search of a query. */
export function toPredicate(query: Pick<Query, 'where' | 'search'>): Predicate {
  return compileWhere({ and: partsOf(query) })
}

/**
 * The records with equal values, in the order of a sort: a list of the index of these fields in this order, so that
 * no other record is read. Undefined without the index, for another condition, and for values in several lists.
 */
function inListOrder(
  parts: readonly Part[],
  sort: readonly SortKey[],
  indexes: Indexes,
): Selection | undefined {
  const equalities = parts.flatMap((part) => toEquality(part) ?? [])
  if (equalities.length < parts.length || parts.length > maxFields) return undefined
  equalities.sort((one, other) => (one.path.join('\0') < other.path.join('\0') ? -1 : 1))
  const paths = equalities.map(({ path }) => path)
  const values = equalities.map((one) => one.values)
  const lists = indexes.lists(paths, values, sort)
  if (!lists) return undefined
  const [{ list } = noSlots, other] = lists.filter(({ size }) => size > 0)
  if (other) return undefined
  return {
    length: list.length,
    slice: (start, end) => toRecords(list.slice(start, end), indexes.at),
  }
}

function isUnindexed(sort: readonly SortKey[]): boolean {
  return sort.some(({ isNumber }) => isNumber)
}

/** The most fields of one index: more are rarely asked for again with other values. */
const maxFields = 4

/** The path of a condition for equality, and the values that it finds; else undefined. */
function toEquality(part: Part): { path: Path; values: Operand[] } | undefined {
  if (!('operator' in part) || !part.operator.equals) return undefined
  return { path: part.path, values: [...new Set(part.operands.flatMap(part.operator.equals))] }
}

/**
 * The records of a set in the order of a sort. A page is read from the nearer end of the order. A short list is
 * sorted instead, and without the order, the first records are found.
 */
function inOrder(set: SlotSet, sort: readonly SortKey[], indexes: Indexes): Selection {
  const { size } = set
  const { at } = indexes
  const isShort = size ** 2 * 8 < indexes.length
  const when = size * 4 > indexes.length ? 'first' : 'second'
  const lists = isUnindexed(sort) ? undefined : indexes.lists([], [], sort, when)
  // A short list is sorted faster than found in the order of all.
  if (isShort || !lists) return sortPage(inSlotOrder(set, indexes).slice(0, size), sort)
  const [{ list: order } = noSlots] = lists
  if (size === order.length)
    return { length: size, slice: (start, end) => toRecords(order.slice(start, end), at) }
  const bits = toBits(set, indexes.length)
  return {
    length: size,
    slice(start, end) {
      const stop = Math.min(end, size)
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
  order: readonly number[],
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
 * Finds matching records as slots, ascending: the shortest list that an index gives, if it is short, whose records
 * are tested; otherwise the intersection of all that the indexes give, whose records are tested for the other parts.
 */
function filterSlots(parts: readonly Part[], indexes: Indexes): SlotSet {
  const { length, at } = indexes
  let found = parts.map((part) => slotsByKey(part, indexes))
  const lists = found.flatMap((one, place) => (one?.set.list ? { ...one, place } : []))
  const [shortest] = lists.sort((one, other) => one.set.size - other.set.size)
  if (shortest && shortest.set.size <= fewToTest) {
    const { set, place } = shortest
    const rest = parts.filter((_part, other) => other !== place || !shortest.isExact)
    if (rest.length === 0) return set
    const tests = rest.map((part) => toSlotTest(part, found[parts.indexOf(part)], indexes))
    const list = (set.list ?? []).filter((slot) => tests.every((test) => test(slot)))
    return { size: list.length, list }
  }
  found = parts.map((part, place) => found[place] ?? slotsOf(part, indexes))
  const [only] = found
  if (only?.isExact && parts.length === 1) return only.set
  const bits = indexes.live().slice()
  for (const one of found) if (one) intersectBits(bits, toBits(one.set, length))
  const rest = parts.filter((_part, place) => !found[place]?.isExact)
  for (const part of rest) {
    const test = compileWhere(part)
    eachBit(bits, (slot) => {
      const record = at(slot)
      if (!record || !test(record)) clearBit(bits, slot)
    })
  }
  return { size: countBits(bits), bits }
}

/** Creates the test of a slot: by the bits of an exact set that has them, otherwise of the record. */
function toSlotTest(
  part: Part,
  found: TextMatches | undefined,
  { at, length }: Indexes,
): (slot: number) => boolean {
  if (found?.isExact && !isFew(found.set.size, length)) {
    const bits = toBits(found.set, length)
    return (slot) => hasBit(bits, slot)
  }
  const test = compileWhere(part)
  return (slot) => {
    const record = at(slot)
    return record !== undefined && test(record)
  }
}

/** Returns the slots that an index has for an equality or a text. */
function slotsByKey(part: Part, indexes: Indexes): TextMatches | undefined {
  const { path, values } = toEquality(part) ?? {}
  if (path) {
    const lists = indexes.lists([path], [values ?? []])
    return lists && { set: unite(lists, indexes.length), isExact: true }
  }
  if (!('operator' in part) || !part.operator.text || part.operands.length > 1) return undefined
  const text = String(part.operands[0]).toLowerCase()
  if (part.operator.text === 'substring') return indexes.texts(part.path, text)
  // Every match has the texts between the wildcards.
  const [longest = ''] = text.split(/[%_]/).sort((one, other) => other.length - one.length)
  const found = indexes.texts(part.path, longest)
  return found && { ...found, isExact: false }
}

/** Returns the slots of any other part of a filter; undefined for a condition without an index. */
function slotsOf(part: Part, indexes: Indexes): TextMatches | undefined {
  const toSet = (where: Where): SlotSet => filterSlots(flatten(where), indexes)
  if ('or' in part) return { set: unite(part.or.map(toSet), indexes.length), isExact: true }
  if ('not' in part) return { set: complementOf(toSet(part.not), indexes), isExact: true }
  const { opposite } = part.operator
  const set = opposite
    ? complementOf(toSet({ ...part, operator: opposite }), indexes)
    : slotsInRange(part, indexes)
  return set && { set, isExact: true }
}

/** Returns the slots of the records that are not in a set. */
function complementOf(set: SlotSet, indexes: Indexes): SlotSet {
  const bits = indexes.live().slice()
  if (set.list && isFew(set.size, indexes.length)) for (const slot of set.list) clearBit(bits, slot)
  else intersectBits(bits, toBits(set, indexes.length), -1)
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
  const lists = test && path.length < 2 && indexes.lists([], [], [{ path, descending: false }])
  if (!lists) return undefined
  const [{ list: order } = noSlots] = lists
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
    const slots = runs.flatMap(([start, stop]) => order.slice(start, stop))
    return toSlotSet(Uint32Array.from(slots), indexes.length)
  }
  // Of most slots, the others are removed.
  const isMost = size * 2 > order.length
  const bits = isMost ? indexes.live().slice() : createBits(indexes.length)
  const edges = isMost ? [0, ...runs.flat(), order.length] : runs.flat()
  for (let at = 0; at < edges.length; at += 2)
    flipEach(bits, order, edges[at] ?? 0, edges[at + 1] ?? 0)
  return { size, bits }
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
