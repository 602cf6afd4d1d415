import type { JsonRecord } from '../../json/json.ts'
import { isRecord } from '../../json/json.ts'
import { type Accounts, askedOf, toUserPath } from '../auth/find-logins.ts'
import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import { findRecord } from '../recognize/envelope.ts'
import { findWritten } from '../recognize/extract-records.ts'
import { idOf } from '../recognize/ids.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'
import { mergeObservations, type SourceFields, toSourceFields } from '../records/merge.ts'
import type { CreatedRecord, Survey, SurveyedCollection } from '../records/survey.ts'

/** Finds the writes to collections and the actions on their records, successful or not. */
export function toWriteSamples(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
  { collections, created }: Pick<Survey, 'collections' | 'created'>,
  nameOf: (path: string) => string | undefined,
  toStored: (path: string, record: JsonRecord) => JsonRecord,
  accounts?: Accounts,
): WriteSample[] {
  const stateAt = createStates(collections)
  const fieldsOf = createFields(collections)
  return exchanges.flatMap((exchange): WriteSample[] => {
    const { method, segments, at } = exchange
    if (!/^(?:POST|PUT|PATCH|DELETE)$/.test(method)) return []
    const user = accounts && toUserPath(exchange, accounts)
    if (user === 'other') return []
    const own = user ?? resourcePaths.find(segments)
    const path = own ?? resourcePaths.find(segments.slice(0, -1))
    const name = path && nameOf(path.collection)
    const collection = path && collections.get(path.collection)
    if (!path || !collection || name === undefined) return []
    const kind = own ? kindOf(method, own.kind) : 'action'
    if (!kind || (kind === 'action' && path.kind !== 'member')) return []
    const idField = collection.idField.name
    const word = path.collection.slice(path.collection.lastIndexOf('/') + 1)
    const inBody = isRecord(exchange.sent) ? findRecord(exchange.sent, word)?.record : undefined
    const sent = (user ? askedOf(exchange) : inBody) ?? {}
    const written = user
      ? accounts?.logins.users.get(exchange)
      : findWritten(exchange, word)?.record
    const shown = isSuccess(exchange) && written ? toStored(path.collection, written) : undefined
    const id = path.kind === 'member' ? path.id : idOf(shown, idField)
    const made = created.get(exchange)
    const isOwn = !made && shown !== undefined && idOf(shown, idField) === id
    const after = isOwn ? shown : id === undefined ? undefined : stateAt(collection, id, at, true)
    const before = path.kind === 'member' ? stateAt(collection, path.id, at) : undefined
    const { collection: parentPath = '', id: parent } = path.parent ?? {}
    const holder = collections.get(parentPath)
    const above = holder && parent !== undefined ? stateAt(holder, parent, at) : undefined
    return [
      {
        exchange,
        name,
        word,
        idField,
        fields: fieldsOf(collection),
        kind,
        id,
        parent,
        ...(above && { above: { name: nameOf(parentPath) ?? '', record: above } }),
        sent,
        before,
        after,
        isShown: isOwn,
        ...(made && { created: { ...made, name: nameOf(made.collection.path) ?? '' } }),
      },
    ]
  })
}

/** A write to a collection, and the record before and after it, as far as other exchanges show it. */
export interface WriteSample {
  exchange: ParsedExchange
  /** The name of the fixture, and the last segment of its path. */
  name: string
  word: string
  idField: string
  /** The names of the fields of all records. */
  fields: ReadonlySet<string>
  kind: 'create' | 'update' | 'replace' | 'remove' | 'action'
  /** The id of the record; undefined for a new record whose id no response has. */
  id: string | undefined
  /** The id of the parent in a nested path. */
  parent: string | undefined
  /** The parent before the write, with the name of its fixture. */
  above?: { name: string; record: JsonRecord }
  /** The fields in the body of the request, without an envelope. */
  sent: JsonRecord
  before: JsonRecord | undefined
  after: JsonRecord | undefined
  /** Whether the response has the record. */
  isShown: boolean
  /** The record that an action has created, with the name of its fixture. */
  created?: CreatedRecord & { name: string }
}

function kindOf(method: string, path: 'collection' | 'member'): WriteSample['kind'] | undefined {
  if (path === 'collection') return method === 'POST' ? 'create' : undefined
  return ({ PUT: 'replace', PATCH: 'update', DELETE: 'remove' } as const)[method]
}

function createFields(
  collections: ReadonlyMap<string, SurveyedCollection>,
): (collection: SurveyedCollection) => ReadonlySet<string> {
  const fields = new Map(
    Array.from(collections, ([path, { observations }]) => {
      const records = [...observations.values()].flat().map(({ record }) => record)
      return [path, new Set(records.flatMap(Object.keys))]
    }),
  )
  return ({ path }) => fields.get(path) ?? new Set()
}

/** Returns the record before a time, or as the first exchange after the time shows it. */
type StateAt = (
  collection: SurveyedCollection,
  id: string,
  time: number,
  isAfter?: boolean,
) => JsonRecord | undefined

function createStates(collections: ReadonlyMap<string, SurveyedCollection>): StateAt {
  const fields = new Map<string, SourceFields>()
  for (const [path, { observations }] of collections) {
    fields.set(path, toSourceFields(observations.values()))
  }
  return ({ path, observations }, id, time, isAfter = false) => {
    const all = observations.get(id) ?? []
    const next = isAfter ? all.find(({ at }) => at > time)?.at : undefined
    if (isAfter && next === undefined) return undefined
    const known = all.filter(({ at }) => (next === undefined ? at < time : at <= next))
    return known.length > 0 ? mergeObservations(known, fields.get(path) ?? new Map()) : undefined
  }
}
