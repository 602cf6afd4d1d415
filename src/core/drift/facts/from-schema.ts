import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { intersect, unite } from './combine.ts'
import { type Documents, inside, type Part, resolve } from '../../json/documents.ts'
import {
  type Facts,
  type FieldFacts,
  type Kind,
  type TextFacts,
  forbidden,
  allowed,
  type Tally,
} from './facts.ts'
import { formatNamed } from './from-statistics.ts'

/** Converts a schema (JSON Schema, OpenAPI 2.0 to 3.1) to facts; undefined if it allows all. */
export function fromSchema(
  part: Part,
  options: SchemaOptions,
  visited: readonly unknown[] = [],
): Facts | undefined {
  const { value: schema, uri } = part
  if (!isRecord(schema) || visited.includes(schema)) return undefined
  const within = [...visited, schema]
  const read = (inner: Part | undefined): Facts | undefined =>
    inner && fromSchema(inner, options, within)
  const list = (keyword: string): Part[] => {
    const parts = schema[keyword]
    return Array.isArray(parts) ? parts.map((_, at) => inside(inside(part, keyword), at)) : []
  }
  const { $ref } = schema
  const target = typeof $ref === 'string' ? resolve(options.documents, $ref, uri) : undefined
  const facts = [
    read(target),
    ownFacts(part, schema, options),
    ...list('allOf').map(read),
    ...['anyOf', 'oneOf'].map((keyword) => unite(list(keyword).map(read))),
  ].reduce(intersect, undefined)
  // Many documents of OpenAPI 3.0 write `nullable` beside a reference, although the standard ignores it there.
  return facts && isNullable(schema) ? { ...facts, nulls: ifExpected(options) } : facts
}

/** The options of {@link fromSchema}. */
export interface SchemaOptions {
  documents: Documents
  /**
   * Whether the schema only limits values, as a schema of fixtures does. Otherwise, values that the schema allows are
   * expected to occur: null, and every value of an enum.
   * @default false
   */
  isLimit?: boolean
}

function isNullable({ nullable, 'x-nullable': extension }: JsonRecord): boolean {
  return nullable === true || extension === true
}

function ifExpected({ isLimit = false }: SchemaOptions): Tally | undefined {
  return isLimit ? undefined : allowed
}

const kindOfType: Readonly<Record<string, Kind>> = {
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'string',
  array: 'array',
  object: 'object',
}

function ownFacts(part: Part, schema: JsonRecord, options: SchemaOptions): Facts | undefined {
  const choices = 'const' in schema ? [schema['const']] : schema['enum']
  const types = typesOf(schema, choices)
  if (types.length === 0) return undefined
  const kinds = [...new Set(types.flatMap((type) => kindOfType[type] ?? []))]
  // Of several types, a side may use only some.
  const tally = kinds.length === 1 ? allowed : undefined
  const isStated = schema['type'] !== undefined
  const fields = kinds.includes('object') ? toFields(part, schema, options) : undefined
  const inner = (keyword: string) => (): Facts | undefined =>
    fromSchema(inside(part, keyword), options)
  const { additionalProperties: additional, patternProperties } = schema
  return {
    nulls: types.includes('null') ? ifExpected(options) : isStated ? forbidden : undefined,
    kinds: new Map(kinds.map((kind) => [kind, tally])),
    // Many values of a `number` are integers.
    fractions: types.includes('integer') && !types.includes('number') ? forbidden : undefined,
    ...(kinds.includes('string') && { texts: toTexts(schema, choices, options) }),
    ...(fields && { fields }),
    isOpen: additional === true || isRecord(additional) || patternProperties !== undefined,
    values: isRecord(additional) && !fields ? inner('additionalProperties') : undefined,
    items: isRecord(schema['items']) ? inner('items') : undefined,
    declaredAt: part.uri,
    example: exampleOf(schema),
  }
}

function typesOf(schema: JsonRecord, choices: unknown): string[] {
  const { type, properties, required, items } = schema
  if (type !== undefined) return [type].flat().filter((one) => typeof one === 'string')
  if (properties ?? required) return ['object']
  if (items !== undefined) return ['array']
  return Array.isArray(choices) ? [...new Set(choices.map(typeOf))] : []
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Returns the example of a schema, otherwise a value of its `enum` or `const`. */
export function exampleOf(schema: JsonRecord): Json | undefined {
  const { example, examples, default: standard, const: only, enum: choices } = schema
  const lists = [examples, choices].flatMap((one) => (Array.isArray(one) ? [one[0]] : []))
  return [example, lists[0], standard, only, lists.at(-1)].find((value) => value !== undefined)
}

function toTexts({ format }: JsonRecord, given: unknown, options: SchemaOptions): TextFacts {
  const texts = Array.isArray(given) ? given.filter((one) => typeof one === 'string') : undefined
  const isKnown = typeof format === 'string' && formatNamed(format) !== undefined
  return {
    count: Infinity,
    ...(isKnown && { format }),
    without: (name) => (name === format ? forbidden : undefined),
    ...(texts && { choices: new Map(texts.map((text) => [text, ifExpected(options)])) }),
    tallyOf: (text) => (texts && !texts.includes(text) ? forbidden : ifExpected(options)),
  }
}

function toFields(part: Part, schema: JsonRecord, options: SchemaOptions): Facts['fields'] {
  const { properties, required } = schema
  const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
  const given = isRecord(properties) ? properties : {}
  const all = new Set([...Object.keys(given), ...names])
  if (all.size === 0) return undefined
  return new Map(
    [...all].map((name): [string, FieldFacts] => {
      const inner = inside(inside(part, 'properties'), name)
      const isWritten = isRecord(inner.value) && inner.value['writeOnly'] === true
      const isRequired = names.includes(name)
      return [
        name,
        {
          present: isWritten ? undefined : allowed,
          // A schema that does not require a field does not say that objects lack the field.
          absent: isRequired && !isWritten ? forbidden : undefined,
          facts: () => fromSchema(inner, options),
        },
      ]
    }),
  )
}
