import { describeWrong } from '../../../errors/check.ts'
import { nearest } from '../../../errors/nearest.ts'
import { withExclusiveLimits } from '../../../json/exclusive-limits.ts'
import { isRecord, type JsonRecord, ownValue } from '../../../json/json.ts'
import { jsonTypes, type Keywords, type Site, typeOf } from '../keywords/keyword.ts'
import { applicatorKeywords } from '../keywords/applicators.ts'
import { arrayKeywords, objectKeywords } from '../keywords/containers.ts'
import { numberKeywords, stringKeywords, valueKeywords } from '../keywords/validation.ts'
import { referenceKeywords } from '../keywords/references.ts'
import { enter, type Evaluated, fail, type SchemaNode, type Validator } from './evaluation.ts'
import { createRegistry, type Location } from './registry.ts'
import { SchemaError, toSchemaError } from './schema-error.ts'

/**
 * Compiles schemas to nested functions: a strict Content Security Policy forbids `eval`. With a reference, compiles the
 * part of the schema that the reference leads to. Mistakes throw SchemaError.
 */
export function createCompiler(
  schemas: Readonly<Record<string, unknown>>,
): (name: string, reference?: string) => SchemaNode {
  const { roots, locate, resolve } = createRegistry(schemas)
  const nodes = new Map<JsonRecord, SchemaNode>()
  const compiled = new Set<string>()
  /** The schemas that are known not to apply themselves to the same value. */
  const acyclic = new Set<SchemaNode>()
  return (name, reference) => {
    const root = compileRoot(name)
    const location = reference === undefined ? root : resolve(reference, root.resource)
    if (!location) throw new SchemaError(name, [], `"${reference}" leads nowhere.`)
    const node = compile(location)
    checkCycles(node, acyclic)
    return node
  }

  /** Compiles the whole schema of a resource, so that each mistake is found before the first value. */
  function compileRoot(name: string): Location {
    const root = roots.get(name)
    if (!root) throw new SchemaError(name, [], 'there is no such schema.')
    if (root instanceof SchemaError) throw root
    if (compiled.has(name)) return root
    compiled.add(name)
    try {
      compile(root)
      return root
    } catch (error) {
      const mistake = toSchemaError(name, error)
      roots.set(name, mistake)
      throw mistake
    }
  }

  function compile(location: Location): SchemaNode {
    const { schema, path, resource } = location
    const known = isRecord(schema) ? nodes.get(schema) : undefined
    if (known) return known
    const validate = schema === true ? accept : refuse
    const node: SchemaNode = { location, validate, inPlace: [], below: [] }
    if (typeof schema === 'boolean') return node
    if (!isRecord(schema)) {
      throw new SchemaError(resource.rootName, path, 'it is no object. Please give a JSON Schema.')
    }
    nodes.set(schema, node)
    try {
      node.validate = compileKeywords(createSite(node, schema))
    } catch (error) {
      // Schemas that lead here may be compiled already; the mistake is reported each time.
      nodes.delete(schema)
      node.validate = accept
      throw error
    }
    if (schema === resource.schema) node.validate = withResource(node)
    return node
  }

  function createSite(node: SchemaNode, given: JsonRecord): Site {
    const { path, resource } = node.location
    const schema = resource.draft.hasExclusiveFlags ? withExclusiveLimits(given) : given
    const compilePart = (steps: Location['path'], links: SchemaNode[]): SchemaNode => {
      const part = steps.reduce<unknown>((value, step) => (value as JsonRecord)[step], schema)
      const compiledPart = compile(locate(part, [...path, ...steps], resource))
      links.push(compiledPart)
      return compiledPart
    }
    const mistake = (reason: string, ...steps: Location['path']): SchemaError =>
      new SchemaError(resource.rootName, path, reason, steps)
    return {
      schema,
      draft: resource.draft,
      mistake,
      inPlace: (...steps) => compilePart(steps, node.inPlace),
      below: (...steps) => compilePart(steps, node.below),
      follow(keyword, reference) {
        const target = resolve(reference, resource)
        if (!target) {
          throw mistake(
            `the ${keyword} "${reference}" leads nowhere. ${advise(reference)}`,
            keyword,
          )
        }
        compileRoot(target.resource.rootName)
        const compiledTarget = compile(target)
        node.inPlace.push(compiledTarget)
        return compiledTarget
      },
      compile,
    }
  }

  function advise(reference: string): string {
    const names = [...roots.keys()].map((name) => `${name}.schema.json`)
    const near = nearest(reference, names)
    return near === undefined
      ? `Please refer to a part of this schema, or to another by its file: ${names.join(', ')}.`
      : `Did you mean "${near}"?`
  }
}

