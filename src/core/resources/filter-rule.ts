import { type Check, checkOptions, isEither, isListOf, isName, isObject } from '../errors/check.ts'
import { isRecord, ownValue } from '../json/json.ts'
import { type Operator, operators } from '../query/operators.ts'

/** The operand of a filter: a path, several paths of which any can match, or a path with a default. */
export type FilterOption = string | readonly string[] | FilterDefaults

/** A filter that lists have without a parameter: `{ field: 'state', default: 'open', all: 'all' }`. */
export interface FilterDefaults {
  /**
   * The path, or several of which any can match. An operator can follow a colon; after `in`, `nin` and `all` (each
   * of the values), commas separate the values of a parameter. `price:number` sorts texts as numbers.
   */
  field: string | readonly string[]
  /** The value of a request without the parameter. */
  default?: string
  /** The value that finds all records. */
  all?: string
}

/** The paths that a filter of the option `filters` compares. */
interface FilterRule {
  targets: FilterTarget[]
  default?: string
  all?: string
}

/** A path, and how its values are compared. */
interface FilterTarget {
  path: string[]
  /** Undefined for the operator of the request. */
  operator: Operator | undefined
  /** Whether commas separate values, any of which a record can have. */
  isList: boolean
  /** Whether commas separate values, each of which a record has to have. */
  isEach: boolean
  /** Whether texts such as `19.50` sort as numbers. */
  isNumber: boolean
}

/** Parses an option such as `price:gte`, which was checked. */
export function toFilterRule(option: FilterOption): FilterRule {
  const rule = typeof option === 'string' || 'length' in option ? { field: option } : option
  const targets = [rule.field].flat().map((text): FilterTarget => {
    const end = text.lastIndexOf(':')
    const word = text.slice(end + 1)
    const isEach = end > 0 && word === 'all'
    const isNumber = end > 0 && word === 'number'
    const known = isEach ? operators.eq : ownValue<Operator>(operators, word)
    const operator = end > 0 ? known : undefined
    const path = (operator || isNumber ? text.slice(0, end) : text).split('.')
    return {
      path,
      operator,
      isEach,
      isNumber,
      isList: Boolean(operator) && (word === 'in' || word === 'nin'),
    }
  })
  return { ...rule, targets }
}

const isFields = isEither(isName, isListOf(isName))

/** The check of one filter; {@link checkFilters} checks the options of those that are objects. */
export const isFilter: Check = isEither(isFields, isObject)

const filterChecks: Readonly<Record<keyof FilterDefaults, Check>> = {
  field: isFields,
  default: isName,
  all: isName,
}

/** Checks the options of filters with a default. @throws MockError that names the filter and the nearest option */
export function checkFilters(
  subject: string,
  filters: Readonly<Record<string, FilterOption>> = {},
): void {
  for (const [name, option] of Object.entries(filters)) {
    if (isRecord(option))
      checkOptions(`${subject}, filter "${name}"`, option, filterChecks, ['field'])
  }
}
