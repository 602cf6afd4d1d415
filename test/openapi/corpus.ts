import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import type { OpenApiSource } from '../../src/core/dialects/contract/openapi-source.ts'
import { bindDocument } from '../../src/core/source/bind.ts'
import type { Binding } from '../../src/core/source/binding.ts'
import { jsonContent, type Operation, readDocument } from '../../src/core/source/document.ts'
import { createDraw, type Draw } from '../../src/core/generate/draw-schema.ts'
import { createEngine, type Engine } from '../../src/core/source/engine.ts'
import { drawValid } from '../../src/core/source/respond.ts'
import { scalarText } from '../../src/core/json/scalar-text.ts'
import type { Part } from '../../src/core/json/documents.ts'
import { hash } from '../../src/core/time/random.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { fromOpenApi } from '../../src/openapi.ts'

/** What a document became, and the answers that do not conform. */
export interface CorpusRow {
  title: string
  operations: number
  stateful: number
  examples: number
  /** In milliseconds: reading, binding, and the data. */
  start: number
  /** The statuses of the answers by their first digit. */
  statuses: Record<string, number>
  violations: string[]
  /** The operations for which no valid request was found, such as one for a schema that no value fulfils. */
  unasked: number
  /** The answers whose schema the validator cannot compile. */
  unchecked: number
}

interface Json {
  [key: string]: unknown
}

/** Starts a mock from a document, asks every operation, and validates each answer with ajv. */
export async function runDocument(title: string, document: object): Promise<CorpusRow> {
  const began = performance.now()
  const openapi = fromOpenApi(document)
  const mock = createMock<Record<string, unknown>>({ openapi })
  const start = Math.round(performance.now() - began)
  const source = readDocument(new Map([['', document as never]]), '')
  const bound = bindDocument(source)
  const draw = createDraw(bound.flatten)
  const engine = createEngine(source, bound.flatten)
  const drawBody = (schema: Part): unknown => drawValid(schema, engine, { draw, seed: 'requests' })
  const row: CorpusRow = {
    title,
    operations: openapi.operations.length,
    stateful: count(openapi, (action) => action !== 'example' && action !== 'none'),
    examples: count(openapi, (action) => action === 'example'),
    start,
    statuses: {},
    violations: [],
    unasked: 0,
    unchecked: 0,
  }
  const validate = createValidate(document as Json)
  // Removals come last, as they would leave nothing to read.
  const ordered = bound.bindings.toSorted((a, b) => rankOf(a) - rankOf(b))
  for (const binding of ordered) {
    const { operation } = binding
    const request = toRequest(binding, mock, { draw, drawBody, engine }, bound.collections)
    const label = `${operation.method} ${operation.path}`
    const response = await mock.fetch(request.url, request.init)
    const { status } = response
    const text = await response.text()
    const group = `${String(status).charAt(0)}xx`
    row.statuses[group] = (row.statuses[group] ?? 0) + 1
    if (status >= 500 && !isDocumented(operation, status)) {
      row.violations.push(`${label}: ${status} ${text.slice(0, 200)}`)
    }
    // A request that the schema refuses is refused.
    if (request.isInvalid && [400, 409, 422].includes(status)) {
      row.unasked++
      continue
    }
    if (status >= 400 && status < 500) {
      row.violations.push(`${label}: ${status} ${text.slice(0, 300)}`)
    }
    const outcome = validate(operation, status, response.headers.get('content-type') ?? '', text)
    if (outcome === undefined) row.unchecked++
    else if (outcome !== '') row.violations.push(`${label} ${status}: ${outcome}`)
  }
  return row
}

function rankOf({ action }: Binding): number {
  return action === 'remove' ? 2 : action === 'replace' || action === 'update' ? 1 : 0
}

function count({ operations }: OpenApiSource, has: (action: string) => boolean): number {
  return operations.filter(({ action }) => has(action)).length
}

function isDocumented({ responses }: Operation, status: number): boolean {
  return [String(status), '5xx', 'default'].some((one) => responses.has(one))
}

