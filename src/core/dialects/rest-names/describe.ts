import { ownValue } from '../../json/json.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { Header } from '../../types/openapi.ts'
import type {
  DescribedBody,
  DescribedOperation,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import { ignored, listHeaders, problem, toProblem } from '../rest/problem-schema.ts'
import { query } from '../shared/describe-parameters.ts'
import { isCopyOf } from '../shared/is-copy-of.ts'
import { listParameters, nameOf, presentation } from './describe-parameters.ts'
import { schemaOf } from './describe-template.ts'
import type { Template } from './options.ts'
import type { Rendering } from './render.ts'
import type { Settings } from './settings.ts'
import {
  errorVariables,
  faultVariables,
  listVariables,
  recordVariables,
  toSchemas,
} from './variables.ts'

/**
 * Describes the wire of a dialect that `rest` has created with options, for API documents (OpenAPI); returns
 * undefined for a dialect with other functions.
 */
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

function textOf({ filters, operators }: Settings): string {
  const patterns = filters.map(({ text }) => `\`${text}\``).join(', ')
  const names = Object.keys(operators)
    .filter((name) => name !== '')
    .map((name) => `\`${name}\``)
    .join(', ')
  return [
    `A list is filtered by any field: ${patterns}, with one of the operators ${names}. The parameters below name the fields and the most useful operators; all combinations work.`,
    'A parameter that is neither a field nor a parameter below has no effect, and `X-Mock-Ignored` names it.',
  ].join('\n\n')
}

/** Describes the body of the errors that have a status on the wire. */
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
    fault: schemaOf(fault, toSchemas(faultVariables)),
  })
  const all = [...templates].flatMap((template): JsonSchema[] => {
    if (template === undefined) return [toProblem().schema]
    return template === null ? [] : [schemaOf(template, schemas)]
  })
  const schema = all.length > 1 ? { anyOf: all } : all[0]
  return { ...(type !== undefined && { type }), schema }
}

/** Whether errors of a status can be about fields. */
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
  if (kind === 'document') return { headers: ignored }
  const { embedded, part, record } = resource
  const id = ownValue(resource.fields, toWire(resource.idField))
  const last = resource.name.slice(resource.name.lastIndexOf('/') + 1)
  const texts = { resource: last, singular: resource.singular }
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
    return describeWrite(operation, settings, toBody, toItem(isHiding ? part : record))
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
  const { list, page, cursor, pages, parameters, type } = settings
  const forms = new Set<Template>([pages.always ? page : list])
  if (!isPlain) {
    forms.add(page)
    if (parameters.cursor.length > 0) forms.add(cursor)
  }
  const all = [...forms].map((one) =>
    schemaOf(one, toSchemas(listVariables, { record: item }), texts),
  )
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
    const dependent = parameters.dependent.flatMap((one) => {
      const name = nameOf(one)
      const words = 'Collections whose records that belong to this record are deleted too.'
      return name === undefined ? [] : [query(name, words)]
    })
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

/** The headers of a list. */
function headersOf({ headers }: Settings): Readonly<Record<string, Header>> {
  const known = Object.keys(headers).flatMap((name): [string, Header][] => {
    if (name === 'Location') return []
    const header = ownValue(listHeaders, name)
    return [[name, header ?? { schema: { type: 'string' } }]]
  })
  return { ...Object.fromEntries(known), ...ignored }
}
