import type { JsonRecord } from '../json.ts'
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

/** Makes the predicate for a text in any value at any depth; case does not count. */
export function compileSearch(search: string): Predicate {
  const wanted = search.toLowerCase()
  return (record: JsonRecord) => contains(record, wanted)
}

function contains(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value).includes(wanted)
  if (typeof value !== 'object' || value === null) return false
  for (const key in value) {
    if (contains((value as Record<string, unknown>)[key], wanted)) return true
  }
  return false
}
