import type { Dialect } from '../dialects/contract/dialect.ts'
import type { Intake } from '../fixtures/fixture-data.ts'
import { idFieldOf, type IdOption } from '../fixtures/id-field.ts'
import { isRecord, type Json } from '../json/json.ts'
import { content, createResource } from '../store/records/resource.ts'
import { idOf } from '../store/records/ids.ts'

/** Converts fixtures to the store's values, so that persistence can compare both; also reads ids of a list. */
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
