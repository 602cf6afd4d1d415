import type { Call } from '../dialects/contract/dialect.ts'
import { type FieldErrors, type Issue, MockError } from '../errors/mock-error.ts'
import type { Part } from '../json/documents.ts'
import { define, isRecord, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { parseParams } from '../url/params.ts'
import { decode } from '../url/pattern.ts'
import type { Binding } from './binding.ts'
import {
  type Content,
  isJsonType,
  jsonContent,
  type Operation,
  type Parameter,
} from './document.ts'
import type { Engine } from './engine.ts'
import type { FlatSchema, Flatten } from '../json/flat-schema.ts'

/** The parameters and the body of a request, with the types that the document gives them. */
export interface ReadRequest {
  /** The path parameters. */
  path: Readonly<Record<string, string>>
  /** The query parameters that the document names, by name. */
  query: ReadonlyMap<string, Json>
  body: Json | undefined
}

/**
 * Reads a request and validates it by the document.
 * @throws MockError 400 for a malformed body, 415 for another media type, 422 (or what the document has) for a fault
 */
export function readRequest(
  call: Call,
  binding: Binding,
  path: Readonly<Record<string, string>>,
  tools: { flatten: Flatten; engine: Engine },
): ReadRequest {
  const { operation } = binding
  const { flatten, engine } = tools
  const params = parseParams(call.search)
  const errors: FieldErrors = {}
  const query = new Map<string, Json>()
  for (const parameter of operation.parameters) {
    const flat = parameter.schema && flatten(parameter.schema)
    const given = readParameter(parameter, flat, { call, path, params }, flatten)
    if (given === undefined) {
      if (parameter.isRequired && parameter.in !== 'path') errors[parameter.name] = 'is required'
      continue
    }
    if (parameter.in === 'query') query.set(parameter.name, given)
    const [issue] = parameter.schema ? engine.requestIssues(parameter.schema, given) : []
    if (issue) define(errors, [parameter.name, ...issue.path].join('.'), issue.message)
  }
  if (Object.keys(errors).length > 0) throw invalid(operation, errors, [], 'parameters')
  const { value, schema } = readBody(call, operation, flatten)
  if (value === undefined) {
    if (operation.body?.isRequired) {
      throw invalid(operation, { body: 'is required' }, [], 'body')
    }
    return { path, query, body: undefined }
  }
  const issues = schema ? engine.requestIssues(schema, value) : []
  if (issues.length > 0) {
    const faults: FieldErrors = {}
    for (const { path: steps, message } of issues) {
      const key = steps.join('.') || 'body'
      if (!Object.hasOwn(faults, key)) define(faults, key, message)
    }
    throw invalid(operation, faults, issues, 'body')
  }
  return { path, query, body: value }
}

/** Creates the error for an invalid request, with the status that the document has for such errors. */
function invalid(
  { method, path, responses }: Operation,
  errors: FieldErrors,
  issues: readonly Issue[],
  subject: 'body' | 'parameters',
): MockError {
  const statuses = subject === 'body' ? [422, 400] : [400, 422]
  const status = statuses.find((one) => responses.has(String(one))) ?? 422
  const [[name, message] = ['', '']] = Object.entries(errors)
  return new MockError(
    `Failed to ${method} "${path}": "${name}" ${message}. Please send what the OpenAPI document says.`,
    { status, code: 'REQUEST_INVALID', errors, ...(issues.length > 0 && { issues }) },
  )
}

interface Sources {
  call: Call
  path: Readonly<Record<string, string>>
  params: ReturnType<typeof parseParams>
}

function readParameter(
  parameter: Parameter,
  flat: FlatSchema | undefined,
  { call, path, params }: Sources,
  flatten: Flatten,
): Json | undefined {
  const { name } = parameter
  const texts =
    parameter.in === 'query'
      ? params.filter(([key]) => key === name || key === `${name}[]`).map(([, value]) => value)
      : [ownText(parameter, call, path)].filter((one) => one !== undefined)
  if (parameter.in === 'query') {
    const nested = readDeep(name, params)
    if (nested) return flat ? coerce(nested, flat, flatten) : nested
    const isObject = flat !== undefined && typesOf(flat, flatten).has('object')
    if (isObject && texts.length === 0 && parameter.explode && parameter.style === 'form') {
      return readExploded(flat, params, flatten)
    }
  }
  const [first] = texts
  if (first === undefined) return undefined
  if (parameter.isJson) return parseOr(texts.at(-1) ?? '')
  if (!flat) return first
  const types = typesOf(flat, flatten)
  if (types.has('array') && !types.has('string')) {
    const separator = separators[parameter.style] ?? ','
    const parts =
      parameter.explode && parameter.in === 'query' && texts.length > 0
        ? texts
        : texts.flatMap((one) => one.split(separator))
    return coerce(parts, flat, flatten)
  }
  if (types.has('object') && !types.has('string')) return toObject(first, parameter, flat, flatten)
  return coerce(texts.at(-1) ?? '', flat, flatten)
}

const separators: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
}

