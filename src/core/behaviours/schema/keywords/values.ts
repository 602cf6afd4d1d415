import type { Check } from '../../../errors/check.ts'
import { suggest } from '../../../errors/nearest.ts'
import type { Json } from '../../../json/json.ts'
import { fail } from '../compile/evaluation.ts'
import { typeOf } from './json-type.ts'
import { isAnything, type Keywords, keywordFor } from './keyword.ts'
import { createValueSet } from './value-set.ts'

const forAll = keywordFor()

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']

const isTypeOrList: Check = [
  (value) => !Array.isArray(value) || value.length > 0,
  'the name of a type, or a list of at least one',
]

const isList: Check = [Array.isArray, 'a list of values']

/**
 * Defines the keywords that constrain values of any type: `type`, `const` and `enum` (JSON Schema
 * Validation §6.1).
 */
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
