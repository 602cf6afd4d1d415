import { drawDelay } from '../../time/draw-delay.ts'
import { MockError } from '../../errors/mock-error.ts'
import { noteBody } from '../../http/resource/body.ts'
import type { Hooks } from '../../http/contract/hooks.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { pause } from '../../http/contract/early-end.ts'
import { type Exchange, onLeave, createRequestState } from '../../http/contract/exchange.ts'
import {
  andThen,
  headerOf,
  type MaybePromise,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { isRecord } from '../../json/json.ts'
import { matches } from '../../http/routing/matcher.ts'
import { simulatedMessage } from '../../errors/status.ts'
import { throttleBody, truncateBody } from './bodies.ts'
import type { Fault, ParsedRule } from './rules.ts'

/**
 * Creates the hooks that apply the faults of `faults` and of scenarios to requests: delays and dropped
 * connections at the stage `network`, errors at the stage `fault`, which comes after `quota`. `preferred`
 * returns the fault of a `Prefer` header, which takes precedence over the rules. `onUse` is called when a rule
 * has one use less.
 */
export function createFaultHooks(
  world: MockContext,
  rules: () => readonly ParsedRule[],
  preferred: (exchange: Exchange) => Fault | undefined = () => undefined,
  onUse: () => void = () => undefined,
): Pick<NonNullable<Hooks['at']>, 'network' | 'fault'> {
  const chosen = createRequestState<Fault>()
  return {
    network(exchange) {
      const fault = preferred(exchange) ?? choose(rules(), exchange, world, onUse)
      if (!fault) return undefined
      chosen.set(exchange, fault)
      return applyToNetwork(fault, exchange, world)
    },
    fault(exchange) {
      const fault = chosen.get(exchange)
      const status = fault?.status
      if (!fault || status === undefined) return undefined
      // Reads the body for the log, as no later stage reads the body.
      return andThen(noteBody(exchange), () => {
        throw toError(fault, status)
      })
    },
  }
}

/** Returns the fault of the first rule that matches the request, has uses left, and is drawn. */
function choose(
  rules: readonly ParsedRule[],
  exchange: Exchange,
  { random }: MockContext,
  onUse: () => void,
): Fault | undefined {
  for (const [at, rule] of rules.entries()) {
    if (rule.left <= 0 || !matches(rule.pattern, exchange)) continue
    if (rule.probability < 1 && random() >= rule.probability) continue
    rule.left--
    if (rule.left < Infinity) onUse()
    exchange.reasons.push(`fault ${at + 1} applied`)
    return rule.fault
  }
  return undefined
}

/** Delays the request or drops the connection, and changes headers and body of the response. */
function applyToNetwork(
  fault: Fault,
  exchange: Exchange,
  { clock, random }: MockContext,
): MaybePromise<MockResponse | undefined> {
  const { truncate, bytesPerSecond, drop, applied } = fault
  if (truncate !== undefined || bytesPerSecond !== undefined) exchange.needsBody = true
  onLeave(exchange, (response) => {
    const own = Object.entries(fault.headers ?? {})
    const isOwn = (name: string): boolean => headerOf(own, name) !== undefined
    const headers = [...response.headers.filter(([name]) => !isOwn(name)), ...own]
    if (applied !== undefined) headers.push(['Preference-Applied', applied])
    let { body } = response
    if (truncate !== undefined) body = truncateBody(body, truncate)
    if (bytesPerSecond !== undefined) body = throttleBody(body, bytesPerSecond, clock)
    return { ...response, headers, body }
  })
  const dropped: MockResponse | undefined = drop
    ? { status: 0, headers: [], body: null }
    : undefined
  const milliseconds = fault.delay ? drawDelay(fault.delay, random) : 0
  return andThen(pause(exchange, clock, milliseconds), () => dropped)
}

function toError({ body }: Fault, status: number): MockError {
  const extensions = isRecord(body) ? body : {}
  const detail = typeof body === 'string' ? body : simulatedMessage(status)
  return new MockError(detail, { status, code: 'FAULT', extensions })
}
