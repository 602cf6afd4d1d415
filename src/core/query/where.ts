import { joinTests, type Predicate } from './predicate.ts'
import { search } from './operators.ts'
import type { Query, Where } from './tree.ts'

/**
 * Converts a filter, a tree of conditions joined by `and`, `or` and `not`, to a predicate that tests one
 * record.
 */
export function compileWhere(where: Where): Predicate {
  if ('and' in where) return joinTests(where.and.map(compileWhere), 'every')
  if ('or' in where) return joinTests(where.or.map(compileWhere), 'some')
  if ('not' in where) {
    const inner = compileWhere(where.not)
    return (record) => !inner(record)
  }
  return where.operator.compile(where.path, where.operands)
}

/** A part of a filter that is not itself a list of parts which all have to hold. */
export type Part = Exclude<Where, { and: Where[] }>

/** Returns the parts of a query that all have to hold, a full-text search last. */
export function partsOf({ where, search: text }: Pick<Query, 'where' | 'search'>): Part[] {
  const parts = where ? flatten(where) : []
  return text ? [...parts, { path: [], operator: search, operands: [text] }] : parts
}

function flatten(where: Where): Part[] {
  return 'and' in where ? where.and.flatMap(flatten) : [where]
}
