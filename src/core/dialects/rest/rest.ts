import type { Dialect } from '../contract/dialect.ts'
import { parseDependents, parseMember, unusedParams } from './member-params.ts'
import { parseList } from './parameters.ts'
import { renderError } from './problem.ts'
import { parseQuery } from './query-body.ts'
import { render } from './render.ts'

/**
 * The default dialect: clients send filters, sort order, page and relations as query parameters, such
 * as `?views:gte=10&_sort=-views&_page=2`, and errors are problem details (RFC 9457).
 * @example createMock({ fixtures, dialect: rest })
 */
export const rest: Dialect &
  Required<Pick<Dialect, 'parseQuery' | 'parseDependents' | 'unusedParams'>> = {
  name: 'rest',
  parseList,
  parseMember,
  parseQuery,
  parseDependents,
  unusedParams,
  render,
  renderError,
}
