import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { singularOf } from '../../text/plurals.ts'

/** Finds the id field by the values in the paths of records, otherwise by its name. */
export function findIdField({ name, listed, members }: IdEvidence): FoundIdField | undefined {
  const votes = new Map<string, number>()
  for (const [segment, record] of members) {
    for (const [key, value] of Object.entries(record)) {
      if (isId(value) && String(value) === segment) votes.set(key, (votes.get(key) ?? 0) + 1)
    }
  }
  const usual = usualNames(name)
  const rank = (key: string): number => (usual.includes(key) ? usual.indexOf(key) : usual.length)
  const [best] = [...votes].toSorted(([a, x], [b, y]) => y - x || rank(a) - rank(b))
  if (best && isUniqueIn(best[0], listed)) return { name: best[0], paths: best[1] }
  const all = listed.length > 0 ? listed : members.map(([, record]) => record)
  const named = usual.find((key) => all.length > 0 && isUniqueIn(key, all))
  return named === undefined ? undefined : { name: named, paths: 0 }
}

const usualIds = ['id', '_id', 'uuid', 'guid', 'ID', 'Id', 'uid', 'key', 'slug', 'code', 'sku']

/** The records of a collection, as lists and the paths of single records show them. */
export interface IdEvidence {
  name: string
  listed: readonly JsonRecord[]
  /** The last segments of paths, and the records of the responses. */
  members: readonly (readonly [segment: string, record: JsonRecord])[]
}

/** An id field, with the evidence that the field has the ids. */
export interface FoundIdField {
  name: string
  /** The number of paths that identify a record by this field; 0 if only its name is evidence. */
  paths: number
}

function usualNames(collection: string): string[] {
  const singular = singularOf(collection)
  const own = [
    `${singular}Id`,
    `${singular}_id`,
    `${singular}ID`,
    `${collection}Id`,
    `${collection}_id`,
  ]
  return [...usualIds.slice(0, 2), ...own, ...usualIds.slice(2)]
}

function isUniqueIn(key: string, records: readonly JsonRecord[]): boolean {
  return records.every((record) => isId(record[key]))
}

/** Returns the id as text: by `idField`, otherwise by the first field that is usually an id. */
export function idOf(value: unknown, idField?: string): string | undefined {
  if (!isRecord(value)) return undefined
  const names = idField === undefined ? usualIds : [idField]
  const id = names.map((name) => value[name]).find(isId)
  return id === undefined ? undefined : String(id)
}

/** Whether a record has an id in any field that is usually an id. */
export function hasId(record: JsonRecord, id: string): boolean {
  return usualIds.some((name) => isId(record[name]) && String(record[name]) === id)
}

/** Converts the segment of a path to an id: to a number if the segment is a number. */
export function toId(segment: string): Json {
  return /^(?:0|[1-9]\d{0,14})$/.test(segment) ? Number(segment) : segment
}

/** Whether a value can be an id. */
export function isId(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

/** Whether a path segment is a number, a UUID, a hexadecimal or a random text. */
export function isIdLike(segment: string): boolean {
  return (
    /^-?\d+$/.test(segment) ||
    /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(segment) ||
    /^(?=.*\d)[\da-f]{16,}$/i.test(segment) ||
    /^[\dA-HJKMNP-TV-Z]{26}$/.test(segment) ||
    /^(?=.*\d)(?=.*[A-Za-z])[\w-]{10,}$/.test(segment) ||
    /^[a-z]{1,5}[_-]\d+$/i.test(segment)
  )
}

/** Names of paths that compute something instead of showing a resource: searches, reports, logins. */
const actions =
  /^(?:(?:.*[-_.])?(?:search|find|query|lookup|suggest(?:ions)?|autocomplete|report|stats|statistics|summary|summaries|aggregat\w*|analytics|metrics|count|exists|export|import|download|upload|login|log-?in|logout|log-?out|signin|sign-?in|signup|sign-?up|register|authenticate|refresh|token|oauth2?|session|validate|verify|check|health|healthz|ping|ready|status|graphql|rpc|batch|bulk|preview|calculate|convert|render|sync))$/i

/** Whether a path name belongs to no resource. */
export function isAction(segment: string): boolean {
  return actions.test(segment) || segment.startsWith('$')
}

/** Whether a name can be that of a fixture file: files that begin with a dot or `_` are ignored. */
export function isFixtureName(segment: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._~ -]*$/u.test(segment) && !/\.(?:schema)?$/.test(segment)
}
