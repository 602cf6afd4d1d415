import type { Json, JsonRecord } from '../../json/json.ts'
import { toElement } from '../../shape/place.ts'
import { createShapes } from '../../shape/shapes.ts'
import { toSources } from '../../shape/sources.ts'
import type { LearnedOption, LearnedResource } from '../learned.ts'
import { compareTexts, isSuccess, type ParsedExchange, splitKey } from '../parse-exchange.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'

/** Finds `routes` for keys in parentheses, as in OData: `/Books(7)` is rewritten to `/Books/7`. */
export function findRoutes(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
  nameOf: (collection: string) => string,
): LearnedOption[] {
  const counts = new Map<string, Map<string, number>>()
  for (const exchange of exchanges) {
    const form = isSuccess(exchange) ? formOf(exchange.path) : undefined
    const resourcePath = form === undefined ? undefined : resourcePaths.find(exchange.segments)
    if (form === undefined || resourcePath?.kind !== 'member' || resourcePath.parent) continue
    const forms = counts.get(resourcePath.collection) ?? new Map<string, number>()
    counts.set(resourcePath.collection, forms.set(form, (forms.get(form) ?? 0) + 1))
  }
  const collections = [...counts].toSorted(([a], [b]) => compareTexts(a, b))
  return collections.flatMap(([collection, forms]) => {
    const path = `/${nameOf(collection)}`
    // The longest comes first, as `(:id)` also matches a key with a name.
    const sorted = [...forms].toSorted(([a], [b]) => b.length - a.length || compareTexts(a, b))
    return sorted.map(([form, count]) => ({
      path: ['routes', path + form],
      // The second group of the pattern matches the rest of the path, with the query.
      value: `${path}/:id$2`,
      evidence: `${count} ${count === 1 ? 'path has a key' : 'paths have keys'} in parentheses`,
    }))
  })
}

function formOf(path: string): string | undefined {
  const segment = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  const [name = '', key] = splitKey(segment)
  if (key === undefined) return undefined
  const [start = '', end = ''] = segment.slice(name.length + 1, -1).split(key, 2)
  return String.raw`\(${encodeURIComponent(start).replaceAll('%3D', '=')}:id${end}\)*`
}

/** Learns the relations by the values of fields that no names of fields imply. */
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
          path: ['resources', name, 'relations', key],
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
