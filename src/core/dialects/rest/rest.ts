import type { Where } from '../../query/tree.ts'
import type { Dialect } from '../contract/dialect.ts'
import { parseFilter } from './filter.ts'
import { readNumber } from './paging.ts'
import { parseQuery } from './query-body.ts'
import { parseDependents, parseList, parseMember, unusedParams } from './question.ts'
import { render, renderError } from './render.ts'
import { mapParameters, splitText, type Spelling } from './spelling.ts'
import { plainTree } from './where.ts'

/**
 * The default dialect: clients send filters, sort order, page and relations as query parameters, such
 * as `?views:gte=10&_sort=-views&_page=2`, and errors are problem details (RFC 9457).
 * @example createMock({ fixtures, dialect: rest })
 */
export const rest: Dialect &
  Required<Pick<Dialect, 'parseQuery' | 'parseDependents' | 'unusedParams'>> = {
  name: 'rest',
  parseList: (params, collection) => parseList(params, collection, plainSpelling),
  parseMember: (params, collection) => parseMember(params, collection, plainSpelling),
  parseQuery: (body, collection, params) => parseQuery(body, collection, params, plainSpelling),
  parseDependents: (params) => parseDependents(params, plainSpelling),
  unusedParams: (params, method) => unusedParams(params, method, plainSpelling),
  render: (result, context) => render(result, context, plainSpelling),
  renderError,
}

/** How requests write the grammar in the default dialect. */
const plainSpelling: Spelling = {
  ...plainTree,
  parameters: mapParameters((names) =>
    names.map((name) => ({
      text: name,
      name,
      match: (written, value) => (written === name ? { value } : undefined),
    })),
  ),
  parseFilters(others, collection) {
    const where: Where[] = []
    const unused: string[] = []
    for (const [name, texts] of others) {
      const filter = parseFilter(name, texts, collection)
      if (filter) where.push(filter)
      else unused.push(name)
    }
    return { where, unused }
  },
  createReader: (params) => (parameter) =>
    readNumber(params, parameter, parameter.startsWith('p') ? 1 : 0),
  toChanges: (start, { style, size }, { end }) =>
    style === 'range'
      ? [['start', String(start)], ...(end ? [['end', String(start + size)] as const] : [])]
      : [['page', String(start / size + 1)]],
  toSortTexts: ({ value = '' }) => splitText(value).map((text) => [text]),
}
