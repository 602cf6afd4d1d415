import type { ListRequest } from '../dialects/contract/dialect.ts'
import { splitOperand } from '../dialects/rest/filter.ts'
import type { Exchange } from '../http/contract/exchange.ts'
import { viewOf } from '../http/resource/record-view.ts'
import { type JsonRecord, ownValue } from '../json/json.ts'
import { idOperators, type Operator, operators } from '../query/operators.ts'
import type { Condition, SortKey, Where } from '../query/tree.ts'
import { type FilterOption, toFilterRule } from './filter-rule.ts'
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
  const requested = new Set<string>()

  /** The condition, on the values at a path; fields of related records are those of the stored records. */
  function read({ path: names, operator, operands }: Condition, path: string[]): Condition {
    const isComputed = Object.hasOwn(computed, path[0] ?? '')
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
      path: isComputed ? path : names,
      operator: { name: `${operator.name} ${path.join('.')}`, compile, readsOthers: true },
    }
  }

  function apply(option: FilterOption, condition: Condition): Where {
    const { targets, all } = toFilterRule(option)
    const { operands } = condition
    if (all !== undefined && operands.includes(all)) return { and: [] }
    const found = targets.map((target): Where => {
      const operator = isEquality(condition.operator) ? target.operator : condition.operator
      const isSplit = target.isEach || target.isList
      const split = isSplit ? operands.flatMap(splitOperand) : operands
      const one = { ...condition, operator: operator ?? condition.operator }
      if (!target.isEach) return read({ ...one, operands: split }, target.path)
      return { and: split.map((operand) => read({ ...one, operands: [operand] }, target.path)) }
    })
    const [first = { and: [] }, ...others] = found
    return others.length === 0 ? first : { or: found }
  }

  function replace(where: Where): Where {
    if ('and' in where) return { and: where.and.map(replace) }
    if ('or' in where) return { or: where.or.map(replace) }
    if ('not' in where) return { not: replace(where.not) }
    const [first = '', ...rest] = where.path
    const option = rest.length === 0 ? ownValue(filters, first) : undefined
    if (option === undefined) return where
    requested.add(first)
    return apply(option, where)
  }

  const { where, sort } = asked.query
  const all = where ? [replace(where)] : []
  for (const [one, option] of Object.entries(filters)) {
    const { default: standard } = toFilterRule(option)
    if (standard === undefined || requested.has(one)) continue
    all.push(apply(option, { path: [one], operator: operators.eq, operands: [standard] }))
  }
  asked.query = {
    ...asked.query,
    ...(all.length > 0 && { where: all.length === 1 ? all[0] : { and: all } }),
    ...(sort && { sort: sort.map(toFieldKey) }),
  }

  /** A name of a filter that stands for a field alone also names the field in a sort order. */
  function toFieldKey(key: SortKey): SortKey {
    const option = key.path.length === 1 ? ownValue(filters, key.path[0] ?? '') : undefined
    if (option === undefined) return key
    const [first, ...others] = toFilterRule(option).targets
    if (!first || others.length > 0 || first.operator) return key
    return { ...key, path: first.path, ...(first.isNumber && { isNumber: true }) }
  }
}

function isEquality(operator: Operator): boolean {
  return operator === operators.eq || operator === idOperators['eq']
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
