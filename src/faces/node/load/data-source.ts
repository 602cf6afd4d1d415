import { idFieldOf, type IdOption } from '../../../core/id-field.ts'
import { isRecord, type Json } from '../../../core/json.ts'
import { createCollection, keyOf } from '../../../core/store/collection.ts'
import { idOf } from '../../../core/store/ids.ts'
import type { Resource } from '../../../core/store/resource.ts'
import type { Store } from '../../../core/store/store.ts'
import type { IdsOf } from '../../../loader/file-value.ts'
import type { DataSource } from '../../../loader/keeper.ts'

/** Gives access to the data of a store, for who writes it into files. */
export function toDataSource(store: Store, id: IdOption | undefined): DataSource {
  return {
    read(name) {
      const resource = store.resources.get(name)
      return resource && toValue(resource)
    },
    capture(name) {
      const resource = store.resources.get(name)?.fork()
      return resource && { value: toValue(resource), keep: () => store.rebase(name, resource) }
    },
    idsOf: createIdsOf(id),
  }
}

/** Names the records of a list as a file holds it, those too that get their id only when they are loaded. */
export function createIdsOf(option: IdOption | undefined): IdsOf {
  return (name, list) => {
    const idField = idFieldOf(option, name)
    const records = list.filter(isRecord)
    const ids = records.flatMap((record) => idOf(record, idField) ?? [])
    if (ids.length === records.length) return ids
    const collection = createCollection(records, { name, idField })
    return collection.records().map((record) => keyOf(collection, record))
  }
}

function toValue(resource: Resource): Json {
  return resource.kind === 'collection' ? (resource.records() as Json[]) : resource.get()
}
