import {
  type Check,
  checkOptions,
  isCount,
  isEither,
  isFlag,
  isListOf,
  isMapOf,
  isName,
  isObject,
  isText,
} from '../errors/check.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { Clock } from '../time/clock.ts'
import type { Dialect } from '../dialects/contract/dialect.ts'
import type { Limits } from '../http/contract/limits.ts'
import type { IdOption } from '../fixtures/id-field.ts'
import { isRecord } from '../json/json.ts'
import type { RelationOptions } from '../fixtures/relation-options.ts'

/** How a mock behaves; every option may be left out. */
export interface MockConfig extends Partial<Limits> {
  /** In front of every path: `/api`. @default '' */
  base?: string
  /** The field that identifies records: one for all, or by collection. @default 'id' */
  id?: IdOption
  /** How the wire is written. @default rest */
  dialect?: Dialect
  /** Relations that no key's name gives away: `{ comments: { writer: 'users' } }`. */
  relations?: RelationOptions
  /** The parts of a real service that are simulated. */
  use?: readonly Behaviour[]
  /** Whether an unknown parameter is an error (400). @default false */
  strict?: boolean
  /** Whether every method that writes is refused (405). @default false */
  readOnly?: boolean
  /** `Cache-Control` of the answers: one for all, or by resource with `default` for the rest. @default 'no-cache' */
  cacheControl?: string | Record<string, string>
  /** Which resources are only written with `If-Match` (428 without): all, or those named. @default false */
  preconditions?: boolean | readonly string[]
  /** How many requests the log keeps. @default 1000 */
  logSize?: number
  /** Makes ids, delays and faults repeat from run to run. */
  seed?: number | string
  /** Where time comes from; a manual clock makes time stand still. */
  clock?: Clock
}

/** Every option, and what it has to be. */
export const configChecks: Readonly<Record<keyof MockConfig, Check>> = {
  base: [isBase, 'a path such as /api'],
  id: forAllOrEach(isName),
  dialect: [
    hasAll('parseList', 'parseMember', 'render', 'renderError'),
    'a dialect from "fixtura/dialects"',
  ],
  relations: isMapOf(isMapOf([isRelation, 'the name of a collection, or { to, as, dependent }'])),
  use: isListOf([hasAll('name', 'create'), 'behaviours from "fixtura/behaviours", such as auth()']),
  strict: isFlag,
  readOnly: isFlag,
  cacheControl: forAllOrEach(isText),
  preconditions: isEither(isFlag, isListOf(isText)),
  maxBody: isCount,
  maxDepth: isCount,
  maxUrl: isCount,
  maxParams: isCount,
  logSize: isCount,
  seed: isEither(isText, [Number.isFinite, 'a number']),
  clock: isObject,
}

/**
 * Checks the names and kinds of the options, which have to have fixtures.
 * @throws MockError that suggests the nearest name
 */
export function checkConfig(options: unknown): void {
  checkOptions('the configuration', options, { fixtures: isObject, ...configChecks }, ['fixtures'])
}

/** What passes for all names, or for each under its own. */
function forAllOrEach(check: Check): Check {
  return isEither(check, isMapOf(check))
}

/** Whether a value is a path that every URL can hold as it is. */
function isBase(value: unknown): boolean {
  return typeof value === 'string' && !/[^!-~]|[?#\\]|:\/\/|(?:^|\/)\.\.?(?:\/|$)/.test(value)
}

/** Makes the test whether a value is an object that has all of these. */
function hasAll(...names: readonly string[]): Check[0] {
  return (value) => isRecord(value) && names.every((name) => name in value)
}

function isRelation(value: unknown): boolean {
  if (!isRecord(value)) return isName[0](value)
  const { to, as = '', dependent = false, ...rest } = value
  return isName[0](to) && isText[0](as) && isFlag[0](dependent) && Object.keys(rest).length === 0
}
