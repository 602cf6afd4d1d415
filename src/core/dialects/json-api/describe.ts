import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type {
  DescribedOperation,
  DescribedResource,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import { fieldParameters, ignored, isCopyOf, query } from '../shared/describe.ts'
import { mediaType } from './document.ts'
import { memberOf, typeOf } from './names.ts'

/** Describes the wire for OpenAPI; undefined for a dialect with other functions. */
export function describeJsonApi(
  dialect: Dialect,
  original: Dialect,
): DialectDescription | undefined {
  if (!isCopyOf(dialect, original)) return undefined
  const error = toObject({ status: {}, code: {}, title: {}, detail: {} })
  const errors = toObject({ errors: { type: 'array', minItems: 1, items: error } })
  return {
    text: 'The wire is JSON:API 1.1, with Atomic Operations at `/operations`.',
    schemas: { Errors: errors },
    error: () => [{ type: mediaType, schema: { $ref: '#/components/schemas/Errors' } }],
    operation: describeOperation,
  }
}

function describeOperation(operation: DescribedOperation): DialectOperation {
  const { method, kind, resource, isPlain } = operation
  if (method === 'OPTIONS') return {}
  if (method === 'DELETE') return { status: 204, result: {} }
  const isList = kind === 'collection' && method === 'GET'
  const data = toResource(resource, true)
  const primary: JsonSchema = isList ? { type: 'array', items: data } : data
  const members = kind === 'document' ? { meta: toObject({ value: {} }) } : { data: primary }
  const result = { type: mediaType, schema: toObject(members) }
  if (kind === 'document') return { result }
  const type = typeOf(resource.name, [])
  const names = resource.relations.map(({ name }) => `\`${name}\``).join(', ')
  const presentation = [
    ...(names === '' ? [] : [query('include', `Relationship paths, which begin with ${names}.`)]),
    query(`fields[${type}]`, 'The attributes and relationships to return.'),
  ]
  const common = { result, headers: ignored, ...(!isPlain && { parameters: presentation }) }
  if (method !== 'GET') {
    const sent = toObject({ data: toResource(resource, method === 'PATCH') })
    const bodyTypes = { [mediaType]: sent }
    const reasons = { 403: 'It is not supported.', 409: 'The type or the id is another one.' }
    return { ...common, bodyTypes, errors: { ...reasons, 404: 'A resource does not exist.' } }
  }
  if (!isList) return common
  const suffixes = { range: ['][gte', '][lte'], text: ['][contains'] } as const
  const filters = fieldParameters(resource, [], suffixes)
  const pages = ['number', 'size', 'offset', 'limit', 'after']
  const parameters = [
    ...presentation,
    ...filters.map((one) => ({ ...one, name: `filter[${one.name}]` })),
    query('sort', 'Attributes, also of relationships; a minus reverses the order.'),
    ...pages.map((name) => query(`page[${name}]`, 'Selects the page.')),
  ]
  return { ...common, parameters }
}

/** The schema of a resource object; a new one needs no id. */
function toResource({ fields, idField, name }: DescribedResource, hasId: boolean): SchemaObject {
  // Validators find inherited members, such as `constructor`, in every object.
  const own = Object.entries(fields).filter(([field]) => field !== idField && !(field in {}))
  const attributes = own.map(([field, schema]) => [memberOf(field, name), schema])
  return {
    type: 'object',
    required: hasId ? ['type', 'id'] : ['type'],
    properties: {
      type: { const: typeOf(name, []) },
      id: { type: 'string' },
      attributes: { type: 'object', properties: Object.fromEntries(attributes) },
      relationships: { type: 'object' },
    },
  }
}

/** The schema of an object with members that have to be there. */
function toObject(properties: Readonly<Record<string, JsonSchema>>): SchemaObject {
  return { type: 'object', required: Object.keys(properties), properties }
}
