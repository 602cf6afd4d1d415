import { onlyVariable, type Template, toLookup, toText } from '../../text/template.ts'
import { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { RestNames } from './options.ts'
import { nameVariables } from './variables.ts'

/** Finds the envelopes of the bodies of writes, by the options `body`, `record` and `list`. */
export function toEnvelopes({ body, record = '$record', list = '$items' }: RestNames): Envelopes {
  const template = body ?? record
  const levels = levelsOf(template, 'record') ?? []
  const answered = levelsOf(record, 'record') ?? []
  return {
    levels,
    listLevels: body === undefined ? (levelsOf(list, 'items') ?? []) : [],
    // A record that is sent in the envelope of responses although bodies have none.
    refused: levels.length === 0 && body !== undefined ? answered : [],
    isPlainAllowed: body === undefined || levels.length === 0,
  }
}

/** Where the record is in the body of a write: in the objects of an envelope, from the outer to the inner. */
export interface Envelopes {
  levels: readonly Level[]
  /** The envelope around a list of records. */
  listLevels: readonly Level[]
  /** The envelope that bodies must not have. */
  refused: readonly Level[]
  isPlainAllowed: boolean
}

/** An object of an envelope: the key that leads to the record, and all keys; they can contain variables. */
interface Level {
  key: string
  keys: readonly string[]
}

/** Returns the objects that lead to a variable in a template; undefined for a template without the variable. */
export function levelsOf(template: Template, variable: string): Level[] | undefined {
  if (onlyVariable(template) === variable) return []
  if (!isRecord(template)) return undefined
  const withoutMark = (key: string): string => key.replace(/\?$/, '')
  const keys = Object.keys(template).map(withoutMark)
  for (const [key, inner] of Object.entries(template as Record<string, Template>)) {
    const found = key === '...' ? undefined : levelsOf(inner, variable)
    if (found) return [{ key: withoutMark(key), keys }, ...found]
  }
  return undefined
}

/** Returns the record or records in the body of a write. @throws MockError 400 for a missing or a wrong envelope */
export function unwrap(
  body: Json,
  envelopes: Envelopes,
  resource: string,
  fields: ReadonlySet<string>,
): Json {
  const { levels, refused } = envelopes
  const records = findRecords(body, envelopes, resource)
  if (records === undefined) {
    throw wrongBody(`it has no envelope. Please send ${exampleOf(levels, resource)}.`)
  }
  const [outer] = refused
  if (!outer || fields.has(nameOf(outer.key, resource))) return records
  const isWrapped = (one: Json): boolean => isRecord(valueIn(one, refused, resource, true))
  if ([records].flat().some(isWrapped)) {
    throw wrongBody(
      `the record is in an envelope. Please send it without ${exampleOf(refused, resource)}.`,
    )
  }
  return records
}

/** Returns the record, or the list of records, in a body; undefined for a body without its envelope. */
export function findRecords(body: Json, envelopes: Envelopes, resource: string): Json | undefined {
  const { levels, listLevels, isPlainAllowed } = envelopes
  if (levels.length === 0 && listLevels.length === 0) return body
  const find = (one: Json): Json | undefined => {
    const inner = valueIn(one, levels, resource, isPlainAllowed)
    if (isRecord(inner)) return inner
    return isPlainAllowed ? one : undefined
  }
  if (Array.isArray(body)) {
    const records = body.map(find)
    return records.includes(undefined) ? undefined : (records as Json[])
  }
  for (const list of [levels, listLevels]) {
    const inner = valueIn(body, list, resource, isPlainAllowed)
    if (list.length > 0 && Array.isArray(inner)) return inner
  }
  return find(body)
}

/** Returns the value in an envelope; `isWhole` also wants that the objects have no keys but those of the envelope. */
function valueIn(
  body: Json,
  levels: readonly Level[],
  resource: string,
  isWhole: boolean,
): Json | undefined {
  let value: Json | undefined = body
  for (const { key, keys } of levels) {
    if (!isRecord(value)) return undefined
    const known = keys.map((one) => nameOf(one, resource))
    if (isWhole && !Object.keys(value).every((one) => known.includes(one))) return undefined
    value = ownValue(value, nameOf(key, resource))
  }
  return value
}

/** Describes the body of a write by the schema of its record, with and without the envelope as both are allowed. */
export function schemaOfBody(
  schema: JsonSchema,
  { levels, isPlainAllowed }: Envelopes,
  resource: string,
): JsonSchema {
  if (levels.length === 0) return schema
  const wrapped = levels.reduceRight<JsonSchema>((inner, { key }) => {
    const name = nameOf(key, resource)
    return { type: 'object', required: [name], properties: { [name]: inner } }
  }, schema)
  return isPlainAllowed ? { anyOf: [wrapped, schema] } : wrapped
}

function nameOf(key: string, resource: string): string {
  return toText(key, toLookup(nameVariables, { resource }))
}

function exampleOf(levels: readonly Level[], resource: string): string {
  return levels.reduceRight(
    (inner, { key }) => `{${JSON.stringify(nameOf(key, resource))}:${inner}}`,
    '{ … }',
  )
}

function wrongBody(reason: string): MockError {
  return new MockError(`Failed to read the body: ${reason}`, { status: 400, code: 'BODY_INVALID' })
}
