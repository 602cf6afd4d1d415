import type { Dialect } from '../contract/dialect.ts'
import { parseDependents, parseList, parseMember } from './parameters.ts'
import { renderError } from './problem.ts'
import { parseQuery } from './query-body.ts'
import { render } from './render.ts'

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