/** Makes a valid request for an operation, with ids that the mock has. */
function toRequest(
  binding: Binding,
  mock: Mock,
  { draw, drawBody, engine }: { draw: Draw; drawBody(schema: Part): unknown; engine: Engine },
  collections: ReadonlyMap<string, { idField: string; kind: string }>,
): { url: string; init: RequestInit; isInvalid: boolean } {
  const { operation, collection, member, parents } = binding
  const owner = collections.get(collection ?? '')
  const db = mock.db as unknown as Record<
    string,
    { find(options?: object): Json[]; get(id: string): unknown }
  >
  const recordsOf = (name: string): Json[] =>
    collections.get(name)?.kind === 'collection' ? (db[name]?.find() ?? []) : []
  const [record] = owner ? recordsOf(collection ?? '') : []
  let path = operation.path
  let isInvalid =
    new Set(operation.parameters.map(({ name }) => name)).size < operation.parameters.length
  const headers: Record<string, string> = {}
  const query: [string, string][] = []
  for (const { name, in: place, isRequired, schema, isJson } of operation.parameters) {
    const seed = hash(`${operation.method} ${operation.path} ${name}`)
    const drawn = schema ? draw(schema, { seed, name, isSparse: !isRequired }) : 'value'
    const parent = parents.find(({ parameter }) => parameter === name)
    const parentIdField = collections.get(parent?.collection ?? '')?.idField ?? 'id'
    const known = parent?.collection === undefined ? [] : recordsOf(parent.collection)
    const parentIds = known.map((one) => one[parentIdField])
    let ofRecord: unknown = record
    for (const key of parent?.field ?? []) ofRecord = (ofRecord as Json | null | undefined)?.[key]
    const value =
      name === member && record
        ? record[owner?.idField ?? 'id']
        : parent
          ? ((parentIds.length === 0 || parentIds.includes(ofRecord) || member !== undefined
              ? ofRecord
              : parentIds[0]) ?? drawn)
          : drawn
    const text = isJson ? JSON.stringify(value) : toText(value)
    if ((isRequired || place === 'path') && schema && !engine.accepts(schema, value))
      isInvalid = true
    if (place === 'path')
      path = path.replaceAll(`{${name}}`, encodeURIComponent(text === '' ? 'x' : text))
    if (!isRequired) continue
    if (place === 'query') {
      const values = Array.isArray(value) && !isJson ? value : [value]
      for (const one of values) query.push([name, isJson ? text : toText(one)])
    }
    if (place === 'header') headers[name] = text
    if (place === 'cookie') headers['cookie'] = `${name}=${encodeURIComponent(text)}`
  }
  // Some documents do not describe the parameters of their paths.
  if (member !== undefined && record && owner)
    path = path.replace(`{${member}}`, encodeURIComponent(scalarText(record[owner.idField])))
  const [plain = ''] = path.replaceAll(/\{[^{}]*\}/g, 'x').split(/[?#]/)
  const search = query.map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  )
  const url = `${plain.startsWith('/') ? '' : '/'}${plain}${search.length > 0 ? `?${search.join('&')}` : ''}`
  const init: RequestInit = { method: operation.method, headers }
  const content =
    operation.body && (jsonContent(operation.body.content) ?? operation.body.content[0])
  if (content && operation.method !== 'GET' && operation.method !== 'HEAD') {
    const drawn = content.schema ? drawBody(content.schema) : {}
    const idField = owner?.idField ?? 'id'
    const isCreate = binding.action === 'create'
    const isObject = typeof drawn === 'object' && drawn !== null && !Array.isArray(drawn)
    const body = isObject ? ({ ...drawn } as Json) : (drawn as unknown)
    if (isObject) {
      const fields = body as Json
      if (member === undefined && record && !isCreate) fields[idField] = record[idField]
      // A record with this id may exist.
      const given = fields[idField]
      if (isCreate && typeof given === 'number') fields[idField] = given + 1_000_000
      if (isCreate && typeof given === 'string' && db[collection ?? '']?.get(given) !== undefined)
        isInvalid = true
    }
    if (content.schema && engine.requestIssues(content.schema, body).length > 0) isInvalid = true
    const { type } = content
    const isForm = type === 'application/x-www-form-urlencoded'
    // A form has no empty list and no empty object.
    if (isForm && /\[\]|\{\}/.test(JSON.stringify(body))) isInvalid = true
    if (type === 'multipart/form-data') {
      const form = new FormData()
      for (const [key, one] of Object.entries((body ?? {}) as Json))
        if (one !== null) form.set(key, toText(one))
      init.body = form
    } else {
      headers['content-type'] = type.includes('*') ? 'application/json' : type
      init.body = isForm
        ? toForm('', body).join('&')
        : /[/+]json|\*/.test(type) || typeof body !== 'string'
          ? JSON.stringify(body)
          : body
    }
  }
  return { url, init, isInvalid }
}

function toForm(prefix: string, value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((one, at) => toForm(`${prefix}[${at}]`, one))
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, one]) =>
      toForm(prefix ? `${prefix}[${key}]` : key, one),
    )
  }
  return [`${encodeURIComponent(prefix)}=${encodeURIComponent(scalarText(value))}`]
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : scalarText(value)
}

type Validate = (
  operation: Operation,
  status: number,
  type: string,
  text: string,
) => string | undefined

