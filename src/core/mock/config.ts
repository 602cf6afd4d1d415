import {
  type Check,
  checkOptions,
  isCount,
  isCountUpTo,
  isEither,
  isFlag,
  isLine,
  isListOf,
  isMapOf,
  isName,
  isObject,
  isText,
} from '../errors/check.ts'
import type { Backend, Behaviour } from '../http/contract/behaviour.ts'
import type { Clock } from '../time/clock.ts'
import type { OpenApiSource } from '../dialects/contract/openapi-source.ts'
import type { Limits } from '../http/contract/limits.ts'
import type { IdOption } from '../fixtures/id-field.ts'
import { isThenable } from '../fixtures/unsupported-value.ts'
import { areResources, type ResourceOptions } from '../resources/options.ts'
import { isBase } from '../url/base.ts'
import { isRelation, type RelationOptions } from '../fixtures/relation-options.ts'

/** The configuration of a mock: all options of `createMock` except `fixtures`. Every option is optional. */
export interface MockConfig extends Partial<Limits> {
  /** The base path of all resources: `/api`. @default '' */
  base?: string
  /** The id field: one name for all collections, or a name per collection. @default 'id' */
  id?: IdOption
  /** The dialect, which defines parameters and response formats. @default rest */
  dialect?: Backend
  /** An OpenAPI document as the source of paths and data: `fromOpenApi(document)` from "fixtura/openapi". */
  openapi?: OpenApiSource
  /** Foreign keys not named after their parent: `{ comments: { writer: 'users' } }`. */
  relations?: RelationOptions
  /** What the mock knows of each resource, by name: computed fields, embedded records, order, methods. */
  resources?: Readonly<Record<string, ResourceOptions>>
  /** The suffix of foreign keys: `_id` for keys such as `post_id`. @default 'Id', 'ID' and '_id' */
  foreignKeySuffix?: string
  /** The behaviours that simulate a real service. @default [] */
  use?: readonly Behaviour[]
  /** Whether an unknown query parameter is an error (400). @default false */
  strict?: boolean
  /** Whether writing methods are refused (405). @default false */
  readOnly?: boolean
  /** `Cache-Control` of responses: one value for all resources, or a value per resource with a `default`. @default 'no-cache' */
  cacheControl?: string | Record<string, string>
  /** Whether writes require `If-Match` (428 without it): for all resources, or for the listed ones. @default false */
  preconditions?: boolean | readonly string[]
  /** The number of requests that the log keeps. @default 1000 */
  logSize?: number
  /** The seed for ids, delays and faults: the same seed gives the same values in every run. @default random */
  seed?: number | string
  /** The clock, for tests a manual clock. @default the system clock */
  clock?: Clock
}

/** The check of every option. */
export const configChecks: Readonly<Record<keyof MockConfig, Check>> = {
  base: [isBase, 'a path such as /api'],
  id: forAllOrEach(isName),
  dialect: [
    hasAll('parseList', 'parseMember', 'render', 'renderError'),
    'a dialect from "fixtura/dialects"',
    explainUncalled,
  ],
  openapi: [
    hasAll('configure', 'complete'),
    'a document from fromOpenApi() of "fixtura/openapi"',
    explainUncalled,
  ],
  relations: isMapOf(isMapOf(isRelation)),
  resources: areResources,
  foreignKeySuffix: isName,
  use: [
    (value) => Array.isArray(value) && value.every(isBehaviour),
    'a list of (behaviours from "fixtura/behaviours", such as auth())',
    explainUse,
  ],
  strict: isFlag,
  readOnly: isFlag,
  cacheControl: forAllOrEach(isLine),
  preconditions: isEither(isFlag, isListOf(isText)),
  maxBody: isCount,
  // A deeper body would overflow the stack of a function that reads it recursively.
  maxDepth: isCountUpTo(1000),
  maxUrl: isCount,
  maxParams: isCount,
  logSize: isCount,
  seed: isEither(isText, [Number.isFinite, 'a number']),
  clock: [hasAll('now', 'after'), 'a clock, such as createManualClock()', explainUncalled],
}

/** Checks the options of `createMock`. @throws MockError with the nearest name or the valid values */
export function checkConfig(options: unknown): void {
  const required = Object(options).openapi === undefined ? ['fixtures'] : []
  checkOptions('the configuration', options, { fixtures: isObject, ...configChecks }, required)
}

/** Creates the check of an option that has one value for all names, or a value per name. */
function forAllOrEach(check: Check): Check {
  return isEither(check, isMapOf(check))
}

/** Creates a predicate for objects and functions that have all of the given members. */
function hasAll(...names: readonly string[]): Check[0] {
  return (value) => names.every((name) => name in Object(value))
}

const isBehaviour = hasAll('name', 'create')

/** Explains a function that has to be called, and a promise that has to be awaited. */
function explainUncalled(name: string, value: unknown): string | undefined {
  if (isThenable(value)) return `${name} is a promise. Please await it.`
  if (typeof value !== 'function') return undefined
  return `${name} is a function. Please call it${value.name && `: ${value.name}()`}.`
}

/** Explains a value of `use` that is no list, and the first of its values that is no behaviour. */
function explainUse(name: string, value: unknown): string | undefined {
  if (isBehaviour(value))
    return `${name} is a behaviour. Please put it into a list: [${nameOf(value)}()].`
  if (!Array.isArray(value)) return explainUncalled(name, value)
  const index = value.findIndex((one) => !isBehaviour(one))
  const item: unknown = value[index]
  const place = `${name}[${index}]`
  if (Array.isArray(item))
    return `${place} is a list. Please write its behaviours into "${name}" itself.`
  if (!item) return `${place} is ${JSON.stringify(item) ?? 'undefined'}. Please leave it out.`
  return explainUncalled(place, item)
}

function nameOf(behaviour: unknown): string {
  return String(Object(behaviour).name)
}
