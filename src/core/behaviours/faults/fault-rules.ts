import {
  type Check,
  checkOptions,
  isAmount,
  isCount,
  isEither,
  isFlag,
  isMapOf,
  isStatus,
  isObject,
  isText,
  wrong,
} from '../../errors/check.ts'
import type { OperationDescription, OperationFacts } from '../../http/contract/description.ts'
import { checkHeaders } from '../../http/rules/rules.ts'
import type { SimulationRule } from '../../http/rules/simulate.ts'
import type { JsonRecord } from '../../json/json.ts'
import { type Delay, type DelaySpan, isDelay, readDelay } from '../../time/duration.ts'
import type { Header } from '../../types/openapi.ts'
import { parsePattern } from '../../url/pattern.ts'
import { coverageOf } from '../shared/coverage.ts'

/** A rule of `faults`: which requests it applies to, and the fault, such as an error, a delay or a drop. */
export interface FaultRule {
  /** The pattern of the requests: `POST /orders`, `orders`, `*`. @default all requests */
  on?: string
  /** The share of the requests that the fault applies to, from 0 to 1. @default 1 */
  probability?: number
  /** The largest number of requests that the fault applies to. @default unlimited */
  times?: number
  /** Delays the request before any other effect. */
  delay?: Delay
  /** The status of the error response, from 400 to 599. */
  status?: number
  /** The detail of the error, or further members of its problem document. */
  body?: string | JsonRecord
  /** Further headers of the response. */
  headers?: Record<string, string>
  /** Drops the connection, which is a network error for the client. */
  drop?: boolean
  /** Closes the connection after this share of the body, from 0 to below 1. */
  truncate?: number
  /** The rate at which the body is sent. */
  bytesPerSecond?: number
}

/** The effects of a rule on one request. */
export interface Fault extends Omit<FaultRule, 'delay' | 'on' | 'probability' | 'times'> {
  /** The range that the delay is drawn from. */
  delay?: DelaySpan
  /** The value of `Preference-Applied` for a fault of a `Prefer` header (RFC 7240 §3). */
  applied?: string
}

/** A parsed rule, with its remaining uses. */
export interface ParsedRule extends SimulationRule {
  fault: Fault
  /** The rule as given, for the control endpoint. */
  source: FaultRule
}

const isShare: Check = [(value) => isAmount[0](value) && Number(value) <= 1, 'a number from 0 to 1']

/** Parses a rule of `faults`. @throws MockError when an option of the rule is wrong */
export function parseRule(rule: FaultRule): ParsedRule {
  checkOptions('a fault', rule, {
    on: isText,
    probability: isShare,
    times: isCount,
    delay: isDelay,
    status: isStatus(400, 599),
    body: isEither(isText, isObject),
    headers: isMapOf(isText),
    drop: isFlag,
    truncate: [(value) => isShare[0](value) && value !== 1, 'a number from 0 to below 1'],
    bytesPerSecond: isCount,
  })
  const effects = ['status', 'drop', 'delay', 'truncate', 'bytesPerSecond', 'headers'] as const
  if (effects.every((name) => rule[name] === undefined)) {
    throw wrong(
      'a fault',
      'it does nothing. Please give "status", "drop", "delay", "truncate" or "bytesPerSecond".',
    )
  }
  const headers = Object.entries(rule.headers ?? {})
  checkHeaders('a fault', headers)
  const framing = headers.find(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name))
  if (framing) {
    const reason = `the header "${framing[0]}" belongs to the body that is sent`
    throw wrong('a fault', `${reason}. Please give "truncate" for a body that ends early.`)
  }
  const { on = '*', probability = 1, times = Infinity, delay, ...rest } = rule
  const fault: Fault = { ...rest, ...(delay !== undefined && { delay: readDelay(delay) }) }
  return { pattern: parsePattern(on), probability, left: times, fault, source: rule }
}

/** A rule as plain data for storage; `left` is missing for an unlimited rule. */
export interface StoredRule {
  source: FaultRule
  left?: number
}

/** Converts rules to plain data. */
export function storeRules(rules: readonly ParsedRule[]): StoredRule[] {
  return rules.map(({ source, left }) => ({ source, ...(left < Infinity && { left }) }))
}

/** Converts stored rules back. */
export function restoreRules(stored: readonly StoredRule[]): ParsedRule[] {
  return stored.map(({ source, left = Infinity }) => ({ ...parseRule(source), left }))
}

/** Copies rules for another world or after a reset, so that their remaining uses are counted separately. */
export function copyRules(rules: readonly ParsedRule[]): ParsedRule[] {
  return rules.map((rule) => ({ ...rule }))
}

/** Returns the error statuses and headers that fault rules add to an operation, for the OpenAPI document. */
export function describeFaults(
  rules: readonly ParsedRule[],
  operation: OperationFacts,
): Required<Pick<OperationDescription, 'errors' | 'headers'>> {
  const errors: Record<number, string> = {}
  const headers: Record<string, Header> = {}
  for (const { source, fault } of rules) {
    if (coverageOf([source.on ?? '*'], operation) === 'none') continue
    if (fault.status !== undefined) errors[fault.status] = 'An injected error.'
    for (const name of Object.keys(fault.headers ?? {})) {
      headers[name] = { description: 'A header of an injected error.', schema: { type: 'string' } }
    }
  }
  return { errors, headers }
}

/** The predefined sets of fault rules, for the option `profile` of `faults`. */
export const profiles: Record<FaultProfile, readonly FaultRule[]> = {
  'slow-3g': [{ delay: { min: 1800, max: 2200 }, bytesPerSecond: 50_000 }],
  flaky: [
    { probability: 0.05, drop: true },
    { probability: 0.05, status: 500 },
    { probability: 0.1, status: 503, headers: { 'Retry-After': '1' } },
    { probability: 0.05, truncate: 0.5 },
    { probability: 0.3, delay: { median: 800, sigma: 0.8 } },
  ],
  offline: [{ drop: true }],
  down: [{ status: 503, headers: { 'Retry-After': '30' } }],
  'rate-limited': [{ status: 429, headers: { 'Retry-After': '60' } }],
}

/** The name of a predefined set of fault rules. */
export type FaultProfile = 'slow-3g' | 'flaky' | 'offline' | 'down' | 'rate-limited'
