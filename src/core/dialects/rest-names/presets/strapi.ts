import type { Dialect } from '../../contract/dialect.ts'
import { createRest } from '../rest-names.ts'

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
      order: false,
      page: 'pagination[page]',
      perPage: 'pagination[pageSize]',
      limit: 'pagination[limit]',
      start: 'pagination[start]',
      end: false,
      cursor: false,
      embed: ['populate', 'populate[$keys]'],
      fields: 'fields',
      where: 'filters[$keys]',
      dependent: false,
    },
    filters: [],
    operators: {
      $eq: 'eq',
      $eqi: 'ieq',
      $ne: 'ne',
      $nei: 'not ieq',
      $lt: 'lt',
      $lte: 'lte',
      $gt: 'gt',
      $gte: 'gte',
      $in: 'in',
      $notIn: 'nin',
      $contains: 'contains',
      $notContains: 'not contains',
      $containsi: 'contains',
      $notContainsi: 'not contains',
      $startsWith: 'startsWith',
      $startsWithi: 'startsWith',
      $endsWith: 'endsWith',
      $endsWithi: 'endsWith',
      $null: 'null',
      $notNull: 'not null',
      $between: 'between',
    },
    joins: true,
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
      error: { status: '$status', name: '$errorName', message: '$detail', details: {} },
    },
    errors: {
      400: {
        data: null,
        error: { status: 400, name: 'ValidationError', message: '$detail', details: {} },
      },
      LOGIN_FAILED: {
        data: null,
        error: { status: 400, name: 'ValidationError', message: '$detail', details: {} },
      },
      429: {
        data: null,
        error: { status: 429, name: 'RateLimitError', message: '$detail', details: {} },
      },
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
      answer: { jwt: '$accessToken', user: '$user' },
      answers: {
        refresh: { jwt: '$accessToken', refreshToken: '$refreshToken' },
        me: '$user',
      },
    },
  },
  'strapi',
)
