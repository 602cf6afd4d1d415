import type { Dialect } from '../../contract/dialect.ts'
import { createRest } from '../rest-names.ts'

/**
 * A dialect that answers as Spring Data REST 4: HAL with `_embedded`, `_links` and `page`, and records without
 * ids. Filters are those of its Querydsl integration.
 * @example createMock({ fixtures, dialect: springDataRest })
 */
export const springDataRest: Dialect = /* @__PURE__ */ createRest(
  {
    parameters: { sort: 'sort=$field,$order', page: 'page', perPage: 'size', '*': false },
    filters: ['$field'],
    pages: { first: 0, size: 20, max: 1000, always: true, invalid: 'first', sizeInLinks: true },
    item: { '...': '$fields', _links: { self: { href: '$url' }, $singular: { href: '$url' } } },
    list: {
      _embedded: { $resource: '$items' },
      _links: {
        'first?': { href: '$firstOfMany' },
        'prev?': { href: '$prev' },
        self: { href: '$current' },
        'next?': { href: '$next' },
        'last?': { href: '$lastOfMany' },
      },
      page: { size: '$limit', totalElements: '$total', totalPages: '$pages', number: '$page' },
    },
    removed: null,
    error: { message: '$detail' },
    invalid: { errors: '$faults' },
    fault: { entity: '$model', property: '$field', invalidValue: '$value', message: '$message' },
    errors: { 404: null, 405: null, 412: null },
    statuses: { 422: 400 },
    headers: { Location: '$location' },
    type: 'application/hal+json',
  },
  'spring-data-rest',
)