const accept: Validator = () => true
const refuse: Validator = (_, run) => fail(run, 'false')

/** The keywords that count beside a `$ref` in drafts that ignore all others. */
const besideRef = new Set(['$ref', '$defs', 'definitions'])

function compileKeywords(site: Site): Validator {
  const { schema, draft, mistake } = site
  const isRefAlone = draft.ignoresBesideRef && Object.hasOwn(schema, '$ref')
  const validators = Object.fromEntries(jsonTypes.map((type) => [type, [] as Validator[]]))
  for (const [name, { check, on, compile }] of Object.entries(keywords)) {
    const expected = ownValue(schema, name)
    if (expected === undefined || (isRefAlone && !besideRef.has(name))) continue
    const [passes, words] = check
    if (!passes(expected)) throw mistake(describeWrong(name, expected, words), name)
    const validate = compile(expected, site, name)
    if (validate) for (const type of on) validators[type]?.push(validate)
  }
  const validate: Validator = (value, run, scope, evaluated) => {
    let isValid = true
    for (const validator of validators[typeOf(value)] ?? []) {
      if (validator(value, run, scope, evaluated)) continue
      if (!run.issues) return false
      isValid = false
    }
    return isValid
  }
  const collects = ['unevaluatedItems', 'unevaluatedProperties'].some(
    (name) => ownValue(schema, name) !== undefined,
  )
  return collects ? withOwnEvaluated(validate) : validate
}

/** Collects the keys that the schema itself evaluates, and hands them to the schema around it. */
function withOwnEvaluated(validate: Validator): Validator {
  return (value, run, scope, outer) => {
    const evaluated: Evaluated = new Set()
    const isValid = validate(value, run, scope, evaluated)
    if (outer) for (const key of evaluated) outer.add(key)
    return isValid
  }
}

function withResource({ validate, location: { resource } }: SchemaNode): Validator {
  return (value, run, scope, evaluated) => validate(value, run, enter(scope, resource), evaluated)
}

/** In the order in which they run: `unevaluated…` apply to what no other keyword evaluated. */
const keywords: Keywords = {
  ...referenceKeywords,
  ...valueKeywords,
  ...applicatorKeywords,
  ...objectKeywords,
  ...arrayKeywords,
  ...numberKeywords,
  ...stringKeywords,
}

/** A schema that applies itself to the same value again would validate without end; `done` grows by those that do not. */
function checkCycles(root: SchemaNode, done: Set<SchemaNode>): void {
  const reached = new Set([root])
  for (const { inPlace, below } of reached)
    for (const node of [...inPlace, ...below]) if (!done.has(node)) reached.add(node)
  const open = new Set<SchemaNode>()
  const visit = (node: SchemaNode): void => {
    if (done.has(node)) return
    if (open.has(node)) {
      const { path, resource } = node.location
      const reason =
        'a $ref leads back to itself. Please refer to the schema from a property or an element.'
      throw new SchemaError(resource.rootName, path, reason)
    }
    open.add(node)
    node.inPlace.forEach(visit)
    done.add(node)
  }
  reached.forEach(visit)
}
