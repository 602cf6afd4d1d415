import type { Facts, FieldFacts } from '../facts/facts.ts'
import type { DifferenceKind, Rename } from '../difference.ts'
import type { Place } from '../../shape/place.ts'

/**
 * A difference between both sides at a place in records, which becomes a {@link Difference} with an example and
 * the request that showed it.
 */
export interface Finding {
  kind: DifferenceKind
  place: Place
  here: string
  there: string
  /** Chooses the example among the values at a place: of the other side, or of the fixtures. */
  example: { side: 'here' | 'there'; place: Place; matches(value: unknown): boolean }
  /** The fields that have another name there. */
  renames?: Rename[]
}

/** A field that only one side has. Such a field is missing or renamed. */
export interface LoneField {
  name: string
  field: FieldFacts
  facts: Facts | undefined
}
