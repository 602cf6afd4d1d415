import type { Json, JsonRecord } from '../../json/json.ts'
import { toElement } from '../../shape/place.ts'
import { createShapes } from '../../shape/shapes.ts'
import { toSources } from '../../shape/sources.ts'
import type { LearnedOption, LearnedResource } from '../learned.ts'
import { compareTexts, isSuccess, type ParsedExchange, splitKey } from '../parse-exchange.ts'
import type { RelatedKey } from '../records/related.ts'
import type { SurveyedCollection } from '../records/survey.ts'
import type { MergedCollection } from '../records/to-records.ts'
import { headerOf } from '../../http/contract/messages.ts'
import { splitUri } from '../../url/uri.ts'
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

/** Finds the collections that only nested paths have shown. */
export function toNestedOptions(
  collections: readonly MergedCollection[],
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
  nameOf: (path: string) => string,
): LearnedOption[] {
  const top = new Set(
    exchanges.filter(isSuccess).flatMap(({ method, segments, headers }) => {
      const found = resourcePaths.find(segments)
      if (found && !found.parent) return [found.collection]
      // `Location` of a record that a nested path has made can name a path that no request has.
      const made = method === 'POST' ? headerOf(headers, 'Location') : undefined
      return made === undefined ? [] : [splitUri(made).path.split('/').slice(1, -1).join('/')]
    }),
  )
  return collections
    .filter(({ path }) => !top.has(path))
    .map(({ path }) => ({
      path: ['resources', nameOf(path), 'nested'],
      value: true,
      evidence: 'only nested paths show it',
    }))
}

/** Returns the relation of a foreign key whose name does not say it. */
export function toRelation(
  { child, parent, key, count, by }: RelatedKey,
  nameOf: (path: string) => string,
): LearnedOption {
  const value = nameOf(parent)
  const evidence =
    by === 'embedded'
      ? `${count} responses embed records of ${value}`
      : by === 'linkage'
        ? `${count} relationships name the type of ${value}`
        : `the paths of ${count} records below ${value} have its ids`
  return { path: ['resources', nameOf(child), 'relations', key], value, evidence }
}

/** Returns the id fields that are not called `id`. */
export function toIdOptions(
  merged: readonly MergedCollection[],
  surveyed: ReadonlyMap<string, SurveyedCollection>,
  nameOf: (path: string) => string,
): LearnedOption[] {
  return merged.flatMap(({ path, idField }): LearnedOption[] => {
    if (idField === 'id') return []
    const paths = surveyed.get(path)?.idField.paths ?? 0
    const evidence =
      paths > 0
        ? `${paths} ${paths === 1 ? 'path names' : 'paths name'} a record by it`
        : 'every record has it'
    return [{ path: ['resources', nameOf(path), 'id'], value: idField, evidence }]
  })
}
