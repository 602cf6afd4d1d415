import { joinTests, type Predicate } from './predicate.ts'
import type { Where } from './tree.ts'

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

/** The parts of a tree that all have to hold. */
export function flatten(where: Where): Where[] {
  return 'and' in where ? where.and.flatMap(flatten) : [where]
}
