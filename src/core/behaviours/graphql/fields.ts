import {
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
} from 'graphql'

import type { Json, JsonRecord } from '../../json/json.ts'
import { clone, define, ownValue } from '../../json/json.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { type Entity, type Field, type FieldType, toStoredId } from './entities.ts'
import type { Budget } from './limits.ts'
import type { Change, Records, Relation } from './records.ts'

/** The state of one request, which all its resolvers share. */
export interface Context {
  records: Records
  spend: Budget['spend']
}

/** The fields of an object type of a schema, on records. */
export type Fields = GraphQLFieldConfigMap<JsonRecord, Context>

/** The arguments of a field. */
export type Arguments = Readonly<Record<string, Json>>

/** The object type of each resource. */
export type Objects = ReadonlyMap<string, GraphQLObjectType<JsonRecord, Context>>

/** How a schema names what is made of the resources. */
export interface Naming {
  typeName(entity: Entity): string
  scalarOf(field: Field): GraphQLScalarType
  /** The field of a relation, whose type is `type`. */
  toRelation(
    relation: Entity['relations'][number],
    entity: Entity,
    type: GraphQLObjectType<JsonRecord, Context>,
  ): [name: string, field: Fields[string]]
}

/** Creates the object types of collections and singletons, which lead to one another along relations. */
export function createObjects(entities: readonly Entity[], naming: Naming): Objects {
  const objects = new Map<string, GraphQLObjectType<JsonRecord, Context>>()
  for (const entity of entities) {
    if (entity.kind === 'document') continue
    const fields = (): Fields => toRecordFields(entity, objects, naming)
    objects.set(entity.name, new GraphQLObjectType({ name: naming.typeName(entity), fields }))
  }
  return objects
}

function toRecordFields(entity: Entity, objects: Objects, naming: Naming): Fields {
  const fields: Fields = {}
  for (const field of entity.fields) {
    if (field.isWriteOnly) continue
    const type = listOf(naming.scalarOf(field), field.isList)
    fields[field.name] = {
      type: field.key === entity.idField ? new GraphQLNonNull(type) : type,
      resolve: (record, _, { records }) =>
        ownValue(record, records.fieldName(entity.name, field.key)),
    }
  }
  for (const relation of entity.relations) {
    const related = objects.get(relation.to)
    if (!related) continue
    const [name, field] = naming.toRelation(relation, entity, related)
    if (!Object.hasOwn(fields, name)) fields[name] = field
  }
  return fields
}

/** Returns a list type, or the type itself. */
export function listOf<Type extends GraphQLScalarType | GraphQLObjectType>(
  type: Type,
  isList: boolean,
): Type | GraphQLList<Type> {
  return isList ? new GraphQLList(type) : type
}

/** Returns the records or the record that a relation leads to, for a resolver. */
export function follow(
  { name }: Entity,
  relation: Relation,
  record: JsonRecord,
  { records, spend }: Context,
  info: GraphQLResolveInfo,
): readonly JsonRecord[] | JsonRecord | null {
  return spend(records.related(name, relation, record), info)
}

/** Returns the fields that arguments set, as a request of REST would send them. */
export function toInput(entity: Entity, given: Arguments, records: Records): JsonRecord {
  const record: JsonRecord = {}
  for (const field of entity.fields) {
    const value = ownValue(given, field.name)
    if (value === undefined) continue
    // The objects that the GraphQL library makes of literals have no prototype.
    const plain = field.type === 'json' ? clone(value) : toStoredId(field, value)
    define(record, records.fieldName(entity.name, field.key), plain)
  }
  return record
}

/** Stores one change, and returns its record; null for a record that the request does not see. */
export function storeOne(
  change: Change | undefined,
  { records, spend }: Context,
  info: GraphQLResolveInfo,
): MaybePromise<JsonRecord | null> {
  return andThen(records.store([change]), ([[record = null] = []]) => spend(record, info))
}

/** The fields that requests can set. */
export function writableFields(entity: Entity): Field[] {
  return entity.fields.filter(({ isReadOnly }) => !isReadOnly)
}

/** The field types whose values have an order. */
export const ordered: ReadonlySet<FieldType> = new Set<FieldType>([
  'integer',
  'number',
  'string',
  'date-time',
  'date',
])
