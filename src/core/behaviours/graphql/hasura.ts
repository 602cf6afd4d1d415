import { buildSchema, type DocumentNode, GraphQLError, Kind, visit } from 'graphql'

import { andThen, type MaybePromise, tryOr } from '../../http/contract/messages.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { createUnique } from '../../openapi/names.ts'
import type { Arguments } from './arguments.ts'
import { type Api, createApi, type Resolver } from './engine.ts'
import { type Entity, type Field, toFieldName } from './entities.ts'
import {
  aggregate,
  followLink,
  isJson,
  isNumeric,
  type Link,
  rowsOf,
  scalarOf,
  type Table,
  valueOf,
} from './hasura-rows.ts'
import { planInsert, planUpdate, stepOf, updates } from './hasura-writes.ts'
import type { Records, Step } from './records.ts'

type Resolvers = Record<string, Resolver>

/** Creates a schema with the names of Hasura 2, such as `posts_by_pk` and `insert_posts`. */
export function createHasuraApi(entities: readonly Entity[]): Api {
  const tables = toTables(entities)
  const texts = tables.map(writeTable)
  const scalars = new Set([
    'Int',
    'String',
    ...tables.flatMap(({ fields }) => fields.map(scalarOf)),
  ])
  const custom = [...scalars, 'jsonb'].filter((one) => !/^(?:Int|String|Boolean)$/.test(one))
  const queries = texts.map((one) => one.queries).join(' ') || 'no_queries_available: String'
  const mutations = texts.map((one) => one.mutations).join(' ')
  const text = `${[...new Set(custom)].map((one) => `scalar ${one}`).join(' ')}
    schema { query: query_root ${mutations.trim() && 'mutation: mutation_root'} subscription: subscription_root }
    type query_root { ${queries} } type subscription_root { ${queries} } ${block('type mutation_root', [mutations.trim()])}
    enum order_by { asc asc_nulls_first asc_nulls_last desc desc_nulls_first desc_nulls_last }
    ${[...scalars].map(writeComparison).join(' ')} ${texts.map((one) => one.types).join(' ')}`
  const all = <T>(of: (table: Table) => Record<string, T>): Record<string, T> =>
    Object.fromEntries(tables.flatMap((one) => Object.entries(of(one))))
  const query = all(queriesOf)
  const resolvers = { ...all(columnsOf), query_root: query, subscription_root: query }
  const own = { ...resolvers, mutation_root: stopAtErrors(all(mutationsOf)) }
  const schema = buildSchema(text, { noLocation: true, assumeValidSDL: true })
  const api = createApi(schema, tables, { resolvers: own, firstPage: 0, generates: false })
  return { ...api, toError }
}

/** Makes tables of the resources that have fields, with their relations. */
function toTables(entities: readonly Entity[]): Table[] {
  const unique = createUnique()
  const tables = entities.flatMap((entity) => {
    const fields = entity.fields.filter((one) => !one.isWriteOnly)
    if (entity.kind === 'document' || fields.length === 0) return []
    const type = unique(toFieldName(entity.name))
    unique(`${type}_aggregate`)
    return [{ ...entity, type, fields, columns: entity.fields, links: [] as Link[] }]
  })
  for (const { links, relations, fields } of tables) {
    for (const relation of relations) {
      const field = toFieldName(relation.name)
      const table = tables.find(({ name }) => name === relation.to)
      if (table && !fields.some(({ name }) => name === field))
        links.push({ field, relation, table })
    }
  }
  return tables
}

const isComparable = (one: Field): boolean => !one.isList && !isJson(one) && one.type !== 'boolean'

/** The functions of aggregates: the columns that have them, and the type of the result if it is another. */
const functions: readonly (readonly [name: string, has: (one: Field) => boolean, type?: string])[] =
  [
    ['sum', isNumeric],
    ['avg', isNumeric, 'Float'],
    ['max', isComparable],
    ['min', isComparable],
  ]

/** Writes a definition; nothing without members. */
function block(head: string, members: readonly string[]): string {
  const body = members.join(' ')
  return body === '' ? '' : `${head} { ${body} }`
}

const typed = (fields: readonly Field[], type?: string): string[] =>
  fields.map((one) => `${one.name}: ${type ?? scalarOf(one)}`)

const listArguments = (type: string): string =>
  `(distinct_on: [${type}_select_column!] limit: Int offset: Int order_by: [${type}_order_by!] where: ${type}_bool_exp)`

