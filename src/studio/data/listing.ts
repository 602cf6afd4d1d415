import { tryJson } from '../../core/json/json.ts'
import type { FindOperator } from '../../core/types/find-types.ts'
import type { Field } from './fields.ts'
import type { WindowQuery } from './record-window.ts'

/**
 * The choice of records of a collection that the page shows: their order, filters and search. A listing is a
 * part of the URL.
 */
export interface Listing {
  sort: string
  search: string
  conditions: readonly Condition[]
}

/** Parses a listing from the parameters of a place (the part of the URL after `#`). */
export function toListing(params: Readonly<Record<string, string>>): Listing {
  const { sort = '', q: search = '', filter = '[]' } = params
  return { sort, search, conditions: parseConditions(filter) }
}

/** A condition on a field: `['views', 'gt', '3']`. */
export type Condition = readonly [field: string, operator: string, value: string]

/** The operators of filters, with their labels. */
export const operators: Readonly<Record<FindOperator, string>> = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  like: 'is like (% _)',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  in: 'is one of',
  nin: 'is none of',
  exists: 'exists',
}

/** The parameter of conditions in a place. */
export function conditionsParam(conditions: readonly Condition[]): string | undefined {
  return conditions.length > 0 ? JSON.stringify(conditions) : undefined
}

function parseConditions(text: string): Condition[] {
  const list: unknown = tryJson(text)
  const isText = (one: unknown): boolean => typeof one === 'string'
  const isCondition = (one: unknown): one is Condition =>
    Array.isArray(one) && one.length === 3 && one.every(isText)
  return Array.isArray(list) ? list.filter(isCondition) : []
}

/** The query of a listing for the control API. */
export function toQuery(listing: Listing, fields: readonly Field[]): WindowQuery {
  const { search, sort } = listing
  return {
    where: toWhere(listing, fields),
    ...(search !== '' && { search }),
    ...(sort !== '' && { sort }),
  }
}

/** The tree of `where` for the control API; undefined for every record. */
export function toWhere({ conditions }: Listing, fields: readonly Field[]): object | undefined {
  // A condition without a value is not filled in yet.
  const filled = conditions.filter(([, operator, value]) => value !== '' || operator === 'exists')
  const all = filled.map(([field, operator, value]) => ({
    [field]: {
      [operator]: toOperand(
        operator,
        value,
        fields.find(({ name }) => name === field),
      ),
    },
  }))
  return all.length > 0 ? { and: all } : undefined
}

function toOperand(operator: string, value: string, field: Field | undefined): unknown {
  if (operator === 'exists') return value !== 'false'
  const convert = (text: string): unknown => {
    if (text === 'null') return null
    if (field?.kind === 'boolean' || field?.kind === 'enum') {
      return (
        field.values.find((one) => String(one) === text) ??
        (/^(true|false)$/.test(text) ? text === 'true' : text)
      )
    }
    return text
  }
  return operator === 'in' || operator === 'nin'
    ? value.split(',').map((one) => convert(one.trim()))
    : convert(value)
}

/** The order after a press on the heading of a field: ascending, descending, none. */
export function nextSort(sort: string, field: string): string {
  if (sort === field) return `-${field}`
  return sort === `-${field}` ? '' : field
}
