import type { Dialect } from '../contract/dialect.ts'
import { operations } from './atomic.ts'
import { describeJsonApi } from './describe.ts'
import { mediaType } from './document.ts'
import { negotiate } from './media-type.ts'
import { parseFor, parseList } from './parameters.ts'
import { render, renderError } from './render.ts'
import { create, related, relationship, update } from './writes.ts'

/**
 * The dialect of JSON:API 1.1: resource objects with attributes and relationships, `include`, `fields[…]`,
 * `filter[…]`, `sort` and `page[…]`, URLs of relationships, and Atomic Operations at `/operations`.
 * @example createMock({ fixtures, dialect: jsonApi })
 */
export const jsonApi: Dialect = {
  name: 'json-api',
  joins: true,
  parseList,
  parseMember: (params) => parseFor(params, 'record'),
  unusedParams: (params, method) =>
    parseFor(params, method === 'POST' || method === 'PATCH' ? 'record' : 'none'),
  negotiate,
  bodyType: mediaType,
  actions: {
    collection: { POST: create },
    member: { PATCH: update, PUT: null },
    singleton: { PATCH: update, PUT: null },
  },
  routes: [{ methods: ['POST'], path: '/operations', serve: operations }],
  memberRoutes: [
    {
      methods: ['GET', 'PATCH', 'POST', 'DELETE'],
      path: 'relationships/:relation',
      serve: relationship,
    },
    { methods: ['GET'], path: ':relation', serve: related },
  ],
  render,
  renderError,
  describe: (dialect) => describeJsonApi(dialect, jsonApi),
}
