import {
  dereference,
  format,
  type OutputUnit,
  type Schema,
  type SchemaDraft,
  validate,
} from '@cfworker/json-schema'
import { toMessage } from '../../errors/error-details.ts'
import { MockError } from '../../errors/mock-error.ts'
import { clone, isRecord, type JsonRecord } from '../../json/json.ts'
import { suggest } from '../../errors/nearest.ts'
import type { Issue } from '../shared/invalid.ts'
import { toIssue } from './json-schema-issue.ts'

// The time that its expression takes grows with the square of what is no address.
const { url } = format
format['url'] = (text) => text.length <= 2000 && url?.(text) === true

/** A JSON Schema of draft 4, 7, 2019-09 or 2020-12, which is what counts where `$schema` says nothing. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>

/**
 * Compiles one of some schemas by resource name; `$ref` reaches the others as `name.schema.json`.
 * @throws MockError when it is no schema, or a `$ref` leads nowhere
 */
export function compileJsonSchema(
  name: string,
  schemas: Readonly<Record<string, JsonSchema>>,
): (record: JsonRecord) => Issue[] {
  const own = schemas[name]
  if (typeof own === 'boolean') return () => (own ? [] : [{ path: [], message: 'is not allowed' }])
  try {
    const root = withId(name, own)
    const lookup = dereference(root)
    const parts = Object.values(lookup)
    checkTypes(parts)
    checkPatterns(parts)
    for (const [other, schema] of Object.entries(schemas)) {
      if (typeof schema === 'boolean') lookup[idOf(other)] = schema
      // What is wrong with another is told where that is compiled.
      else if (other !== name && isRecord(schema)) dereference(withId(other, schema), lookup)
    }
    checkReferences(parts, lookup)
    const draft = draftOf(own)
    const judge: Judge = (value, stopsAtFirst) =>
      validate(value, root, draft, lookup, stopsAtFirst).errors
    checkEnd(() => judge({}, false))
    return (record) => findWrong(judge, record)
  } catch (cause) {
    throw new MockError(`Failed to read the schema of "${name}": ${toMessage(cause)}`, {
      code: 'SCHEMA_INVALID',
      cause,
    })
  }
}

/** A copy, as the validator writes into what it gets, under a name that others can refer to. */
function withId(name: string, schema: JsonSchema | undefined): Schema {
  const copy = clone(schema) as Schema
  if (!isRecord(copy)) throw new TypeError('it is no object. Please give a JSON Schema.')
  return { $id: idOf(name), ...copy }
}

function idOf(name: string): string {
  return `https://mock.invalid/${name}.schema.json`
}

function draftOf(schema: JsonSchema | undefined): SchemaDraft {
  const named = JSON.stringify(typeof schema === 'object' ? (schema['$schema'] ?? '') : '')
  return drafts.find(([part]) => named.includes(part))?.[1] ?? '2020-12'
}

const drafts: [part: string, draft: SchemaDraft][] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
]

type Parts = readonly (Schema | boolean)[]

function checkReferences(parts: Parts, lookup: Readonly<Record<string, unknown>>): void {
  for (const schema of parts) {
    if (typeof schema !== 'object' || schema.$ref === undefined) continue
    const { ['__absolute_ref__']: resolved = schema.$ref } = schema
    if (Object.hasOwn(lookup, resolved)) continue
    throw new TypeError(`the $ref "${schema.$ref}" leads nowhere.`)
  }
}

/** Schemas that lead from one to the other, without a step into the value, lead on for ever. */
function checkEnd(tryOut: () => unknown): void {
  try {
    tryOut()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new TypeError('a $ref leads back to itself.', { cause })
  }
}

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']

/** A type that there is not would let nothing pass (JSON Schema Validation §6.1.1). */
function checkTypes(parts: Parts): void {
  for (const schema of parts) {
    if (typeof schema !== 'object' || schema.type === undefined) continue
    const unknown: unknown = [schema.type].flat().find((type) => !types.includes(type))
    if (unknown === undefined) continue
    const written = JSON.stringify(unknown)
    throw new TypeError(
      `there is no type ${written}. ${suggest(written.replaceAll('"', ''), types)}`,
    )
  }
}

/** A pattern that is none would fail every write. */
function checkPatterns(parts: Parts): void {
  for (const schema of parts) {
    if (typeof schema !== 'object') continue
    const patterns = [schema.pattern, ...Object.keys(schema.patternProperties ?? {})]
    // Compiling throws for one that is wrong.
    patterns.forEach((pattern) => pattern !== undefined && RegExp(pattern, 'u'))
  }
}

/** Says what is wrong with a value: everything, or the first thing. */
type Judge = (value: unknown, stopsAtFirst: boolean) => OutputUnit[]

/** All that is wrong with a record, or the first thing where that is more than the stack can hold. */
function findWrong(judge: Judge, record: JsonRecord): Issue[] {
  for (const stopsAtFirst of [false, true]) {
    try {
      return toIssues(judge(record, stopsAtFirst))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return [{ path: [], message: 'is too long to be judged' }]
}

/** Keywords that only say that something below them is wrong, which is said there too. */
const carriers = new Set(
  '$ref $recursiveRef allOf if then else properties patternProperties additionalProperties unevaluatedProperties dependentSchemas dependencies propertyNames items prefixItems additionalItems unevaluatedItems'.split(
    ' ',
  ),
)

/** Keywords of which it does not help to know what is wrong in each branch. */
const branching = new Set(['anyOf', 'oneOf', 'not', 'contains'])

function toIssues(all: readonly OutputUnit[]): Issue[] {
  const units = all.map(withoutDependencies)
  const branches = units.filter(({ keyword }) => branching.has(keyword))
  // The elements of a list have their keywords in common.
  const places = [...new Set(branches.map((one) => `${one.keywordLocation}/`))]
  const isBelow = ({ keywordLocation }: OutputUnit): boolean =>
    places.some((place) => keywordLocation.startsWith(place))
  const telling = units.filter((unit) => !carriers.has(unit.keyword) && !isBelow(unit))
  // Where only carriers are left, the outermost still has to be told.
  return (telling.length > 0 ? telling : units.slice(0, 1)).map(toIssue)
}

/** What drafts before 2019-09 say of required fields and of schemas in one keyword, as later ones have it. */
function withoutDependencies(unit: OutputUnit): OutputUnit {
  const isRequired = unit.keyword === 'dependencies' && unit.error.includes('does not have')
  return isRequired ? { ...unit, keyword: 'dependentRequired' } : unit
}
