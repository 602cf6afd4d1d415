import type { Dialect } from '../../contract/dialect.ts'
import { createRest } from '../rest-names.ts'

/** The operators of `@nestjsx/crud-request`, without their dollar sign, as operators of `rest`. */
const operators: Readonly<Record<string, string>> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'gt',
  lt: 'lt',
  gte: 'gte',
  lte: 'lte',
  starts: 'startsWith',
  ends: 'endsWith',
  cont: 'contains',
  excl: 'not contains',
  in: 'in',
  notin: 'nin',
  isnull: 'null',
  notnull: 'not null',
  between: 'between',
}

/** The operators that ignore case. */
const lowOperators: Readonly<Record<string, string>> = {
  $eqL: 'ieq',
  $neL: 'not ieq',
  $startsL: 'startsWith',
  $endsL: 'endsWith',
  $contL: 'contains',
  $exclL: 'not contains',
  $inL: 'ieq',
  $notinL: 'not ieq',
}

/**
 * A dialect that answers as controllers of `@nestjsx/crud` 5 with TypeORM: `filter`, `or`, `s`, `sort`, `join`
 * and `fields`, pages with `data`, `count`, `total`, `page` and `pageCount`, and the errors of Nest.
 * @example createMock({ fixtures, dialect: nestjsxCrud })
 */
export const nestjsxCrud: Dialect = /* @__PURE__ */ createRest(
  {
    parameters: {
      sort: 'sort=$field,$order',
      page: 'page',
      limit: ['limit', 'per_page'],
      start: 'offset',
      embed: 'join=$relation||$fields',
      fields: ['fields', 'select'],
      where: 's',
      '*': false,
    },
    filters: ['filter=$field||$op||$value'],
    filterGroups: ['or=$field||$op||$value'],
    operators: {
      ...operators,
      ...Object.fromEntries(Object.entries(operators).map(([name, own]) => [`$${name}`, own])),
      ...lowOperators,
    },
    page: {
      data: '$items',
      count: '$count',
      total: '$total',
      page: '$page',
      pageCount: '$lastPage',
    },
    removed: null,
    error: { statusCode: '$status', message: '$detail', error: '$title' },
    invalid: { statusCode: '$status', message: '$faults', error: '$title' },
    fault: '$field $message',
    errors: {
      401: { statusCode: '$status', message: '$detail' },
      500: { statusCode: '$status', message: '$detail' },
    },
    statuses: { 405: 404, 422: 400, removed: 200 },
    messages: {
      401: 'Unauthorized',
      403: 'Forbidden resource',
      NOT_FOUND: '$model not found',
      RESOURCE_UNKNOWN: 'Cannot $method /$route',
      405: 'Cannot $method /$route',
      500: 'Internal server error',
    },
    reasons: {
      required: 'should not be empty',
      'type:string': 'must be a string',
      'type:integer': 'must be an integer number',
      'type:number': 'must be a number conforming to the specified constraints',
      'type:boolean': 'must be a boolean value',
      'format:email': 'must be an email',
      'format:uri': 'must be a URL address',
      'format:uuid': 'must be a UUID',
      'format:date-time': 'must be a valid ISO 8601 date string',
      minimum: 'must not be less than $limit',
      maximum: 'must not be greater than $limit',
      multipleOf: 'must be divisible by $limit',
      minLength: 'must be longer than or equal to $limit characters',
      maxLength: 'must be shorter than or equal to $limit characters',
      minItems: 'must contain at least $limit elements',
      maxItems: 'must contain no more than $limit elements',
      pattern: 'must match /$limit/ regular expression',
      'has to *': 'must $wild',
    },
    put: 'merge',
    headers: {},
  },
  'nestjsx-crud',
)
