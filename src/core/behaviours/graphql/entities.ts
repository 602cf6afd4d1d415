import type { MockInternals } from '../../http/contract/internals.ts'
import { methodsOf } from '../../http/pipeline/actions.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import { createUnique, toName } from '../../openapi/names.ts'
import { relationsOf } from '../../openapi/schemas/relations.ts'
import { propertiesOf } from '../../shape/declared/apply-schema.ts'
import type { Shape } from '../../shape/shapes.ts'
import type { Statistics } from '../../shape/statistics.ts'
import { pluralOf, singularOf } from '../../text/plurals.ts'
import { toAscii } from '../../text/to-ascii.ts'
import type { Relation } from './records.ts'

/** A resource as a GraphQL schema names it. */
export interface Entity {
  /** The name of the resource. */
  name: string
  kind: Shape['kind']
  /** The name of the type: `Post`. */
  type: string
  /** The name of the type in the plural: `Posts`. */
  plural: string
  idField: string
  fields: readonly Field[]
  relations: readonly (Relation & { isMany: boolean })[]
  /** Whether only nested paths serve the resource. */
  isNested: boolean
  /** Whether requests can create (POST), change or remove records. */
  allows(method: 'POST' | 'PATCH' | 'DELETE'): boolean
}

/** A field of a resource. */
export interface Field {
  /** The name in the schema. */
  name: string
  /** The name in the stored records. */
  key: string
  type: FieldType
  /** The format of its texts, such as `uuid`; `file` for the URLs of files. */
  format: unknown
  /** Whether the field holds a list of values of its type. */
  isList: boolean
  /** Whether the field holds an id of the resource itself or of others. */
  isId: boolean
  isReadOnly: boolean
  isWriteOnly: boolean
}

/** The type of a field: that of JSON, or a text with a date and a time. */
export type FieldType = 'integer' | 'number' | 'boolean' | 'string' | 'date-time' | 'json'

/** Names the resources of a mock and their fields for GraphQL, by the shapes of their data. */
export function toEntities(mock: MockInternals, shapes: readonly Shape[]): Entity[] {
  const { service } = mock
  const [uniqueType, uniquePlural] = [createUnique(), createUnique()]
  for (const name of reserved) uniqueType(name)
  return shapes.map((shape): Entity => {
    const { name, kind, idField = '' } = shape
    const singular = kind === 'collection' ? singularOf(name) : name
    return {
      name,
      kind,
      type: uniqueType(toName(singular)),
      plural: uniquePlural(toName(pluralOf(singular))),
      idField,
      fields: kind === 'document' ? [] : fieldsOf(mock, shape, shapes),
      relations: relationsOf(shape, mock),
      isNested: ownValue(service.rules, name)?.nested ?? false,
      allows(method) {
        const target = kind === 'collection' && method !== 'POST' ? 'member' : kind
        return methodsOf(target, name, service).includes(method)
      },
    }
  })
}

/** The names of types that the schemas have besides those of the resources. */
const reserved =
  'Query Mutation Subscription ListMetadata Date JSON Upload Int Float String Boolean ID'.split(' ')

function fieldsOf(mock: MockInternals, shape: Shape, shapes: readonly Shape[]): Field[] {
  const { name, idField, schema, statistics } = shape
  const hidden = ownValue(mock.service.rules, name)?.hidden ?? []
  const unique = createUnique()
  return Object.entries(propertiesOf(schema)).flatMap(([key, property]): Field[] => {
    if (hidden.includes(key)) return []
    const own = isRecord(property) ? property : {}
    const known = ownValue<Statistics>(statistics.objects?.fields ?? {}, key)
    const target = shape.relations.find(({ place }) => place[0] === key && place.length <= 2)?.to
    const isId = key === idField || target !== undefined
    const ids = idsOf(shapes.find((one) => one.name === target))
    const values = [known?.arrays?.items, known, ids].find((one) => one?.strings ?? one?.numbers)
    const isNumber = values?.numbers !== undefined && !values.strings
    const [type, isList] = isId
      ? ([isNumber ? 'integer' : 'string', known?.arrays !== undefined] as const)
      : typeOf(own, known)
    return [
      {
        name: unique(toFieldName(key)),
        key,
        type,
        format: own['x-file'] === undefined ? own['format'] : 'file',
        isList,
        isId: isId || (key.endsWith('_id') && !isList && type !== 'json'),
        isReadOnly: own['readOnly'] === true,
        isWriteOnly: own['writeOnly'] === true,
      },
    ]
  })
}

function idsOf(shape: Shape | undefined): Statistics | undefined {
  return ownValue<Statistics>(shape?.statistics.objects?.fields ?? {}, shape?.idField ?? '')
}

function typeOf(
  { type, format, items }: Readonly<Record<string, unknown>>,
  known?: Statistics,
): [type: FieldType, isList: boolean] {
  const types = [type].flat().filter((one) => one !== 'null')
  const [first, ...others] = types
  if (others.length === 0 && first === 'array') {
    const [item, isNested] = typeOf(isRecord(items) ? items : {}, known?.arrays?.items)
    return isNested || item === 'json' ? ['json', false] : [item, true]
  }
  const text = format === 'date-time' ? format : 'string'
  if (others.length === 0 && first === 'string') return [text, false]
  if (others.length === 0 && first === 'boolean') return ['boolean', false]
  if (!types.every((one) => one === 'integer' || one === 'number')) return ['json', false]
  const { min = 0, max = 0 } = known?.numbers ?? {}
  // GraphQL's Int has 32 bits.
  const isSmall = min >= -(2 ** 31) && max < 2 ** 31
  return [others.length === 0 && first === 'integer' && isSmall ? 'integer' : 'number', false]
}

/** Converts the name of a field to one of GraphQL, in which two underscores at the start are reserved. */
export function toFieldName(key: string): string {
  const name = toAscii(key).replaceAll(/\W/g, '_').replace(/^__+/, '_')
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

/** Whether two names are the same but for case, underscores and hyphens. */
export function isSameName(one: string, other: string): boolean {
  const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()
  return one === other || plain(one) === plain(other)
}

/** Finds a field by its name: exactly, else but for case, underscores and hyphens. */
export function fieldNamed({ fields }: Entity, name: string): Field | undefined {
  return fields.find((one) => one.name === name) ?? fields.find((one) => isSameName(one.name, name))
}

/** Returns an id that a request gives as a text as the collection stores its ids: as a number if those are numbers. */
export function toStoredId(field: Field, value: Json): Json {
  if (Array.isArray(value)) return value.map((one) => toStoredId(field, one))
  const isNumber = field.isId && field.type === 'integer' && typeof value === 'string'
  return isNumber && /^(?:0|-?[1-9]\d{0,15})$/.test(value) ? Number(value) : value
}
