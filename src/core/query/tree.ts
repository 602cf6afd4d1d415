import type { Operand } from '../json/equality.ts'
import type { Operator } from './operators.ts'
import type { Path } from '../json/path.ts'
import type { OrderKey } from '../structures/indexes.ts'

/** A query of a collection, as plain data: dialects parse parameters into it, `run` runs it. */
export interface Query {
  where?: Where | undefined
  /** A text that any value at any depth contains, ignoring case. */
  search?: string | undefined
  sort?: SortKey[] | undefined
  /** Only records after this position in the order. */
  after?: Cursor | undefined
  slice?: Slice | undefined
  embed?: Embed[] | undefined
  /** The relations whose records the filter and the order read. */
  joins?: Embed[] | undefined
  /** Only these fields of each record. */
  fields?: Path[] | undefined
}

/** A filter: a tree of conditions that `and`, `or` and `not` join. */
export type Where = { and: Where[] } | { or: Where[] } | { not: Where } | Condition

/** A condition such as `age >= 18`: the operator compares the value at `path` with the operands. */
export interface Condition {
  path: Path
  operator: Operator
  operands: readonly Operand[]
}

/** A field to sort by, and the direction. */
export type SortKey = OrderKey

/** A position in an order: the values of the sort fields, and the ordinal that orders equal records. */
export interface Cursor {
  values: unknown[]
  ordinal: number
}

/** A part of the found records: from `start` up to but not including `end`. */
export interface Slice {
  start: number
  end: number
}

/** A relation to embed, and the relations to embed in the related records. */
export interface Embed {
  name: string
  /** The query parameter with the name, for messages. */
  parameter: string
  embed: Embed[]
  /** The key of the object that holds the related records in a record. @default they are in the record itself */
  in?: string | undefined
}
