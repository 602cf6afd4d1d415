import type { Json } from '../../json/json.ts'
import { isSuccess, type ParsedExchange } from '../../learn/parse-exchange.ts'
import { nextPageOf } from '../../learn/recognize/pages.ts'
import type { ResourceKind } from '../../shape/sources.ts'
import { recordsIn } from '../../learn/recognize/envelope.ts'

/** Reads a resource of an API by GET: pages of its list, members and an unknown id; the list alone if it fails. */
export async function explore(
  ask: Ask,
  { name, kind, idField, isListOnly = false }: DriftTarget,
  { pages, members, query }: ExploreOptions,
): Promise<ObservedResponse[]> {
  const path = `/${name.split('/').map(encodeURIComponent).join('/')}`
  const first = await ask(path)
  if (kind !== 'collection') return [{ ...first, role: 'whole' }]
  const responses: ObservedResponse[] = [{ ...first, role: query === undefined ? 'list' : 'data' }]
  if (query !== undefined) responses.push({ ...(await ask(path + query)), role: 'list' })
  const records = recordsIn(first.json, name)
  if (first.status >= 300 || !records || isListOnly) return responses
  let last: GetResponse = first
  for (let count = 1; count < pages; count++) {
    const next = nextPageOf(last)
    const page = next === undefined ? undefined : await ask(next, last)
    if (!page || page.status >= 300) break
    responses.push({ ...page, role: 'data' })
    last = page
  }
  const rows = responses.flatMap(({ json }) => recordsIn(json, name) ?? [])
  const ids = new Set(
    rows.flatMap(({ [idField]: id }) =>
      typeof id === 'string' || typeof id === 'number' ? [id] : [],
    ),
  )
  for (const id of [...ids].slice(0, members)) {
    responses.push({ ...(await ask(`${path}/${encodeURIComponent(id)}`)), role: 'member' })
  }
  const [id] = ids
  if (id !== undefined) {
    responses.push({ ...(await ask(`${path}/${unknownId(id)}`)), role: 'unknown' })
  }
  return responses
}

/** Sends a GET to a path, or follows a link; undefined for a link to another origin. */
export interface Ask {
  (path: string): Promise<GetResponse>
  (link: string, from: GetResponse): Promise<GetResponse | undefined>
}

/** The options of {@link explore}. */
export interface ExploreOptions {
  pages: number
  members: number
  /** The query of a further request for the list, `?_page=1`, whose response is compared instead of the first. */
  query?: string | undefined
}

/** Returns an id in the format of an existing id that no record has. */
function unknownId(id: string | number): string {
  if (typeof id === 'number' || /^\d+$/.test(id)) return '999999937'
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}/i.test(id)
    ? '00000000-0000-4000-8000-000000000000'
    : 'no-such-id'
}

/** Whether a response is a success with JSON. */
export function isGood(response: GetResponse): boolean {
  return isSuccess(response) && response.json !== undefined
}

/** A response to a GET, from a live API, a mock or a recording. */
export interface GetResponse {
  /** The path and the query of the request, for messages: `/posts?page=2`. */
  path: string
  url: string
  status: number
  /** The JSON of the body; undefined for any other body. */
  json: Json | undefined
  headers: ParsedExchange['headers']
}

/** A response, and what its request asked for. */
export interface ObservedResponse extends GetResponse {
  /** `unknown` is for an id that does not exist; of `data`, such as a further page, only the values are compared. */
  role: 'list' | 'data' | 'member' | 'unknown' | 'whole'
}

/** A resource of the fixtures that is compared with the other side. */
export interface DriftTarget {
  name: string
  kind: ResourceKind
  idField: string
  /** The fields of a singleton in the fixtures, by which its envelope is recognized. */
  fields?: readonly string[]
  /** Whether the API has shown no record at a path of its own, so that lists alone are compared. */
  isListOnly?: boolean
}
