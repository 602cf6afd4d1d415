import type { Random } from '../../time/random.ts'
import type { Answer, Data, Dialect } from '../contract/dialect.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { createJsonServer1 } from './json-server-1.ts'
import { descriptionBeta } from './describe.ts'
import { embed, type Listed, paginate, readPairs, sortRecords } from './list.ts'
import { readPath, toSteps } from './path.ts'

const notFound: Answer = {
  status: 404,
  headers: [],
  value: 'Not Found',
  text: 'Not Found',
  type: 'text/plain; charset=utf-8',
}

/**
 * The dialect that imitates json-server 1.0.0-beta.3, which is like 1.0.0-alpha.23, apart from the deliberate
 * differences that docs/reference/json-server-differences.md lists.
 * @example createMock({ fixtures, dialect: jsonServer1Beta })
 */
export const jsonServer1Beta: Dialect = createJsonServer1({
  name: 'json-server-1-beta',
  list: listRecords,
  randomId: toHexId,
  keepsSentId: true,
  notFound,
  notObject: notFound,
  // Up to 1.0.0-alpha.23, the parameter has no underscore.
  dependents: ['_dependent', 'dependent'],
  description: descriptionBeta,
})

/** Embeds, filters, sorts, and cuts by `_start`, `_end` and `_limit` or, without `_start` and `_limit`, by `_page`. */
function listRecords(
  records: readonly JsonRecord[],
  name: string,
  search: string,
  data: Data,
): Listed {
  const pairs = readPairs(search.slice(1))
  const values = new Map(pairs.toReversed())
  const filters = pairs.filter(([name]) => pairs.filter(([other]) => other === name).length === 1)
  const tests = filters.flatMap(([name, text]) => toTest(name, text))
  const found = embed(records, name, search, data).filter((record) =>
    tests.every((test) => test(record)),
  )
  return { value: cut(sortRecords(found, values.get('_sort'), false), values) }
}

const reserved = new Set(['_embed', '_sort', '_start', '_end', '_limit', '_page', '_per_page'])

/** The operators by the suffix of the field; each compares a number with the whole number that a text begins with. */
const operators: Readonly<Record<string, (field: number, operand: number) => boolean>> = {
  lt: (field, operand) => field < operand,
  lte: (field, operand) => field <= operand,
  gt: (field, operand) => field > operand,
  gte: (field, operand) => field >= operand,
}

/** Creates the test of a filter: `views_gt=1`, `views_ne=1` or `views=1`; none for another parameter. */
function toTest(name: string, text: string): ((record: JsonRecord) => boolean)[] {
  const [, field = name, suffix = ''] = /^(.*)_(lte?|gte?|ne)$/s.exec(name) ?? []
  if (text === '' || (suffix === '' && reserved.has(name))) return []
  const steps = toSteps(field, false)
  const number = toWhole(text)
  const compare = ownValue(operators, suffix)
  if (compare) {
    return [
      (record) => {
        const value = readPath(record, steps)
        return typeof value === 'number' && compare(value, number)
      },
    ]
  }
  return [
    (record) => {
      const value = readPath(record, steps)
      const operand = toOperand(value, text, number)
      // A field that is missing, null, a list or an object fulfils every filter.
      return operand === undefined || (value === operand) === (suffix === '')
    },
  ]
}

/** Converts the text of a filter to the type of a field. */
function toOperand(
  value: unknown,
  text: string,
  number: number,
): string | number | boolean | undefined {
  if (typeof value === 'number') return number
  if (typeof value === 'boolean') return text === 'true'
  return typeof value === 'string' ? text : undefined
}

/** Returns the whole number that a text begins with, also as hexadecimal digits after `0x`; otherwise NaN. */
function toWhole(text: string): number {
  return Number.parseInt(text, /^\s*[+-]?0x/i.test(text) ? 16 : 10)
}

/** Cuts a list by `_start`, `_end` and `_limit`; without `_start` and `_limit`, `_page` makes an envelope. */
function cut(records: readonly JsonRecord[], values: ReadonlyMap<string, string>): unknown {
  const [start, end, limit, page, perPage] = ['_start', '_end', '_limit', '_page', '_per_page'].map(
    (name) => {
      const number = toWhole(values.get(name) ?? '')
      return Number.isNaN(number) ? undefined : number
    },
  )
  // Without `_end` and `_limit`, `_start` returns nothing.
  if (start !== undefined) return records.slice(start, end ?? start + (limit ?? 0))
  if (limit !== undefined) return records.slice(0, limit)
  if (!page) return records.slice(0, end)
  const size = perPage || 10
  return paginate(records, page, size, Math.ceil(records.length / size))
}

/** Draws a random id: two bytes as hexadecimal digits. */
function toHexId(random: Random): string {
  return Math.floor(random() * 65_536)
    .toString(16)
    .padStart(4, '0')
}
