import type { Dialect } from './dialect.ts'
import { parseDependents, parseList, parseMember } from './rest/parameters.ts'
import { renderError } from './rest/problem.ts'
import { parseQuery } from './rest/query-body.ts'
import { render } from './rest/render.ts'

/**
 * Fixtura's own dialect: REST as front ends expect it.
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
