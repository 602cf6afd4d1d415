import { isFlag } from '../../../errors/check.ts'
import { every, fail, matches, validatePart, type Validator } from '../compile/evaluation.ts'
import {
  applyingToRest,
  comparing,
  isAnything,
  isAtLeast,
  isAtMost,
  isEvaluated,
  isSchemaList,
  isSize,
  type Keywords,
  keywordFor,
  type Site,
} from './keyword.ts'
import { createValueSet } from './value-set.ts'

type List = readonly unknown[]

type Limits = { minContains?: number; maxContains?: number }

const forArrays = keywordFor<List>('array')

const sizeOf = ({ length }: List): number => length
const indexesOf = (list: List): Iterable<number> => list.keys()

/**
 * Defines the keywords that constrain arrays, such as `items` and `maxItems` (JSON Schema Core §10.3.1 and
 * §11.2, Validation §6.4), in the order in which they run.
 */
export const arrayKeywords: Keywords = {
  maxItems: forArrays(isSize, comparing(isAtMost, sizeOf)),
  minItems: forArrays(isSize, comparing(isAtLeast, sizeOf)),
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

/** Applies a list of schemas to the first elements. */
function tuple(expected: List, site: Site, name: string): Validator<List> {
  const nodes = expected.map((_, at) => site.below(name, at))
  return (list, run, scope, evaluated) =>
    every(nodes.slice(0, list.length).entries(), run, ([at, node]) => {
      evaluated?.add(at)
      return validatePart(node, list[at], at, run, scope)
    })
}

/** Applies one schema to the elements that follow the elements of a list of schemas. */
function rest(schemas: unknown, site: Site, name: string): Validator<List> {
  const start = Array.isArray(schemas) ? schemas.length : 0
  return applyingToRest(indexesOf, (at) => Number(at) < start, site, name)
}

function contains(_: unknown, { below, draft, schema }: Site): Validator<List> {
  const node = below('contains')
  const { minContains: least = 1, maxContains: most = Infinity } = schema as Limits
  const leastName = schema['minContains'] === undefined ? 'contains' : 'minContains'
  return (list, run, scope, evaluated) => {
    let count = 0
    for (const [at, element] of list.entries()) {
      if (!matches(node, element, run, scope)) continue
      if (draft.containsEvaluates) evaluated?.add(at)
      count++
    }
    if (count < least) return fail(run, leastName, least)
    return count <= most || fail(run, 'maxContains', most)
  }
}
