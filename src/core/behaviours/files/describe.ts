import type { DescribedResponse, DescribedRoute } from '../../dialects/contract/description.ts'
import type { Description } from '../../http/contract/description.ts'
import type { ExtraRoute } from '../../http/contract/hooks.ts'
import type { Service } from '../../http/contract/service.ts'
import { resourcePath } from '../../http/routing/target.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { Parameter } from '../../types/openapi.ts'
import type { FieldDescription } from '../../types/record-description.ts'
import { isOn, isWrite } from '../shared/coverage.ts'
import type { FieldRules, FileSettings } from './options.ts'

/** A route of the files of a field: a file, or a list of them. */
interface FileRoute extends ExtraRoute {
  types: readonly string[]
  isList: boolean
}

/** The routes of the files of records. */
export function routesOf({ fields }: FileSettings, { readOnly, store }: Service): FileRoute[] {
  const toMethods = (...writes: string[]) => ['GET', 'HEAD', ...(readOnly ? [] : writes), 'OPTIONS']
  return [...fields].flatMap(([name, own]) =>
    [...own].flatMap(([field, { isList, types }]): FileRoute[] => {
      const id = store.resources.get(name)?.kind === 'singleton' ? '' : '/:id'
      const path = `${resourcePath('', name)}${id}/${encodeURIComponent(field)}`
      const methods = toMethods('PUT', 'POST', 'DELETE')
      if (!isList) return [{ methods, path, types, isList }]
      const list = { methods: toMethods('POST', 'DELETE'), path, types, isList }
      return [list, { methods, path: `${path}/:index`, types, isList: false }]
    }),
  )
}

/** Describes the fields that hold files, and the routes of files and uploads. */
export function describeFiles(settings: FileSettings, service: Service): Description {
  const { fields } = settings
  const uploads = service.store.resources.has('uploads') ? [] : uploadRoutes
  return {
    records: Object.fromEntries(
      [...fields].map(([name, own]) => [name, { fields: describeFields(own) }]),
    ),
    routes: () => [
      ...routesOf(settings, service).flatMap(describeRoute),
      ...uploads.filter(({ method }) => !service.readOnly || method === 'GET'),
    ],
    operation(operation) {
      const isUpload = uploads.some(({ path }) => path === operation.path)
      if (isUpload) return { headers: response('', uploadHeaders).headers ?? {} }
      const isOwn = isWrite(operation) && [...fields.keys()].some((name) => isOn(name, operation))
      return isOwn ? { errors: { ...refusals, 422: 'A field is no file.' } } : undefined
    },
  }
}

function describeFields(own: ReadonlyMap<string, FieldRules>): Record<string, FieldDescription> {
  const describe = ({ isList, types }: FieldRules): FieldDescription => {
    const url = { type: 'string', format: 'uri-reference' }
    const schema = isList ? { type: 'array', items: url } : url
    const values = [{ type: 'null' }]
    return { schema: { ...schema, 'x-file': types.join(', ') || '*/*' }, values }
  }
  return Object.fromEntries([...own].map(([field, rules]) => [field, describe(rules)]))
}

const text: JsonSchema = { type: 'string' }
const binary: JsonSchema = { type: 'string', format: 'binary' }
const form: JsonSchema = { type: 'object', required: ['file'], properties: { file: binary } }
const refusals = { 413: 'A file is too large.', 415: 'The type of a file is not accepted.' }
const errors = {
  404: 'There is no such record, upload or file.',
  412: 'A precondition of the request does not hold.',
}

/** The schema of an object; `texts` are the names of its texts, separated by spaces. */
function object(texts: string, others: Record<string, JsonSchema> = {}): JsonSchema {
  const named = Object.fromEntries(texts.split(' ').map((name) => [name, text]))
  return { type: 'object', properties: { ...named, ...others } }
}

/** A response with headers, whose names are separated by spaces. */
function response(description: string, headers: string, body: object = {}): DescribedResponse {
  const described = headers.split(' ').map((name) => [name, { schema: text }])
  return { description, headers: Object.fromEntries(described), ...body }
}

const fileHeaders =
  'ETag Last-Modified Accept-Ranges Content-Disposition X-Content-Type-Options Content-Security-Policy Content-Range'
