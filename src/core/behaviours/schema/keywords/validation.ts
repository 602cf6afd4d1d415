import { type Check, isText } from '../../../errors/check.ts'
import { suggest } from '../../../errors/nearest.ts'
import { type Json, ownValue } from '../../../json/json.ts'
import { formats } from '../../../formats/formats.ts'
import { toCanonicalJson } from '../../../json/canonical-json.ts'
import { fail } from '../compile/evaluation.ts'
import {
  comparing,
  isAnything,
  isAtLeast,
  isAtMost,
  isSize,
  keywordFor,
  type Keywords,
  toPattern,
  typeOf,
} from './keyword.ts'

const forAll = keywordFor()

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']

const isTypeOrList: Check = [
  (value) => !Array.isArray(value) || value.length > 0,
  'the name of a type, or a list of at least one',
]

const isList: Check = [Array.isArray, 'a list of values']

/** Keywords of values of any type: `type`, `const`, `enum` (JSON Schema Validation §6.1). */
export const valueKeywords: Keywords = {
  type: forAll(isTypeOrList, (expected: string | string[], { mistake }, name) => {
    const allowed: unknown[] = [expected].flat()
    const unknown = allowed.find((type) => typeof type !== 'string' || !types.includes(type))
    if (unknown !== undefined) {
      const written = JSON.stringify(unknown)
      const advice = suggest(written.replaceAll('"', ''), types)
      throw mistake(`there is no type ${written}. ${advice}`, name)
    }
    const set = new Set(allowed)
    const allowsIntegers = set.has('integer')
    return (value, run) =>
      set.has(typeOf(value)) ||
      (allowsIntegers && Number.isInteger(value)) ||
      fail(run, name, allowed)
  }),
  const: forAll(isAnything, (expected: Json, _, name) => {
    const set = createValueSet([expected])
    return (value, run) => set.has(value) || fail(run, name, expected)
  }),
  enum: forAll(isList, (expected: Json[], _, name) => {
    const set = createValueSet(expected)
    return (value, run) => set.has(value) || fail(run, name, expected)
  }),
}

const forNumbers = keywordFor<number>('number')

const isNumber: Check = [(value) => typeof value === 'number', 'a number']
const isStep: Check = [(value) => typeof value === 'number' && value > 0, 'a number above 0']

const itself = (value: number): number => value

/** Keywords of numbers, such as `minimum` (JSON Schema Validation §6.2). */
export const numberKeywords: Keywords = {
  minimum: forNumbers(isNumber, comparing(isAtLeast, itself)),
  maximum: forNumbers(isNumber, comparing(isAtMost, itself)),
  exclusiveMinimum: forNumbers(
    isNumber,
    comparing((value, least) => value > least, itself),
  ),
  exclusiveMaximum: forNumbers(
    isNumber,
    comparing((value, most) => value < most, itself),
  ),
  multipleOf: forNumbers(isStep, comparing(isMultiple, itself)),
}

/** Whether a number is a multiple of another, as both are written in decimals. */
function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = toDecimal(value)
  const [stepDigits, stepExponent] = toDecimal(step)
  const least = Math.min(exponent, stepExponent)
  const scale = (own: bigint, ownExponent: number): bigint =>
    own * 10n ** BigInt(ownExponent - least)
  return scale(digits, exponent) % scale(stepDigits, stepExponent) === 0n
}

function toDecimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}

const forStrings = keywordFor<string>('string')

/** Keywords of strings (JSON Schema Validation §6.3), and `format` (§7). */
export const stringKeywords: Keywords = {
  minLength: forStrings(isSize, comparing(isAtLeast, countCharacters)),
  maxLength: forStrings(isSize, comparing(isAtMost, countCharacters)),
  pattern: forStrings(isText, (expected: string, site, name) => {
    const pattern = toPattern(expected, site, name)
    return (value, run) => pattern.test(value) || fail(run, name, expected)
  }),
  // Formats without a row are ignored.
  format: forStrings(isText, (expected: string, _, name) => {
    const isFormat = ownValue(formats, expected)
    return isFormat && ((value, run) => isFormat(value) || fail(run, name, expected))
  }),
}

/** Counts code points, of which some take two units of a JavaScript string. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Compares by content, whatever the order of keys (JSON Schema Core §4.2.2), in time linear in the value's size. */
export function createValueSet(values: readonly unknown[] = []): ValueSet {
  const scalars = new Set<unknown>()
  const canonicalTexts = new Set<string>()
  const has = (value: unknown): boolean =>
    isScalar(value) ? scalars.has(value) : canonicalTexts.has(toCanonicalJson(value))
  const add = (value: unknown): boolean => {
    const set: Set<unknown> = isScalar(value) ? scalars : canonicalTexts
    const { size } = set
    return set.add(isScalar(value) ? value : toCanonicalJson(value)).size > size
  }
  values.forEach(add)
  return { has, add }
}

interface ValueSet {
  has(value: unknown): boolean
  /** Adds a value; returns false if the set has an equal value. */
  add(value: unknown): boolean
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
