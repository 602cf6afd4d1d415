import { buildSchema } from 'graphql'

import { isRecord } from '../../json/json.ts'
import { toName } from '../../openapi/names.ts'
import { toInput, toQuery } from './arguments.ts'
import { type Api, createApi, type Resolver } from './engine.ts'
import type { Entity, Field, FieldType } from './entities.ts'

/** Creates a schema with the names of `json-graphql-server`, such as `allPosts` and `createPost`. */
export function createJsonGraphqlApi(entities: readonly Entity[]): Api {
  const types = new Map(entities.map(({ name, type }) => [name, type]))
  const texts = ['scalar Date scalar JSON scalar Upload type ListMetadata { count: Int }']
  const queries: string[] = []
  const mutations: string[] = []
  const subscriptions: string[] = []
  const Query: Record<string, Resolver> = {}
  const Mutation: Record<string, Resolver> = {}
  for (const entity of entities) {
    const { name, kind, type, plural, allows, idField } = entity
    const readable = entity.fields.filter((field) => !field.isWriteOnly)
    if (kind === 'document' || readable.length === 0) {
      queries.push(`${type}: JSON`)
      Query[type] = (_, __, records) => records.value(name)
      continue
    }
    const fields = new Map(
      readable.map((field) => [field.name, toType(field) + (field.key === idField ? '!' : '')]),
    )
    for (const { name: own, to, isMany } of entity.relations) {
      const relation = toName(own)
      if (!fields.has(relation)) fields.set(relation, listOf(types.get(to) ?? 'JSON', isMany))
    }
    const written = Array.from(fields, ([own, text]) => `${own}: ${text}`)
    texts.push(`type ${type} { ${written.join(' ')} }`)
    if (entity.isNested) continue
    const inputs = entity.fields
      .filter(({ isReadOnly, key }) => !isReadOnly && key !== idField)
      .map((field) => `${field.name}: ${toType(field, field.format === 'file')}`)
    const id = entity.fields.find(({ key }) => key === idField)?.name ?? 'id'
    const all = [`${id}: ID`, ...inputs].join(' ')
    if (kind === 'singleton') {
      queries.push(`${type}: ${type}`)
      if (allows('PATCH') && inputs.length > 0) {
        mutations.push(`update${type}(${inputs.join(' ')}): ${type}`)
      }
      continue
    }
    texts.push(`input ${type}Filter { q: String ids: [ID] ${filtersOf(entity).join(' ')} }`)
    const pages = `page: Int perPage: Int filter: ${type}Filter`
    queries.push(
      `${type}(id: ID!): ${type}`,
      `all${plural}(${pages} sortField: String sortOrder: String): [${type}]`,
      `_all${plural}Meta(${pages}): ListMetadata`,
    )
    const field = type.charAt(0).toLowerCase() + type.slice(1)
    for (const kind of ['Created', 'Updated', 'Removed'])
      subscriptions.push(`${field}${kind}(filter: ${type}Filter): ${type}`)
    Query[`_all${plural}Meta`] = (_, args, records) => {
      const query = { ...toQuery(entity, args, records), slice: { start: 0, end: 0 } }
      return { count: records.list(name, query).total }
    }
    if (allows('POST')) {
      texts.push(`input ${type}Input { ${all} }`)
      mutations.push(
        `create${type}(${all}): ${type}`,
        `createMany${type}(data: [${type}Input]): [${type}]`,
      )
      Mutation[`createMany${type}`] = (_, { data = [] }, records) => {
        const given = [data]
          .flat()
          .filter(isRecord)
          .map((one) => toInput(entity, one, records))
        return records.create(name, given)
      }
    }
    if (allows('PATCH')) mutations.push(`update${type}(${id}: ID! ${inputs.join(' ')}): ${type}`)
    if (allows('DELETE'))
      mutations.push(`remove${type}(id: ID!): ${type}`, `delete${type}(id: ID!): ${type}`)
  }
  texts.push(`type Query { ${queries.join('\n') || '_: Boolean'} }`)
  if (mutations.length > 0) texts.push(`type Mutation { ${mutations.join('\n')} }`)
  if (subscriptions.length > 0) texts.push(`type Subscription { ${subscriptions.join('\n')} }`)
  const schema = buildSchema(texts.join('\n'), { noLocation: true })
  return createApi(schema, entities, {
    resolvers: { Query, Mutation },
    firstPage: 0,
    generates: false,
  })
}

function listOf(type: string, isList: boolean): string {
  return isList ? `[${type}]` : type
}

function toType({ isId, isList, type }: Field, isUpload = false): string {
  return listOf(isUpload ? 'Upload' : isId ? 'ID' : scalars[type], isList)
}

/** Writes the filters of all fields: equality, and the ends of names that say other comparisons. */
function filtersOf({ fields }: Entity): string[] {
  return fields.flatMap((field) => {
    if (field.isWriteOnly) return []
    const isOrdered = !field.isList && field.type !== 'boolean' && field.type !== 'json'
    const ends = isOrdered ? ['', '_neq', '_lt', '_lte', '_gt', '_gte'] : ['', '_neq']
    if (field.type === 'string') ends.push('_q')
    const filters = ends.map((end) => `${field.name}${end}: ${toType(field)}`)
    return [...filters, `${field.name}_in: [${toType({ ...field, isList: false })}]`]
  })
}

const scalars: Readonly<Record<FieldType, string>> = {
  integer: 'Int',
  number: 'Float',
  boolean: 'Boolean',
  string: 'String',
  'date-time': 'Date',
  json: 'JSON',
}
