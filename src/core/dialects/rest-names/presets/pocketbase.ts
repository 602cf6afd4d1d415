import type { Dialect } from '../../contract/dialect.ts'
import { createRest } from '../rest-names.ts'

/**
 * A dialect that answers as the web API of PocketBase: records below `/api/collections/posts/records` with
 * `collectionId` and `collectionName`, the parameters `filter`, `sort`, `expand`, `fields`, `page` and `perPage`, and
 * the endpoints of the collection `users` for `auth`.
 * @example createMock({ fixtures, dialect: pocketbase, use: [auth({ protect: ['POST posts'] })] })
 */
export const pocketbase: Dialect = /* @__PURE__ */ createRest(
  {
    path: '/api/collections/$resource/records',
    parameters: {
      sort: 'sort',
      page: 'page',
      perPage: 'perPage',
      embed: 'expand',
      fields: 'fields',
      where: 'filter',
      '*': false,
    },
    filters: [],
    grammar: 'expression',
    operators: {
      '=': 'eq',
      '!=': 'ne',
      '>': 'gt',
      '>=': 'gte',
      '<': 'lt',
      '<=': 'lte',
      '~': 'like',
      '!~': 'not like',
    },
    joins: true,
    foreignKeySuffix: '',
    embedIn: 'expand',
    pages: { size: 30, max: 1000, always: true, invalid: 'first' },
    list: {
      page: '$page',
      perPage: '$limit',
      totalItems: '$total',
      totalPages: '$pages',
      items: '$items',
    },
    item: { collectionId: 'pbc_$resource', collectionName: '$resource', '...': '$record' },
    removed: null,
    error: { status: '$status', message: '$detail', data: {} },
    invalid: { status: '$status', message: '$detail', data: '$faultsByField' },
    fault: { code: '$code', message: '$message' },
    statuses: { 409: 400, 422: 400, LOGIN_FAILED: 400, created: 200 },
    codes: {
      required: 'validation_required',
      'format:email': 'validation_is_email',
      'format:uri': 'validation_is_url',
      pattern: 'validation_invalid_format',
      minLength: 'validation_min_text_constraint',
      maxLength: 'validation_max_text_constraint',
      minimum: 'validation_min_number_constraint',
      maximum: 'validation_max_number_constraint',
      'is taken': 'validation_not_unique',
      '*': 'validation_invalid_value',
    },
    messages: {
      400: 'Something went wrong while processing your request.',
      QUERY_INVALID: 'Something went wrong while processing your request. $reason',
      LOGIN_INVALID: 'An error occurred while validating the submitted data.',
      LOGIN_FAILED: 'Failed to authenticate.',
      401: 'The request requires valid record authorization token.',
      403: 'The authorized record is not allowed to perform this action.',
      404: "The requested resource wasn't found.",
      409: 'Failed to create record.',
      422: 'Failed to create record.',
      429: 'Too Many Requests.',
      500: 'Something went wrong while processing your request.',
    },
    reasons: {
      required: 'Cannot be blank.',
      'format:email': 'Must be a valid email address.',
      'format:uri': 'Must be a valid URL.',
      enum: 'Invalid value.',
      pattern: 'Invalid value format.',
      minLength: 'Must be at least $limit character(s).',
      maxLength: 'Must be no more than $limit character(s).',
      minimum: 'Must be larger than $limit.',
      maximum: 'Must be less than $limit.',
      'is taken': 'Value must be unique.',
      '*': 'The value $reason.',
    },
    headers: {},
    auth: {
      identifier: 'identity',
      word: '',
      paths: {
        login: '/api/collections/users/auth-with-password',
        refresh: '/api/collections/users/auth-refresh',
        logout: false,
        me: false,
      },
      answer: { token: '$accessToken', record: '$user' },
    },
  },
  'pocketbase',
)
