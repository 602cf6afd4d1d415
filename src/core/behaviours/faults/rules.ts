import {
  type Check,
  checkOptions,
  isAmount,
  isCount,
  isEither,
  isFlag,
  isMapOf,
  isObject,
  isText,
  wrong,
} from '../../errors/check.ts'
import { type Delay, type DelaySpan, isDelay, readDelay } from '../../time/duration.ts'
import { checkHeaders } from '../../http/rules/rule-answers.ts'
import type { JsonRecord } from '../../json/json.ts'
import { parsePattern, type Pattern } from '../../url/pattern.ts'

/** One thing that goes wrong, and when. */
export interface FaultRule {
  /** Which requests it means: `POST /orders`, `orders`, `*`. @default all */
  on?: string
  /** From 0 to 1. @default 1 */
  probability?: number
  /** How often it happens at most. @default always */
  times?: number
  /** Waits before anything else. */
  delay?: Delay
  /** Answers with this error. */
  status?: number
  /** The text of the error, or further members of its problem document. */
  body?: string | JsonRecord
  /** Further headers of the answer. */
  headers?: Record<string, string>
  /** Answers nothing at all: a network error. */
  drop?: boolean
  /** Breaks the connection off after this share of the body, from 0 to 1. */
  truncate?: number
  /** Writes the body at this pace. */
  bytesPerSecond?: number
}

/** What happens to a request. */
export interface Fault extends Omit<FaultRule, 'delay' | 'on' | 'probability' | 'times'> {
  /** What the wait is drawn from. */
  delay?: DelaySpan
  /** Which of the client's preferences it is (RFC 7240 §3). */
  applied?: string
}

/** A rule, ready to be asked. */
export interface ParsedRule {
  pattern: Pattern
  probability: number
  /** How often it may still happen. */
  left: number
  fault: Fault
  /** The rule as it was given. */
  text: FaultRule
}

const isShare: Check = [(value) => isAmount[0](value) && Number(value) <= 1, 'a number from 0 to 1']

/**
 * Reads a rule.
 * @throws MockError when a part of it is wrong
 */
export function parseRule(rule: FaultRule): ParsedRule {
  checkOptions('a fault', rule, {
    on: isText,
    probability: isShare,
    times: isCount,
    delay: isDelay,
    status: [
      (value) => isCount[0](value) && Number(value) >= 400 && Number(value) <= 599,
      'a status from 400 to 599',
    ],
    body: isEither(isText, isObject),
    headers: isMapOf(isText),
    drop: isFlag,
    truncate: [(value) => isShare[0](value) && value !== 1, 'a number from 0 to below 1'],
    bytesPerSecond: isCount,
  })
  const doing = ['status', 'drop', 'delay', 'truncate', 'bytesPerSecond', 'headers'] as const
  if (doing.every((name) => rule[name] === undefined)) {
    throw wrong(
      'a fault',
      'it does nothing. Please give "status", "drop", "delay", "truncate" or "bytesPerSecond".',
    )
  }
  checkHeaders('a fault', Object.entries(rule.headers ?? {}))
  const { on = '*', probability = 1, times = Infinity, delay, ...rest } = rule
  const fault: Fault = { ...rest, ...(delay !== undefined && { delay: readDelay(delay) }) }
  return { pattern: parsePattern(on), probability, left: times, fault, text: rule }
}

/** The same rules for another world, or another run, which count on their own. */
export function copyRules(rules: readonly ParsedRule[]): ParsedRule[] {
  return rules.map((rule) => ({ ...rule }))
}
