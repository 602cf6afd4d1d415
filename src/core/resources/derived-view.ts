import { toEmbeds } from '../dialects/rest/presentation.ts'
import { toWhere } from '../dialects/rest/where.ts'
import type { MockContext } from '../http/contract/behaviour.ts'
import {
  createRequestState,
  type Exchange,
  type ViewHook,
  type Write,
} from '../http/contract/exchange.ts'
import { viewOf, visibleLinks } from '../http/resource/record-view.ts'
import { define, isRecord, isSame, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import { embedAll } from '../query/embed.ts'
import type { RecordDescription, FieldDescription } from '../types/record-description.ts'
import { addComputed, anyCollection, type ComputedField, compileComputed } from './computed.ts'
import { compileTest } from './filters.ts'
import { listOf, type ResourceOptions } from './options.ts'
import {
  createRelatedValues,
  type Found,
  type RelatedValues,
  viewerOf,
  toViewer,
} from './related-values.ts'
import type { Embed } from '../query/tree.ts'
import type { SchemaObject } from '../types/json-schema.ts'

/** Creates the views that add computed fields and embedded records, and keep both out of the store. */
export function createDerivedViews(
  resources: Readonly<Record<string, ResourceOptions>>,
  world: MockContext,
): DerivedViews {
  const all = new Map<string, Derived>()
  for (const [name, { computed = {}, embed, where }] of Object.entries(resources)) {
    const fields = compileComputed(name, computed, world)
    const embeds = toEmbeds(listOf(embed), 'embed')
    const test = where && compileTest(toWhere(where, anyCollection, `resources.${name}.where`))
    if (test || fields.length + embeds.length > 0) all.set(name, { fields, embeds, test })
  }
  const requests = createRequestState<RequestViews>()

  function requestOf(exchange: Exchange): RequestViews {
    const known = requests.get(exchange)
    const { user } = exchange
    const { version } = exchange.service.store
    if (known && known.user === user && known.version === version) return known
    const created: RequestViews = {
      user,
      version,
      values: createRelatedValues(
        exchange.service,
        viewerOf(exchange),
        (collection, record) => viewOf(exchange, collection).refusal(record) === undefined,
        (collection, record, field) => computedOf(collection, record, field, exchange),
      ),
      active: new Set(),
      computing: new Set(),
      presented: known?.presented ?? new WeakMap(),
    }
    requests.set(exchange, created)
    return created
  }

  /** Computes one field of a related record; of fields that read each other, the inner one is undefined. */
  function computedOf(
    name: string,
    record: JsonRecord,
    field: string,
    exchange: Exchange,
  ): Json | undefined {
    const { computing, values } = requestOf(exchange)
    const { fields = [] } = all.get(name) ?? {}
    const last = fields.findIndex((one) => one.name === field)
    const key = `${name}.${field}`
    if (last < 0 || computing.has(key)) return undefined
    computing.add(key)
    try {
      const copy = { ...record }
      const stored = { value: record, collection: name }
      const source = { stored, exchange, values, present: () => undefined }
      addComputed(copy, fields.slice(0, last + 1), source)
      return copy[field]
    } finally {
      computing.delete(key)
    }
  }

  /** Returns a copy of a record with its derived fields. Of records inside each other, only the outer embeds others. */
  function present(name: string, record: JsonRecord, exchange: Exchange): JsonRecord {
    const { fields, embeds } = all.get(name) ?? { fields: [], embeds: [] }
    const request = requestOf(exchange)
    const { active, values, presented } = request
    const isOuter = !active.has(name)
    const presentFound = ({ value, collection }: Found): Found['value'] | undefined => {
      if (collection === undefined || !isRecord(value)) return value
      return isOuter ? viewOf(exchange, collection).visible(value) : undefined
    }
    if (isOuter) active.add(name)
    try {
      const [embedded = record] =
        isOuter && embeds.length > 0 ? embedAll([record], embeds, name, visibleLinks(exchange)) : []
      const copy = { ...embedded }
      const stored = { value: record, collection: name }
      addComputed(copy, fields, { stored, exchange, values, present: presentFound })
      presented.set(record, copy)
      return copy
    } finally {
      if (isOuter) active.delete(name)
    }
  }

  return {
    isEmpty: all.size === 0,
    valuesOf: (exchange) => requestOf(exchange).values,
    viewOf(_, exchange, name) {
      const own = all.get(name)
      if (!own) return undefined
      const { test } = own
      return {
        derives: derivedNames(own),
        present: (record) => present(name, record, exchange),
        // Derived fields are removed by `removeDerived`, which knows the action.
        toStored: (record) => record,
        ...(test && {
          includes: (record) =>
            test({ value: record, collection: name }, requestOf(exchange).values),
        }),
      }
    },
    describe: () =>
      Object.fromEntries(
        Array.from(all, ([name, { fields, embeds }]) => [
          name,
          { fields: describeDerived(name, fields, embeds, world) },
        ]),
      ),
    publish(name, record) {
      const { fields = [] } = all.get(name) ?? {}
      if (fields.length === 0) return record
      const copy = { ...record }
      const stored = { value: record, collection: name }
      const values = createRelatedValues(world.service, undefined, () => true)
      const present = ({ value, collection = '' }: Found): Json => {
        const { hidden = [] } = ownValue(resources, collection) ?? {}
        return isRecord(value) ? withoutFields(value, hidden) : value
      }
      for (const one of fields) {
        try {
          addComputed(copy, [one], { stored, exchange: {}, values, present })
        } catch {
          // The request whose write is published has reported the error.
        }
      }
      return copy
    },
    checkFunctions({ resource, record, previous, action }, exchange) {
      const { fields = [] } = all.get(resource.name) ?? {}
      if (!record || action === 'remove' || fields.every(({ schema }) => schema)) return
      const idField = resource.kind === 'collection' ? resource.idField : undefined
      const [other] = resource.kind === 'collection' ? resource.records() : []
      // The store gives a new record its id later.
      const copy =
        idField === undefined || Object.hasOwn(record, idField)
          ? { ...record }
          : { [idField]: (previous ?? other)?.[idField] ?? 1, ...record }
      const stored = { value: copy, collection: resource.name }
      const { values } = requestOf(exchange)
      addComputed({ ...copy }, fields, { stored, exchange, values, present: () => undefined })
    },
    removeDerived(write, exchange) {
      const own = all.get(write.resource.name)
      if (!own || !write.record || write.action === 'remove') return { computed: [], embedded: [] }
      const { previous = {} } = write
      const shown = requests.get(exchange)?.presented.get(previous) ?? {}
      const sent = { ...write.record }
      const { fieldName } = viewOf(exchange, write.resource.name)
      const remove = (names: readonly { name: string }[]): string[] =>
        names.flatMap(({ name }) => {
          // A new record of other keys may not say how this one is spelled.
          const wire = fieldName(name)
          if (wire !== name && Object.hasOwn(sent, wire)) {
            define(sent, name, sent[wire])
            delete sent[wire]
          }
          if (!Object.hasOwn(sent, name)) return []
          const isNamed = !isUnchanged(name, sent, shown, exchange)
          if (Object.hasOwn(previous, name)) define(sent, name, previous[name])
          else delete sent[name]
          return isNamed ? [name] : []
        })
      const removed = { computed: remove(own.fields), embedded: remove(own.embeds) }
      write.record = sent
      return removed
    },
  }
}

/** The description of a hidden field: requests can set it, and no response has it. */
export const hiddenField = { schema: { writeOnly: true } }

/** Returns a copy of a record without some fields. */
export function withoutFields(record: JsonRecord, fields: readonly string[]): JsonRecord {
  const copy = { ...record }
  for (const field of fields) delete copy[field]
  return copy
}

function derivedNames({ fields, embeds }: Derived): string[] {
  return [...fields, ...embeds].map(({ name }) => name)
}

/** The derived fields of all resources. */
export interface DerivedViews {
  isEmpty: boolean
  /** Reads values as a request sees them. */
  valuesOf(exchange: Exchange): RelatedValues
  viewOf: ViewHook
  /** Describes the derived fields for types and the OpenAPI document. */
  describe(): Readonly<Record<string, RecordDescription>>
  /** Adds the computed fields that a record has without a user. */
  publish(name: string, record: JsonRecord): JsonRecord
  /** Computes the fields of a record to be written, so that none is stored that no request can read. @throws MockError 500 */
  checkFunctions(write: Write, exchange: Exchange): void
  /** Removes the derived fields from a record to be written, and returns those that the request names. */
  removeDerived(write: Write, exchange: Exchange): DerivedNames
}

/** Names of derived fields: computed fields, and embedded relations. */
interface DerivedNames {
  computed: string[]
  embedded: string[]
}

interface Derived {
  fields: readonly ComputedField[]
  embeds: ReturnType<typeof toEmbeds>
  /** Whether a view shows a record. */
  test: ReturnType<typeof compileTest> | undefined
}

interface RequestViews {
  user: JsonRecord | undefined
  version: number
  values: RelatedValues
  /** The resources whose records are being presented, so that records that embed each other end. */
  active: Set<string>
  /** The computed fields of related records that are being computed, so that fields that read each other end. */
  computing: Set<string>
  /** The last form of each stored record, from which a PATCH starts. */
  presented: WeakMap<JsonRecord, JsonRecord>
}

/** Whether a field of a PATCH is that of the record which the PATCH starts from, and the body does not name it. */
function isUnchanged(
  name: string,
  sent: JsonRecord,
  shown: JsonRecord,
  { method, body, service }: Exchange,
): boolean {
  if (method !== 'PATCH' && service.dialect.put !== 'merge') return false
  if (isRecord(body) && ownValue(body, name) !== undefined) return false
  return isSame(sent[name], ownValue(shown, name))
}

/** Describes the derived fields of a resource. The types of values that no option decides are those of samples. */
function describeDerived(
  name: string,
  fields: readonly ComputedField[],
  embeds: readonly Embed[],
  world: MockContext,
): Record<string, FieldDescription> {
  const resource = world.service.resources.get(name)
  const records = resource?.kind === 'collection' ? resource.records().slice(0, MAX_SAMPLES) : []
  const samples = fields.every(({ schema }) => schema) ? [] : sample(name, records, fields, world)
  const described: Record<string, FieldDescription> = {}
  const add = (field: string, schema: SchemaObject): void =>
    define(described, field, { schema: { ...schema, readOnly: true }, isFilled: true })
  for (const { name: relation } of embeds) {
    const link = world.service.links.find(name, relation)
    const isList = link?.follow(records).some(Array.isArray) ?? false
    add(
      relation,
      isList ? { type: 'array', items: { type: 'object' } } : { type: ['object', 'null'] },
    )
  }
  for (const { name: field, schema } of fields) {
    add(field, schema ?? typesOf(samples.map((one) => one[field])))
  }
  return described
}

/** How many records are computed to learn the types of their fields. */
const MAX_SAMPLES = 20

/** Computes the fields of some records without a user, and for the first user. */
function sample(
  name: string,
  records: readonly JsonRecord[],
  fields: readonly ComputedField[],
  { service }: MockContext,
): JsonRecord[] {
  const users = service.store.resources.get('users')
  const [user] = users?.kind === 'collection' ? users.records() : []
  const viewer = users && toViewer(user, users)
  return [undefined, viewer].flatMap((one) => {
    const values = createRelatedValues(service, one, () => true)
    return records.map((record) => {
      const copy = { ...record }
      const stored = { value: record, collection: name }
      const exchange = one && user ? { user } : {}
      try {
        addComputed(copy, fields, { stored, exchange, values, present: ({ value }) => value })
      } catch {
        // A request reports the error.
      }
      return copy
    })
  })
}

/** Returns the schema of values by their types; empty if all are null, as others may follow. */
function typesOf(values: readonly (Json | undefined)[]): SchemaObject {
  const types = new Set(values.flatMap((value) => (value === undefined ? [] : typeOf(value))))
  if (types.has('number')) types.delete('integer')
  const isUnknown = [...types].every((type) => type === 'null')
  const [first] = types
  return isUnknown ? {} : { type: types.size === 1 ? first : [...types] }
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
