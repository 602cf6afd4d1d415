import type { ListRequest } from '../dialects/contract/dialect.ts'
import type { Exchange } from '../http/contract/exchange.ts'
import { viewOf } from '../http/resource/record-view.ts'
import { type JsonRecord, ownValue } from '../json/json.ts'
import type { Condition, Where } from '../query/tree.ts'
import type { ResourceOptions } from './options.ts'
import type { Found, RelatedValues } from './related-values.ts'

/** Replaces the names of filters in a list request by the values at their paths. */
export function applyFilters(
  asked: ListRequest,
  name: string,
  { filters = {}, computed = {} }: ResourceOptions,
  exchange: Exchange,
  values: RelatedValues,
): void {
  const view = viewOf(exchange, name)

  /** The condition, on the values at a path; fields of related records are those of the stored records. */
  function read(condition: Condition, text: string): Condition {
    const path = text.split('.')
    const isComputed = Object.hasOwn(computed, path[0] ?? '')
    const { operator, operands } = condition
    const compile = (): ((record: JsonRecord) => boolean) => {
      const test = compileTest({ operator, operands, path })
      return (record) =>
        test(
          isComputed ? { value: record } : { value: view.storedOf(record), collection: name },
          values,
        )
    }
    // A list has computed fields where a condition names them.
    return {
      operands,
      path: isComputed ? path : condition.path,
      operator: { name: operator.name, compile, readsOthers: true },
    }
  }

  function replace(where: Where): Where {
    if ('and' in where) return { and: where.and.map(replace) }
    if ('or' in where) return { or: where.or.map(replace) }
    if ('not' in where) return { not: replace(where.not) }
    const [first = '', ...rest] = where.path
    const path = rest.length === 0 ? ownValue(filters, first) : undefined
    return path === undefined ? where : read(where, path)
  }

  const { where } = asked.query
  if (where) asked.query = { ...asked.query, where: replace(where) }
}

/** Compiles a filter to a test of stored records, by the values at its paths of fields and relations. */
export function compileTest(where: Where): (start: Found, values: RelatedValues) => boolean {
  if ('and' in where || 'or' in where) {
    const isAll = 'and' in where
    const tests = (isAll ? where.and : where.or).map(compileTest)
    return (start, values) =>
      isAll ? tests.every((test) => test(start, values)) : tests.some((test) => test(start, values))
  }
  if ('not' in where) {
    const test = compileTest(where.not)
    return (start, values) => !test(start, values)
  }
  const { operator, operands, path } = where
  const test = operator.compile(['value'], operands)
  return (start, values) => {
    const found = values.at(start, path).map(({ value }) => value)
    return test(found.length > 0 ? { value: found } : {})
  }
}
