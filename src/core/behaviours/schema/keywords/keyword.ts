import type { Check } from '../../../errors/check.ts'
import type { JsonRecord } from '../../../json/json.ts'
import { toMessage } from '../../../errors/error-details.ts'
import type { Draft, Location } from '../compile/registry.ts'
import {
  type Evaluated,
  every,
  fail,
  type SchemaNode,
  validatePart,
  type Validator,
} from '../compile/evaluation.ts'
import type { SchemaError } from '../compile/schema-error.ts'

/** The context in which a keyword is compiled: its schema and draft, and functions on them. */
export interface Site {
  readonly schema: JsonRecord
  readonly draft: Draft
  /** Compiles the schema at these keys, which applies to the same value. */
  inPlace(...steps: Location['path']): SchemaNode
  /** Compiles the schema at these keys, which applies to parts of the value. */
  below(...steps: Location['path']): SchemaNode
  /** Compiles the schema that the reference points to. */
  follow(keyword: string, reference: string): SchemaNode
  compile(location: Location): SchemaNode
  mistake(reason: string, ...steps: Location['path']): SchemaError
}

interface Keyword {
  readonly check: Check
  readonly on: readonly JsonType[]
  /** Compiles the keyword; undefined if nothing is left to evaluate. */
  compile(expected: unknown, site: Site, name: string): Validator | undefined
}

export type Keywords = Readonly<Record<string, Keyword>>

type Compile<E, V> = (expected: E, site: Site, name: string) => Validator<V> | undefined

/** Creates the function that defines keywords for values of some types, or of all types. */
export function keywordFor<V = unknown>(
  ...types: JsonType[]
): <E>(check: Check, compile: Compile<E, V>) => Keyword {
  const on = types.length > 0 ? types : jsonTypes
  return (check, compile) => ({ check, on, compile: compile as Keyword['compile'] })
}

/** Compiles a keyword that compares the value, or a measure of the value, with a limit. */
export function comparing<V>(
  passes: (measured: number, limit: number) => boolean,
  measure: (value: V) => number,
): Compile<number, V> {
  return (limit, _, name) => (value, run) => passes(measure(value), limit) || fail(run, name, limit)
}

/** Compiles a keyword that applies its schema to the parts of a value for which `isTaken` is false. */
export function applyingToRest<V extends object>(
  keysOf: (value: V) => Iterable<string | number>,
  isTaken: (key: string | number, evaluated: Evaluated | undefined) => boolean,
  { below }: Site,
  name: string,
): Validator<V> {
  const node = below(name)
  return (value, run, scope, evaluated) =>
    every(keysOf(value), run, (key) => {
      if (isTaken(key, evaluated)) return true
      evaluated?.add(key)
      return validatePart(node, value[key as keyof V], key, run, scope)
    })
}

/** Whether another keyword has evaluated the part. */
export function isEvaluated(key: string | number, evaluated: Evaluated | undefined): boolean {
  return evaluated?.has(key) === true
}

/** Whether a measure keeps to a lower limit. */
export const isAtLeast = (measured: number, least: number): boolean => measured >= least

/** Whether a measure keeps to an upper limit. */
export const isAtMost = (measured: number, most: number): boolean => measured <= most

/** Accepts any value of a keyword, as subschemas are checked when they are compiled. */
export const isAnything: Check = [() => true, 'a JSON Schema']

/** Checks that the value of a keyword is a list of at least one schema. */
export const isSchemaList: Check = [
  (value) => Array.isArray(value) && value.length > 0,
  'a list of JSON Schemas, at least one',
]

/** Checks that the value of a keyword is a size: an integer of at least 0. */
export const isSize: Check = [
  (value) => Number.isInteger(value) && (value as number) >= 0,
  'a whole number of at least 0',
]

/** The types of JSON values (JSON Schema Core §4.2.1); an integer has the type `number`. */
export const jsonTypes = ['array', 'boolean', 'null', 'number', 'object', 'string'] as const

type JsonType = (typeof jsonTypes)[number]

/** Returns the type of a JSON value. */
export function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  const isNamed = type === 'string' || type === 'number' || type === 'boolean'
  if (isNamed) return type
  return type === 'object' && value !== null ? 'object' : 'null'
}

/** Compiles a pattern with the flag `u` (JSON Schema Core §6.4). @throws SchemaError */
export function toPattern(text: string, site: Site, ...steps: Location['path']): RegExp {
  try {
    return new RegExp(text, 'u')
  } catch (error) {
    throw site.mistake(`${toMessage(error)}. Please write it for the flag "u".`, ...steps)
  }
}
