import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'

import { MockError } from '../../errors/mock-error.ts'
import { andThen } from '../../http/contract/messages.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { toName } from '../../openapi/names.ts'
import { idOperators, operators } from '../../query/operators.ts'
import type { Query, Where } from '../../query/tree.ts'
import { type Entity, type Field, type FieldType, toStoredId } from './entities.ts'
import {
  type Arguments,
  type Context,
  createObjects,
  type Fields,
  follow,
  listOf,
  ordered,
  storeOne,
  toInput,
  writableFields,
} from './fields.ts'
import type { Records } from './records.ts'
import { dateScalar, jsonScalar } from './scalars.ts'

type RecordType = GraphQLObjectType<JsonRecord, Context>

/** Creates a schema with the names of `json-graphql-server`, such as `allPosts` and `createPost`. */
export function createJsonGraphqlSchema(entities: readonly Entity[]): GraphQLSchema {
  const objects = createObjects(entities, {
    typeName: ({ type }) => type,
    scalarOf,
    toRelation: (relation, entity, type) => [
      toName(relation.name),
      {
        type: listOf(type, relation.isMany),
        resolve: (record, _, context, info) => follow(entity, relation, record, context, info),
      },
    ],
  })
  const queries: Fields = {}
  const mutations: Fields = {}
  for (const entity of entities) {
    const type = objects.get(entity.name)
    if (entity.isNested) continue
    if (!type || entity.kind === 'singleton') {
      queries[entity.type] = {
        type: type ?? jsonScalar,
        resolve: (_, __, { records }) => records.value(entity.name),
      }
    } else Object.assign(queries, toQueries(entity, type))
    if (type) Object.assign(mutations, toMutations(entity, type))
  }
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: queries }),
    ...(Object.keys(mutations).length > 0 && {
      mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutations }),
    }),
  })
}

const listMetadata = new GraphQLObjectType({
  name: 'ListMetadata',
  fields: { count: { type: GraphQLInt } },
})

function toQueries(entity: Entity, type: RecordType): Fields {
  const { name, plural } = entity
  const filter = { type: toFilterType(entity) }
  const pages = { page: { type: GraphQLInt }, perPage: { type: GraphQLInt } }
  return {
    [entity.type]: {
      type,
      args: { id: { type: new GraphQLNonNull(GraphQLID) } },
      resolve: (_, { id }: { id: string }, { records, spend }, info) =>
        spend(records.member(name, id), info),
    },
    [`all${plural}`]: {
      type: new GraphQLList(type),
      args: {
        ...pages,
        sortField: { type: GraphQLString },
        sortOrder: { type: GraphQLString },
        filter,
      },
      resolve: (_, args: Arguments, { records, spend }, info) =>
        spend(records.list(name, toQuery(entity, args, records)).records, info),
    },
    [`_all${plural}Meta`]: {
      type: listMetadata,
      args: { ...pages, filter },
      resolve: (_, args: Arguments, { records }) => ({
        count: records.list(name, { ...toQuery(entity, args, records), slice: nothing }).total,
      }),
    },
  }
}

const nothing = { start: 0, end: 0 }

function toMutations(entity: Entity, type: RecordType): Fields {
  const { name, kind, allows } = entity
  const id = { type: new GraphQLNonNull(GraphQLID) }
  const inputs: GraphQLFieldConfigArgumentMap = Object.fromEntries(
    writableFields(entity).map((field) => [
      field.name,
      { type: listOf(scalarOf(field), field.isList) },
    ]),
  )
  const remove: Fields[string] = {
    type,
    args: { id },
    resolve: (_, { id }: { id: string }, context, info) =>
      storeOne(context.records.removal(name, id), context, info),
  }
  return {
    ...(allows.POST && {
      [`create${entity.type}`]: {
        type,
        args: inputs,
        resolve: (_, args: Arguments, context, info) => {
          const record = toInput(entity, args, context.records)
          return storeOne(context.records.creation(name, record), context, info)
        },
      },
      [`createMany${entity.type}`]: {
        type: new GraphQLList(type),
        args: {
          data: {
            type: new GraphQLList(
              new GraphQLInputObjectType({ name: `${entity.type}Input`, fields: inputs }),
            ),
          },
        },
        resolve: (_, { data }: Arguments, { records, spend }, info) => {
          const given = Array.isArray(data) ? data.filter(isRecord) : []
          const inserted = given.map((one) => toInput(entity, one, records))
          return andThen(records.store([records.creation(name, inserted)]), ([stored = []]) =>
            spend(stored, info),
          )
        },
      },
    }),
    ...(allows.PATCH && {
      [`update${entity.type}`]: {
        type,
        args: kind === 'singleton' ? inputs : { ...inputs, [idNameOf(entity)]: id },
        resolve: (_, args: Arguments, context, info) => {
          const { [idNameOf(entity)]: key, ...others } = args
          const set = toInput(entity, kind === 'singleton' ? args : others, context.records)
          const change = (previous: JsonRecord): JsonRecord => ({ ...previous, ...set })
          const id = typeof key === 'string' ? key : undefined
          return storeOne(context.records.update(name, id, change), context, info)
        },
      },
    }),
    ...(allows.DELETE && { [`remove${entity.type}`]: remove, [`delete${entity.type}`]: remove }),
  }
}

