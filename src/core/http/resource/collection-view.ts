import type { CollectionView } from '../../dialects/contract/dialect.ts'
import type { Collection } from '../../store/records/collection.ts'
import { addPaths, pathTo } from '../../store/records/collection-state.ts'
import type { Singleton } from '../../store/records/singleton.ts'
import type { Exchange } from '../contract/exchange.ts'
import { viewOf } from './record-view.ts'

/**
 * Returns a collection as a request sees it, for the dialect that parses the parameters of the request: the
 * view has the paths of presented records, and no stored names of renamed fields. A singleton is a collection
 * of one record without an id.
 */
export function toCollectionView(
  exchange: Exchange,
  resource: Collection | Singleton,
): CollectionView {
  return resource.kind === 'singleton'
    ? ofSingleton(exchange, resource)
    : ofCollection(exchange, resource)
}

function ofCollection(exchange: Exchange, collection: Collection): CollectionView {
  const { name, idField } = collection
  const view = viewOf(exchange, name)
  if (view.isIdentity) return collection
  const hasOwnName = (field = ''): boolean => view.fieldName(field) === field
  const paths = new Set<string>()
  // The iterator goes on where the last call stopped, so that each record is presented once.
  const remaining = collection.records().values()
  const isPresented = (key: string): boolean => {
    if (paths.has(key)) return true
    for (const record of remaining) if (addPaths(paths, view.present(record)).has(key)) return true
    return false
  }
  return {
    name,
    idField,
    hasPath: (path) =>
      (hasOwnName(path[0]) && collection.hasPath(path)) || isPresented(path.reduce(pathTo, '')),
    keys: () => new Set(collection.records().flatMap((one) => Object.keys(view.present(one)))),
  }
}

function ofSingleton(exchange: Exchange, { name, get }: Singleton): CollectionView {
  const record = viewOf(exchange, name).present(get())
  const paths = addPaths(new Set(), record)
  return {
    name,
    idField: '',
    hasPath: (path) => paths.has(path.reduce(pathTo, '')),
    keys: () => new Set(Object.keys(record)),
  }
}
