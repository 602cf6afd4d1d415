import { ownValue, type Json } from '../json/json.ts'
import type { SchemaObject } from '../types/json-schema.ts'
import type { RecordDescription } from '../types/record-description.ts'
import { applyDescriptions } from './declared/apply-descriptions.ts'
import { toSchema } from './describe/to-schema.ts'
import { toStatistics } from './describe/to-statistics.ts'
import { observeAll } from './observe/observe.ts'
import { everyAt, type Place } from './place.ts'
import {
  findDeclaredRelations,
  findRelations,
  type ReferencedCollection,
  type RelationRules,
  type ShapeRelation,
} from './relations/find-relations.ts'
import type { ResourceKind, ShapeSource } from './sources.ts'
import type { Statistics, ObjectStatistics } from './statistics.ts'
import { propertiesOf, requiredOf } from './declared/apply-schema.ts'
import { inferredFormats } from './formats.ts'

/**
 * Creates a function that infers the shapes of resources from their data: what types, JSON Schemas and the OpenAPI
 * document are written from. The function reads a resource again only when its version has changed since the last
 * call.
 * @example const [posts] = createShapes()(toSources({ posts: [{ id: 1, title: 'Hello' }] }))
 */
export function createShapes(): InferShapes {
  let known: ReadonlyMap<string, ResourceStatistics> = new Map()
  return (sources, rules = {}) => {
    const observed = sources.map((source) => {
      const before = known.get(source.name)
      const isSame = before?.kind === source.kind && before.version === source.version
      return [source, isSame ? before : observeSource(source)] as const
    })
    known = new Map(observed.map(([{ name }, one]) => [name, one]))
    const targets = observed.flatMap(([source, one]) => toTarget(source, one))
    const names = targets.map(({ name }) => name)
    return observed.map(([source, one]) => toShape(source, one, targets, names, rules))
  }
}

/** Infers the shapes of all resources, in the order of `sources`. */
export type InferShapes = (sources: readonly ShapeSource[], rules?: ShapeRules) => Shape[]

/** The inferred schema, statistics and relations of one resource, as plain data. */
export interface Shape {
  name: string
  kind: ResourceKind
  /** Whether the resource is made of a collection, and has no fixture. */
  isMade: boolean
  /** The field that holds the ids of a collection. */
  idField?: string
  /** The number of records of a collection; 1 for another resource. */
  count: number
  /** The JSON Schema (2020-12) of a record of a collection, or of the value of another resource. */
  schema: SchemaObject
  /** The statistics of the values, at the places of the schema. */
  statistics: Statistics
  /** The places whose values are ids of other records. */
  relations: ShapeRelation[]
  /** Pairs of date fields of records: the first is never later than the second. */
  dateOrder: [earlier: string, later: string][]
  /** The fields that the mock sets if a new record lacks them: defaults, timestamps. */
  filled: string[]
  /** Groups of fields whose values no two records may share. */
  unique: string[][]
}

/** The options that name relations, and the descriptions of behaviours. */
export interface ShapeRules extends RelationRules {
  /** Returns what behaviours declare about the records of a resource, which wins over inference. */
  describe?(name: string): readonly RecordDescription[]
}

interface ResourceStatistics extends Pick<Shape, 'statistics' | 'dateOrder'> {
  kind: ResourceKind
  version: unknown
  /** Cached results: whether all values at a place are ids of a collection, valid for that collection's version. */
  checks: Map<string, { version: unknown; hasOnlyIds: boolean }>
}

function observeSource({ kind, version, values }: ShapeSource): ResourceStatistics {
  const statistics = toStatistics(observeAll(values()), kind === 'collection')
  const { objects } = statistics
  const dateOrder = kind === 'collection' && objects ? findOrder(objects, values) : []
  return { kind, version, statistics, dateOrder, checks: new Map() }
}

function toTarget(
  { name, kind, isMade, idField = '', has = () => false }: ShapeSource,
  { statistics, version }: ResourceStatistics,
): ReferencedCollection[] {
  const ids = ownValue<Statistics>(statistics.objects?.fields ?? {}, idField)
  // No key names the records of a view, which are those of its collection.
  return kind === 'collection' && !isMade
    ? [{ name, version, ids: ids ?? { count: 0, nulls: 0 }, has }]
    : []
}

