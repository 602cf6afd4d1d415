import { idFieldOf, type IdOption } from '../core/fixtures/id-field.ts'
import type { Dialect } from '../core/dialects/contract/dialect.ts'
import { isRecord, type Json } from '../core/json/json.ts'
import { idOf } from '../core/store/records/ids.ts'
import { content } from '../core/store/records/content.ts'
import { rebase } from '../core/store/overlay/overlay.ts'
import { placeOf } from '../core/store/overlay/places.ts'
import { createResource } from '../core/store/records/resource.ts'
import type { Store } from '../core/store/store.ts'
import type { IdsOf, Intake } from '../loader/persist/file-value.ts'
import type { DataSource } from '../loader/persist/fixture-writer.ts'

/** Gives access to the data of a store, for who writes it into files. */
export function toDataSource(store: Store, idsOf: IdsOf): DataSource {
  return {
    read(name) {
      const { resource } = placeOf(store, name)
      return resource && content(resource)
    },
    capture(name) {
      const resource = placeOf(store, name).resource?.fork()
      return resource && { value: content(resource), keep: () => rebase(store, name, resource) }
    },
    idsOf,
  }
}

/** Takes what files hold as the store of a mock with that dialect takes it. */
export function createIntake(option: IdOption | undefined, dialect?: Dialect): Intake {
  const idField = (name: string): string => idFieldOf(option, name)
  const load: Intake['load'] = (name, value, isTaken) => {
    const loaded = dialect?.load ? dialect.load(name, value, idField(name)) : value
    return content(createResource(name, loaded ?? value, idField(name), isTaken))
  }
  const read = (name: string, list: readonly Json[]): string[] =>
    list.filter(isRecord).flatMap((record) => idOf(record, idField(name)) ?? [])
  return {
    load,
    idsOf(name, list) {
      const ids = read(name, list)
      if (ids.length === list.length) return ids
      const loaded = load(name, [...list])
      return Array.isArray(loaded) ? read(name, loaded) : []
    },
  }
}