/** Writes the types of a table, and its fields of the root types. */
function writeTable(table: Table): Record<'types' | 'queries' | 'mutations', string> {
  const { type: t, links, fields, columns, kind, idField, allows } = table
  const written = columns.filter((one) => !one.isReadOnly)
  const names = fields.map(({ name }) => name).filter((one) => !/^(?:true|false|null)$/.test(one))
  const shown = fields.map((one) => {
    const path = isJson(one) ? '(path: String)' : ''
    return `${one.name}${path}: ${scalarOf(one)}${one.key === idField ? '!' : ''}`
  })
  const [list, many] = [listArguments(t), `${t}_mutation_response`]
  const related = links.map(({ field, relation, table: { type: to } }) =>
    relation.isMany
      ? `${field}${listArguments(to)}: [${to}!]! ${field}_aggregate${listArguments(to)}: ${to}_aggregate!`
      : `${field}: ${to}`,
  )
  const sorts = links.map(({ field, relation, table: { type: to } }) =>
    relation.isMany ? `${field}_aggregate: ${to}_aggregate_order_by` : `${field}: ${to}_order_by`,
  )
  const nested = links
    .filter((one) => one.table.kind === 'collection')
    .map(
      (one) =>
        `${one.field}: ${one.table.type}_${one.relation.isMany ? 'arr' : 'obj'}_rel_insert_input`,
    )
  const aggregates = functions
    .map(([name, has, result]) => ({ name, has: fields.filter(has), result }))
    .filter(({ has }) => has.length > 0)
  const sets = [
    ['_set', typed(written)] as const,
    ...Object.entries(updates).map(
      ([name, { isFor, operand }]) => [name, typed(written.filter(isFor), operand)] as const,
    ),
  ].filter(([, parts]) => parts.length > 0)
  const set = sets.map(([name]) => `${name}: ${t}${name}_input`).join(' ')
  const [id] = kind === 'collection' ? typed(fields.filter(({ key }) => key === idField)) : []
  const constraints = fields.map(({ name }) => `${t}_${name}_key`)
  const types = `
    ${block(`type ${t}`, [...shown, ...related])}
    type ${t}_aggregate { aggregate: ${t}_aggregate_fields nodes: [${t}!]! }
    type ${t}_aggregate_fields { count(columns: [${t}_select_column!] distinct: Boolean): Int!
      ${aggregates.map(({ name }) => `${name}: ${t}_${name}_fields`).join(' ')} }
    ${aggregates.map(({ name, has, result }) => block(`type ${t}_${name}_fields`, typed(has, result))).join(' ')}
    ${aggregates.map(({ name, has }) => block(`input ${t}_${name}_order_by`, typed(has, 'order_by'))).join(' ')}
    input ${t}_aggregate_order_by { count: order_by ${aggregates.map(({ name }) => `${name}: ${t}_${name}_order_by`).join(' ')} }
    ${block(`input ${t}_order_by`, [...typed(fields, 'order_by'), ...sorts])}
    ${block(`enum ${t}_select_column`, names)} ${block(`enum ${t}_update_column`, names)}
    ${block(`enum ${t}_constraint`, [`${t}_pkey`, ...constraints])}
    input ${t}_bool_exp { _and: [${t}_bool_exp!] _or: [${t}_bool_exp!] _not: ${t}_bool_exp
      ${fields.map((one) => `${one.name}: ${scalarOf(one)}_comparison_exp`).join(' ')}
      ${links.map((one) => `${one.field}: ${one.table.type}_bool_exp`).join(' ')} }
    input ${t}_insert_input { ${[...typed(written), ...nested].join(' ') || '_: Boolean'} }
    input ${t}_obj_rel_insert_input { data: ${t}_insert_input! on_conflict: ${t}_on_conflict }
    input ${t}_arr_rel_insert_input { data: [${t}_insert_input!]! on_conflict: ${t}_on_conflict }
    input ${t}_on_conflict { constraint: ${t}_constraint! update_columns: [${t}_update_column!]! = [] where: ${t}_bool_exp }
    type ${many} { affected_rows: Int! returning: [${t}!]! }
    ${block(`input ${t}_pk_columns_input`, id === undefined ? [] : [`${id}!`])}
    ${sets.map(([name, parts]) => block(`input ${t}${name}_input`, parts)).join(' ')}
    input ${t}_updates { where: ${t}_bool_exp! ${set} }`
  const queries = `${t}${list}: [${t}!]! ${t}_aggregate${list}: ${t}_aggregate!
    ${id === undefined ? '' : `${t}_by_pk(${id}!): ${t}`}`
  const canInsert = kind === 'collection' && allows('POST') && written.length > 0
  const canUpdate = allows('PATCH') && set !== ''
  const mutations = [
    canInsert &&
      `insert_${t}(objects: [${t}_insert_input!]! on_conflict: ${t}_on_conflict): ${many}
      insert_${t}_one(object: ${t}_insert_input! on_conflict: ${t}_on_conflict): ${t}`,
    canUpdate &&
      `update_${t}(where: ${t}_bool_exp! ${set}): ${many}
      update_${t}_many(updates: [${t}_updates!]!): [${many}]`,
    canUpdate &&
      id !== undefined &&
      `update_${t}_by_pk(pk_columns: ${t}_pk_columns_input! ${set}): ${t}`,
    allows('DELETE') &&
      id !== undefined &&
      `delete_${t}(where: ${t}_bool_exp!): ${many} delete_${t}_by_pk(${id}!): ${t}`,
  ]
  return { types, queries, mutations: mutations.filter((one) => one !== false).join(' ') }
}