function toShape(
  source: ShapeSource,
  { statistics, dateOrder, checks }: ResourceStatistics,
  targets: readonly ReferencedCollection[],
  names: readonly string[],
  rules: ShapeRules,
): Shape {
  const { name, kind, idField } = source
  const hasOnlyIds = (place: Place, target: ReferencedCollection): boolean => {
    const key = JSON.stringify([target.name, ...place])
    const before = checks.get(key)
    if (before && before.version === target.version) return before.hasOnlyIds
    const isId = (value: unknown): boolean =>
      typeof value === 'string' || typeof value === 'number'
        ? target.has(String(value))
        : value === null
    const found = Array.from(source.values()).every((value) => everyAt(value, place, 0, isId))
    checks.set(key, { version: target.version, hasOnlyIds: found })
    return found
  }
  const found = findRelations({ name, idField, statistics, hasOnlyIds }, targets, names, rules)
  const references = new Map(found.map(({ place, to }) => [JSON.stringify(place), to]))
  const inferred = toSchema(statistics, (place) => references.get(JSON.stringify(place)))
  const isCollection = idField !== undefined
  const schema = isCollection ? withIdField(inferred, idField) : inferred
  const described = applyDescriptions(schema, rules.describe?.(name) ?? [], idField)
  const relations =
    isCollection && statistics.count === 0
      ? findDeclaredRelations({ name, idField }, described.schema, names, rules)
      : found
  return {
    name,
    kind,
    isMade: source.isMade ?? false,
    ...(isCollection && { idField }),
    count: isCollection ? statistics.count : 1,
    ...described,
    statistics,
    relations,
    dateOrder,
  }
}

/** Every stored record has an id: integers if the fixtures have none, any kind in an empty collection. */
export function withIdField(schema: SchemaObject, idField: string): SchemaObject {
  if (schema['additionalProperties'] !== undefined) return schema
  const isEmpty = schema['type'] === undefined
  const properties = propertiesOf(schema)
  const required = requiredOf(schema)
  const given = ownValue(properties, idField) as SchemaObject | undefined
  const own = { ...given, type: isEmpty ? ['string', 'integer'] : withoutNull(given?.['type']) }
  return {
    ...schema,
    type: 'object',
    // The fields of records that are still to come are unknown.
    ...(isEmpty && { additionalProperties: true }),
    properties: given ? { ...properties, [idField]: own } : { [idField]: own, ...properties },
    required: required.includes(idField) ? required : [idField, ...required],
  }
}

/** The type of ids without null: the mock gives an id to a record whose id is null. */
function withoutNull(type: unknown = 'integer'): unknown {
  if (!Array.isArray(type)) return type
  const others = (type as unknown[]).filter((name) => name !== 'null')
  return others.length === 1 ? others[0] : others
}

/** Returns the candidates for `users.schema.json` in a schema of `from`: in its folder, then outside of folders. */
export function referencedNames(reference: string, from: string): string[] {
  const [, name] = /^(?:.*\/)?([^/]+)\.schema\.json$/.exec(reference) ?? []
  const folder = from.slice(0, from.lastIndexOf('/') + 1)
  return name === undefined ? [] : [folder + name, name]
}

/** Finds pairs of dates of which one is never later: both in at least three records, and different in at least one. */
function findOrder(
  { fields = {} }: ObjectStatistics,
  readRecords: () => Iterable<Json>,
): [earlier: string, later: string][] {
  const times = Object.entries(fields).filter(([, { strings }]) => isTemporal(strings?.format))
  const pairs = times.flatMap(([first, one], index) =>
    times
      .slice(index + 1)
      .filter(([, other]) => one.strings?.format === other.strings?.format)
      .map(([second]): Pair => ({ first, second, both: 0, before: 0, after: 0 })),
  )
  if (pairs.length === 0) return []
  for (const record of readRecords()) {
    const values = record as Readonly<Record<string, unknown>>
    for (const pair of pairs) count(pair, values[pair.first], values[pair.second])
  }
  return pairs.flatMap(({ first, second, both, before, after }): [string, string][] => {
    if (both < evidence) return []
    if (before > 0 && after === 0) return [[first, second]]
    return after > 0 && before === 0 ? [[second, first]] : []
  })
}

const evidence = 3

interface Pair {
  first: string
  second: string
  both: number
  /** The number of records in which the first date is earlier than the second. */
  before: number
  /** The number of records in which the first date is later than the second. */
  after: number
}

function count(pair: Pair, first: unknown, second: unknown): void {
  if (typeof first !== 'string' || typeof second !== 'string') return
  const order = compareTimes(first, second)
  pair.both++
  if (order < 0) pair.before++
  if (order > 0) pair.after++
}

function compareTimes(first: string, second: string): number {
  // Times in UTC with the same digits sort as texts.
  const areTexts = first.length === second.length && isUtc(first) && isUtc(second)
  if (areTexts) return first < second ? -1 : Number(first > second)
  return Date.parse(first) - Date.parse(second)
}

function isUtc(text: string): boolean {
  return text.endsWith('Z') || text.length === 10
}

function isTemporal(format: string | undefined): boolean {
  return inferredFormats.some(({ name, isTemporal }) => name === format && isTemporal === true)
}
