import type { Json } from '../../json/json.ts'
import type { Tally } from './tally.ts'

/**
 * The facts about the values at a place that one side of a comparison has, from records or from a schema. The
 * facts about inner places are functions, because schemas can be recursive.
 */
export interface Facts {
  nulls: Tally | undefined
  /** The kinds that occur, or that a schema allows. */
  kinds: ReadonlyMap<Kind, Tally | undefined>
  /** How many of the numbers are no integers. */
  fractions: Tally | undefined
  texts?: TextFacts
  /** The fields of objects; undefined if the keys are data or nothing is known. */
  fields?: ReadonlyMap<string, FieldFacts>
  /** Whether objects can have fields that are not known. */
  isOpen?: boolean
  /** The values of objects whose keys are data. */
  values?: (() => Facts | undefined) | undefined
  /** The elements of arrays. */
  items?: (() => Facts | undefined) | undefined
  /** Where a schema declares the values, as a URI with a JSON pointer. */
  declaredAt?: string | undefined
  /** A value that a schema gives as an example. */
  example?: Json | undefined
}

/** A type of values; null is counted apart. */
export type Kind = 'boolean' | 'number' | 'string' | 'array' | 'object'

/** The facts about the texts at a place that one side has. */
export interface TextFacts {
  count: number
  /** The format that all texts have, with enough evidence. */
  format?: string | undefined
  /** How many of the texts do not have a format; undefined if this is unknown. */
  without(format: string): Tally | undefined
  /** The texts with their frequencies, if they are the values of an enum. */
  choices?: ReadonlyMap<string, Tally | undefined> | undefined
  /** How often a text occurs; undefined if this is unknown. */
  timesOf(text: string): Tally | undefined
  /** All texts, if they are known. */
  all?: readonly string[] | undefined
}

/** The facts about a field of objects that one side has. */
export interface FieldFacts {
  /** How many of the objects have the field. */
  present: Tally | undefined
  /** How many of the objects do not have the field. */
  absent: Tally | undefined
  facts(): Facts | undefined
}