function ownText(
  { name, in: place, style }: Parameter,
  { headers }: Call,
  path: Readonly<Record<string, string>>,
): string | undefined {
  if (place === 'header') return headers[name.toLowerCase()]
  if (place === 'path') {
    const text = ownValue(path, name)
    if (style === 'label') return text?.replace(/^\./, '')
    return style === 'matrix' ? text?.replace(/^;[^=]*=/, '') : text
  }
  const pairs = (headers['cookie'] ?? '').split(/;\s*/).map((pair) => pair.split(/=(.*)/s, 2))
  const found = pairs.find(([key]) => key === name)?.[1]
  return found === undefined ? undefined : decode(found)
}

/** Reads `a,1,b,2` or `a=1,b=2` as an object. */
function toObject(text: string, parameter: Parameter, flat: FlatSchema, flatten: Flatten): Json {
  if (/^\s*\{/.test(text)) return parseOr(text)
  const parts = text.split(',')
  const found: JsonRecord = {}
  if (parameter.explode) {
    for (const part of parts) {
      const [key = '', value = ''] = part.split(/=(.*)/s, 2)
      define(found, key, value)
    }
  } else {
    for (let at = 0; at + 1 < parts.length; at += 2) define(found, parts[at] ?? '', parts[at + 1])
  }
  return coerce(found, flat, flatten)
}

/** Reads `created[gte]=1` as an object; undefined if no parameter has this form. */
function readDeep(name: string, params: Sources['params']): JsonRecord | undefined {
  const own = params.filter(([key]) => key.startsWith(`${name}[`) && key !== `${name}[]`)
  if (own.length === 0) return undefined
  const found = fromPairs(own)[name]
  return isRecord(found) ? found : undefined
}

function readExploded(
  flat: FlatSchema,
  params: Sources['params'],
  flatten: Flatten,
): Json | undefined {
  const own = params.filter(([key]) => flat.properties.has(key))
  return own.length > 0 ? coerce(fromPairs(own), flat, flatten) : undefined
}

function parseOr(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function typesOf(flat: FlatSchema, flatten: Flatten): Set<string> {
  const own = [...(flat.types ?? [])]
  const inner = flat.choices
    .flatMap(({ parts }) => parts)
    .flatMap((one) => [...(flatten(one).types ?? [])])
  const isObject = own.length + inner.length === 0 && flat.properties.size > 0
  const isArray = own.length + inner.length === 0 && flat.items !== undefined
  return new Set([...own, ...inner, ...(isObject ? ['object'] : []), ...(isArray ? ['array'] : [])])
}

/** Converts texts to the types of a schema; a text that has no such value stays, for the validation. */
function coerce(value: Json, flat: FlatSchema, flatten: Flatten): Json {
  if (Array.isArray(value)) {
    const { items } = flat
    return items ? value.map((one) => coerce(one, flatten(items), flatten)) : value
  }
  if (isRecord(value)) {
    const choices = flat.choices.flatMap(({ parts }) => parts).map(flatten)
    const listed = [flat, ...choices].find(({ items }) => items)
    const keys = Object.keys(value)
    const isList = keys.length > 0 && keys.every((key) => /^\d+$/.test(key))
    if (isList && listed && typesOf(flat, flatten).has('array')) {
      return coerce(Object.values(value), listed, flatten)
    }
    const converted: JsonRecord = {}
    for (const [key, inner] of Object.entries(value)) {
      const [property = flat.additionalProperties] =
        [flat, ...choices].map(({ properties }) => properties.get(key)?.[0]).filter((one) => one) ??
        []
      define(converted, key, property ? coerce(inner, flatten(property), flatten) : inner)
    }
    return converted
  }
  if (typeof value !== 'string') return value
  const types = typesOf(flat, flatten)
  if (!types.has('string') && (types.has('array') || types.has('object'))) {
    const parsed = /^\s*[[{]/.test(value) ? parseOr(value) : value
    if (typeof parsed === 'object') return parsed
    if (types.has('array')) return coerce([value], flat, flatten)
  }
  return coerceText(value, types, flat.limits)
}

function coerceText(text: string, types: ReadonlySet<string>, limits: JsonRecord): Json {
  const isNumber = types.has('integer') || types.has('number')
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (types.has('null') && !types.has('string') && text === 'null') return null
  const values = limits['enum']
  const known =
    Array.isArray(values) && types.size === 0
      ? values.find((one) => scalarText(one) === text)
      : undefined
  return known ?? text
}

interface Read {
  value: Json | undefined
  schema: Part | undefined
}

/** Reads the body by its media type. @throws MockError 415 */
function readBody(call: Call, { body, method, path }: Operation, flatten: Flatten): Read {
  const none: Read = { value: undefined, schema: undefined }
  if (!body) return none
  const sent = (call.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isEmpty = call.text === '' && call.form === undefined
  if (isEmpty) return none
  const content = contentFor(sent, body.content)
  if (!content) {
    const known = body.content.map(({ type }) => type).join(' or ')
    throw new MockError(
      `Failed to ${method} "${path}": "${sent}" is not supported. Please send ${known}.`,
      { status: 415, code: 'TYPE_UNSUPPORTED', headers: [['Accept', known]] },
    )
  }
  const { schema } = content
  const type = sent || content.type
  const flat = schema && flatten(schema)
  if (call.form) {
    const fields = fromPairs(
      call.form.map(([name, value]) => [name, typeof value === 'string' ? value : value.url]),
    )
    // Some documents describe a form as a text.
    const isText = flat?.types?.size === 1 && flat.types.has('string')
    if (isText) return { value: fields, schema: undefined }
    return { value: flat ? coerce(fields, flat, flatten) : fields, schema }
  }
  if (type === 'application/x-www-form-urlencoded') {
    const fields = fromPairs(parseParams(`?${call.text}`))
    return { value: flat ? coerce(fields, flat, flatten) : fields, schema }
  }
  const isJson = isJsonType(type) || type === '*/*' || type === 'application/*'
  if (isJson) return { value: call.json(), schema }
  // A text or a file; only that there is one counts.
  return { value: call.text, schema: undefined }
}

function contentFor(sent: string, contents: readonly Content[]): Content | undefined {
  if (sent === '') return jsonContent(contents) ?? contents[0]
  const bare = (type: string): string => type.split(';', 1)[0]?.trim() ?? ''
  const [main] = sent.split('/')
  return (
    contents.find(({ type }) => bare(type) === sent) ??
    contents.find(({ type }) => type === `${main}/*` || type === '*/*') ??
    (contents.length === 0 || isJsonType(sent) ? (jsonContent(contents) ?? contents[0]) : undefined)
  )
}

/** The most levels of names such as `a[b][c]`. */
const MAX_LEVELS = 20

/** Reads pairs such as `a[b]=1`, `a[]=1` and `a[0]=1` as an object. */
function fromPairs(pairs: readonly (readonly [name: string, value: string])[]): JsonRecord {
  const root: JsonRecord = {}
  for (const [name, value] of pairs) {
    const [first = '', ...rest] = name.split('[', MAX_LEVELS).map((step) => step.replace(/\]$/, ''))
    insert(root, [first, ...rest], value)
  }
  return root
}

function insert(target: JsonRecord, [key = '', ...rest]: readonly string[], value: string): void {
  const held = ownValue(target, key)
  if (rest.length === 0) {
    define(target, key, held === undefined ? value : [held, value].flat())
    return
  }
  if (rest.length === 1 && rest[0] === '') {
    define(target, key, [...(Array.isArray(held) ? held : []), value])
    return
  }
  const inner: JsonRecord = isRecord(held) ? held : {}
  if (inner !== held) define(target, key, inner)
  insert(inner, rest, value)
}
