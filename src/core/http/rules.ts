import { type Clock, wait } from '../clock.ts'
import { createDelay, type Delay } from '../duration.ts'
import { MockError } from '../errors.ts'
import { isMeant, parsePattern, type Pattern } from '../pattern.ts'
import type { Answer } from '../dialects/dialect.ts'
import type { Random } from '../random.ts'
import type { Hook, Hooks } from './behaviour.ts'
import type { Exchange } from './exchange.ts'
import { after, type MockResponse } from './messages.ts'
import { type FailOptions, type ReplyOptions, toFailure, toReply } from './rule-answers.ts'

/** How long a rule stands. */
export interface RuleOptions {
  /** How many requests it acts on before it is gone. @default Infinity */
  times?: number
}

/**
 * What is to happen to the requests that are meant, instead of or before their usual answer. What is
 * said of one rule goes together: `delay` with an answer is an answer that comes late.
 */
export interface Rule {
  /** Answers with an error of that status. @throws MockError when it is none of 200 to 599 */
  fail(status: number, options?: RuleOptions & FailOptions): Rule
  /** Answers with that body: JSON, or a text, bytes or a stream as they are. @throws MockError */
  reply(status: number, body?: unknown, options?: RuleOptions & ReplyOptions): Rule
  /** Drops the connection: a network error. */
  drop(options?: RuleOptions): Rule
  /** Waits first: milliseconds, or a range of them such as `'200-800'`. @throws MockError */
  delay(time: Delay, options?: RuleOptions): Rule
  /** Acts on that many requests from now on, and is gone. */
  times(count: number): Rule
  /** Ends it. */
  remove(): void
}

/** A method of a rule: `GET` means HEAD too, `*` and `ANY` every one. */
export type RuleMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'QUERY' | '*' | 'ANY' | Text

/** A path of a rule, below the base: `:name` and `*` stand for a segment, `*` at the end for any rest. */
export type RulePath<Data> =
  | '*'
  | `/${keyof Data & string}`
  | `/${keyof Data & string}/:id`
  | `/${keyof Data & string}/*`
  | Text

/** Any text, without hiding from editors the ones that are known. */
type Text = string & Record<never, never>

/** The rules of one world. */
export interface Rules {
  /** Begins a rule; it stands from the first effect on that is named. */
  on(method: string, path: string): Rule
  /** Whether there is none. */
  isEmpty(): boolean
  /** Paths that rules name, so that they are the mock's even where no resource is. */
  paths(): string[]
  hooks: Hooks
  reset(): void
  /** The same rules for another world. */
  copy(random: Random): Rules
}

interface Entry {
  number: number
  path: string
  pattern: Pattern
  left: number
  delay?: (random: Random) => number
  answer?: (exchange: Exchange) => MockResponse | Answer
  isDrop?: boolean
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
    if (path.includes('?')) throw wrongPath(path)
    const below = toEscaped(path.startsWith(`${base}/`) ? path.slice(base.length) : path)
    const pattern = parsePattern(`${method} ${below}`)
    const entry: Entry = { number: 0, path: below, pattern, left: Infinity }
    const set = (effect: Partial<Entry>, { times = entry.left }: RuleOptions = {}): Rule => {
      entry.number ||= ++count
      if (!entries.includes(entry)) entries.unshift(entry)
      Object.assign(entry, { left: times }, effect)
      return rule
    }
    const rule: Rule = {
      fail: (status, options) =>
        set({ answer: toFailure(status, options), isDrop: false }, options),
      reply: (status, body, options) =>
        set({ answer: toReply(status, body, options), isDrop: false }, options),
      drop: (options) => set({ answer: () => dropped, isDrop: true }, options),
      delay: (time, options) => set({ delay: createDelay(time) }, options),
      times: (left) => set({ left }),
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
    if (isDrop && !answering?.isDrop) return undefined
    for (const entry of new Set([delaying, answering])) {
      if (!entry) continue
      if (--entry.left <= 0) end(entry)
      exchange.reasons.push(`rule ${entry.number} ${entry === answering ? 'answered' : 'waited'}`)
    }
    const milliseconds = delaying?.delay?.(random) ?? 0
    return after(milliseconds > 0 ? wait(clock, milliseconds) : undefined, () =>
      answering?.answer?.(exchange),
    )
  }

  return {
    on,
    isEmpty: () => entries.length === 0,
    paths: () => entries.map(({ path }) => path),
    // A dropped connection is no answer that a limit could still count.
    hooks: {
      at: { network: (exchange) => act(exchange, true), fault: (exchange) => act(exchange, false) },
    },
    reset() {
      entries = []
      count = 0
    },
    copy: (other) => createRules(world, other, entries),
  }
}

const dropped: MockResponse = { status: 0, headers: [], body: null }

/** A path as requests have it, whether its escapes are written or not. */
function toEscaped(path: string): string {
  return encodeURI(path).replaceAll('%25', '%')
}

function wrongPath(path: string): MockError {
  return new MockError(
    `Failed to make a rule for "${path}": a path has no query. Please leave it out.`,
    { code: 'RULE_INVALID' },
  )
}
