import { clearBit, combineBits, countBits, createBits, eachBit } from '../structures/bits.ts'
import { type SlotSet, toMember, toBits } from '../structures/slot-set.ts'
import type { Predicate } from './predicate.ts'
import { slotsInRange } from './range.ts'
import { compileSearch } from './search.ts'
import type { Shortcuts } from './shortcuts.ts'
import type { Condition, Query, Where } from './tree.ts'
import { compileWhere, flatten } from './where.ts'

/** The test of a slot. */
type SlotTest = (slot: number) => boolean

/**
 * Finds the slots of a filter: intersects what indexes find for its parts, and tests the slots that are left
 * with the other parts. A short list from an index is only tested.
 */
export function filterSlots(
  { where, search }: Pick<Query, 'where' | 'search'>,
  shortcuts: Shortcuts,
): SlotSet {
  const parts = where ? flatten(where) : []
  const sets = new Map<Where, SlotSet>()
  const find = (lookUp: (part: Where, shortcuts: Shortcuts) => SlotSet | undefined): void => {
    for (const part of parts) {
      const set = sets.get(part) ?? lookUp(part, shortcuts)
      if (set) sets.set(part, set)
    }
  }
  const smallest = (): SlotSet | undefined =>
    [...sets.values()].reduce<SlotSet | undefined>(
      (least, set) => (least && least.size <= set.size ? least : set),
      undefined,
    )
  find(slotsOfEquality)
  if (!smallest()?.list) find(slotsOf)
  const first = smallest() ?? allSlots(shortcuts)
  const others = [...sets.values()].filter((set) => set !== first)
  const tests = parts.filter((part) => !sets.has(part)).map((part) => toSlotTest(part, shortcuts))
  if (search) tests.push(onSlot(compileSearch(search), shortcuts))
  return first.list
    ? filterList(first.list, [...others.map(toMember), ...tests])
    : filterBits(first, others, tests)
}

/** The slots of all records. */
export function allSlots({ indexes }: Shortcuts): SlotSet {
  const bits = indexes.live()
  return { size: countBits(bits), bits }
}

function filterList(list: ArrayLike<number>, tests: readonly SlotTest[]): SlotSet {
  const found: number[] = []
  for (let at = 0; at < list.length; at++) {
    const slot = list[at] ?? 0
    if (tests.every((test) => test(slot))) found.push(slot)
  }
  return { size: found.length, list: found }
}

/** Intersects sets of many slots; the sets belong to indexes and are copied before they change. */
function filterBits(
  first: SlotSet,
  others: readonly SlotSet[],
  tests: readonly SlotTest[],
): SlotSet {
  if (!first.bits || (others.length === 0 && tests.length === 0)) return first
  const bits = first.bits.slice()
  for (const set of others) combineBits(bits, toBits(set, bits.length * 32), and)
  if (tests.length > 0) {
    eachBit(bits, (slot) => {
      if (!tests.every((test) => test(slot))) clearBit(bits, slot)
    })
  }
  return { size: countBits(bits), bits }
}

/** The slots of an equality, from its index. */
function slotsOfEquality(part: Where, { indexes }: Shortcuts): SlotSet | undefined {
  if (!isCondition(part) || !part.operator.keys) return undefined
  return indexes.equal(part.path, part.operands.flatMap(part.operator.keys))
}

/** The slots of any part of a filter; undefined if its indexes are not built. */
function slotsOf(part: Where, shortcuts: Shortcuts): SlotSet | undefined {
  if ('not' in part) return complement(slotsOf(part.not, shortcuts), shortcuts)
  if ('or' in part || 'and' in part) {
    const isAnd = 'and' in part
    const sets = (isAnd ? part.and : part.or).map((one) => slotsOf(one, shortcuts))
    const bits = isAnd ? shortcuts.indexes.live().slice() : createBits(shortcuts.length)
    for (const set of sets) {
      if (!set) return undefined
      combineBits(bits, toBits(set, bits.length * 32), isAnd ? and : or)
    }
    return { size: countBits(bits), bits }
  }
  const { operator, path, operands } = part
  if (operator.opposite) {
    return complement(
      slotsOf({ path, operands, operator: operator.opposite }, shortcuts),
      shortcuts,
    )
  }
  return slotsOfEquality(part, shortcuts) ?? slotsInRange(part, shortcuts)
}

function complement(set: SlotSet | undefined, { indexes }: Shortcuts): SlotSet | undefined {
  if (!set) return undefined
  const bits = indexes.live().slice()
  combineBits(bits, toBits(set, bits.length * 32), andNot)
  return { size: countBits(bits), bits }
}

const and = (word: number, other: number): number => word & other
const or = (word: number, other: number): number => word | other
const andNot = (word: number, other: number): number => word & ~other

/** Creates the test of a slot, which reads the value from the column of the field, if there is one. */
function toSlotTest(where: Where, shortcuts: Shortcuts): SlotTest {
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

function onSlot(predicate: Predicate, { at }: Shortcuts): SlotTest {
  return (slot) => {
    const record = at(slot)
    return record !== undefined && predicate(record)
  }
}

function isCondition(where: Where): where is Condition {
  return 'operator' in where
}
