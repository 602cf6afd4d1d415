import type { Issue } from '../../../errors/mock-error.ts'
import type { Location, SchemaResource } from './registry.ts'
import { withArticle } from '../../../text/article.ts'

/** The state of a validation: the path to the evaluated part of the value, and the issues so far. */
export interface Run {
  readonly path: (string | number)[]
  /** The issues found so far; undefined while only the verdict counts. */
  issues: Issue[] | undefined
}

/** The schema resources that the evaluation has entered, outermost first, each once. */
export type Scope = readonly SchemaResource[]

/** The keys or indexes of a value that keywords have evaluated, for `unevaluated…`. */
export type Evaluated = Set<string | number>

/** Evaluates a value: reports its issues, and returns whether the value is valid. */
export type Validator<T = unknown> = (
  value: T,
  run: Run,
  scope: Scope,
  evaluated: Evaluated | undefined,
) => boolean

/** A compiled schema. */
export interface SchemaNode {
  validate: Validator
  readonly location: Location
  readonly inPlace: SchemaNode[]
  readonly below: SchemaNode[]
}

/** The largest number of issues of one value; for more issues, only the first is reported. */
export const maxIssues = 50_000

/** Reports that the value, or its property of that key, fails a keyword with a limit. */
export function fail(run: Run, keyword: string, limit?: unknown, key?: string): false {
  const { path, issues } = run
  if (issues && issues.length <= maxIssues) {
    issues.push({
      path: key === undefined ? [...path] : [...path, key],
      message: toWords(keyword, limit),
      keyword,
      ...(limit !== undefined && { limit }),
    })
  }
  return false
}

/** Whether all elements pass. While issues are collected, checks the elements after the first failure too. */
export function every<T>(
  elements: Iterable<T>,
  run: Run,
  passes: (element: T) => boolean,
): boolean {
  let isValid = true
  for (const element of elements) {
    if (passes(element)) continue
    if (!run.issues) return false
    isValid = false
  }
  return isValid
}

/** Evaluates a part of the value. */
export function validatePart(
  node: SchemaNode,
  value: unknown,
  key: string | number,
  run: Run,
  scope: Scope,
): boolean {
  run.path.push(key)
  const isValid = node.validate(value, run, scope, undefined)
  run.path.pop()
  return isValid
}

/** Evaluates the same value. Reads `validate` late, as references may lead to unfinished nodes. */
export function applying(node: SchemaNode): Validator {
  return (value, run, scope, evaluated) => node.validate(value, run, scope, evaluated)
}

/** Whether the schema allows the value, without reporting issues. */
export function matches(
  node: SchemaNode,
  value: unknown,
  run: Run,
  scope: Scope,
  evaluated?: Evaluated,
): boolean {
  const { issues } = run
  const own: Evaluated | undefined = evaluated && new Set()
  run.issues = undefined
  const isValid = node.validate(value, run, scope, own)
  run.issues = issues
  if (isValid) own?.forEach((key) => evaluated?.add(key))
  return isValid
}

/** Adds a resource to the scope. Only its first entry counts, as the outermost anchor wins. */
export function enter(scope: Scope, resource: SchemaResource): Scope {
  return scope.includes(resource) ? scope : [...scope, resource]
}

/** Returns the message for a value that fails a keyword, to follow a field name: `is required`. */
function toWords(keyword: string, expected: unknown): string {
  return wordings[keyword]?.(expected) ?? `does not match "${keyword}"`
}

const wordings: Readonly<Record<string, (expected: unknown) => string>> = {
  required: () => 'is required',
  dependentRequired: (property) => `is required with ${String(property)}`,
  false: () => 'is not allowed',
  type: (types) => `has to be ${(types as string[]).map(typeWithArticle).join(' or ')}`,
  enum: (values) => `has to be one of ${(values as unknown[]).map(toText).join(', ')}`,
  const: (value) => `has to be ${toText(value)}`,
  minLength: (count) => `has to have ${toText(count)} or more characters`,
  maxLength: (count) => `has to have ${toText(count)} or fewer characters`,
  minItems: (count) => `has to have ${toText(count)} or more elements`,
  maxItems: (count) => `has to have ${toText(count)} or fewer elements`,
  minProperties: (count) => `has to have ${toText(count)} or more properties`,
  maxProperties: (count) => `has to have ${toText(count)} or fewer properties`,
  minimum: (limit) => `has to be at least ${toText(limit)}`,
  maximum: (limit) => `has to be at most ${toText(limit)}`,
  exclusiveMinimum: (limit) => `has to be above ${toText(limit)}`,
  exclusiveMaximum: (limit) => `has to be below ${toText(limit)}`,
  multipleOf: (step) => `has to be a multiple of ${toText(step)}`,
  pattern: () => 'has the wrong form',
  format: (name) => `has to be in the format "${String(name)}"`,
  uniqueItems: () => 'holds an element twice',
  contains: () => 'lacks an element of the required form',
  minContains: (count) => `has to have ${toText(count)} or more elements of the required form`,
  maxContains: (count) => `has to have ${toText(count)} or fewer elements of the required form`,
  anyOf: () => 'has none of the allowed forms',
  oneOf: () => 'has to have exactly one of the allowed forms',
  not: () => 'has a form that is not allowed',
}

function toText(value: unknown): string {
  return JSON.stringify(value)
}

function typeWithArticle(type: string): string {
  return type === 'null' ? type : withArticle(type)
}
