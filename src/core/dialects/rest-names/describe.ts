import { schemaOf, type Template, toSchemas } from '../../text/template.ts'
import { ownValue } from '../../json/json.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { Header, Parameter } from '../../types/openapi.ts'
import type {
  DescribedBody,
  DescribedOperation,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import type { ParameterName } from '../rest/spelling.ts'
import {
  fieldParameters,
  ignored,
  isCopyOf,
  listHeaders,
  problem,
  query,
  toProblem,
} from '../shared/describe.ts'
import { schemaOfBody } from './envelope.ts'

import type { Rendering } from './render.ts'
import { type Pattern, plainName } from './pattern.ts'
import type { Settings } from './settings.ts'
import {
  errorVariables,
  faultVariables,
  listVariables,
  recordVariables,
  singularName,
} from './variables.ts'

/** Describes the wire of a configured `rest` for OpenAPI; undefined for a dialect with other functions. */
export function describeNames(
  dialect: Dialect,
  original: Dialect,
  of: (resource?: string) => Rendering,
): DialectDescription | undefined {
  if (!isCopyOf(dialect, original)) return undefined
  const { settings, toWire } = of()
  const { statuses = {}, key } = settings
  return {
    text: textOf(settings),
    ...(settings.error === undefined && { schemas: { Problem: problem } }),
    error: (status) => [errorBody(status, settings)],
    statusOf: (status) => ownValue(statuses, String(status)) ?? status,
    ...(key && { fieldName: toWire }),
    operation: (operation) =>
      describeOperation(operation, of(operation.resource.name).settings, toWire),
  }
}

function textOf({ filters, operators, parameters }: Settings): string {
  const trees = filters.length > 0 ? [] : parameters.where
  const patterns = [...filters, ...trees].map(({ text }) => `\`${text}\``).join(', ')
  const names = Object.keys(operators)
    .filter((name) => name !== '')
    .map((name) => `\`${name}\``)
    .join(', ')
  return [
    `A list is filtered by any field: ${patterns}, with one of the operators ${names}. The parameters below name the fields and the most useful operators; all combinations work.`,
    'A parameter that is neither a field nor a parameter below has no effect, and `X-Mock-Ignored` names it.',
  ].join('\n\n')
}

function errorBody(status: number, settings: Settings): DescribedBody {
  const { error, errors = {}, invalid, fault = '', statuses = {}, errorType } = settings
  const type = errorType ?? (error === undefined ? 'application/problem+json' : undefined)
  const origins = [
    String(status),
    ...Object.keys(statuses).filter((one) => statuses[one] === status),
  ].filter((one) => (ownValue(statuses, one) ?? Number(one)) === status)
  const own = Object.entries(errors)
  const templates = new Set<Template | undefined>([
    ...origins.map((one) => (Object.hasOwn(errors, one) ? errors[one] : error)),
    ...own.flatMap(([code, template]) => (/^\d+$/.test(code) ? [] : [template])),
    ...(invalid === undefined || !origins.some(isOfFields) ? [] : [invalid]),
  ])
  const schemas = toSchemas(errorVariables, {
    fault: schemaOf(fault, toSchemas(faultVariables, {})),
  })
  const all = [...templates].flatMap((template): JsonSchema[] => {
    if (template === undefined) return [toProblem().schema]
    return template === null ? [] : [schemaOf(template, schemas)]
  })
  const schema = all.length > 1 ? { anyOf: all } : all[0]
  return { ...(type !== undefined && { type }), schema }
}

function isOfFields(status: string): boolean {
  return ['400', '409', '422'].includes(status)
}

function describeOperation(
  operation: DescribedOperation,
  settings: Settings,
  toWire: (field: string) => string,
): DialectOperation {
  const { method, kind, resource, isPlain } = operation
  if (method === 'OPTIONS') return {}
  const { embedded, part, record, items } = resource
  const id = ownValue(resource.fields, toWire(resource.idField))
  const last = resource.name.slice(resource.name.lastIndexOf('/') + 1)
  const texts = { resource: last, singular: singularName(resource.name) }
  const toList = (template: Template, item: JsonSchema): JsonSchema =>
    schemaOf(template, toSchemas(listVariables, { record: item }), texts)
  if (kind === 'document') {
    return {
      headers: ignored,
      ...(items !== undefined && { result: { schema: toList(settings.list, items) } }),
    }
  }
  const toItem = (schema: JsonSchema): JsonSchema =>
    schemaOf(settings.item, toSchemas(recordVariables, { record: schema, part, id }), texts)
  const toBody = (template: Template, item: JsonSchema): DescribedBody => ({
    ...(settings.type !== undefined && { type: settings.type }),
    schema:
      template === null
        ? undefined
        : schemaOf(template, toSchemas(recordVariables, { record: item, part, id }), texts),
  })
  const { hidden, unlisted } = settings
  const isHiding = hidden.length > 0
  if (method !== 'GET') {
    return {
      ...describeWrite(operation, settings, toBody, toItem(isHiding ? part : record)),
      body: (schema) => schemaOfBody(schema, settings.envelopes, resource.name),
    }
  }
  const isPartial = isHiding || (kind === 'collection' && unlisted.length > 0)
  const item = toItem(isPartial ? part : isPlain ? embedded : { anyOf: [embedded, part] })
  if (kind !== 'collection') {
    return {
      headers: ignored,
      parameters: presentation(operation, settings),
      result: toBody(settings.record, item),
    }
  }
  const { list, page, range, cursor, pages, parameters, type } = settings
  const forms = new Set<Template>([pages.always ? page : list])
  if (!isPlain) {
    forms.add(page)
    if (parameters.start.length > 0) forms.add(range)
    if (parameters.cursor.length > 0) forms.add(cursor)
  }
  const all = [...forms].map((one) => toList(one, item))
  return {
    headers: headersOf(settings),
    parameters: listParameters(operation, settings),
    result: {
      ...(type !== undefined && { type }),
      schema: all.length > 1 ? { anyOf: all } : all[0],
    },
    ...((pages.beyond === 'missing' || pages.invalid === 'missing') && {
      errors: { 404: 'There is no such page.' },
    }),
  }
}

function describeWrite(
  { method, isPlain }: DescribedOperation,
  settings: Settings,
  toBody: (template: Template, item: JsonSchema) => DescribedBody,
  item: JsonSchema,
): DialectOperation {
  const { created, updated, removed, statuses = {}, list, parameters } = settings
  if (method === 'DELETE') {
    const words = 'Collections whose records that belong to this record are deleted too.'
    const dependent = parameters.dependent.flatMap((one) => queryOf(one, words))
    const status = statuses['removed'] ?? (removed === null ? 204 : 200)
    return { headers: ignored, parameters: dependent, result: toBody(removed, item), status }
  }
  if (method !== 'POST') {
    const status = statuses['updated'] ?? (updated === null ? 204 : 200)
    return { headers: ignored, result: toBody(updated, item), status }
  }
  const one = toBody(created, item)
  const many = schemaOf(list, toSchemas(listVariables, { record: item }))
  const schema = isPlain || one.schema === undefined ? one.schema : { anyOf: [one.schema, many] }
  return { headers: ignored, result: { ...one, schema }, status: statuses['created'] ?? 201 }
}

function headersOf({ headers }: Settings): Readonly<Record<string, Header>> {
  const known = Object.keys(headers).flatMap((name): [string, Header][] => {
    if (name === 'Location') return []
    const header = ownValue(listHeaders, name)
    return [[name, header ?? { schema: { type: 'string' } }]]
  })
  return { ...Object.fromEntries(known), ...ignored }
}

function listParameters(operation: DescribedOperation, settings: Settings): Parameter[] {
  const { first } = settings.pages
  const number = (minimum: number): JsonSchema => ({ type: 'integer', minimum })
  const { always, invalid } = settings.pages
  // Where an invalid number is the first page, any text is allowed.
  const page = invalid === 'first' ? undefined : number(first)
  const size = invalid === 'first' ? undefined : number(1)
  const rows: [name: ParameterName, description: string, schema?: JsonSchema | undefined][] = [
    ['q', 'Records with this text in any value, ignoring case.'],
    ['where', grammars[settings.grammar ?? 'json']],
    ['sort', sortText(settings)],
    ['order', '`asc` or `desc`, for each field to sort by.'],
    ['page', `The number of a page, from ${first}.`, page],
    ['perPage', 'The number of records of a page.', size],
    ['limit', 'The number of records.', size],
    [
      'start',
      'The index of the first record, from 0.',
      invalid === 'error' ? number(0) : undefined,
    ],
    ['end', 'The index after the last record.', invalid === 'error' ? number(0) : undefined],
    ['cursor', 'An empty text for the first page; the response has the cursor of the next.'],
    ['count', 'Whether the response says the number of all records.', { type: 'boolean' }],
  ]
  const own = rows.flatMap(([name, description, schema]) => {
    const isPaged = always && name === 'page'
    const words = isPaged ? `${description} The first page by default.` : description
    return settings.parameters[name].flatMap((pattern) => queryOf(pattern, words, schema))
  })
  return [
    ...filterParameters(operation, own, settings),
    ...own,
    ...presentation(operation, settings),
  ]
}

/** Describes the parameters that embed relations and pick fields, also of a single record. */
function presentation(operation: DescribedOperation, { parameters }: Settings): Parameter[] {
  const { resource, isPlain } = operation
  const names = resource.relations.map(({ name }) => `\`${name}\``).join(', ')
  const embed = names === '' ? [] : parameters.embed
  const fields = isPlain ? [] : parameters.fields
  const last = resource.name.slice(resource.name.lastIndexOf('/') + 1)
  return [
    ...embed.flatMap((one) => queryOf(one, `Relations to embed: ${names}.`)),
    ...fields.flatMap((one) =>
      queryOf(one, 'The fields to send, separated by commas.', undefined, last),
    ),
  ]
}

/** Describes a parameter, unless its name has variables that are not known. */
function queryOf(
  { text }: Pattern,
  description: string,
  schema?: JsonSchema,
  resource = '',
): Parameter[] {
  const [given = ''] = text.split('=', 1)
  const name = plainName(given.replace('$resource', () => resource))
  return name === undefined ? [] : [query(name, description, schema)]
}

function sortText({ parameters }: Settings): string {
  const [pattern] = parameters.sort
  return pattern?.text.includes('$')
    ? `A field to sort by and \`asc\` or \`desc\`, as in \`${pattern.text}\`; can be repeated.`
    : 'Fields to sort by; a minus sorts in descending order: `-views,title`.'
}

const grammars = {
  json: 'A filter as JSON, or with keys in brackets: a tree of `and`, `or`, `not` and fields.',
  expression: "A filter: `views > 5 && (title ~ 'x' || author.name = 'y')`.",
} as const

/** The operators that filters of a field are described with, by their names in `rest`. */
const described = ['gte', 'lte', 'contains']

/** Describes the parameters that filter by fields, if their names contain the field. */
function filterParameters(
  { resource }: DescribedOperation,
  others: readonly Parameter[],
  { filters, filterGroups, operators }: Settings,
): Parameter[] {
  const reserved = new Set(others.map(({ name }) => name))
  const plain = filters.find((one) => one.text.includes('$field') && !one.text.includes('$op'))
  const compared = filters.find((one) => one.text.includes('$op') && !one.text.includes('='))
  const wireNames = described.map((name) =>
    Object.keys(operators).find((one) => operators[one] === name && one !== ''),
  )
  // The parts of names that `fieldParameters` makes, as no field has them.
  const [least = '', most = '', part = ''] = described.map((name) => `\0${name}`)
  const fields = fieldParameters(resource, others, { range: [least, most], text: [part] })
  const byField = fields.flatMap((one): Parameter[] => {
    const [field = '', operator] = one.name.split('\0')
    const wire = operator === undefined ? '' : wireNames[described.indexOf(operator)]
    const pattern = operator === undefined ? plain : compared
    if (!pattern || wire === undefined || pattern.text.includes('=')) return []
    const name = pattern.text.replace('$field', () => field).replace('$op', () => wire)
    return reserved.has(name) ? [] : [{ ...one, name }]
  })
  const byValue = [...filters, ...filterGroups]
    .filter(({ text }) => text.includes('='))
    .flatMap((one) => queryOf(one, `A filter, as in \`${one.text}\`; can be repeated.`))
  return [...byField, ...byValue]
}
