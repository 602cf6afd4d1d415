import type { Exchange } from '../http/contract/exchange.ts'
import type { Service } from '../http/contract/service.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import type { Path } from '../json/path.ts'
import { idOf, isId } from '../store/records/ids.ts'
import { keysIn, type RelatedRecords } from '../store/relations.ts'

/** A value that a path leads to; a stored record has the name of its collection. */
export interface Found {
  value: Json
  collection?: string | undefined
}

/** Reads values through lists, objects and relations, as one request sees the related records. */
export interface RelatedValues {
  /** The values at a path of a stored record: elements of lists, and related records that the request sees. */
  at(start: Found, path: Path): Found[]
  /** Whether a value belongs to the user who asks; `key` names the field with the id of that user. */
  isViewers(found: Found, key?: string): boolean
}

/** Creates the reader of values as a request sees them; relations are looked up once. */
export function createRelatedValues(
  { links, store }: Pick<Service, 'links' | 'store'>,
  viewer: Viewer | undefined,
  isVisible: (collection: string, record: JsonRecord) => boolean,
  computedOf: (collection: string, record: JsonRecord, field: string) => Json | undefined = () =>
    undefined,
): RelatedValues {
  const known = new Map<string, RelatedRecords | undefined>()

  function relationOf(collection: string, name: string): RelatedRecords | undefined {
    const key = `${collection}\0${name}`
    if (!known.has(key)) known.set(key, links.find(collection, name))
    return known.get(key)
  }

  function step({ value, collection }: Found, name: string): Found[] {
    if (!isRecord(value)) return []
    const stored = ownValue(value, name)
    const own =
      stored === undefined && collection !== undefined
        ? computedOf(collection, value, name)
        : stored
    // A list of ids can be a relation; objects are the values themselves.
    const isEmbedded = own !== undefined && [own].flat().some(isRecord)
    const related =
      collection === undefined || isEmbedded ? undefined : relationOf(collection, name)
    if (!related) return own === undefined ? [] : [own].flat().map((one) => ({ value: one }))
    return related
      .follow([value])
      .flat()
      .filter(
        (record): record is JsonRecord => record !== null && isVisible(related.collection, record),
      )
      .map((record) => ({ value: record, collection: related.collection }))
  }

  function isViewers({ value, collection }: Found, key?: string): boolean {
    if (!viewer) return false
    const isId = (one: Json | undefined): boolean => isIdOf(one, viewer.id)
    if (!isRecord(value)) return isId(value)
    if (key !== undefined) return [ownValue(value, key) ?? null].flat().some(isId)
    if (collection === undefined) return isId(value['id'])
    if (collection === viewer.collection) {
      return isId(value[store.collection(collection).idField])
    }
    return links
      .relations()
      .parentsOf(collection)
      .some((one) => one.parent === viewer.collection && keysIn(value, one).some(isId))
  }

  return {
    at: (start, path) =>
      path.reduce<Found[]>((all, name) => all.flatMap((one) => step(one, name)), [start]),
    isViewers,
  }
}

function isIdOf(value: Json | undefined, id: string): boolean {
  return isId(value) && String(value) === id
}

/** The id of the user who asks, and the collection that holds the user; undefined without a user. */
export function viewerOf({
  user,
  userCollection: collection = 'users',
  service,
}: Exchange): Viewer | undefined {
  if (!user) return undefined
  const resource = service.store.resources.get(collection)
  return toViewer(user, resource ?? { name: collection })
}

/** The user of a request, by the id in the record of the user. */
export function toViewer(
  user: JsonRecord | undefined,
  { name, idField = 'id' }: { name: string; idField?: string },
): Viewer | undefined {
  const id = user && idOf(user, idField)
  return id === undefined ? undefined : { id, value: user?.[idField] ?? id, collection: name }
}

/** The user who asks. */
export interface Viewer {
  id: string
  /** The id in its stored type. */
  value: Json
  collection: string
}
