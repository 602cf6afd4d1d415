import { define, isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { resolveLocal } from '../json/local-reference.ts'

/** Writes a document of Swagger 2.0 in the form of OpenAPI 3: bodies, responses and parameters have a schema each. */
export function fromSwagger(document: JsonRecord): JsonRecord {
  const {
    basePath,
    consumes,
    produces,
    parameters,
    responses,
    definitions = {},
    ...rest
  } = document
  const media: Media = { consumes: textsOf(consumes), produces: textsOf(produces), document }
  const servers = typeof basePath === 'string' ? [{ url: basePath }] : []
  return {
    ...rest,
    servers,
    ...(isRecord(document['paths']) && {
      paths: mapValues(document['paths'], (item) => toPathItem(item, media)),
    }),
    ...(isRecord(parameters) && { parameters: mapValues(parameters, toParameter) }),
    ...(isRecord(responses) && {
      responses: mapValues(responses, (one) => toResponse(one, media.produces)),
    }),
    components: { schemas: definitions, securitySchemes: document['securityDefinitions'] ?? {} },
  }
}

interface Media {
  consumes: string[]
  produces: string[]
  document: JsonRecord
}

const methods = 'get put post delete options head patch'.split(' ')

function toPathItem(item: Json, media: Media): Json {
  if (!isRecord(item)) return item
  const shared = Array.isArray(item['parameters']) ? item['parameters'] : []
  return mapValues(item, (value, key) => {
    if (key === 'parameters') return shared.map(toParameter)
    return methods.includes(key) && isRecord(value) ? toOperation(value, shared, media) : value
  })
}

function toOperation(operation: JsonRecord, shared: readonly Json[], media: Media): JsonRecord {
  const own = Array.isArray(operation['parameters']) ? operation['parameters'] : []
  const consumes =
    operation['consumes'] === undefined ? media.consumes : textsOf(operation['consumes'])
  const produces =
    operation['produces'] === undefined ? media.produces : textsOf(operation['produces'])
  const resolved = [...shared, ...own].map((one) => resolveParameter(one, media.document))
  const body = resolved.find((one) => one['in'] === 'body')
  const fields = resolved.filter((one) => one['in'] === 'formData')
  const responses = isRecord(operation['responses']) ? operation['responses'] : {}
  return {
    ...operation,
    parameters: own
      .filter((one) => !isBodyPart(resolveParameter(one, media.document)))
      .map(toParameter),
    ...(body && { requestBody: toBody(body, consumes) }),
    ...(!body && fields.length > 0 && { requestBody: toForm(fields, consumes) }),
    responses: mapValues(responses, (one) => toResponse(one, produces)),
  }
}

function resolveParameter(parameter: Json, document: JsonRecord): JsonRecord {
  const reference = isRecord(parameter) ? parameter['$ref'] : undefined
  const found = typeof reference === 'string' ? resolveLocal(reference, document) : parameter
  return isRecord(found) ? found : {}
}

function isBodyPart({ in: place }: JsonRecord): boolean {
  return place === 'body' || place === 'formData'
}

function toBody({ schema = {}, required = false }: JsonRecord, consumes: readonly string[]): Json {
  const types = consumes.length > 0 ? consumes : ['application/json']
  return { required, content: Object.fromEntries(types.map((type) => [type, { schema }])) }
}

function toForm(fields: readonly JsonRecord[], consumes: readonly string[]): JsonRecord {
  const properties: JsonRecord = {}
  for (const field of fields) define(properties, scalarText(field['name']), schemaOf(field))
  const required = fields
    .filter((field) => field['required'] === true)
    .map(({ name }) => scalarText(name))
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  const forms = consumes.filter((type) => /form/.test(type))
  const types = forms.length > 0 ? forms : ['application/x-www-form-urlencoded']
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }
}

/** The members of a parameter that are no keywords of its schema. */
const ownMembers = new Set(
  'name in description required allowEmptyValue collectionFormat'.split(' '),
)

function schemaOf(parameter: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(parameter).filter(([key]) => !ownMembers.has(key)))
}

function toParameter(parameter: Json): Json {
  if (!isRecord(parameter) || parameter['$ref'] !== undefined || isBodyPart(parameter)) {
    return parameter
  }
  const { name = '', in: place = '', required = false, collectionFormat } = parameter
  return {
    name,
    in: place,
    required,
    schema: schemaOf(parameter),
    explode: collectionFormat === 'multi',
  }
}

function toResponse(response: Json, produces: readonly string[]): Json {
  if (!isRecord(response) || response['$ref'] !== undefined) return response
  const { schema, examples, ...rest } = response
  if (schema === undefined) return rest
  const types = produces.length > 0 ? produces : ['application/json']
  const content = types.map((type): [string, Json] => {
    const example = isRecord(examples) ? examples[type] : undefined
    return [type, { schema, ...(example !== undefined && { example }) }]
  })
  return { ...rest, content: Object.fromEntries(content) }
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function mapValues(record: JsonRecord, convert: (value: Json, key: string) => Json): JsonRecord {
  const converted: JsonRecord = {}
  for (const [key, value] of Object.entries(record)) define(converted, key, convert(value, key))
  return converted
}
