import type { Answer } from '../../dialects/contract/dialect.ts'
import {
  type Check,
  checkOptions,
  isCount,
  isHeaderValue,
  isMapOf,
  isText,
  isToken,
  wrong,
  wrongValue,
} from '../../errors/check.ts'
import { toJson } from '../../json/json.ts'
import { type DelaySpan, readDelay } from '../../time/duration.ts'
import { isWithin, withoutBase } from '../../url/base.ts'
import { checkPath, parsePattern } from '../../url/pattern.ts'
import type { MockContext } from '../contract/behaviour.ts'
import type { Exchange } from '../contract/exchange.ts'
import { noteBody } from '../resource/body.ts'
import type { Hook, Hooks } from '../contract/hooks.ts'
import {
  andThen,
  headerOf,
  type HeaderList,
  isBodiless,
  isBytes,
  type MaybePromise,
  type MockBody,
  type MockResponse,
} from '../contract/messages.ts'
import type { FailOptions, ReplyOptions, Rule, RuleList, RuleOptions } from './rule.ts'
import {
  afterDelay,
  applies,
  type BreakPoint,
  dropped,
  dropPartway,
  simulatedError,
  type SimulationRule,
} from './simulate.ts'

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
export interface RuleEntry extends SimulationRule {
  isOff?: boolean
  number: number
  method: string
  /** The path below the base. */
  path: string
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
      drop: ({ after, ...options } = {}) =>
        set({ answer: after === undefined ? dropped : dropAfter(after) }, options),
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
      entries.map(({ number, method, path, answer, delay, left, isOff }) => ({
        number,
        on: `${method} ${path}`,
        ...(answer && { status: answer.status }),
        ...(answer?.after !== undefined && { after: answer.after }),
        isDelayed: delay !== undefined,
        ...(left < Infinity && { left }),
        ...(isOff === true && { isOff }),
      })),
    switch(number, isOn) {
      const entry = entries.find((one) => one.number === number)
      if (entry) entry.isOff = !isOn
      return entry !== undefined
    },
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

/** Parses the option `after` of `drop`. @throws MockError for what is neither a share nor a number of bytes */
function dropAfter(after: string | number): RuleAnswer {
  if (typeof after === 'number' && isCount[0](after)) {
    return { ...dropped, after, breaksAt: { bytes: after } }
  }
  const [, percent] = /^\s*(\d{1,2}(?:\.\d+)?)\s*%\s*$/.exec(String(after)) ?? []
  if (percent === undefined)
    throw wrongValue('"after" of drop', after, 'a text such as "50%", or bytes')
  return { ...dropped, after, breaksAt: { share: Number(percent) / 100 } }
}

/** Returns the percent-encoded form of a path, which may already be encoded. */
function toEscaped(path: string): string {
  return encodeURI(path).replaceAll('%25', '%')
}

/** Applies the rules of `mock.on`: the newest matching rule with a response, and the newest with a delay. */
export function createRuleHooks(
  rules: Rules,
  context: Pick<MockContext, 'clock' | 'random'>,
): Hooks {
  function apply(exchange: Exchange, isDrop: boolean): ReturnType<Hook> {
    if (!isWithin(exchange.path, exchange.service.base)) return undefined
    const matching = rules
      .entries()
      .filter((one) => one.isOff !== true && applies(one, exchange, context.random))
    const answering = matching.find(({ answer }) => answer)
    const delaying = matching.find(({ delay }) => delay)
    if (isDrop && answering?.answer?.status !== 0) return undefined
    for (const entry of new Set([delaying, answering])) {
      if (!entry) continue
      if (--entry.left <= 0) rules.end(entry.number)
      exchange.reasons.push(`rule ${entry.number} ${entry === answering ? 'answered' : 'waited'}`)
    }
    const answer = answering?.answer
    return afterDelay(delaying?.delay, exchange, context, () => {
      if (answer?.breaksAt) return dropPartway(exchange, answer.breaksAt)
      return answer && andThen(noteBody(exchange), () => toRuleResponse(answer, exchange))
    })
  }

  // A dropped connection happens on the network: rate limits, which run later, must not count it.
  return {
    at: {
      network: (exchange) => apply(exchange, true),
      fault: (exchange) => apply(exchange, false),
    },
  }
}

/** Creates the response of a rule: its own body, or the error that the dialect writes for its status. */
function toRuleResponse(
  answer: RuleAnswer,
  exchange: Exchange,
): MaybePromise<MockResponse | Answer> {
  const { status, headers, body } = answer
  if (typeof body === 'function') {
    return andThen(body(), (value) => {
      const next = toRuleAnswer(status, value, { headers: Object.fromEntries(headers) })
      return toRuleResponse({ body: null, ...next }, exchange)
    })
  }
  if (body !== undefined) return { status, headers, body }
  const { dialect } = exchange.service
  const rendered = dialect.renderError(simulatedError(status, 'RULE'), exchange)
  return { ...rendered, headers: [...headers, ...rendered.headers] }
}

/**
 * Creates the response of a rule of `mock.on` from a status and a body of any kind; undefined leaves the body
 * out.
 * @throws MockError when the status is not between 200 and 599, or a header or the body cannot be sent
 */
function toRuleAnswer(
  status: number,
  value: unknown,
  { headers: lines = {} }: ReplyOptions = {},
): RuleAnswer {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw wrongValue('the status of a rule', status, 'one of 200 to 599')
  }
  const headers: HeaderList = Object.entries(lines)
  checkHeaders('a rule', headers)
  if (value === undefined) return { status, headers }
  if (isBodiless(status)) return { status, headers, body: null }
  const isWhole = isBody(value)
  const body = isWhole ? value : toText(value)
  if (typeof body === 'string' && headerOf(headers, 'Content-Type') === undefined) {
    const type = isWhole ? 'text/plain' : 'application/json'
    headers.push(['Content-Type', `${type}; charset=utf-8`])
  }
  return { status, headers, body }
}

/** The response of a rule as data; status 0 drops the connection. */
export interface RuleAnswer {
  status: number
  headers: HeaderList
  /** Without a body, the dialect writes the error of the status. */
  body?: MockBody | (() => unknown)
  /** The place in the body at which `drop` breaks the connection, as given and parsed. */
  after?: string | number
  breaksAt?: BreakPoint
}

/** @throws MockError when the value cannot be written as JSON */
function toText(value: unknown): string {
  try {
    return toJson(value)
  } catch {
    throw wrongValue('the body of a rule', value, 'JSON, a text, bytes or a stream')
  }
}

/** @throws MockError that names the first header that HTTP cannot carry; `subject` names the option */
export function checkHeaders(subject: string, headers: HeaderList): void {
  const unfit = headers.find(([name, value]) => !isToken(name) || !isHeaderValue(value))
  if (!unfit) return
  throw wrong(
    subject,
    `the header "${unfit[0]}" cannot be sent. Please give a name without spaces, and a value of one line in Latin-1.`,
  )
}

/** Whether a value is sent as it is: a string, bytes, a stream, or a function that makes a body for each request. */
function isBody(value: unknown): value is MockBody | (() => unknown) {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return typeof value === 'string'
  // Some browsers have no async iterator on ReadableStream.
  return isBytes(value) || Symbol.asyncIterator in value || 'getReader' in value
}
