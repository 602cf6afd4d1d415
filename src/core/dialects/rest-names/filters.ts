import { ownValue } from '../../json/json.ts'
import { isScalar } from '../../json/equality.ts'
import type { Path } from '../../json/path.ts'
import { anyAt, type Operator, operators } from '../../query/operators.ts'
import type { Where } from '../../query/tree.ts'
import type { CollectionView, SplitParams } from '../contract/dialect.ts'
import { type Comparison, isKnown, pathOf, splitOperand, toCondition } from '../rest/filter.ts'
import type { Filters } from '../rest/spelling.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import type { Pattern } from './pattern.ts'

/** How the options write filters. */
export interface FilterSettings {
  filters: readonly Pattern[]
  filterGroups: readonly Pattern[]
  /** The names of operators by their names on the wire. */
  operators: Readonly<Record<string, string>>
  /** The text between the names of a nested field. */
  separator: string
}

/**
 * Parses the filters of a list that query parameters contain, in the notations of the option `filters`, such as
 * `filter[views][gte]=10`. A repeated parameter compares with several values, unless each has an operator of its own.
 * @throws MockError 400 for an unknown operator or an invalid value
 */
export function parseFilters(
  others: SplitParams['others'],
  collection: CollectionView,
  settings: FilterSettings,
): Filters {
  const all: Where[] = []
  const any: Where[] = []
  const unused: string[] = []
  for (const [name, values] of others) {
    const own = filtersOf(name, values, settings.filters, collection, settings)
    const grouped =
      own.length > 0 ? [] : filtersOf(name, values, settings.filterGroups, collection, settings)
    all.push(...own)
    any.push(...grouped)
    if (own.length + grouped.length === 0) unused.push(name)
  }
  if (any.length === 0) return { where: all, unused }
  const both = all.length > 0 ? [{ or: [{ and: all }, { and: any }] }] : [{ or: any }]
  return { where: both, unused }
}

/** Returns the path of a field: `author__name` in Django, `author.name` elsewhere. */
export function toPath(
  field: string,
  collection: { hasPath(path: Path): boolean },
  separator: string,
): Path {
  if (separator === '.' || !field.includes(separator)) return pathOf(field, collection)
  return collection.hasPath([field]) ? [field] : field.split(separator)
}

function filtersOf(
  name: string,
  values: readonly string[],
  patterns: readonly Pattern[],
  collection: CollectionView,
  settings: FilterSettings,
): Where[] {
  for (const pattern of patterns) {
    const hasOwnValue = pattern.text.includes('=')
    const found = (hasOwnValue ? values : [undefined]).flatMap((value) => {
      const match = pattern.match(name, value ?? '')
      const field = match?.['field']
      if (match === undefined || field === undefined) return []
      const path = toPath(field, collection, settings.separator)
      if (!isKnown(path, collection)) return []
      const texts = value === undefined ? values : [match['value'] ?? '']
      const comparison = { path, values: texts, parameter: name, collection }
      return toFilter(comparison, match['op'] ?? '', settings.operators)
    })
    if (found.length > 0) return found
  }
  return []
}

/** Creates a condition by the name of an operator on the wire. @throws MockError 400 for an unknown one or its value */
export function toFilter(
  comparison: Comparison,
  operator: string,
  known: Readonly<Record<string, string>>,
): Where {
  const name = ownValue(known, operator)
  if (name === undefined) {
    const names = Object.keys(known)
      .filter((one) => one !== '')
      .join(', ')
    throw wrongParameter(
      comparison.parameter,
      `has the unknown operator "${operator}"; known: ${names}`,
    )
  }
  const plain = name.replace(/^not /, '')
  const where = ownValue(more, plain)?.(comparison) ?? toCondition(comparison, plain)
  return plain === name ? where : { not: where }
}

const sameText: Operator = {
  name: 'sameText',
  compile(path, operands) {
    const texts = new Set(operands.map((one) => String(one).toLowerCase()))
    return anyAt(path, (value) => isScalar(value) && texts.has(String(value).toLowerCase()))
  },
}

/** The operators besides those of `rest`. */
const more: Readonly<Record<string, (comparison: Comparison) => Where>> = {
  ieq({ path, values }) {
    return { path, operator: sameText, operands: [...values, ...values.flatMap(splitOperand)] }
  },
  null(comparison) {
    const isNull: Where = {
      or: [
        toCondition({ ...comparison, values: [null] }, 'in'),
        { not: toCondition({ ...comparison, values: [true] }, 'exists') },
      ],
    }
    const isNegated = /^(?:false|0|no)$/i.test(String(comparison.values[0]))
    return isNegated ? { not: isNull } : isNull
  },
  between(comparison) {
    const { values, parameter } = comparison
    const [least, most, ...others] = values.flatMap(splitOperand)
    if (least === undefined || most === undefined || others.length > 0) {
      throw wrongParameter(parameter, 'has to be two values, such as 1,9')
    }
    return {
      and: [
        toCondition({ ...comparison, values: [least] }, 'gte'),
        toCondition({ ...comparison, values: [most] }, 'lte'),
      ],
    }
  },
}

/** The names of all operators that the option `operators` can name. */
export const operatorNames: readonly string[] = [...Object.keys(operators), ...Object.keys(more)]

/** Whether the option `operators` can have the value: an operator, or `not` and an operator. */
export function isOperator(value: unknown): boolean {
  return typeof value === 'string' && operatorNames.includes(value.replace(/^not /, ''))
}
