import type { DescribedOperation, DialectOperation } from '../dialects/contract/description.ts'
import type { Service } from '../http/contract/service.ts'
import { patchTypes } from '../http/resource/patch.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import { addErrors, type Draft, toContent } from './draft.ts'
import { pickHeaders, pickParameters } from './headers.ts'

/** Adds what the pipeline and the dialect decide; behaviours add their parts later. */
export function addHttp(
  draft: Draft,
  operation: DescribedOperation,
  own: DialectOperation,
  service: Service,
): void {
  draft.notes.push(...(own.notes ?? []))
  draft.parameters.push(...(own.parameters ?? []))
  draft.headers = pickHeaders('Cache-Control', 'Vary')
  addErrors(draft, {
    400: 'The path, a parameter or the body is malformed.',
    414: `The URL is longer than ${service.limits.maxUrl} characters.`,
  })
  addErrors(draft, own.errors ?? {})
  if (own.whole) addWhole(draft, operation, own, own.whole)
  else if (operation.method === 'OPTIONS') addOptions(draft, operation, service)
  else if (operation.method === 'GET') addRead(draft, operation, own)
  else addWrite(draft, operation, own, service)
}

function addWhole(
  draft: Draft,
  operation: DescribedOperation,
  { result, headers }: DialectOperation,
  whole: NonNullable<DialectOperation['whole']>,
): void {
  const { status, body, isBodyRequired = false, errors, isConditional = false } = whole
  if (body) draft.body = { required: isBodyRequired, types: body }
  const isRead = operation.method === 'GET'
  draft.responses.set(status, {
    description: descriptionOf(operation, status),
    headers: { ...headers, ...(isRead && pickHeaders('ETag')) },
    content: toContent(result ?? { schema: operation.resource.record }),
  })
  if (isConditional) {
    draft.parameters.push(...pickParameters('ifNoneMatch'))
    addNotModified(draft, headers)
  }
  addErrors(draft, errors)
  draft.headersOf.set(415, pickHeaders('Accept'))
}

function addOptions(
  draft: Draft,
  { parent, kind }: DescribedOperation,
  { dialect }: Service,
): void {
  const hasPatch =
    kind === 'collection'
      ? dialect.actions?.collection?.PATCH !== undefined
      : kind === 'member' || kind === 'singleton'
  draft.responses.set(204, {
    description: 'The methods of the path.',
    headers: {
      ...pickHeaders('Allow'),
      ...(kind === 'collection' && pickHeaders('Accept-Query')),
      ...(hasPatch && pickHeaders('Accept-Patch')),
    },
    content: {},
  })
  if (parent !== undefined) addErrors(draft, { 404: 'There is no such record.' })
}

function addRead(draft: Draft, operation: DescribedOperation, own: DialectOperation): void {
  const { kind, parent, resource } = operation
  const hasTime = kind === 'member' || kind === 'singleton'
  draft.parameters.push(...pickParameters('ifNoneMatch', 'ifMatch'))
  if (hasTime) draft.parameters.push(...pickParameters('ifModifiedSince', 'ifUnmodifiedSince'))
  const headers = {
    ...own.headers,
    ...pickHeaders('ETag'),
    ...(hasTime && pickHeaders('Last-Modified')),
  }
  draft.responses.set(200, {
    description: descriptionOf(operation, 200),
    headers,
    content: toContent(own.result ?? { schema: resource.record }),
  })
  addNotModified(draft, headers)
  addErrors(draft, {
    406: 'The header `Accept` does not allow JSON.',
    412: 'A precondition of the request does not hold.',
    ...((kind === 'member' || parent !== undefined) && { 404: 'There is no such record.' }),
  })
}

function addNotModified(draft: Draft, headers: DialectOperation['headers']): void {
  draft.responses.set(304, {
    description: 'The client has the current representation.',
    headers: { ...headers, ...pickHeaders('ETag') },
    content: {},
  })
}

