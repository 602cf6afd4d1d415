import type { Dialect } from './dialect.ts'
import { asking } from './rest/parts.ts'
import { render } from './rest/render.ts'

/**
 * Fixtura's own dialect: REST as front ends expect it.
 * @example createMock({ fixtures, dialect: rest })
 */
export const rest: Dialect = {
  name: 'rest',
  prepare: asking.load,
  parseList: (params, collection) =>
    params.length === 0 ? { query: {}, ignored: [] } : asking.get().parseList(params, collection),
  parseMember: (params, collection) => asking.get().parseMember(params, collection),
  parseQuery: (body, collection, params) => asking.get().parseQuery(body, collection, params),
  parseDependents: (params) => asking.get().parseDependents(params),
  render,
  renderError: (error) => asking.get().renderError(error),
}
