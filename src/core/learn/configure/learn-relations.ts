import type { Json, JsonRecord } from '../../json/json.ts'
import { createShapes } from '../../shape/shapes.ts'
import { toSources } from '../../shape/sources.ts'
import { toElement } from '../../shape/place.ts'
import type { LearnedOption, LearnedResource } from '../learned.ts'

/**
 * Learns the option `relations` from the values of fields: a field whose values are ids of another resource is
 * a foreign key. Leaves out the relations that names of fields imply, which a mock finds without an option.
 */
export function learnRelations(resources: readonly LearnedResource[]): LearnedOption[] {
  const data: Record<string, Json> = {}
  const idFields = new Map<string, string>()
  for (const { name, value, idField } of resources) {
    data[name] = value
    if (idField !== undefined) idFields.set(name, idField)
  }
  const shapes = createShapes()(toSources(data, (name) => idFields.get(name) ?? 'id'))
  return shapes.flatMap(({ name, relations }) =>
    relations.flatMap(({ place, to, by }): LearnedOption[] => {
      const keys = place.filter((step) => step !== toElement)
      const [key] = keys
      if (by !== 'values' || keys.length !== 1 || key === undefined) return []
      const count = countOf(data[name], key)
      return [
        {
          path: ['relations', name, key],
          value: to,
          evidence: `the values of ${key} in ${count} records are ids of ${to}`,
        },
      ]
    }),
  )
}

function countOf(value: Json | undefined, key: string): number {
  const records = Array.isArray(value) ? (value as JsonRecord[]) : []
  return records.filter((record) => record[key] !== undefined && record[key] !== null).length
}
