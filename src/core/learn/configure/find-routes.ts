import { compareTexts, isSuccess, type ParsedExchange, splitKey } from '../parse-exchange.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'
import type { LearnedOption } from '../learned.ts'

/**
 * Finds the option `routes` for an API whose paths have the key of a record in parentheses, as in OData: a
 * request for `/Books(7)` is rewritten to `/Books/7`.
 */
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

/** Returns the pattern of the key at the end of a path: with quotes, or with the name of the field. */
function formOf(path: string): string | undefined {
  const segment = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  const [name = '', key] = splitKey(segment)
  if (key === undefined) return undefined
  const [start = '', end = ''] = segment.slice(name.length + 1, -1).split(key, 2)
  return String.raw`\(${encodeURIComponent(start).replaceAll('%3D', '=')}:id${end}\)*`
}
