import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql'

import { createDraw } from '../../generate/draw-schema.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { createFlatten } from '../../json/flat-schema.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { select } from '../../query/select.ts'
import { toBase64Url } from '../../text/base64.ts'
import { singularOf } from '../../text/plurals.ts'
import { hash } from '../../time/random.ts'
import type { Feed } from '../live/feed.ts'
import { type Arguments, toInput, toQuery, toRange } from './arguments.ts'
import { type Entity, fieldNamed, isSameName } from './entities.ts'
import type { Records } from './records.ts'

/** A schema, and the functions that resolve its fields and abstract types. */
export interface Api {
  schema: GraphQLSchema
  resolveField: GraphQLFieldResolver<unknown, Context>
  resolveType: GraphQLTypeResolver<unknown, Context>
  /** Follows the changes that a field of the subscription type names. */
  subscribeField: GraphQLFieldResolver<unknown, Context>
  /** Converts the errors of a response, which then has no data. `document` is missing for errors of fields. */
  toError?(error: GraphQLError, document?: DocumentNode): GraphQLError
}

/** The state of one request, which all its resolvers share. */
export interface Context {
  records: Records
  /** Counts the fields of the found records, and returns null once there are too many. */
  spend(found: unknown, info: GraphQLResolveInfo): unknown
  isSpent(): boolean
  /** Runs the operation for an event, whose value is that of the field; without a value, the field is read. */
  notify(event: JsonRecord): void
  /** Returns the changes of the mock, which the first subscription creates. */
  feed(): Feed
  /** End the subscription. */
  stops: (() => void)[]
}

/** The event of a subscription that reads its field again after any change. */
export const readAgain: JsonRecord = {}

/** Returns the value of a field; may throw or return a promise. */
export type Resolver = (source: JsonRecord, args: Arguments, records: Records) => unknown

/** The parts of an API that depend on its schema. */
export interface ApiOptions {
  /** The resolvers of single fields, by type and field. */
  resolvers: Readonly<Record<string, Readonly<Record<string, Resolver>>>>
  /** The number of the first page. */
  firstPage: 0 | 1
  /** Whether values without a source are generated; otherwise they are null. */
  generates: boolean
}

/**
 * Resolves the fields of a schema. Types are the resources of the same name; fields are their fields and relations, and
 * the fields of the query type are their records by the arguments; mutations are known by verb and type.
 */
