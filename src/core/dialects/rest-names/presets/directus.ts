import type { Dialect } from '../../contract/dialect.ts'
import { createRest } from '../rest-names.ts'

/** The operators with a negation, such as `_in` and `_nin`. */
const negatable: readonly (readonly [name: string, own: string])[] = [
  ['ieq', 'ieq'],
  ['in', 'in'],
  ['null', 'null'],
  ['contains', 'contains'],
  ['icontains', 'contains'],
  ['starts_with', 'startsWith'],
  ['istarts_with', 'startsWith'],
  ['ends_with', 'endsWith'],
  ['iends_with', 'endsWith'],
  ['between', 'between'],
]

/**
 * A dialect that answers as the REST API of Directus 11: items below `/items`, users below `/users`, with its
 * parameters (`filter`, `fields`, `meta`), errors with codes, and the endpoints below `/auth` for `auth`.
 * @example createMock({ fixtures, dialect: directus, use: [auth({ protect: ['POST *'] })] })
 */
export const directus: Dialect = /* @__PURE__ */ createRest(
  {
    path: '/items/$resource',
    parameters: {
      q: 'search',
      sort: 'sort',
      page: 'page',
      limit: 'limit',
      start: 'offset',
      count: 'meta',
      fields: 'fields',
      where: 'filter',
      '*': false,
    },
    filters: [],
    operators: {
      _neq: 'ne',
      ...Object.fromEntries(['eq', 'lt', 'lte', 'gt', 'gte'].map((name) => [`_${name}`, name])),
      ...Object.fromEntries(
        negatable.flatMap(([name, own]) => [
          [`_${name}`, own],
          [`_n${name}`, `not ${own}`],
        ]),
      ),
    },
    joins: true,
    foreignKeySuffix: '',
    pages: { size: 100, always: true, all: '-1' },
    list: { 'meta?': { total_count: '$countedAll', filter_count: '$counted' }, data: '$items' },
    record: { data: '$record' },
    body: '$record',
    removed: null,
    put: 'merge',
    bulk: true,
    resources: Object.fromEntries(
      ['users', 'roles', 'files', 'folders'].map((name) => [name, { path: `/${name}` }]),
    ),
    error: { errors: [{ message: '$detail', extensions: { code: '$code' } }] },
    invalid: { errors: '$faults' },
    fault: {
      message: 'Validation failed for field "$field". $message',
      extensions: { code: 'FAILED_VALIDATION', field: '$field', type: '$code' },
    },
    statuses: { 404: 403, 422: 400, created: 200 },
    codes: {
      400: 'INVALID_PAYLOAD',
      QUERY_INVALID: 'INVALID_QUERY',
      RELATION_UNKNOWN: 'INVALID_QUERY',
      401: 'INVALID_CREDENTIALS',
      TOKEN_EXPIRED: 'TOKEN_EXPIRED',
      TOKEN_INVALID: 'INVALID_TOKEN',
      403: 'FORBIDDEN',
      404: 'FORBIDDEN',
      405: 'METHOD_NOT_ALLOWED',
      409: 'RECORD_NOT_UNIQUE',
      429: 'REQUESTS_EXCEEDED',
      500: 'INTERNAL_SERVER_ERROR',
      'format:email': 'email',
      pattern: 'regex',
      minimum: 'gte',
      maximum: 'lte',
      enum: 'in',
      'is taken': 'unique',
    },
    messages: {
      QUERY_INVALID: 'Invalid query. $reason',
      401: 'Invalid user credentials.',
      TOKEN_EXPIRED: 'Token expired.',
      TOKEN_INVALID: 'Invalid token.',
      403: "You don't have permission to access this.",
      404: "You don't have permission to access this.",
      405: 'Invalid method "$method" used. Should be one of $allowed.',
      500: 'An unexpected error occurred.',
    },
    reasons: {
      required: 'Value is required.',
      enum: 'Value has to be one of $limit.',
      'format:email': 'Value has to be a valid email address.',
      pattern: "Value doesn't have the correct format.",
      minimum: 'Value has to be greater than or equal to $limit.',
      maximum: 'Value has to be less than or equal to $limit.',
      'is taken': 'Value has to be unique.',
      '*': 'Value $reason.',
    },
    headers: {},
    auth: {
      by: ['email'],
      paths: { login: '/auth/login', refresh: '/auth/refresh', logout: '/auth/logout' },
      me: '/users/me',
      answer: {
        data: {
          access_token: '$accessToken',
          expires: '$expiresInMs',
          refresh_token: '$refreshToken',
        },
      },
      answers: { me: { data: '$user' } },
    },
  },
  'directus',
)
