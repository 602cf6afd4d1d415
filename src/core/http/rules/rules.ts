import { withoutBase } from '../../url/base.ts'
import { type Check, checkOptions, isCount, isMapOf, isText, wrong } from '../../errors/check.ts'
import { readDelay, type DelaySpan } from '../../time/duration.ts'
import { checkPath, parsePattern, type Pattern } from '../../url/pattern.ts'
import type { Rule, RuleList, RuleOptions } from './rule.ts'
import { type FailOptions, type RuleAnswer, toRuleAnswer } from './rule-answers.ts'

/** The rules that `mock.on` has added to a mock or fork. Each rule has a response or a delay for matching requests. */
export interface Rules extends RuleList {
  /** Creates a rule, which becomes active with its first effect. */
  on(method: string, path: string): Rule
  /** Whether no rule is active. */
  isEmpty(): boolean
  /** The rules, the newest first. */
  entries(): readonly RuleEntry[]
  reset(): void
  /** A copy of the rules for a fork. */
  copy(): Rules
}

/** A rule and its effects. */
export interface RuleEntry {
  number: number
  method: string
  /** The path below the base. */
  path: string
  pattern: Pattern
  /** The number of requests that the rule still applies to. */
  left: number
  delay?: DelaySpan
  answer?: RuleAnswer
}

/** Creates the rules of a mock; newer rules take precedence over older rules. */
export function createRules(base: string, start: readonly RuleEntry[] = []): Rules {
  // The newest rule is first.
  let entries = start.map((entry) => ({ ...entry }))
  let count = entries[0]?.number ?? 0

  function on(method: string, path: string): Rule {
    if (typeof method !== 'string' || typeof path !== 'string') {
      throw wrong(
        'a rule',
        'the method and the path have to be strings. Please write on("GET", "/posts/:id").',
      )
    }
    checkPath(path, base)
    const below = toEscaped(withoutBase(path, base))
    const pattern = parsePattern(`${method} ${below}`)
    const entry: RuleEntry = { number: 0, method, path: below, pattern, left: Infinity }
    const set = (effect: Partial<RuleEntry>, options: RuleOptions = {}): Rule => {
      checkOptions('the options of a rule', options, optionChecks)
      const { times = entry.left } = options
      entry.number ||= ++count
      if (!entries.includes(entry)) entries.unshift(entry)
      Object.assign(entry, { left: times }, effect)
      return rule
    }
    const rule: Rule = {
      fail: (status, options) =>
        set({ answer: toRuleAnswer(status, options?.body, options) }, options),
      reply: (status, body, options) =>
        set({ answer: { body: null, ...toRuleAnswer(status, body, options) } }, options),
      drop: (options) => set({ answer: { status: 0, headers: [], body: null } }, options),
      delay: (time, options) => set({ delay: readDelay(time) }, options),
      times: (times) => set({}, { times }),
      remove: () => end((other) => other === entry),
    }
    return rule
  }

  function end(isMatched: (entry: RuleEntry) => boolean): boolean {
    const before = entries.length
    entries = entries.filter((entry) => !isMatched(entry))
    return entries.length < before
  }

  return {
    on,
    isEmpty: () => entries.length === 0,
    entries: () => entries,
    list: () =>
      entries.map(({ number, method, path, answer, delay, left }) => ({
        number,
        on: `${method} ${path}`,
        ...(answer && { status: answer.status }),
        isDelayed: delay !== undefined,
        ...(left < Infinity && { left }),
      })),
    end: (number) => end((entry) => number === undefined || entry.number === number),
    reset() {
      entries = []
      count = 0
    },
    copy: () => createRules(base, entries),
  }
}

const optionChecks: Readonly<Record<keyof (RuleOptions & FailOptions), Check>> = {
  times: [(value) => value === Infinity || isCount[0](value), isCount[1]],
  headers: isMapOf(isText),
  body: [() => true, 'anything'],
}

/** Returns the percent-encoded form of a path, which may already be encoded. */
function toEscaped(path: string): string {
  return encodeURI(path).replaceAll('%25', '%')
}
