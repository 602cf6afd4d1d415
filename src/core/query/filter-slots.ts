import { clearBit, countBits, eachBit, intersectBits } from '../structures/bits.ts'
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
  const bySize = (): SlotSet[] => [...sets.values()].sort((one, other) => one.size - other.size)
  find(slotsOfEquality)
  if (!bySize()[0]?.list) find(slotsOf)
  const [first = intersect([], shortcuts), ...others] = bySize()
  const tests = parts.filter((part) => !sets.has(part)).map((part) => toSlotTest(part, shortcuts))
  if (search) tests.push(onSlot(compileSearch(search), shortcuts))
  return first.list
    ? filterList(first.list, [...others.map((set) => toMember(set, shortcuts.length)), ...tests])
    : filterBits(first, others, tests)
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
  if (!first.bits || others.length + tests.length === 0) return first
  const bits = first.bits.slice()
  for (const set of others) intersectBits(bits, toBits(set, bits.length * 32))
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
  if ('and' in part) return intersect(part.and, shortcuts)
  if ('not' in part) return intersect([part], shortcuts)
  if ('or' in part) {
    const none = part.or.map((not) => ({ not }))
    return intersect([{ not: { and: none } }], shortcuts)
  }
  const { path, operands } = part
  const { opposite } = part.operator
  return opposite
    ? intersect([{ not: { path, operands, operator: opposite } }], shortcuts)
    : (slotsOfEquality(part, shortcuts) ?? slotsInRange(part, shortcuts))
}

/** The slots of all records that meet every part; undefined if an index is not built. */
function intersect(parts: readonly [], shortcuts: Shortcuts): SlotSet
function intersect(parts: readonly Where[], shortcuts: Shortcuts): SlotSet | undefined
function intersect(parts: readonly Where[], shortcuts: Shortcuts): SlotSet | undefined {
  // Every part requests its index, also where another part has none yet.
  const sets = parts.map((part) => slotsOf('not' in part ? part.not : part, shortcuts))
  const bits = shortcuts.indexes.live().slice()
  for (const [at, part] of parts.entries()) {
    const set = sets[at]
    if (!set) return undefined
    intersectBits(bits, toBits(set, bits.length * 32), 'not' in part ? -1 : 0)
  }
  return { size: countBits(bits), bits }
}

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