export function createApi(
  schema: GraphQLSchema,
  entities: readonly Entity[],
  { resolvers, firstPage, generates }: ApiOptions,
): Api {
  const draw = createDraw(createFlatten(() => undefined))
  /** The resource of each record that a field of an abstract type has returned. */
  const owners = new WeakMap<object, Entity>()
  const seeds = new WeakMap<object, number>()
  const plans = new Map<GraphQLObjectType, Map<string, Plan>>()

  function entitiesOf(type: GraphQLNamedType): Entity[] {
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
    return entities.filter(
      (one) => one.kind !== 'document' && types.some(({ name }) => isSameName(name, one.type)),
    )
  }

  type Plan = ReturnType<typeof toPlan>

  /** Finds all that the records of a field have in common. */
  function toPlan({ parentType, fieldName, returnType }: GraphQLResolveInfo) {
    const type = getNamedType(returnType)
    const isRoot = [schema.getQueryType(), schema.getSubscriptionType()].includes(parentType)
    const entity = isRoot ? undefined : entitiesOf(parentType)[0]
    const node = nodeTypeOf(type)
    const targets = entitiesOf(node ?? type)
    return {
      resolve: ownValue(ownValue(resolvers, parentType.name) ?? {}, fieldName),
      isRoot,
      isLeaf: isLeafType(type),
      isList: isListType(getNullableType(returnType)),
      isConnection: node !== undefined,
      isAbstract: isAbstractType(node ?? type),
      entity,
      field: entity && fieldNamed(entity, fieldName),
      targets,
      relation: relationTo(entity, fieldName, targets),
    }
  }

  function planOf(info: GraphQLResolveInfo): Plan {
    const known = plans.get(info.parentType) ?? new Map<string, Plan>()
    const plan = known.get(info.fieldName) ?? toPlan(info)
    plans.set(info.parentType, known.set(info.fieldName, plan))
    return plan
  }

  /** The matching records of a resource in a range, or of those that a relation leads to. */
  function find(
    entity: Entity,
    args: Arguments,
    records: Records,
    [start, end]: readonly [number, number],
    related?: readonly JsonRecord[],
  ): readonly JsonRecord[] {
    const { name, kind, idField } = entity
    if (kind === 'singleton') return [records.value(name)].filter(isRecord)
    const [only, ...others] = Object.entries(args)
    if (only && others.length === 0 && !related && isSameName(only[0], idField)) {
      const ids = [only[1]].flat().map(String)
      return ids.map((id) => records.member(name, id)).filter((one) => one !== null)
    }
    const query = toQuery(entity, args, records)
    if (!related) return records.list(name, { ...query, slice: { start, end } }).records
    return select({ records: () => related }, query).slice(start, end)
  }

  function generate(
    source: JsonRecord,
    { parentType, fieldName, returnType }: GraphQLResolveInfo,
  ): unknown {
    const type = getNullableType(returnType)
    if (!generates || (type === returnType && /error/i.test(fieldName))) return null
    if (isListType(type)) return []
    const owner = seeds.get(source) ?? hash(JSON.stringify(source))
    const seed = hash(`${parentType.name}.${fieldName}`, 1, owner)
    if (isLeafType(type)) return draw({ value: toSchema(type), uri: '' }, { seed, name: fieldName })
    const made = {}
    seeds.set(made, seed)
    return made
  }

  /** Returns the value of a field that the record itself has. */
  function stored(source: JsonRecord, plan: Plan, name: string, records: Records): unknown {
    const { entity, field } = plan
    if (entity && field) return ownValue(source, records.fieldName(entity.name, field.key))
    if (Object.hasOwn(source, name)) return source[name]
    return ownValue(source, Object.keys(source).find((one) => isSameName(one, name)) ?? name)
  }

  function read(
    source: JsonRecord,
    args: Arguments,
    records: Records,
    info: GraphQLResolveInfo,
    plan: Plan,
  ): unknown {
    const { isRoot, isConnection, entity, targets, relation } = plan
    const value = stored(source, plan, info.fieldName, records)
    if (value !== undefined && (plan.isLeaf || typeof value === 'object')) return value
    const related = entity && relation && records.related(entity.name, relation, source)
    const mark = (record: JsonRecord, target = targets[0]): JsonRecord => {
      if (plan.isAbstract && target) owners.set(record, target)
      return record
    }
    if (related === null) return null
    if (isRecord(related)) return mark(related)
    const isKnown = targets.length > 0 && (isRoot || related !== undefined)
    if (!isKnown && !isConnection) return targets.length > 0 ? null : generate(source, info)
    const { user } = records.exchange
    if (isRoot && user && /^(?:me|viewer|current_?user)$/i.test(info.fieldName)) return user
    const [first, ...others] = isKnown ? targets : []
    // A page of one resource is found without the records around it.
    const isPage = first?.kind === 'collection' && others.length === 0 && !isConnection
    const isSliced = isPage && plan.isList && args['last'] === undefined
    const page = isSliced ? toRange(Number.MAX_SAFE_INTEGER, args, firstPage) : everything
    const found = (isKnown ? targets : []).flatMap((target) =>
      find(target, args, records, page, related).map((record) => mark(record, target)),
    )
    if (isSliced) return found
    if (!isConnection && !plan.isList) return found[0] ?? null
    const range = toRange(found.length, args, firstPage)
    return isConnection ? toConnection(found, range) : found.slice(...range)
  }

  function write(
    args: Arguments,
    records: Records,
    info: GraphQLResolveInfo,
  ): MaybePromise<unknown> {
    const type = getNamedType(info.returnType)
    const [, verb = '', rest = ''] = /^([a-z]+)_?(.*)$/s.exec(info.fieldName) ?? []
    const [method] = Object.entries(verbs).find(([, words]) => words.includes(verb)) ?? []
    const parts = isObjectType(type) ? Object.values(type.getFields()) : []
    const [first] = parts.flatMap((part) => entitiesOf(getNamedType(part.type)))
    const entity =
      entities.find((one) => isSameName(one.type, singularOf(rest))) ?? entitiesOf(type)[0] ?? first
    if (!entity || !method) return generate({}, info)
    const { name, idField } = entity
    const isInput = ([own, value]: [string, Json]): boolean =>
      isRecord(value) && !fieldNamed(entity, own)
    const [, input] = Object.entries(args).find(isInput) ?? []
    const given = isRecord(input) ? { ...args, ...input } : args
    const ids = [idField, `${entity.type}Id`]
    const isId = (own: string): boolean => ids.some((one) => isSameName(own, one))
    const [, id] = Object.entries(given).find(([own]) => isId(own)) ?? []
    const others = Object.fromEntries(Object.entries(given).filter(([own]) => !isId(own)))
    const set = toInput(entity, method === 'POST' ? given : others, records)
    const changes = {
      POST: () => records.create(name, set),
      PATCH: () => records.update(name, scalarText(id), set),
      DELETE: () => records.remove(name, scalarText(id)),
    }
    return andThen(changes[method as keyof typeof changes](), ([record = null]) => {
      if (type.name === 'Boolean') return record !== null
      if (isLeafType(type)) return record?.[idField] ?? null
      return toPayload(type, entity, record, given)
    })
  }

  /** Returns the record, or an object whose fields hold the record, whether there is one, and the arguments. */
  function toPayload(
    type: GraphQLNamedType,
    entity: Entity,
    record: JsonRecord | null,
    given: Arguments,
  ): JsonRecord | null {
    if (!isObjectType(type) || entitiesOf(type).includes(entity)) return record
    const results = Object.values(type.getFields()).flatMap((one): [string, Json][] => {
      if (entitiesOf(getNamedType(one.type)).includes(entity)) return [[one.name, record]]
      return /^(?:ok|success)$/i.test(one.name) ? [[one.name, record !== null]] : []
    })
    return { ...given, ...Object.fromEntries(results) }
  }

  /** Follows the records of a type: the changes of a kind, such as `postCreated`, or all that the field reads. */
  function follow(args: Arguments, context: Context, info: GraphQLResolveInfo): () => void {
    const { records } = context
    const { fieldName, returnType } = info
    const type = getNamedType(returnType)
    const parts = isObjectType(type) ? Object.values(type.getFields()) : []
    const [entity] = [type, ...parts.map((one) => getNamedType(one.type))].flatMap(entitiesOf)
    const [kind] = kinds.find(([, words]) => words.test(fieldName)) ?? []
    if (!entity || !kind || planOf(info).resolve) {
      for (const target of entitiesOf(nodeTypeOf(type) ?? type)) records.read(target.name)
      context.notify(readAgain)
      const { changes } = records.exchange.service.store
      return changes.subscribe(() => context.notify(readAgain), 'read a subscription again')
    }
    const query = toQuery(entity, args, records)
    const { stop } = context.feed().follow(records.read(entity.name), undefined, ({ change }) => {
      if (!('id' in change) || !kind.includes(change.type)) return
      const record = change.type === 'deleted' ? change.previous : change.record
      const isWanted = select({ records: () => [record] }, query).length > 0
      if (isWanted) context.notify({ [fieldName]: toPayload(type, entity, record, args) })
    })
    return stop
  }

  return {
    schema,
    resolveField(source, args: Arguments, { records, spend, isSpent }, info) {
      if (isSpent()) return null
      const record = isRecord(source) ? source : {}
      const plan = planOf(info)
      const found = plan.resolve
        ? plan.resolve(record, args, records)
        : info.parentType === schema.getMutationType()
          ? write(args, records, info)
          : read(record, args, records, info, plan)
      return plan.isLeaf ? found : andThen(found, (one) => spend(one, info))
    },
    subscribeField(_, args: Arguments, context, info) {
      context.stops.push(follow(args, context, info))
      return noEvents
    },
    resolveType(value, _, __, type) {
      const record = isRecord(value) ? value : {}
      const own = owners.get(record)?.type ?? scalarText(record['__typename'])
      const possible = schema.getPossibleTypes(type).map(({ name }) => name)
      return possible.find((name) => isSameName(name, own)) ?? possible[0]
    },
  }
}

