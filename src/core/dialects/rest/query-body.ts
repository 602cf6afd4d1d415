import { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import { suggest } from '../../errors/nearest.ts'
import type { CollectionView, ListRequest } from '../contract/dialect.ts'
import { parseList } from './parameters.ts'

/** The members of a QUERY body; they stand for parameters, all but `q` with an underscore in front. */
const members = 'where sort page limit embed fields q cursor start end'.split(' ')

/** How long a member other than `where` may be, as it would have to fit into a URL. */
const longest = 16_384

/**
 * Reads the body of QUERY (RFC 10008): the members stand for the parameters of the same name, and
 * take the place of those of the URL.
 * @throws MockError 422 when it is understood but cannot be processed
 */
export function parseQuery(body: Json, collection: CollectionView, url: Params): ListRequest {
  if (!isRecord(body)) throw unprocessable('body', 'has to be an object')
  const own = Object.entries(body).map(([member, value]): Params[number] => {
    if (!members.includes(member)) {
      throw unprocessable(member, 'is no member of a query', suggest(member, members))
    }
    const name = member === 'q' ? member : `_${member}`
    return [name, member === 'where' ? JSON.stringify(value) : toText(value, member)]
  })
  const isOwn = (name: string): boolean => own.some(([one]) => one === name)
  const toMember = (name: string): string => (isOwn(name) ? name.replace('_', '') : name)
  const params = [...url.filter(([name]) => !isOwn(name)), ...own]
  try {
    return { ...parseList(params, collection, toMember), params }
  } catch (error) {
    throw error instanceof MockError && own.length > 0 ? inMembers(error, toMember) : error
  }
}

/** The error in the words of the body, whose members have no underscore. */
function inMembers(error: MockError, toMember: (name: string) => string): MockError {
  const { message, errors = {} } = error
  return new MockError(message.replace(/(?<=^Failed to read ")[^"]+/, toMember), {
    status: error.status,
    code: error.code,
    cause: error,
    errors: Object.fromEntries(Object.entries(errors).map(([name, why]) => [toMember(name), why])),
  })
}

function toText(value: Json, member: string): string {
  const list = (Array.isArray(value) ? value : [value]).map((one) => {
    const text = typeof one === 'number' ? String(one) : one
    // Half a surrogate pair cannot stand in a link.
    if (typeof text === 'string' && !/\p{Cs}/u.test(text)) return text
    throw unprocessable(member, 'has to be a text, a number or a list of these')
  })
  const text = list.join(',')
  if (text.length <= longest) return text
  throw unprocessable(member, `has more than ${longest} characters`)
}

function unprocessable(member: string, reason: string, hint = ''): MockError {
  const words = `${reason}. ${hint}`.trim()
  return new MockError(`Failed to read the query: "${member}" ${words}`, {
    status: 422,
    code: 'QUERY_INVALID',
    errors: { [member]: [hint ? words : reason] },
  })
}
