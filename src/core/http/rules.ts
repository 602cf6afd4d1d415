import { type Check, checkOptions, isCount, isMapOf, isText } from '../check.ts'
import { type Clock, wait } from '../clock.ts'
import { createDelay } from '../duration.ts'
import { isMeant, parsePattern, type Pattern } from '../pattern.ts'
import type { Answer } from '../dialects/dialect.ts'
import type { Random } from '../random.ts'
import type { Hook, Hooks } from './behaviour.ts'
import type { Exchange } from './exchange.ts'
import { after, type MaybePromise, type MockResponse } from './messages.ts'
import { later } from './parts.ts'
import type { Rule, RuleList, RuleOptions } from './rule.ts'
import { type FailOptions, toFailure, toReply, wrongRule } from './rule-answers.ts'

/** The rules of one world. */
export interface Rules extends RuleList {
  /** Begins a rule; it stands from the first effect on that is named. */
  on(method: string, path: string): Rule
  /** Whether there is none. */
  isEmpty(): boolean
  /** Paths that rules name, so that they are the mock's even where no resource is. */
  paths(): string[]
  hooks: Hooks
  reset(): void
  /** The same rules for another world. */
  copy(random: Random, clock: Clock): Rules
}

interface Entry {
  number: number
  method: string
  path: string
  pattern: Pattern
  left: number
  delay?: (random: Random) => number
  answer?: (exchange: Exchange) => MaybePromise<MockResponse | Answer>
  status?: number
}

/** The rules that act on a request. */
interface Found {
  answering?: Entry | undefined
  delaying?: Entry | undefined
}

/** Creates the rules of a world; those that come later win. */
export function createRules(
  world: { base: string; clock: Clock },
  random: Random,
  start: readonly Entry[] = [],
): Rules {
  const { base, clock } = world
  // The newest comes first.
  let entries = start.map((entry) => ({ ...entry }))
  let count = entries[0]?.number ?? 0

  function on(method: string, path: string): Rule {
    if (typeof method !== 'string' || typeof path !== 'string') {
      throw wrongRule('a method and a path are texts. Please write on("GET", "/posts/:id")')
    }
    if (path.includes('?')) {
      throw wrongRule('a path has no query. Please leave it out', ` for "${path}"`)
    }
    const below = toEscaped(path.startsWith(`${base}/`) ? path.slice(base.length) : path)
    const pattern = parsePattern(`${method} ${below}`)
    const entry: Entry = { number: 0, method, path: below, pattern, left: Infinity }
    const set = (effect: Partial<Entry>, options: RuleOptions = {}): Rule => {
      checkOptions('the options of a rule', options, optionChecks)
      const { times = entry.left } = options
      entry.number ||= ++count
      if (!entries.includes(entry)) entries.unshift(entry)
      Object.assign(entry, { left: times }, effect)
      return rule
    }
    const rule: Rule = {
      fail: (status, options) => set({ answer: toFailure(status, options), status }, options),
      reply: (status, body, options) =>
        set({ answer: toReply(status, body, options), status }, options),
      drop: (options) => set({ answer: () => dropped, status: 0 }, options),
      delay: (time, options) => set({ delay: createDelay(time) }, options),
      times: (times) => set({}, { times }),
      remove: () => end(entry),
    }
    return rule
  }

  function end(entry: Entry): void {
    entries = entries.filter((other) => other !== entry)
  }

  /** The newest rule that answers, and the newest that delays. */
  function find({ method, path }: Exchange): Found {
    if (!path.startsWith(base)) return {}
    const below = path.slice(base.length)
    const meant = entries.filter(({ pattern }) => isMeant(pattern, method, below))
    return {
      answering: meant.find(({ answer }) => answer),
      delaying: meant.find(({ delay }) => delay),
    }
  }

  function act(exchange: Exchange, isDrop: boolean): ReturnType<Hook> {
    const { answering, delaying } = find(exchange)
    if (isDrop && answering?.status !== 0) return undefined
    for (const entry of new Set([delaying, answering])) {
      if (!entry) continue
      if (--entry.left <= 0) end(entry)
      exchange.reasons.push(`rule ${entry.number} ${entry === answering ? 'answered' : 'waited'}`)
    }
    const milliseconds = delaying?.delay?.(random) ?? 0
    const waited = milliseconds > 0 ? wait(clock, milliseconds) : undefined
    return after(waited, () =>
      after(answering && note(exchange), () => answering?.answer?.(exchange)),
    )
  }

  return {
    on,
    isEmpty: () => entries.length === 0,
    list: () =>
      entries.map(({ number, method, path, status, delay, left }) => ({
        number,
        on: `${method} ${path}`,
        ...(status !== undefined && { status }),
        isDelayed: delay !== undefined,
        ...(left < Infinity && { left }),
      })),
    end(number) {
      const before = entries.length
      entries = entries.filter((entry) => number !== undefined && entry.number !== number)
      return entries.length < before
    },
    paths: () => entries.map(({ path }) => path),
    // A dropped connection is no answer that a limit could still count.
    hooks: {
      at: { network: (exchange) => act(exchange, true), fault: (exchange) => act(exchange, false) },
    },
    reset() {
      entries = []
      count = 0
    },
    copy: (other, time) => createRules({ base, clock: time }, other, entries),
  }
}

/** Notes what is sent to a rule, so that the log can tell. */
function note(exchange: Exchange): MaybePromise<void> {
  if (exchange.method === 'GET' || exchange.method === 'HEAD') return undefined
  return after(later.load(), () => later.get().noteBody(exchange))
}

const optionChecks: Readonly<Record<keyof (RuleOptions & FailOptions), Check>> = {
  times: [(value) => value === Infinity || isCount[0](value), isCount[1]],
  headers: isMapOf(isText),
  body: [() => true, 'anything'],
}

const dropped: MockResponse = { status: 0, headers: [], body: null }

/** A path as requests have it, whether its escapes are written or not. */
function toEscaped(path: string): string {
  return encodeURI(path).replaceAll('%25', '%')
}