function addWrite(
  draft: Draft,
  operation: DescribedOperation,
  own: DialectOperation,
  { preconditions, limits, dialect }: Service,
): void {
  const { method, kind, resource, parent } = operation
  const isCreate = method === 'POST'
  const isDelete = method === 'DELETE'
  const types = bodyOf(operation, own, dialect.put === 'merge')
  if (types) draft.body = { required: true, types }
  const mustMatch =
    !isCreate &&
    (preconditions === true || (preconditions !== false && preconditions.includes(resource.name)))
  const conditions = isCreate ? (['ifNew'] as const) : (['ifMatch', 'ifUnmodifiedSince'] as const)
  draft.parameters.push(...pickParameters(...conditions, 'prefer'))
  const headers = {
    ...own.headers,
    ...pickHeaders('Preference-Applied'),
    ...(isCreate && pickHeaders('Location')),
    ...(!isDelete && pickHeaders('ETag', 'Last-Modified')),
  }
  const { status = isCreate ? 201 : 200 } = own
  const { record } = resource
  const schema =
    isCreate && !operation.isPlain ? { anyOf: [record, { type: 'array', items: record }] } : record
  draft.responses.set(status, {
    description: descriptionOf(operation, status),
    headers,
    content: toContent(own.result ?? { schema }),
  })
  if (status !== 204) {
    draft.responses.set(204, {
      description: 'Done, without the record, as `Prefer: return=minimal` asks.',
      headers,
      content: {},
    })
  }
  addErrors(draft, {
    406: 'The header `Accept` does not allow JSON.',
    412: 'A precondition of the request does not hold.',
    ...(mustMatch && { 428: 'The request has no `If-Match`.' }),
    ...((kind === 'member' || parent !== undefined) && { 404: 'There is no such record.' }),
  })
  if (!types) return
  addErrors(draft, {
    413: `The body is larger than ${limits.maxBody} bytes.`,
    415: 'The media type of the body is not supported.',
    ...(isCreate && { 409: 'There is a record with this id.' }),
    ...(method === 'PATCH' && { 409: 'The JSON Patch does not apply to the record.' }),
  })
  draft.headersOf.set(415, pickHeaders(method === 'PATCH' ? 'Accept-Patch' : 'Accept'))
}

/** Returns the schemas of the body of a write by media type; undefined for DELETE. */
export function bodyOf(
  { method, resource, isPlain }: DescribedOperation,
  { body = (schema) => schema, bodyTypes }: DialectOperation,
  isMerge: boolean,
): Record<string, JsonSchema> | undefined {
  const { form, formPatch, upload = form, uploadPatch = formPatch } = resource
  const input = body(resource.input)
  const patch = body(resource.patch)
  const mergePatch = body(resource.mergePatch)
  const forms = (encoded = form, multipart = upload): Record<string, JsonSchema> => ({
    ...(encoded !== undefined && { 'application/x-www-form-urlencoded': encoded }),
    ...(multipart !== undefined && { 'multipart/form-data': multipart }),
  })
  if (method === 'DELETE') return undefined
  if (bodyTypes) return { ...bodyTypes }
  if (method === 'PATCH') {
    const [json = '', merge = '', jsonPatch = ''] = patchTypes
    return {
      [json]: patch,
      [merge]: mergePatch,
      [jsonPatch]: { $ref: '#/components/schemas/JsonPatch' },
      ...forms(formPatch, uploadPatch),
    }
  }
  if (method === 'PUT' && isMerge)
    return { 'application/json': patch, ...forms(formPatch, uploadPatch) }
  const isList = method === 'POST' && !isPlain
  const schema = isList
    ? { anyOf: [input, { type: 'array', items: input, maxItems: 10_000 }] }
    : input
  return { 'application/json': schema, ...forms() }
}

function descriptionOf({ method, kind, resource }: DescribedOperation, status: number): string {
  const { singular, name } = resource
  if (method === 'DELETE') return `The deleted ${singular}.`
  if (status === 201) return `The new ${singular}.`
  if (method === 'PUT' || method === 'PATCH') return `The changed ${singular}.`
  if (kind === 'collection') return `Records of \`${name}\`.`
  return kind === 'member' ? `The ${singular}.` : `The ${kind} \`${name}\`.`
}

/** The component of a JSON Patch (RFC 6902). */
export const jsonPatch: JsonSchema = {
  description:
    'A JSON Patch (RFC 6902). The result has to be a record that follows the schema of the resource.',
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
      path: { type: 'string', description: 'A JSON Pointer (RFC 6901).' },
      from: { type: 'string', description: 'A JSON Pointer (RFC 6901).' },
      value: {},
    },
  },
}
