import {
  type Check,
  describeWrong,
  isFlag,
  isListOf,
  isMapOf,
  isObject,
  isText,
} from '../../../errors/check.ts'
import { isRecord, type JsonRecord } from '../../../json/json.ts'
import {
  applying,
  every,
  fail,
  matches,
  validatePart,
  type Validator,
} from '../compile/evaluation.ts'
import {
  applyingToRest,
  comparing,
  isAnything,
  isAtLeast,
  isAtMost,
  isEvaluated,
  isSchemaList,
  isSize,
  keywordFor,
  type Keywords,
  type Site,
  toPattern,
} from './keyword.ts'
import { createValueSet } from './validation.ts'

const forObjects = keywordFor<JsonRecord>('object')

const isNames = isListOf(isText)

const isSchemaMap: Check = [
  (value) => isRecord(value) && !Object.values(value).some(Array.isArray),
  'an object that holds JSON Schemas',
]

const countProperties = (record: JsonRecord): number => Object.keys(record).length

/** Keywords of objects, in order (JSON Schema Core §10.3.2 and §11.3, Validation §6.5). */
export const objectKeywords: Keywords = {
  required: forObjects(
    isNames,
    (expected: string[], _, name) => (record, run) =>
      every(expected, run, (key) => Object.hasOwn(record, key) || fail(run, name, undefined, key)),
  ),
  minProperties: forObjects(isSize, comparing(isAtLeast, countProperties)),
  maxProperties: forObjects(isSize, comparing(isAtMost, countProperties)),
  propertyNames: forObjects(isAnything, (_, site, name) => {
    const node = site.below(name)
    return (record, run, scope) =>
      every(Object.keys(record), run, (key) => validatePart(node, key, key, run, scope))
  }),
  dependentRequired: forObjects(isMapOf(isNames), dependencies),
  dependentSchemas: forObjects(isSchemaMap, dependencies),
  // 2019-09 has split this keyword into the two above.
  dependencies: forObjects(isObject, dependencies),
  properties: forObjects(isObject, (expected: JsonRecord, site, name) => {
    const entries = Object.keys(expected).map((key) => [key, site.below(name, key)] as const)
    return (record, run, scope, evaluated) =>
      every(entries, run, ([key, node]) => {
        if (!Object.hasOwn(record, key)) return true
        evaluated?.add(key)
        return validatePart(node, record[key], key, run, scope)
      })
  }),
  patternProperties: forObjects(isObject, (expected: JsonRecord, site, name) => {
    const entries = Object.keys(expected).map(
      (text) => [toPattern(text, site, name, text), site.below(name, text)] as const,
    )
    return (record, run, scope, evaluated) =>
      every(entries, run, ([pattern, node]) =>
        every(Object.keys(record), run, (key) => {
          if (!pattern.test(key)) return true
          evaluated?.add(key)
          return validatePart(node, record[key], key, run, scope)
        }),
      )
  }),
  additionalProperties: forObjects(isAnything, (_, site, name) => {
    const { properties, patternProperties } = site.schema
    const names = new Set(keysOf(properties))
    const patterns = keysOf(patternProperties).map((text) =>
      toPattern(text, site, 'patternProperties', text),
    )
    const isNamed = (key: string | number): boolean =>
      names.has(String(key)) || patterns.some((pattern) => pattern.test(String(key)))
    return applyingToRest(Object.keys, isNamed, site, name)
  }),
  unevaluatedProperties: forObjects(isAnything, (_, site, name) =>
    applyingToRest(Object.keys, isEvaluated, site, name),
  ),
}

/** For each property that the object has, requires further properties or applies a schema. */
function dependencies(expected: JsonRecord, site: Site, name: string): Validator<JsonRecord> {
  const entries = Object.entries(expected).map(
    ([key, dependent]) => [key, compileDependent(key, dependent, site, name)] as const,
  )
  return (record, run, scope, evaluated) =>
    every(
      entries,
      run,
      ([key, validate]) => !Object.hasOwn(record, key) || validate(record, run, scope, evaluated),
    )
}

function compileDependent(
  key: string,
  dependent: unknown,
  site: Site,
  name: string,
): Validator<JsonRecord> {
  if (!Array.isArray(dependent)) return applying(site.inPlace(name, key))
  const [passes, words] = isNames
  if (!passes(dependent)) throw site.mistake(describeWrong(key, dependent, words), name, key)
  const names = dependent as string[]
  return (record, run) =>
    every(
      names,
      run,
      (other) => Object.hasOwn(record, other) || fail(run, 'dependentRequired', key, other),
    )
}

function keysOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : []
}

type List = readonly unknown[]

type Limits = { minContains?: number; maxContains?: number }

const forArrays = keywordFor<List>('array')

const lengthOf = ({ length }: List): number => length
const indexesOf = (list: List): Iterable<number> => list.keys()

/** Keywords of arrays, in order (JSON Schema Core §10.3.1 and §11.2, Validation §6.4). */
export const arrayKeywords: Keywords = {
  maxItems: forArrays(isSize, comparing(isAtMost, lengthOf)),
  minItems: forArrays(isSize, comparing(isAtLeast, lengthOf)),
  prefixItems: forArrays(isSchemaList, tuple),
  // Drafts before 2020-12 write prefixItems as a list in items.
  items: forArrays(isAnything, (expected: unknown, site, name) =>
    Array.isArray(expected)
      ? tuple(expected, site, name)
      : rest(site.schema['prefixItems'], site, name),
  ),
  additionalItems: forArrays(isAnything, (_, site, name) => {
    const { items } = site.schema
    const validate = rest(items, site, name)
    return Array.isArray(items) ? validate : undefined
  }),
  contains: forArrays(isAnything, contains),
  minContains: forArrays(isSize, () => undefined),
  maxContains: forArrays(isSize, () => undefined),
  unevaluatedItems: forArrays(isAnything, (_, site, name) =>
    applyingToRest(indexesOf, isEvaluated, site, name),
  ),
  uniqueItems: forArrays(isFlag, (expected: boolean, _, name) => {
    if (!expected) return undefined
    return (list, run) => {
      const set = createValueSet()
      return list.every((element) => set.add(element)) || fail(run, name)
    }
  }),
}

function tuple(expected: List, site: Site, name: string): Validator<List> {
  const nodes = expected.map((_, index) => site.below(name, index))
  return (list, run, scope, evaluated) =>
    every(nodes.slice(0, list.length).entries(), run, ([index, node]) => {
      evaluated?.add(index)
      return validatePart(node, list[index], index, run, scope)
    })
}

function rest(schemas: unknown, site: Site, name: string): Validator<List> {
  const start = Array.isArray(schemas) ? schemas.length : 0
  return applyingToRest(indexesOf, (index) => Number(index) < start, site, name)
}

function contains(_: unknown, { below, draft, schema }: Site): Validator<List> {
  const node = below('contains')
  const { minContains: least = 1, maxContains: most = Infinity } = schema as Limits
  const leastName = schema['minContains'] === undefined ? 'contains' : 'minContains'
  return (list, run, scope, evaluated) => {
    let count = 0
    for (const [index, element] of list.entries()) {
      if (!matches(node, element, run, scope)) continue
      if (draft.containsEvaluates) evaluated?.add(index)
      count++
    }
    if (count < least) return fail(run, leastName, least)
    return count <= most || fail(run, 'maxContains', most)
  }
}