const verbs: Readonly<Record<string, readonly string[]>> = {
  POST: ['create', 'add', 'insert', 'new'],
  PATCH: ['update', 'edit', 'set', 'change', 'patch', 'save'],
  DELETE: ['delete', 'remove', 'destroy'],
}

const everything = [0, Infinity] as const

/** The changes of which the name of a subscription speaks. */
const kinds: readonly (readonly [kind: readonly string[], words: RegExp])[] = [
  [['created'], /created|added|inserted|^new/i],
  [['updated'], /updated|edited|modified/i],
  [['deleted'], /deleted|removed|destroyed/i],
  [['created', 'updated', 'deleted'], /changed|mutated/i],
]

/** The source that the package asks for; the events themselves reach the operation by `notify`. */
const noEvents: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}

/** The type of the nodes of a connection (Relay's specification of cursor connections). */
function nodeTypeOf(type: GraphQLNamedType): GraphQLNamedType | undefined {
  if (!isObjectType(type) || !type.name.endsWith('Connection')) return undefined
  const { nodes, edges } = type.getFields()
  const edge = edges && getNamedType(edges.type)
  const node = isObjectType(edge) ? edge.getFields()['node'] : nodes
  return node && getNamedType(node.type)
}

/** Finds the relation for a field: by its name, else the only one to a resource of its type. */
function relationTo(
  entity: Entity | undefined,
  name: string,
  targets: readonly Entity[],
): Entity['relations'][number] | undefined {
  const fitting = entity?.relations.filter(({ to }) => targets.some((one) => one.name === to)) ?? []
  const [first, ...others] = fitting
  return (
    fitting.find((one) => isSameName(one.name, name)) ?? (others.length > 0 ? undefined : first)
  )
}

function toConnection(found: readonly JsonRecord[], [start, end]: [number, number]): JsonRecord {
  const nodes = found.slice(start, end)
  const edges = nodes.map((node, at) => ({ cursor: toBase64Url(`cursor:${start + at}`), node }))
  return {
    totalCount: found.length,
    nodes,
    edges,
    pageInfo: {
      hasNextPage: end < found.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

/** Writes a type of leaves as a JSON Schema, by which its values are generated. */
function toSchema(type: GraphQLNamedType): JsonRecord {
  if (isEnumType(type)) return { enum: type.getValues().map(({ name }) => name) }
  return scalars.find(([pattern]) => pattern.test(type.name))?.[1] ?? { type: 'string' }
}

const scalars: readonly (readonly [name: RegExp, schema: JsonRecord])[] = [
  [/^Boolean$/, { type: 'boolean' }],
  [/^(?:Big)?Int$|long/i, { type: 'integer' }],
  [/float|decimal|number/i, { type: 'number' }],
  [/^ID$|uuid/i, { type: 'string', format: 'uuid' }],
  [/date_?time|timestamp/i, { type: 'string', format: 'date-time' }],
  [/ur[il]/i, { type: 'string', format: 'uri' }],
  [/json|object/i, { type: 'object' }],
]
