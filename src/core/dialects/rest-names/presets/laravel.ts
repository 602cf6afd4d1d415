import type { Dialect } from '../../contract/dialect.ts'
import { createRest } from '../rest-names.ts'

/**
 * A dialect that answers as API resources of Laravel 12 and 13: paginated collections with `data`, `links` and
 * `meta`, records in `data`, and validation errors. Filters, sorting and includes are those of
 * `spatie/laravel-query-builder`.
 * @example createMock({ fixtures, dialect: laravel })
 */
export const laravel: Dialect = /* @__PURE__ */ createRest(
  {
    parameters: {
      q: false,
      sort: 'sort',
      order: false,
      page: ['page', 'page[number]'],
      perPage: ['per_page', 'page[size]'],
      limit: false,
      start: false,
      end: false,
      cursor: 'cursor',
      embed: 'include',
      fields: ['fields[$resource]', 'fields'],
      where: false,
      dependent: false,
    },
    filters: ['filter[$field]'],
    operators: { '': 'in' },
    pages: { size: 15, always: true, invalid: 'first' },
    list: {
      data: '$items',
      links: { first: '$first', last: '$last', prev: '$prev', next: '$next' },
      meta: {
        current_page: '$page',
        from: '$from',
        last_page: '$lastPage',
        links: '$numberedLinks',
        path: '$path',
        per_page: '$limit',
        to: '$to',
        total: '$total',
      },
    },
    cursor: {
      data: '$items',
      links: { first: null, last: null, prev: null, next: '$next' },
      meta: { path: '$path', per_page: '$limit', next_cursor: '$nextCursor', prev_cursor: null },
    },
    record: { data: '$record' },
    removed: null,
    error: { message: '$detail' },
    invalid: { message: '$summary', errors: '$errorLists' },
    messages: {
      401: 'Unauthenticated.',
      403: 'This action is unauthorized.',
      NOT_FOUND: String.raw`No query results for model [App\Models\$model] $id`,
      RESOURCE_UNKNOWN: 'The route $route could not be found.',
      405: 'The $method method is not supported for route $route. Supported methods: $allowed.',
      429: 'Too Many Attempts.',
      500: 'Server Error',
    },
    reasons: {
      'is required': 'The $label field is required.',
      'has to be a string': 'The $label field must be a string.',
      'has to be an integer': 'The $label field must be an integer.',
      'has to be a number': 'The $label field must be a number.',
      'has to be a boolean': 'The $label field must be true or false.',
      'has to be an array': 'The $label field must be an array.',
      'has to be in the format "email"': 'The $label field must be a valid email address.',
      'has to be in the format "uri"': 'The $label field must be a valid URL.',
      'has to be in the format "uuid"': 'The $label field must be a valid UUID.',
      'has to be one of *': 'The selected $label is invalid.',
      'has to be at least *': 'The $label field must be at least $wild.',
      'has to be at most *': 'The $label field must not be greater than $wild.',
      'has to have at least *': 'The $label field must be at least $wild.',
      'has to have at most *': 'The $label field must not be greater than $wild.',
      'has the wrong form': 'The $label field format is invalid.',
      'has to *': 'The $label field must $wild.',
      '*': 'The $label field $reason.',
    },
    headers: {},
  },
  'laravel',
)
