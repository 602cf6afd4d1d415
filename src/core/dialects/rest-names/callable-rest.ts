import type { Dialect } from '../contract/dialect.ts'
import { rest as plain } from '../rest/rest.ts'
import type { RestOptions } from './options.ts'
import { createRest } from './rest-names.ts'

/**
 * The default dialect, and a function that creates a dialect with other names of parameters, other envelopes
 * or other keys.
 * @example createMock({ fixtures, dialect: rest({ list: { data: '$items' }, key: 'snake_case' }) })
 */
export interface Rest extends PlainRest {
  (options: RestOptions): Dialect
}

type PlainRest = typeof plain

/** Makes the default dialect a function with all of its members. */
function toCallable(): Rest {
  const create = (options: RestOptions): Dialect => createRest(options)
  const members = { ...Object.getOwnPropertyDescriptors(plain) }
  return Object.defineProperties(create, members) as Rest
}

/**
 * The default dialect: clients send filters, sort order, page and relations as query parameters, such as
 * `?views:gte=10&_sort=-views&_page=2`, and errors are problem details (RFC 9457). As a function it creates a
 * dialect with other names and envelopes.
 * @example rest({ preset: laravel, parameters: { limit: 'per_page' } })
 */
export const rest: Rest = /* @__PURE__ */ toCallable()
