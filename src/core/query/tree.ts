import type { Operand } from '../json/equality.ts'
import type { Operator } from './operators.ts'
import type { Path } from '../json/path.ts'

/** One comparison: a field, an operator and what it compares with. */
export interface Condition {
  path: Path
  operator: Operator
  operands: readonly Operand[]
}

/** Which records are looked for. */
export type Where = { and: Where[] } | { or: Where[] } | { not: Where } | Condition

/** One field of an order. */
export interface SortKey {
  path: Path
  descending: boolean
}

/** Which of the found records are handed out: from `start` up to but not including `end`. */
export interface Slice {
  start: number
  end: number
}

/** A place in an order: the values of its fields, and the slot that decides among equals. */
export interface Cursor {
  values: unknown[]
  slot: number
}

/** What to put into each record: the relation's name, and what to put into what it leads to. */
export interface Embed {
  name: string
  /** The parameter that names it, for messages. */
  parameter: string
  embed: Embed[]
}

/** A question to a collection, as plain data. */
export interface Query {
  where?: Where | undefined
  /** A text in any value at any depth; case does not count. */
  search?: string | undefined
  sort?: SortKey[] | undefined
  /** Only what comes behind this place in the order. */
  after?: Cursor | undefined
  slice?: Slice | undefined
  embed?: Embed[] | undefined
  /** Only these of each record. */
  fields?: Path[] | undefined
}