/** The name of the argument with the id of the record to update. */
function idNameOf({ fields, idField }: Entity): string {
  return fields.find(({ key }) => key === idField)?.name ?? 'id'
}

function toFilterType(entity: Entity): GraphQLInputObjectType {
  const fields: Record<string, { type: GraphQLScalarType | GraphQLList<GraphQLScalarType> }> = {
    q: { type: GraphQLString },
    ids: { type: new GraphQLList(GraphQLID) },
  }
  for (const { field, name, isList } of filtersOf(entity)) {
    fields[name] ??= { type: listOf(scalarOf(field), isList) }
  }
  return new GraphQLInputObjectType({ name: `${entity.type}Filter`, fields })
}

/** The filters of a field: the end of the name, the operator, and the field types that have the filter. */
const filters: readonly [suffix: string, operator: string, types?: ReadonlySet<FieldType>][] = [
  ['', 'eq'],
  ['_neq', 'ne'],
  ['_in', 'in'],
  ['_lt', 'lt', ordered],
  ['_lte', 'lte', ordered],
  ['_gt', 'gt', ordered],
  ['_gte', 'gte', ordered],
  ['_q', 'contains', new Set<FieldType>(['string'])],
]

function filtersOf(entity: Entity): Filter[] {
  return entity.fields.flatMap((field) =>
    filters
      .filter(([, , types]) => !field.isWriteOnly && (types?.has(field.type) ?? true))
      .map(([suffix, operator]) => ({
        field,
        name: field.name + suffix,
        operator,
        isList: suffix === '_in' || (field.isList && suffix === ''),
      })),
  )
}

interface Filter {
  field: Field
  name: string
  operator: string
  isList: boolean
}

function toQuery(entity: Entity, args: Arguments, records: Records): Query {
  const { page, perPage = 25, sortField, sortOrder, filter } = args
  const { q, ids, ...given } = isRecord(filter) ? filter : {}
  const sorted = entity.fields.find(({ name }) => name === sortField)
  const path = [records.fieldName(entity.name, sorted?.key ?? '')]
  const conditions = toConditions(entity, given, records)
  const descending = typeof sortOrder === 'string' && sortOrder.toLowerCase() !== 'asc'
  const where = Array.isArray(ids)
    ? toCondition([records.fieldName(entity.name, entity.idField)], 'in', ids, true)
    : conditions.length > 0 && { and: conditions }
  return {
    ...(where && { where }),
    ...(typeof q === 'string' && !ids && { search: q }),
    ...(sorted && { sort: [{ path, descending }] }),
    ...(typeof page === 'number' &&
      Number(perPage) > 0 && { slice: toSlice(page, Number(perPage)) }),
  }
}

function toSlice(page: number, perPage: number): Query['slice'] {
  if (page >= 0) return { start: page * perPage, end: (page + 1) * perPage }
  throw new MockError('Failed to read "page": pages count from 0.', {
    status: 400,
    code: 'QUERY_INVALID',
  })
}

function toConditions(entity: Entity, given: Arguments, records: Records): Where[] {
  return filtersOf(entity).flatMap(({ field, name, operator, isList }): Where[] => {
    const value = ownValue(given, name)
    if (value === undefined) return []
    const path = [records.fieldName(entity.name, field.key)]
    const stored = toStoredId(field, value)
    if (operator !== 'eq' || !isList)
      return [toCondition(path, operator, [stored].flat(), field.isId)]
    // A list has to contain all values of the filter.
    return [stored].flat().map((one) => toCondition(path, operator, [one], field.isId))
  })
}

function toCondition(
  path: readonly string[],
  operator: string,
  values: readonly Json[],
  isId: boolean,
): Where {
  const known = (isId && ownValue(idOperators, operator)) || ownValue(operators, operator)
  const operands = values.filter((one) => typeof one !== 'object' || one === null)
  const condition = { path, operator: known ?? operators.eq, operands }
  if (!operands.includes(null) || (operator !== 'eq' && operator !== 'ne')) return condition
  // A missing field counts as null.
  const isMissing = { path, operator: operators.exists, operands: [false] }
  const isNull = { or: [{ ...condition, operator: operators.eq }, isMissing] }
  return operator === 'eq' ? isNull : { not: isNull }
}

function scalarOf({ isId, type }: Field): GraphQLScalarType {
  return isId ? GraphQLID : scalars[type]
}

const scalars: Readonly<Record<FieldType, GraphQLScalarType>> = {
  integer: GraphQLInt,
  number: GraphQLFloat,
  boolean: GraphQLBoolean,
  string: GraphQLString,
  uuid: GraphQLString,
  date: GraphQLString,
  'date-time': dateScalar,
  json: jsonScalar,
}