/** Writes the comparisons of a scalar. */
function writeComparison(scalar: string): string {
  const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte']
  const patterns = ['like', 'ilike', 'similar', 'regex', 'iregex'].flatMap((one) => [
    one,
    `n${one}`,
  ])
  const isLoose = scalar === 'jsonb' || scalar.startsWith('_')
  const own = [
    ...comparisons,
    ...(scalar === 'String' ? patterns : []),
    ...(isLoose ? ['contains', 'contained_in'] : []),
  ]
  const keys = '_has_key: String _has_keys_any: [String!] _has_keys_all: [String!]'
  return `input ${scalar}_comparison_exp { ${own.map((one) => `_${one}: ${scalar}`).join(' ')}
    _in: [${scalar}!] _nin: [${scalar}!] _is_null: Boolean ${scalar === 'jsonb' ? keys : ''} }`
}

const toAggregate = (found: readonly JsonRecord[]): JsonRecord => ({
  aggregate: { rows: [...found] },
  nodes: [...found],
})

const rowsIn = (given: Json | undefined): JsonRecord[] => [given ?? []].flat().filter(isRecord)

/** The resolvers of the relations, the JSON columns and the aggregates of a table. */
function columnsOf(table: Table): Record<string, Resolvers> {
  const columns: Resolvers = {}
  for (const field of table.fields.filter(isJson)) {
    columns[field.name] = (row, { path }, records) => {
      const keys = scalarText(path).match(/[^$.[\]"']+/g) ?? []
      const step = (from: Json, key: string): Json =>
        (Array.isArray(from) ? from[Number(key)] : ownValue(isRecord(from) ? from : {}, key)) ??
        null
      return keys.reduce(step, valueOf(table, field, row, records))
    }
  }
  for (const link of table.links.filter(({ relation }) => relation.isMany)) {
    const read = (row: JsonRecord, args: Arguments, records: Records) =>
      rowsOf(link.table, args, records, followLink(table, link, row, records))
    columns[link.field] = read
    columns[`${link.field}_aggregate`] = (...given) => toAggregate(read(...given))
  }
  const aggregates: Resolvers = {
    count({ rows }, { columns: given, distinct }, records) {
      const named = table.fields.filter(({ name }) => [given ?? []].flat().includes(name))
      const keys = rowsIn(rows).map((row) => named.map((one) => valueOf(table, one, row, records)))
      const found = keys.filter((key) => !key.includes(null)).map((key) => JSON.stringify(key))
      return distinct === true && named.length > 0 ? new Set(found).size : found.length
    },
  }
  for (const [name, has] of functions) {
    aggregates[name] = ({ rows }, _, records) => {
      const values = table.fields.filter(has).map((one): [string, Json] => {
        return [one.name, aggregate(name, table, one, rowsIn(rows), records)]
      })
      return Object.fromEntries(values)
    }
  }
  return { [table.type]: columns, [`${table.type}_aggregate_fields`]: aggregates }
}

function queriesOf(table: Table): Resolvers {
  const { name, type } = table
  return {
    [type]: (_, args, records) => rowsOf(table, args, records),
    [`${type}_aggregate`]: (_, args, records) => toAggregate(rowsOf(table, args, records)),
    [`${type}_by_pk`]: (_, args, records) =>
      records.member(name, scalarText(Object.values(args)[0])),
  }
}

function mutationsOf(table: Table): Resolvers {
  const { type, name } = table
  /** Stores steps; the rows of those at `roots`, or of all, are returned. */
  const run = (
    records: Records,
    plan: () => readonly Step[],
    roots?: () => readonly number[],
  ): MaybePromise<JsonRecord> =>
    andThen(records.write(plan), (written) => ({
      affected_rows: written.flat().length,
      returning: roots ? roots().flatMap((at) => written[at] ?? []) : written.flat(),
    }))
  const insert = (objects: Json | undefined, conflict: Json | undefined, records: Records) => {
    let roots: number[] = []
    const plan = (): Step[] => {
      const planned = planInsert(table, objects, conflict, records)
      roots = planned.roots
      return planned.steps
    }
    return run(records, plan, () => roots)
  }
  const update = (args: Arguments, records: Records) => {
    const found = () => rowsOf(table, { where: args['where'] ?? null }, records)
    return run(records, () => planUpdate(table, found(), args, records))
  }
  const first = (response: JsonRecord): JsonRecord | null =>
    rowsIn(response['returning'])[0] ?? null
  const member = (key: Json | undefined, records: Records): JsonRecord[] =>
    rowsIn(records.member(name, String(Object.values(Object(key))[0])))
  const remove = (records: Records, found: () => readonly JsonRecord[]) =>
    run(records, () => found().map((row) => stepOf(table, row, records)))
  return {
    [`insert_${type}`]: (_, args, records) => insert(args['objects'], args['on_conflict'], records),
    [`insert_${type}_one`]: (_, args, records) =>
      andThen(insert(args['object'], args['on_conflict'], records), first),
    [`update_${type}`]: (_, args, records) => update(args, records),
    async [`update_${type}_many`](_, args, records) {
      const results: JsonRecord[] = []
      for (const one of rowsIn(args['updates'])) results.push(await update(one, records))
      return results
    },
    [`update_${type}_by_pk`]: (_, args, records) => {
      const plan = () => planUpdate(table, member(args['pk_columns'], records), args, records)
      return andThen(run(records, plan), first)
    },
    [`delete_${type}`]: (_, { where = null }, records) =>
      remove(records, () => rowsOf(table, { where }, records)),
    [`delete_${type}_by_pk`]: (_, args, records) =>
      andThen(
        remove(records, () => member(args, records)),
        first,
      ),
  }
}

/** Lets no mutation run after one of its request has failed. */
function stopAtErrors(mutations: Readonly<Resolvers>): Resolvers {
  const failed = new WeakSet<Records>()
  const guard =
    (run: Resolver): Resolver =>
    (source, args, records) =>
      failed.has(records)
        ? null
        : tryOr(
            () => run(source, args, records),
            (error) => {
              failed.add(records)
              throw error
            },
          )
  return Object.fromEntries(Object.entries(mutations).map(([name, run]) => [name, guard(run)]))
}

/** Converts an error to that of Hasura, whose `extensions` have the code and the path in the document. */
function toError(error: GraphQLError, document?: DocumentNode): GraphQLError {
  const { message, path: fields, nodes, extensions } = error
  const { status, reason } = extensions
  const isData = typeof reason === 'string' && reason.startsWith('22')
  const code = isData ? 'data-exception' : (codes[Number(status)] ?? 'validation-failed')
  const [, field, type] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? []
  const text = field === undefined ? message : `field '${field}' not found in type: '${type ?? ''}'`
  const node = document && nodes?.[0]
  const above = node ? fieldsAbove(document, node) : (fields ?? []).slice(0, 1)
  const path = ['$', ...above.map((one) => `selectionSet.${one}`)].join('.')
  const own = status !== undefined && String(above[0]).startsWith('insert_') ? '.args.objects' : ''
  return new GraphQLError(text, { extensions: { path: path + own, code } })
}

const codes: Readonly<Record<number, string>> = {
  401: 'access-denied',
  403: 'permission-error',
  404: 'not-found',
  409: 'constraint-violation',
  422: 'constraint-violation',
}

/** The names of the fields that contain a node of a document, and its own. */
function fieldsAbove(document: DocumentNode, node: object): string[] {
  let found: string[] = []
  const names: string[] = []
  visit(document, {
    enter(one) {
      if (one.kind === Kind.FIELD) names.push(one.name.value)
      if (one === node) found = [...names]
    },
    leave: (one) => void (one.kind === Kind.FIELD && names.pop()),
  })
  return found
}
