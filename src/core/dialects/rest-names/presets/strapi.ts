import type { Dialect } from '../../contract/dialect.ts'
import { createRest } from '../rest-names.ts'

const comparisons = 'eq ne lt lte gt gte in contains startsWith endsWith between'.split(' ')

/**
 * A dialect that answers as the REST API of Strapi 5: entries below `/api` with `data`, `meta` and `documentId`, the
 * parameters `filters`, `sort`, `populate`, `fields` and `pagination`, users as plain records, and the endpoints of
 * the plugin "Users & Permissions" for `auth`.
 * @example createMock({ fixtures, dialect: strapi, use: [auth({ protect: ['POST *'] })] })
 */
export const strapi: Dialect = /* @__PURE__ */ createRest(
  {
    path: '/api/$resource',
    parameters: {
      q: '_q',
      sort: 'sort=$field:$order',
      page: 'pagination[page]',
      perPage: 'pagination[pageSize]',
      limit: 'pagination[limit]',
      start: 'pagination[start]',
      embed: 'populate',
      fields: 'fields',
      where: 'filters',
      '*': false,
    },
    filters: [],
    operators: {
      ...Object.fromEntries(comparisons.map((one) => [`$${one}`, one])),
      $eqi: 'ieq',
      $nei: 'not ieq',
      $notIn: 'nin',
      $null: 'null',
      $notNull: 'not null',
      $notContains: 'not contains',
      $containsi: 'contains',
      $notContainsi: 'not contains',
      $startsWithi: 'startsWith',
      $endsWithi: 'endsWith',
    },
    joins: true,
    foreignKeySuffix: '',
    pages: { size: 25, max: 100, always: true },
    item: { 'id?': '$id', 'documentId?': '$key', '...': '$fields' },
    list: {
      data: '$items',
      meta: {
        pagination: { page: '$page', pageSize: '$limit', pageCount: '$pages', total: '$total' },
      },
    },
    range: {
      data: '$items',
      meta: { pagination: { start: '$offset', limit: '$limit', total: '$total' } },
    },
    record: { data: '$record', meta: {} },
    body: { data: '$record' },
    removed: null,
    put: 'merge',
    resources: {
      users: { list: '$items', record: '$record', body: '$record', removed: '$record' },
    },
    error: {
      data: null,
      error: { status: '$status', name: '$code', message: '$detail', details: {} },
    },
    invalid: {
      data: null,
      error: {
        status: '$status',
        name: 'ValidationError',
        message: '$summary',
        details: { errors: '$faults' },
      },
    },
    fault: { path: '$keys', message: '$message', name: 'ValidationError', value: '$value' },
    codes: {
      400: 'ValidationError',
      401: 'UnauthorizedError',
      LOGIN_FAILED: 'ValidationError',
      403: 'ForbiddenError',
      404: 'NotFoundError',
      405: 'MethodNotAllowedError',
      429: 'RateLimitError',
      500: 'InternalServerError',
    },
    statuses: { 422: 400, LOGIN_FAILED: 400 },
    messages: {
      401: 'Missing or invalid credentials',
      LOGIN_FAILED: 'Invalid identifier or password',
      403: 'Forbidden',
      404: 'Not Found',
      405: 'Method Not Allowed',
      429: 'Too many requests, please try again later.',
      500: 'Internal Server Error',
    },
    reasons: {
      required: '$field must be defined.',
      type: '$field must be a `$limit` type',
      'format:email': '$field must be a valid email',
      enum: '$field must be one of the following values: $limit',
      pattern: '$field must match the following: "$limit"',
      minimum: '$field must be greater than or equal to $limit',
      maximum: '$field must be less than or equal to $limit',
      minLength: '$field must be at least $limit characters',
      maxLength: '$field must be at most $limit characters',
      minItems: '$field field must have at least $limit items',
      maxItems: '$field field must have less than or equal to $limit items',
      'is taken': 'This attribute must be unique',
      '*': '$field $reason',
    },
    headers: {},
    auth: {
      identifier: 'identifier',
      paths: {
        login: '/api/auth/local',
        refresh: '/api/auth/refresh',
        logout: '/api/auth/logout',
        me: '/api/users/me',
      },
      register: '/api/auth/local/register',
      statuses: { register: 200 },
      answer: { jwt: '$accessToken', user: '$user' },
      answers: { me: '$user' },
    },
  },
  'strapi',
)