/** Creates the check of an answer by the document as it was given; '' if it conforms, undefined if nobody knows. */
function createValidate(document: Json): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false })
  addFormats.default(ajv)
  const isOld = !/^3\.[1-9]/.test(scalarText(document['openapi'] ?? '2'))
  const converted = convert(document, isOld, '', false) as Json
  ajv.addSchema({ $id: 'https://document.test/root', ...converted })
  const resolve = (value: unknown): Json => {
    let found = value as Json | undefined
    for (let hops = 0; hops < 10 && typeof found?.['$ref'] === 'string'; hops++) {
      let at: unknown = document
      for (const token of found['$ref'].slice(2).split('/')) {
        const key = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
        at = (at as Json | undefined)?.[key]
      }
      found = at as Json | undefined
    }
    return found ?? {}
  }
  const pointer = (...keys: string[]): string =>
    keys
      .map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
      .join('')
  return ({ method, path }, status, type, text) => {
    const item = resolve((document['paths'] as Json)[path])
    const operation = item[method.toLowerCase()] as Json | undefined
    const responses = (operation?.['responses'] ?? {}) as Json
    const keys = Object.keys(responses)
    const key =
      keys.find((one) => one === String(status)) ??
      keys.find((one) => one.toLowerCase() === `${String(status).charAt(0)}xx`) ??
      keys.find((one) => one === 'default')
    if (operation === undefined || key === undefined)
      return keys.some((one) => one.startsWith('2')) ? 'no such status in the document' : ''
    const response = resolve(responses[key])
    const [media = ''] = type.split(';')
    const content = response['content'] as Json | undefined
    const schema = content
      ? (
          (content[media] ?? Object.entries(content).find(([one]) => isRange(one, media))?.[1]) as
            | Json
            | undefined
        )?.['schema']
      : response['schema']
    if (schema === undefined)
      return content &&
        text !== '' &&
        Object.keys(content).length > 0 &&
        !Object.keys(content).some((one) => isRange(one, media))
        ? `no such type ${media}`
        : ''
    if (!/json/.test(media)) return ''
    const given = scalarText((responses[key] as Json)['$ref'])
    const own = given.startsWith('#')
      ? given.slice(1)
      : pointer('paths', path, method.toLowerCase(), 'responses', key)
    const place = content
      ? `${own}${pointer('content', Object.keys(content).find((one) => one === media) ?? Object.keys(content).find((one) => isRange(one, media)) ?? '*/*', 'schema')}`
      : `${own}/schema`
    const itemRef = ((document['paths'] as Json)[path] as Json)['$ref']
    const full =
      typeof itemRef === 'string' && !given.startsWith('#')
        ? `${itemRef.slice(1)}${place.slice(pointer('paths', path).length)}`
        : place
    let answer: unknown
    try {
      answer = text === '' ? undefined : JSON.parse(text)
    } catch {
      return 'no JSON'
    }
    try {
      const check = ajv.compile({ $ref: `https://document.test/root#${full}` })
      if (text === '') return method === 'HEAD' || [204, 205, 304].includes(status) ? '' : 'no body'
      if (check(answer)) return ''
      const [error] = check.errors ?? []
      return `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`
    } catch {
      return undefined
    }
  }
}

/** Whether a media type or a range of a document covers a media type. */
function isRange(range: string, media: string): boolean {
  const [bare = ''] = range.toLowerCase().split(';')
  const [main] = media.split('/')
  return bare === media || bare === '*/*' || bare === `${main}/*`
}

/** Copies the document with its schemas in JSON Schema 2020-12, independently of the code under test. */
function convert(value: unknown, isOld: boolean, key: string, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => convert(one, isOld, '', false))
  if (typeof value !== 'object' || value === null) return value
  if (!isMap && ['example', 'examples', 'default', 'enum', 'const'].includes(key)) return value
  const copied: Json = {}
  const isNames =
    !isMap &&
    [
      'properties',
      'patternProperties',
      'definitions',
      'schemas',
      'responses',
      'paths',
      'content',
      'parameters',
    ].includes(key)
  for (const [name, one] of Object.entries(value)) {
    // The validator would register an "$id" in data as that of a schema.
    const isData = !isMap && !isNames && (/^examples?$/.test(name) || name.startsWith('x-'))
    if (!isData) copied[name] = convert(one, isOld, name, isNames)
  }
  if (isNames || (isMap && key === '')) return copied
  const { properties, required, writeOnly: _unused } = copied
  if (Array.isArray(required) && typeof properties === 'object' && properties !== null) {
    const left = required.filter(
      (one) =>
        (properties as Json)[one as string] === undefined ||
        ((properties as Json)[one as string] as Json)['writeOnly'] !== true,
    )
    copied['required'] = left
  } else if (required !== undefined && !Array.isArray(required)) delete copied['required']
  delete copied['$schema']
  if (key !== '') delete copied['$id']
  delete copied['id']
  if (typeof (value as Json)['id'] === 'object')
    copied['id'] = convert((value as Json)['id'], isOld, 'id', false)
  if (typeof copied['nullable'] === 'boolean' && !isOld) delete copied['nullable']
  if (!isOld) return copied
  if (typeof copied['$ref'] === 'string') return { $ref: copied['$ref'] }
  for (const [limit, flag] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof copied[flag] !== 'boolean') continue
    if (copied[flag] && copied[limit] !== undefined) {
      copied[flag] = copied[limit]
      delete copied[limit]
    } else delete copied[flag]
  }
  if (copied['type'] === 'file') delete copied['type']
  if (copied['nullable'] === true || copied['x-nullable'] === true) {
    delete copied['nullable']
    delete copied['x-nullable']
    return { anyOf: [{ type: 'null' }, copied] }
  }
  delete copied['nullable']
  return copied
}
