import type { Facts, FieldFacts } from '../facts/facts.ts'
import type { DifferenceKind, Rename } from '../difference.ts'
import type { Place } from '../../shape/place.ts'

/** A difference at a place in records, without the example and where it was seen. */
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

/** A field that only one side has. */
export interface LoneField {
  name: string
  field: FieldFacts
  facts: Facts | undefined
}