const bytes = { type: '*/*', schema: binary }
const file = response('The bytes of the file, or a range of them.', fileHeaders, bytes)
const reads = {
  200: file,
  206: file,
  304: response('The file has not changed.', fileHeaders),
  416: response('The range is behind the end.', fileHeaders),
}
const stored = { schema: object('name type url', { size: { type: 'integer' } }) }
const urls = { type: 'array', items: { type: 'string', format: 'uri-reference' } }

/** Describes the operations on the file, or the list of files, of a field. */
function describeRoute({ path, methods, types, isList }: FileRoute): DescribedRoute[] {
  const names = path.split('/').filter((one) => one !== '' && one !== ':id')
  const id = names.map((one) => one.replaceAll(/\W/g, '').replace(/^./, (a) => a.toUpperCase()))
  const isOpen = types.length === 0 || types.some((one) => one.startsWith('.'))
  const taken = Object.fromEntries((isOpen ? ['*/*'] : types).map((type) => [type, binary]))
  const upload = {
    summary: 'Upload a file',
    body: { 'multipart/form-data': form, ...taken },
    responses: {
      200: { description: 'The stored file.', ...stored },
      201: response('The stored file.', 'Location', stored),
    },
    errors: { ...errors, ...refusals },
  }
  const operations = {
    GET: isList
      ? { summary: 'List files', responses: { 200: { description: 'URLs.', schema: urls } } }
      : {
          summary: 'Download the file',
          responses: { ...reads, 302: response('The file is at another site.', 'Location') },
        },
    PUT: upload,
    POST: upload,
    DELETE: { summary: 'Remove', responses: { 204: { description: 'Removed.' } } },
  }
  return (['GET', 'PUT', 'POST', 'DELETE'] as const)
    .filter((method) => methods.includes(method))
    .map((method) => {
      const operationId = `${method.toLowerCase()}File${id.join('')}`
      return { method, path, tag: names[0] ?? '', operationId, errors, ...operations[method] }
    })
}

/** The headers of all responses below `/uploads`. */
const uploadHeaders =
  'ETag Location Tus-Resumable Tus-Version Tus-Extension Tus-Max-Size Upload-Offset Upload-Length Upload-Defer-Length Upload-Expires Upload-Metadata'
const done = { description: 'Done.' }
const map: JsonSchema = { type: 'object' }
const address = {
  description: 'The presigned address; by tus, the upload is in the header `Location`.',
  schema: object('url method file expires', { headers: map, fields: map }),
}
const tusBody = { 'application/offset+octet-stream': binary }
const request = object('name type', { size: { type: 'integer', minimum: 0 } })

/** The operations of presigned uploads and of those by tus 1.0: path, summary, parameters, responses and body. */
const uploadRoutes: readonly DescribedRoute[] = (
  [
    [
      'POST /uploads',
      'Request a presigned address, or start an upload by tus 1.0',
      'Tus-Resumable Upload-Length Upload-Defer-Length Upload-Metadata',
      { 201: address },
      { 'application/json': request, ...tusBody },
    ],
    ['GET /uploads/:key', 'Download the file; HEAD by tus', 'Tus-Resumable', reads],
    ['PUT /uploads/:key', 'Send the bytes', 'X-Amz-Signature', { 200: done }, { '*/*': binary }],
    [
      'POST /uploads/:key',
      'Send a presigned form',
      'Tus-Resumable',
      { 200: done, 201: { ...done, type: 'application/xml', schema: text }, 204: done },
      { 'multipart/form-data': form },
    ],
    ['PATCH /uploads/:key', 'Append', 'Tus-Resumable Upload-Offset', { 204: done }, tusBody],
    ['DELETE /uploads/:key', 'End an upload by tus', 'Tus-Resumable', { 204: done }],
  ] as const
).map(([key, summary, names, responses, body]) => {
  const [method = '', path = ''] = key.split(' ')
  const parameters = names.split(' ').map((name): Parameter => {
    return { name, in: name.startsWith('X-Amz') ? 'query' : 'header', schema: text }
  })
  return {
    method: method as 'GET',
    path,
    operationId: `${method.toLowerCase()}Upload${path === '/uploads' ? 's' : ''}`,
    summary,
    tag: 'uploads',
    parameters,
    responses,
    ...(body && { body, isBodyRequired: key !== 'POST /uploads' }),
    errors: {
      ...errors,
      ...refusals,
      403: 'The signature is wrong, or the address has expired.',
      409: 'The offset is another.',
      410: 'The upload has expired.',
      423: 'Another request writes to the upload.',
    },
  }
})
