import { conditionsOf, toWhere } from '../dialects/rest/where.ts'
import {
  type Check,
  checkOptions,
  isAmount,
  isEither,
  isListOf,
  isObject,
  isText,
} from '../errors/check.ts'
import type { CollectionDb, Db, SingletonDb } from '../types/db-types.ts'
import type { FindOptions } from '../types/find-types.ts'
import type { RecordDescription } from '../types/record-description.ts'
import { toSortKey } from '../dialects/rest/question.ts'
import { MockError } from '../errors/mock-error.ts'
import { markUsage } from '../errors/usage-error.ts'
import { clone, isRecord, type JsonRecord, toJson } from '../json/json.ts'
import { select, type Selection } from '../query/select.ts'
import { type Collection, keyOf } from '../store/records/collection.ts'
import { checkId, type Id } from '../store/records/ids.ts'
import type { Store } from '../store/store.ts'
import { isKnown } from '../dialects/rest/filter.ts'
import { suggest } from '../errors/nearest.ts'
import { type Path, someAt } from '../json/path.ts'

/** Creates `mock.db`, also with later resources and with declared fields. @throws MockError 404 for an unknown name */
export function createDb(
  store: Store,
  descriptionsOf: (name: string) => readonly RecordDescription[],
): Db<Record<string, JsonRecord[]>> {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (typeof name !== 'string') return undefined
        const resource = store.resources.get(name)
        if (!resource && probed.test(name)) return undefined
        if (resource?.kind === 'singleton') return singletonDb(store, name)
        if (resource?.kind === 'document') return { get: () => clone(resource.get()) }
        const collection = markUsage(() => store.collection(name))
        return collectionDb(store, collection, () => descriptionsOf(name))
      },
      has: (_, name) => store.resources.has(name as string),
      ownKeys: () => [...store.resources.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )
}

function collectionDb(
  store: Store,
  { name }: Collection,
  descriptions: () => readonly RecordDescription[],
): CollectionDb {
  function selectBy(
    call: string,
    options: object,
  ): { found: Selection; start: number; end: number } {
    checkOptions(`the options of ${call}`, options, findChecks)
    const { where, search, sort = [], limit = Infinity, offset = 0 }: FindOptions = options
    const collection = store.collection(name)
    const fields = typeof sort === 'string' ? sort.split(',') : sort
    const keys = fields.map((field) => toSortKey(field.trim(), undefined, collection))
    const tree = where && toWhere(where, collection, 'where')
    // `exists` asks about a field that possibly no record has had.
    const conditions = tree ? conditionsOf(tree) : []
    const named = conditions.filter(({ operator }) => operator.name !== 'exists')
    for (const { path } of [...named, ...keys]) checkPath(collection, path, descriptions)
    const found = select(collection, {
      where: tree,
      search,
      sort: keys.length > 0 ? keys : undefined,
    })
    return { found, start: offset, end: Math.min(offset + limit, found.length) }
  }

  function write(id: Id, record: JsonRecord): JsonRecord {
    checkId(record, store.collection(name).idField, String(id))
    return clone(store.replace(name, String(id), record))
  }

  return {
    get(id) {
      const record = store.collection(name).get(String(id))
      return record && clone(record)
    },
    all: () => store.collection(name).records().map(clone),
    find(options = {}) {
      const { found, start, end } = markUsage(() => selectBy('find', options))
      return found.slice(start, end).map(clone)
    },
    count(options = {}) {
      const { start, end } = markUsage(() => selectBy('count', options))
      return Math.max(0, end - start)
    },
    insert: (record) => clone(store.insert(name, toRecord(record))),
    update: (id, fields) =>
      write(id, { ...store.collection(name).existing(String(id)), ...toRecord(fields) }),
    replace: (id, record) => write(id, toRecord(record)),
    remove: (id) => clone(store.remove(name, String(id))),
    clear() {
      const collection = store.collection(name)
      for (const record of collection.records()) store.remove(name, keyOf(collection, record))
    },
  }
}

function singletonDb(store: Store, name: string): SingletonDb {
  const get = (): JsonRecord => {
    const resource = store.resources.get(name)
    return resource?.kind === 'singleton' ? resource.get() : {}
  }
  return {
    get: () => clone(get()),
    update: (fields) => clone(store.replaceSingleton(name, { ...get(), ...toRecord(fields) })),
    replace: (record) => clone(store.replaceSingleton(name, toRecord(record))),
  }
}

/** Copies a value as JSON, like a record that a client sends. @throws MockError 400 when it is no object */
export function toRecord(value: unknown): JsonRecord {
  let cause: unknown
  try {
    const record: unknown = JSON.parse(toJson(value))
    if (isRecord(record)) return record
  } catch (error) {
    cause = error
  }
  throw new MockError(
    'Failed to write a record: it is not a JSON object. Please give an object that JSON can represent.',
    { status: 400, code: 'RECORD_INVALID', cause },
  )
}

/** The check of every option of `find`. */
export const findChecks: Readonly<Record<keyof FindOptions, Check>> = {
  where: isObject,
  search: isText,
  sort: isEither(isText, isListOf(isText)),
  limit: isAmount,
  offset: isAmount,
}

/** Names that promises, JSON, test frameworks and debuggers read from any object: undefined in `mock.db`. */
export const probed: RegExp = /^(?:then|toJSON|asymmetricMatch|\$\$typeof|nodeType|constructor)$/

/**
 * Checks a field of a query: a record has had it, or a behaviour declares it. Accepts every path where the
 * fields are unknown: in an empty collection, in null, in a map.
 * @throws MockError 400 that suggests the nearest field, or lists the known fields
 */
export function checkPath(
  collection: Collection,
  path: Path,
  descriptions: () => readonly RecordDescription[],
): void {
  if (isKnown(path, collection)) return
  const depth = path.findIndex((_, at) => !collection.hasPath(path.slice(0, at + 1)))
  const known = fieldsAt(collection, path.slice(0, depth))
  if (!known || descriptions().some((one) => declares(one, path))) return
  throw new MockError(
    `Failed to find in "${collection.name}": no record has had the field "${path.join('.')}", and no fields() or schema() declares it. ${suggest(path[depth] ?? '', known)}`,
    { status: 400, code: 'QUERY_INVALID' },
  )
}

function declares({ fields = {}, unique = [], names }: RecordDescription, path: Path): boolean {
  const name = path.join('.')
  return Object.hasOwn(fields, name) || unique.flat().includes(name) || names?.(path) === true
}

/** Returns the fields of the objects at a path, in every element of an array; undefined if they are unknown. */
function fieldsAt(collection: Collection, parent: Path): string[] | undefined {
  const objects: string[][] = []
  collection.each((record) => {
    someAt(record, parent, 0, (value) => {
      const keys = isRecord(value) ? Object.keys(value) : []
      if (keys.length > 0 || typeof value !== 'object') objects.push(keys)
      return false
    })
  })
  const known = [...new Set(objects.flat())]
  // If no field is in all objects, the keys are data, as in a map from user ids to votes.
  const isMap = !known.some((name) => objects.every((keys) => keys.includes(name)))
  return objects.length === 0 || (isMap && known.length > 0) ? undefined : known
}
