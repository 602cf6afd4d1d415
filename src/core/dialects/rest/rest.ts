import type { Where } from '../../query/tree.ts'
import type { Dialect, CollectionView, ListRequest } from '../contract/dialect.ts'
import { parseFilter } from './filter.ts'
import { readNumber } from './paging.ts'
import { parseDependents, parseList, parseMember, unusedParams } from './question.ts'
import { render, renderError } from './render.ts'
import { mapParameters, splitText, type Spelling } from './spelling.ts'
import { plainTree } from './where.ts'
import { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import { suggest } from '../../errors/nearest.ts'

/** Parses the JSON body of QUERY (RFC 10008); a member overrides the URL parameter of its name. @throws MockError 422 */
function parseQuery(
  body: Json,
  collection: CollectionView,
  url: Params,
  spelling: Spelling,
): ListRequest {
  if (!isRecord(body)) throw unprocessable('body', 'has to be an object')
  const own = Object.entries(body).map(([member, value]): Params[number] => {
    if (!members.includes(member)) {
      throw unprocessable(member, 'is not a member of a query', suggest(member, members))
    }
    const name = member === 'q' ? member : `_${member}`
    return [name, member === 'where' ? JSON.stringify(value) : toText(value, member)]
  })
  const isInBody = (name: string): boolean => own.some(([one]) => one === name)
  const toMember = (name: string): string => (isInBody(name) ? name.replace('_', '') : name)
  const params = [...url.filter(([name]) => !isInBody(name)), ...own]
  return { ...parseList(params, collection, spelling, toMember), params }
}

/** The members of a body: parameters without the underscore. Any other member is an error with status 422. */
const members = 'where sort page limit embed fields q cursor start end'.split(' ')

/** The maximum length of a member other than `where`, in characters, so that it fits into the URL of a link. */
const maxLength = 16_384

function toText(value: Json, member: string): string {
  const list = (Array.isArray(value) ? value : [value]).map((one) => {
    const text = typeof one === 'number' ? String(one) : one
    // A lone surrogate cannot be encoded in a link.
    if (typeof text === 'string' && !/[\uD800-\uDFFF]/u.test(text)) return text
    throw unprocessable(member, 'has to be a text, a number or a list of these')
  })
  const text = list.join(',')
  if (text.length <= maxLength) return text
  throw unprocessable(member, `has more than ${maxLength} characters`)
}

function unprocessable(member: string, reason: string, hint = ''): MockError {
  const words = `${reason}. ${hint}`.trim()
  return new MockError(`Failed to read the query: "${member}" ${words}`, {
    status: 422,
    code: 'QUERY_INVALID',
    errors: { [member]: hint ? words : reason },
  })
}

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
