import type { DescribedRoute } from '../../dialects/contract/description.ts'
import type {
  Description,
  OperationDescription,
  OperationFacts,
} from '../../http/contract/description.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { define, ownValue } from '../../json/json.ts'
import type { FieldDescription, RecordDescription } from '../../types/record-description.ts'
import { isOn, isWrite } from '../shared/coverage.ts'
import { routesOf } from './actions.ts'
import { hasStates, type State, type StateAction, type States } from './state-machine.ts'

/** Describes the transitions and the errors 409 and 410 for the OpenAPI document. */
export function describeStateOperation(
  all: readonly (readonly [name: string, own: States])[],
  operation: OperationFacts,
): OperationDescription | undefined {
  const found = all.filter(([name]) => isOn(name, operation))
  if (found.length === 0 || operation.method === 'OPTIONS') return undefined
  const own = found.find(([name]) => operation.resource === name)?.[1]
  const canGo = found.some(([, { deletedField }]) => deletedField !== undefined)
  const isRefused = own !== undefined && hasStates(own) && isWrite(operation)
  return {
    ...(isRefused && { notes: [transitionsOf(own)] }),
    errors: {
      ...(isRefused && {
        409: 'The state does not allow the change; `allowed` lists the next states.',
      }),
      ...(canGo && operation.path.includes('/:id') && { 410: 'The record was removed.' }),
    },
  }
}

function transitionsOf({ field, initial, transitions }: States): string {
  const lines = Object.entries(transitions).map(
    ([from, to]) => `- \`${from}\` → ${to.map((one) => `\`${one}\``).join(', ') || 'final'}`,
  )
  const start = initial === undefined ? '' : ` A new record is \`${initial}\`.`
  return `The states of \`${field}\`.${start}\n${lines.join('\n')}`
}

/** Describes the operations for the actions of a collection, such as `POST /orders/1/ship`. */
export function describeActions(name: string, own: States, schemaOf: SchemaOf): DescribedRoute[] {
  const paths = routesOf(name, own)
  return Object.entries(own.actions).flatMap(([action, settings]): DescribedRoute[] => {
    const path = paths.find(({ path: one }) => one.endsWith(`/:id/${action}`))?.path ?? ''
    const { to, takes } = settings
    const start: DescribedRoute = {
      method: 'POST',
      path,
      tag: name,
      operationId: `run${toPascalCase(action)}On${toPascalCase(name)}`,
      summary: `Run the action ${action}`,
      notes: [`The record becomes \`${to}\`.`],
      ...bodyOf(name, settings, schemaOf),
      responses:
        takes === undefined
          ? { 200: { description: 'The changed record.', schema: schemaOf(name) } }
          : {
              202: { description: 'The action has started.', schema: operation, headers: progress },
            },
      errors: {
        404: 'There is no such record.',
        409: 'The state does not allow the action; `allowed` lists the next states.',
        412: 'A precondition of the request does not hold.',
        413: 'The body is too large.',
        415: 'The media type of the body is not supported.',
        428: 'The request has no `If-Match`.',
        ...(own.deletedField !== undefined && { 410: 'The record was removed.' }),
      },
    }
    if (takes === undefined) return [start]
    return [
      start,
      {
        method: 'GET',
        path: `${path}/:operation`,
        tag: name,
        operationId: `get${toPascalCase(action)}Of${toPascalCase(name)}`,
        summary: `Get the progress of the action ${action}`,
        responses: { 200: { description: 'The progress.', schema: operation, headers: progress } },
        errors: { 404: 'There is no such operation.' },
      },
    ]
  })
}

type SchemaOf = Parameters<NonNullable<Description['routes']>>[0]

function toPascalCase(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) =>
    first.toUpperCase(),
  )
}

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }

const progress = {
  Location: { description: 'The URL of the progress.', schema: { type: 'string', format: 'uri' } },
  'Retry-After': { description: 'Seconds until the action ends.', schema: { type: 'integer' } },
}

const operation: JsonSchema = {
  type: 'object',
  required: ['id', 'status', 'startedAt'],
  properties: {
    id: text,
    status: { type: 'string', enum: ['running', 'succeeded', 'failed'] },
    startedAt: time,
    finishedAt: time,
    error: {
      type: 'object',
      required: ['title', 'status', 'detail'],
      properties: { title: text, status: { type: 'integer' }, detail: text },
    },
  },
}

function bodyOf(
  name: string,
  { fields = [] }: StateAction,
  schemaOf: SchemaOf,
): Pick<DescribedRoute, 'body' | 'isBodyRequired'> {
  if (fields.length === 0) return {}
  const properties = Object.fromEntries(fields.map((field) => [field, schemaOf(name, field)]))
  return { body: { 'application/json': { type: 'object', properties } }, isBodyRequired: false }
}

/** Describes the state field and the time of a soft deletion. */
export function describeStates(own: States): RecordDescription {
  const { field, initial, deletedField } = own
  const fields: [string, FieldDescription][] = []
  if (hasStates(own)) {
    const states = statesOf(own)
    const types = [...new Set(states.map((state) => typeof state))]
    const schema: SchemaObject = {
      type: types.length === 1 ? types[0] : types,
      enum: states,
      ...(initial !== undefined && { default: initial }),
    }
    fields.push([field, { schema, isFilled: initial !== undefined }])
  }
  if (deletedField !== undefined) {
    fields.push([deletedField, { schema: { type: ['string', 'null'], format: 'date-time' } }])
  }
  for (const { set = {} } of Object.values(own.actions)) {
    for (const [name, value] of Object.entries(set)) {
      fields.push([name, { values: [{ enum: [value] }] }])
    }
  }
  return { fields: mergeFields(fields) }
}

/** In the order of the table, whose keys are strings: its values tell the type of a state. */
function statesOf({ initial, transitions }: States): State[] {
  const values = [...(initial === undefined ? [] : [initial]), ...Object.values(transitions).flat()]
  const areNumbers = values.length > 0 && values.every((state) => typeof state === 'number')
  const states = new Map<string, State>()
  for (const key of Object.keys(transitions)) {
    const typed = values.find((state) => String(state) === key)
    states.set(key, typed ?? (areNumbers ? Number(key) : key))
  }
  for (const state of values) if (!states.has(String(state))) states.set(String(state), state)
  return [...states.values()]
}

function mergeFields(
  fields: readonly [string, FieldDescription][],
): Record<string, FieldDescription> {
  const merged: Record<string, FieldDescription> = {}
  for (const [name, own] of fields) {
    const before = ownValue(merged, name)
    const values = [...(before?.values ?? []), ...(own.values ?? [])]
    define(merged, name, { ...before, ...own, ...(values.length > 0 && { values }) })
  }
  return merged
}
