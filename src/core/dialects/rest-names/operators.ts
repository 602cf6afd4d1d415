import { ownValue } from '../../json/json.ts'
import { keyOfValue, type Operand } from '../../json/equality.ts'
import type { Path } from '../../json/path.ts'
import { type Operator, operators, anyAt } from '../../query/operators.ts'
import type { Where } from '../../query/tree.ts'
import type { CollectionView } from '../contract/dialect.ts'
import { splitOperand, toCondition } from '../rest/condition.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'

/**
 * Creates the condition of a query that compares a field with values, by the name of an operator on the wire: the
 * option `operators` gives the operators other names, and there are more operators than in `rest`, such as
 * `between`.
 * @throws MockError 400 for an unknown operator and for invalid values
 */
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
  const where = ownValue(more, plain)?.(comparison) ?? compare(comparison, plain)
  return plain === name ? where : { not: where }
}

/** The operands of an operator: a path into a record, and the values of a parameter. */
interface Comparison {
  path: Path
  values: readonly Operand[]
  /** Whether the values are a list, whose texts are not split at commas. */
  isWhole: boolean
  parameter: string
  collection: CollectionView
}

/** Equals any of several texts, ignoring case. */
const sameText: Operator = {
  name: 'sameText',
  compile(path, operands) {
    const keys = new Set(
      operands.flatMap((one) => [String(one), `"${one}`]).map((key) => key.toLowerCase()),
    )
    return anyAt(path, (value) => {
      const key = keyOfValue(value)
      return key !== undefined && keys.has(key.toLowerCase())
    })
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
        compare({ ...comparison, values: [null] }, 'in'),
        { not: compare({ ...comparison, values: [true] }, 'exists') },
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
        compare({ ...comparison, values: [least] }, 'gte'),
        compare({ ...comparison, values: [most] }, 'lte'),
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

function compare(
  { path, values, isWhole, parameter, collection }: Comparison,
  name: string,
): Where {
  return toCondition(path, name, values, parameter, collection, isWhole)
}
