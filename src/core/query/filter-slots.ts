import {
  type Bits,
  clearBit,
  countBits,
  eachBit,
  flipBits,
  intersectBits,
} from '../structures/bits.ts'
import { type SlotSet, toBits } from '../structures/slot-set.ts'
import { slotsInRange } from './range.ts'
import type { Shortcuts } from './shortcuts.ts'
import type { Query, Where } from './tree.ts'
import { compileWhere, type Part, partsOf } from './where.ts'

/**
 * Finds the records that match a filter, as slots (indexes in the collection): intersects the results of
 * indexes for parts of the filter, and tests the records that are left with the other parts. If an index finds
 * a short list, every part but an equality is tested.
 */
export function filterSlots(query: Pick<Query, 'where' | 'search'>, shortcuts: Shortcuts): SlotSet {
  const parts = partsOf(query)
  let sets = parts.map((part) => slotsOfEquality(part, shortcuts))
  const isShort = sets.some((set) => set?.list)
  if (!isShort) sets = parts.map((part, at) => sets[at] ?? slotsOf(part, shortcuts))
  const [set] = sets
  if (set && parts.length === 1) return set
  const { at: recordAt, indexes } = shortcuts
  const bits = indexes.live().slice()
  for (const set of sets) if (set) intersectBits(bits, toBits(set, shortcuts.length))
  const rest = parts.filter((_part, at) => !sets[at])
  if (!isShort) for (const part of rest) removeByTexts(bits, part, shortcuts)
  for (const part of rest) {
    const test = compileWhere(part)
    eachBit(bits, (slot) => {
      const record = recordAt(slot)
      if (!record || !test(record)) clearBit(bits, slot)
    })
  }
  return { size: countBits(bits), bits }
}

/** Removes slots without the fragments of a text: the parts of the only operand between wildcards. */
function removeByTexts(found: Bits, part: Part, { indexes }: Shortcuts): void {
  if (!('operator' in part) || !part.operator.isText || part.operands.length > 1) return
  indexes.removeByTexts(found, String(part.operands[0]).toLowerCase().split(/[%_]/))
}

/** Returns the slots of an equality, from its index. */
function slotsOfEquality(part: Part, { indexes }: Shortcuts): SlotSet | undefined {
  if (!('operator' in part) || !part.operator.keys) return undefined
  return indexes.equal(part.path, part.operands.flatMap(part.operator.keys))
}

/** Returns the slots of any part of a filter; undefined for a condition without an index. */
function slotsOf(part: Part, shortcuts: Shortcuts): SlotSet | undefined {
  if ('not' in part) return complementOf([part.not], shortcuts)
  if ('or' in part) {
    const { bits } = complementOf(part.or, shortcuts)
    flipBits(bits, shortcuts.indexes.live())
    return { size: countBits(bits), bits }
  }
  const { opposite } = part.operator
  return opposite
    ? complementOf([{ ...part, operator: opposite }], shortcuts)
    : slotsInRange(part, shortcuts)
}

/** Returns the slots of the records that no filter matches: the complement of the union. */
function complementOf(
  filters: readonly Where[],
  shortcuts: Shortcuts,
): Extract<SlotSet, { bits: Bits }> {
  const bits = shortcuts.indexes.live().slice()
  for (const where of filters) {
    intersectBits(bits, toBits(filterSlots({ where }, shortcuts), shortcuts.length), -1)
  }
  return { size: countBits(bits), bits }
}
