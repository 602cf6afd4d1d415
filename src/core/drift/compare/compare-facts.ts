import { type Place, toAnyValue, toElement } from '../../shape/place.ts'
import type { Facts } from '../facts/facts.ts'
import { compareFields } from './compare-fields.ts'
import { compareTextFacts } from './compare-text-facts.ts'
import { compareTypes } from './compare-types.ts'
import type { Finding } from './finding.ts'

/**
 * Compares the facts of both sides (`here` for the fixtures, `there` for the other side) about the values at a
 * place in records, and about all inner places. One difference is one finding.
 */
export function compareFacts(
  here: Facts | undefined,
  there: Facts | undefined,
  place: Place = [],
): Finding[] {
  if (!here || !there || place.length > maxDepth) return []
  const types = compareTypes(here, there, place)
  const isComparable = (kind: 'string' | 'object' | 'array'): boolean =>
    here.kinds.has(kind) && there.kinds.has(kind)
  const hasOtherType = types.some(({ kind }) => kind === 'type')
  return [
    ...types,
    ...(isComparable('string') && !hasOtherType ? compareTextFacts(here, there, place) : []),
    ...(isComparable('object') ? compareFields(here, there, place, compareFacts) : []),
    ...(isComparable('object')
      ? compareFacts(here.values?.(), there.values?.(), [...place, toAnyValue])
      : []),
    ...(isComparable('array')
      ? compareFacts(here.items?.(), there.items?.(), [...place, toElement])
      : []),
  ]
}

/** The deepest place that is compared, because schemas can be recursive. */
const maxDepth = 12
