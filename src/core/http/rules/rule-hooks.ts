import { isWithin } from '../../url/base.ts'
import type { Clock } from '../../time/clock.ts'
import { drawDelay } from '../../time/draw-delay.ts'
import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Random } from '../../time/random.ts'
import { simulatedMessage } from '../../errors/status.ts'
import type { Hook, Hooks } from '../contract/hooks.ts'
import { noteBody } from '../resource/body.ts'
import { pause } from '../contract/early-end.ts'
import type { Exchange } from '../contract/exchange.ts'
import { andThen, type MaybePromise, type MockResponse } from '../contract/messages.ts'
import { matches } from '../routing/matcher.ts'
import { type RuleAnswer, toRuleAnswer } from './rule-answers.ts'
import type { RuleEntry, Rules } from './rules.ts'

/**
 * Creates the hooks of the pipeline that apply the rules of `mock.on` to requests; of several matching rules,
 * the newest applies.
 */
export function toHooks({ clock, rules, random }: RuledWorld): Hooks {
  /** The newest matching rule with a response, and the newest with a delay. */
  function find(exchange: Exchange): Found {
    if (!isWithin(exchange.path, exchange.service.base)) return {}
    const matching = rules.entries().filter(({ pattern }) => matches(pattern, exchange))
    return {
      answering: matching.find(({ answer }) => answer),
      delaying: matching.find(({ delay }) => delay),
    }
  }

  function act(exchange: Exchange, isDrop: boolean): ReturnType<Hook> {
    const { answering, delaying } = find(exchange)
    if (isDrop && answering?.answer?.status !== 0) return undefined
    for (const entry of new Set([delaying, answering])) {
      if (!entry) continue
      if (--entry.left <= 0) rules.end(entry.number)
      exchange.reasons.push(`rule ${entry.number} ${entry === answering ? 'answered' : 'waited'}`)
    }
    const milliseconds = delaying?.delay ? drawDelay(delaying.delay, random) : 0
    return andThen(pause(exchange, clock, milliseconds), () =>
      andThen(
        answering && noteBody(exchange),
        () => answering?.answer && tell(answering.answer, exchange),
      ),
    )
  }

  // A dropped connection happens on the network: rate limits, which run later, must not count it.
  return {
    at: { network: (exchange) => act(exchange, true), fault: (exchange) => act(exchange, false) },
  }
}

/** The rules of a mock or fork, and its clock and random numbers, which delay responses. */
export interface RuledWorld {
  clock: Clock
  rules: Rules
  /** Draws random delays. */
  random: Random
}

/**
 * The rules that apply to a request: the newest matching rule with a response, and the newest matching
 * rule with a delay, which can be the same rule.
 */
interface Found {
  answering?: RuleEntry | undefined
  delaying?: RuleEntry | undefined
}

/** Creates the response of a rule: its own body, or the error that the dialect writes for its status. */
function tell(answer: RuleAnswer, exchange: Exchange): MaybePromise<MockResponse | Answer> {
  const { status, headers, body } = answer
  if (typeof body === 'function') {
    return andThen(body(), (value) => {
      const made = toRuleAnswer(status, value, { headers: Object.fromEntries(headers) })
      return tell({ body: null, ...made }, exchange)
    })
  }
  if (body !== undefined) return { status, headers, body }
  const error = new MockError(simulatedMessage(status), { status, code: 'RULE' })
  const rendered = exchange.service.dialect.renderError(error, exchange)
  return { ...rendered, headers: [...headers, ...rendered.headers] }
}
