import type { Dialect } from '../contract/dialect.ts'
import { parseDependents, parseList, parseMember } from './parameters.ts'
import { renderError } from './problem.ts'
import { parseQuery } from './query-body.ts'
import { render } from './render.ts'

/**
 * The default dialect: filters, sort orders, pages and relations as query parameters.
 * @example createMock({ fixtures, dialect: rest })
 */
export const rest: Dialect & Required<Pick<Dialect, 'parseQuery' | 'parseDependents'>> = {
  name: 'rest',
  parseList,
  parseMember,
  parseQuery,
  parseDependents,
  render,
  renderError,
}
