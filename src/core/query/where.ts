import type { Predicate } from './path.ts'
import type { Where } from './tree.ts'

/** Makes the predicate of a tree of conditions. */
export function compileWhere(where: Where): Predicate {
  if ('and' in where) {
    const all = where.and.map(compileWhere)
    const [only] = all
    return only && all.length === 1 ? only : (record) => all.every((one) => one(record))
  }
  if ('or' in where) {
    const any = where.or.map(compileWhere)
    return (record) => any.some((one) => one(record))
  }
  if ('not' in where) {
    const inner = compileWhere(where.not)
    return (record) => !inner(record)
  }
  return where.operator.compile(where.path, where.operands)
}
