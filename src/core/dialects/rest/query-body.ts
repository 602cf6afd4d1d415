import { MockError } from '../../errors.ts'
import { isRecord, type Json } from '../../json.ts'
import type { Params } from '../../params.ts'
import { suggest } from '../../nearest.ts'
import type { CollectionView, ListRequest } from '../dialect.ts'
import { parseList } from './parameters.ts'

/** The members of a QUERY body, and the parameters that they stand for. */
const members: Record<string, string> = {
  where: '_where',
  sort: '_sort',
  page: '_page',
  limit: '_limit',
  embed: '_embed',
  fields: '_fields',
  q: 'q',
  cursor: '_cursor',
  start: '_start',
  end: '_end',
}

/**
 * Reads the body of QUERY (RFC 10008): the members stand for the parameters of the same name.
 * @throws MockError 422 when it is understood but cannot be processed
 */
export function parseQuery(body: Json, collection: CollectionView): ListRequest {
  if (!isRecord(body)) throw unprocessable('body', 'has to be an object')
  const params = Object.entries(body).map(([member, value]): Params[number] => {
    const name = Object.hasOwn(members, member) ? members[member] : undefined
    if (name === undefined) {
      throw unprocessable(
        member,
        `is no member of a query. ${suggest(member, Object.keys(members))}`,
      )
    }
    return [name, member === 'where' ? JSON.stringify(value) : toText(value, member)]
  })
  try {
    return parseList(params, collection)
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    throw new MockError(error.message, {
      status: 422,
      code: error.code,
      cause: error,
      ...(error.errors && { errors: error.errors }),
    })
  }
}

function toText(value: Json, member: string): string {
  const list = (Array.isArray(value) ? value : [value]).map((one) => {
    if (typeof one === 'string' || typeof one === 'number') return String(one)
    throw unprocessable(member, 'has to be a text, a number or a list of these')
  })
  return list.join(',')
}

function unprocessable(member: string, reason: string): MockError {
  return new MockError(`Failed to read the query: "${member}" ${reason}.`, {
    status: 422,
    code: 'QUERY_INVALID',
    errors: { [member]: [reason] },
  })
}
