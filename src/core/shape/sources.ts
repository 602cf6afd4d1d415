import { isRecord, type Json, type JsonRecord } from '../json/json.ts'

/** A resource whose shape is inferred: how `createShapes` reads its records and notices changes. */
export interface ShapeSource {
  readonly name: string
  readonly kind: ResourceKind
  /** Whether the resource is made of a collection: a view or a list of values, which has no fixture. */
  readonly isMade?: boolean
  /** The field that holds the ids of a collection. */
  readonly idField?: string
  /** A version that changes with the content; while it is equal, the cached statistics are used. */
  readonly version: unknown
  /** The records of a collection, or the one value of another resource. */
  values(): Iterable<Json>
  /** Whether a collection has a record with this id. */
  has?(id: string): boolean
}

/** The kind of a resource: an array of records, one record, or any other value. */
export type ResourceKind = 'collection' | 'singleton' | 'document'

/** Converts data by resource name, such as fixtures, to sources. A value that is replaced counts as changed. */
export function toSources(
  data: Readonly<Record<string, Json>>,
  idFieldOf: (name: string) => string = () => 'id',
): ShapeSource[] {
  return Object.entries(data).map(([name, value]): ShapeSource => {
    if (!Array.isArray(value) || !value.every(isRecord)) {
      const kind = isRecord(value) ? 'singleton' : 'document'
      return { name, kind, version: value, values: () => [value] }
    }
    const idField = idFieldOf(name)
    let ids: ReadonlySet<string> | undefined
    return {
      name,
      kind: 'collection',
      idField,
      version: value,
      values: () => value,
      has: (id) => (ids ??= toIds(value, idField)).has(id),
    }
  })
}

function toIds(records: readonly JsonRecord[], idField: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { [idField]: id } of records) {
    if (typeof id === 'string' || typeof id === 'number') ids.add(String(id))
  }
  return ids
}
