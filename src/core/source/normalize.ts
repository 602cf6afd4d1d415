import { configError } from '../errors/mock-error.ts'
import type { Documents } from '../json/documents.ts'
import { withExclusiveLimits } from '../json/exclusive-limits.ts'
import { define, isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { toPointer, toToken } from '../json/pointer.ts'
import { mapSubschemas } from '../json/subschemas.ts'
import { resolveUri, splitFragment } from '../url/uri.ts'
import { fromSwagger } from './from-swagger.ts'

/**
 * Copies an OpenAPI document of any version as one document of version 3.1: its schemas become JSON Schema
 * 2020-12, other files move below `x-files`, and every `$ref` leads to a place in the copy. No `$ref` is
 * replaced by its target, so that schemas that contain themselves stay finite.
 * @throws MockError for a document that is no OpenAPI document
 */
export function normalize(documents: Documents, uri: string): JsonRecord {
  const root = documents.get(uri)
  const version = isRecord(root) ? scalarText(root['openapi'] ?? root['swagger']) : ''
  if (!isRecord(root) || !/^[23](?:\.|$)/.test(version) || !isRecord(root['paths'] ?? {})) {
    throw wrongDocument(
      'it has no "openapi: 3.x" or "swagger: 2.0". Please give an OpenAPI document.',
    )
  }
  const isOld = !/^3\.[1-9]/.test(version)
  const isSwagger = version.startsWith('2')
  const copy = (file: string, value: Json): unknown => {
    const prepared = isSwagger && isRecord(value) ? fromSwagger(value) : value
    const isSchema = file !== uri && looksLikeSchema(value)
    const walker = createWalker(isOld, (reference) => relocate(reference, file))
    return isSchema ? walker.schema(prepared) : walker.part(prepared, false)
  }
  const relocate = (reference: string, from: string): string => {
    const isLocal = reference.startsWith('#')
    const [file, given] = isLocal
      ? [from, reference.slice(1)]
      : splitFragment(resolveUri(reference, from))
    const fragment = isSwagger ? given.replace(/^\/definitions\//, '/components/schemas/') : given
    if (file === uri) return `#${fragment}`
    return `#/x-files/${encodeURIComponent(toToken(labelOf(file, uri)))}${fragment}`
  }
  const normalized = copy(uri, root) as JsonRecord
  const others = [...documents].filter(([file]) => file !== uri)
  if (others.length === 0) return normalized
  const files: JsonRecord = {}
  for (const [file, value] of others) define(files, labelOf(file, uri), copy(file, value))
  return { ...normalized, 'x-files': files }
}

/** Creates the error for a document that cannot be served. */
export function wrongDocument(reason: string, cause?: unknown): Error {
  return configError(`Failed to read the OpenAPI document: ${reason}`, cause)
}

/** The URI of a file as messages name it: relative to the folder of the document. */
function labelOf(file: string, uri: string): string {
  const folder = uri.slice(0, uri.lastIndexOf('/') + 1)
  return folder !== '' && file.startsWith(folder) ? file.slice(folder.length) : file
}

function looksLikeSchema(value: Json): boolean {
  if (!isRecord(value)) return false
  return ['type', 'properties', 'allOf', 'oneOf', 'anyOf', 'enum', '$schema', '$defs'].some((key) =>
    Object.hasOwn(value, key),
  )
}

/** The members that map names to parts of the document, whose names have no meaning of their own. */
const maps = new Set(
  'paths webhooks callbacks responses requestBodies headers content parameters securitySchemes links pathItems x-files encoding additionalOperations'.split(
    ' ',
  ),
)

/** The members that hold data, in which nothing is converted. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const', 'security', 'tags'])

/** A document nested deeper than this has the JavaScript objects of its references in their place. */
const MAX_DEPTH = 500

interface Walker {
  part(value: unknown, isMap: boolean): unknown
  schema(value: unknown): unknown
}

function createWalker(isOld: boolean, relocate: (reference: string) => string): Walker {
  /** The objects around the current one, and the keys that lead to it. */
  const open = new Set<object>()
  const steps: (string | number)[] = []

  function within<T>(value: object, copy: () => T): T {
    if (open.has(value) || open.size > MAX_DEPTH) {
      const place = `#${toPointer(steps.slice(0, 6))}`
      throw wrongDocument(
        `the object at "${place}" contains itself. Please give the document with its $ref, not with what they lead to.`,
      )
    }
    open.add(value)
    const copied = copy()
    open.delete(value)
    return copied
  }

  function below<T>(key: string | number, copy: () => T): T {
    steps.push(key)
    const copied = copy()
    steps.pop()
    return copied
  }

  function part(value: unknown, isMap: boolean): unknown {
    if (Array.isArray(value)) {
      return within(value, () => value.map((one, at) => below(at, () => part(one, false))))
    }
    if (!isRecord(value)) return value
    return within(value, () => mapMembers(value, (inner, key) => member(key, inner, isMap)))
  }

  function mapMembers(
    value: JsonRecord,
    copy: (inner: Json, key: string) => unknown,
  ): Record<string, unknown> {
    const copied: JsonRecord = {}
    for (const key of Object.keys(value)) {
      define(
        copied,
        key,
        below(key, () => copy(value[key] ?? null, key)),
      )
    }
    return copied
  }

  function member(key: string, value: Json, isMap: boolean): unknown {
    if (isMap) return part(value, false)
    if (key === '$ref' && typeof value === 'string') return relocate(value)
    if (key === 'schema' || key === 'itemSchema') return schema(value)
    const isSchemas = key === 'definitions' || (key === 'schemas' && steps.length > 1)
    if (isSchemas && isRecord(value)) return within(value, () => mapMembers(value, schema))
    if (data.has(key) || (key.startsWith('x-') && key !== 'x-files')) return value
    return part(value, maps.has(key))
  }

  function schema(value: unknown): unknown {
    if (!isRecord(value)) return value
    return within(value, () => {
      const reference = value['$ref']
      if (typeof reference === 'string' && isOld) return { $ref: relocate(reference) }
      const clean = withoutFaults(isOld ? toLatest(value) : { ...value })
      const copied = mapSubschemas(clean, schema)
      if (typeof reference === 'string') copied['$ref'] = relocate(reference)
      return copied
    })
  }

  return { part, schema }
}

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

/** Removes keywords that many documents have wrong, and that would make the whole schema unusable. Changes its argument. */
function withoutFaults(schema: JsonRecord): JsonRecord {
  const clean = schema
  const { type, pattern, required, enum: values } = clean
  if (type !== undefined) {
    const known = [type].flat().filter((one) => types.has(scalarText(one)))
    if (known.length === 0) delete clean['type']
    else if (known.length === 1) clean['type'] = known[0] ?? 'string'
    else clean['type'] = [...new Set(known)]
  }
  if (pattern !== undefined && !isPattern(pattern)) delete clean['pattern']
  if (required !== undefined) {
    const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
    if (names.length > 0) clean['required'] = [...new Set(names)]
    else delete clean['required']
  }
  if (values !== undefined && (!Array.isArray(values) || values.length === 0)) delete clean['enum']
  for (const key of ['$id', '$schema', 'id']) {
    if (key !== 'id' && typeof clean[key] === 'string') delete clean[key]
  }
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    if (clean[key] !== undefined && !(Array.isArray(clean[key]) && clean[key].length > 0)) {
      delete clean[key]
    }
  }
  return clean
}

function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** Writes a schema of OpenAPI 2.0 or 3.0 in JSON Schema 2020-12. */
function toLatest(schema: JsonRecord): JsonRecord {
  const converted = withExclusiveLimits(schema)
  const { nullable, 'x-nullable': xNullable } = converted
  delete converted['nullable']
  delete converted['x-nullable']
  if (converted['type'] === 'file') converted['type'] = 'string'
  if (nullable !== true && xNullable !== true) return converted
  const { type, enum: values, anyOf, oneOf, ...rest } = converted
  const nulls = { type: 'null' }
  if (type !== undefined) {
    return {
      ...converted,
      type: [...[type].flat(), 'null'],
      ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
    }
  }
  if (Array.isArray(anyOf)) return { ...converted, anyOf: [...anyOf, nulls] }
  if (Array.isArray(oneOf)) return { ...converted, oneOf: [...oneOf, nulls] }
  if (Array.isArray(values)) {
    return values.includes(null) ? converted : { ...converted, enum: [...values, null] }
  }
  return rest['allOf'] === undefined && rest['properties'] === undefined
    ? converted
    : { anyOf: [converted, nulls] }
}
