import { isObject } from '../../../errors/check.ts'
import type { JsonRecord } from '../../../json/json.ts'
import { every, fail, matches } from '../compile/evaluation.ts'
import { isAnything, isSchemaList, type Keywords, keywordFor, type Site } from './keyword.ts'

const forAll = keywordFor()

/** Keywords that apply subschemas to the same value (JSON Schema Core §10.2), and `$defs`. */
export const applicatorKeywords: Keywords = {
  not: forAll(isAnything, (_, site, name) => {
    const node = site.inPlace(name)
    return (value, run, scope) => !matches(node, value, run, scope) || fail(run, name)
  }),
  anyOf: forAll(isSchemaList, (expected: unknown[], site, name) => {
    const nodes = expected.map((_, index) => site.inPlace(name, index))
    return (value, run, scope, evaluated) => {
      let isValid = false
      for (const node of nodes) {
        // After a branch has passed, the others only add the keys that they evaluate.
        if (isValid && !evaluated) break
        if (matches(node, value, run, scope, evaluated)) isValid = true
      }
      return isValid || fail(run, name)
    }
  }),
  allOf: forAll(isSchemaList, (expected: unknown[], site, name) => {
    const nodes = expected.map((_, index) => site.inPlace(name, index))
    return (value, run, scope, evaluated) =>
      every(nodes, run, (node) => node.validate(value, run, scope, evaluated))
  }),
  oneOf: forAll(isSchemaList, (expected: unknown[], site, name) => {
    const nodes = expected.map((_, index) => site.inPlace(name, index))
    return (value, run, scope, evaluated) => {
      let count = 0
      for (const node of nodes) if (matches(node, value, run, scope, evaluated)) count++
      return count === 1 || fail(run, name)
    }
  }),
  // Without `if`, `then` and `else` are ignored (§10.2.2).
  if: forAll(isAnything, (_, site, name) => {
    const condition = site.inPlace(name)
    const [whenTrue, whenFalse] = ['then', 'else'].map((branch) =>
      site.schema[branch] === undefined ? undefined : site.inPlace(branch),
    )
    return (value, run, scope, evaluated) => {
      const branch = matches(condition, value, run, scope, evaluated) ? whenTrue : whenFalse
      return branch?.validate(value, run, scope, evaluated) ?? true
    }
  }),
  $defs: forAll(isObject, compileAll),
  definitions: forAll(isObject, compileAll),
}

/** Compiles, and thereby checks, schemas that are evaluated only if a reference points to them. */
function compileAll(expected: JsonRecord, { below }: Site, name: string): undefined {
  for (const key of Object.keys(expected)) below(name, key)
}
