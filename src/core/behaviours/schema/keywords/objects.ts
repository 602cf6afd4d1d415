import {
  type Check,
  describeWrong,
  isListOf,
  isMapOf,
  isObject,
  isText,
} from '../../../errors/check.ts'
import { isRecord, type JsonRecord } from '../../../json/json.ts'
import { applying, every, fail, validatePart, type Validator } from '../compile/evaluation.ts'
import {
  applyingToRest,
  comparing,
  isAnything,
  isAtLeast,
  isAtMost,
  isEvaluated,
  isSize,
  type Keywords,
  keywordFor,
  type Site,
} from './keyword.ts'
import { toPattern } from './pattern.ts'

const forObjects = keywordFor<JsonRecord>('object')

const isNames = isListOf(isText)

const isSchemaMap: Check = [
  (value) => isRecord(value) && !Object.values(value).some(Array.isArray),
  'an object that holds JSON Schemas',
]

const sizeOf = (record: JsonRecord): number => Object.keys(record).length

/**
 * Defines the keywords that constrain objects, such as `properties` and `required` (JSON Schema Core §10.3.2
 * and §11.3, Validation §6.5), in the order in which they run.
 */
export const objectKeywords: Keywords = {
  required: forObjects(
    isNames,
    (expected: string[], _, name) => (record, run) =>
      every(expected, run, (key) => Object.hasOwn(record, key) || fail(run, name, undefined, key)),
  ),
  minProperties: forObjects(isSize, comparing(isAtLeast, sizeOf)),
  maxProperties: forObjects(isSize, comparing(isAtMost, sizeOf)),
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
