import { drawDelay } from '../../time/draw-delay.ts'
import { MockError } from '../../errors/mock-error.ts'
import { noteBody } from '../../http/resource/body.ts'
import type { Hooks, World } from '../../http/contract/behaviour.ts'
import { type Exchange, onLeave } from '../../http/contract/exchange.ts'
import { createRequestState } from '../../http/contract/request-state.ts'
import { wait } from '../../time/wait.ts'
import {
  after,
  headerOf,
  type MaybePromise,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { isRecord } from '../../json/json.ts'
import { matches } from '../../http/routing/matcher.ts'
import { simulatedMessage } from '../../errors/status.ts'
import { cutOff, slowDown } from './bodies.ts'
import type { Fault, ParsedRule } from './rules.ts'

/**
 * Makes the hooks that let faults happen: of the network first, errors after the quota. `preferred` is
 * what a request asks for itself, which comes before the rules.
 */
export function createFaultHooks(
  world: World,
  rules: () => readonly ParsedRule[],
  preferred: (exchange: Exchange) => Fault | undefined = () => undefined,
): Pick<NonNullable<Hooks['at']>, 'network' | 'fault'> {
  const chosen = createRequestState<Fault>()
  return {
    network(exchange) {
      const fault = preferred(exchange) ?? choose(rules(), exchange, world)
      if (!fault) return undefined
      chosen.set(exchange, fault)
      return strike(fault, exchange, world)
    },
    fault(exchange) {
      const fault = chosen.get(exchange)
      const status = fault?.status
      if (!fault || status === undefined) return undefined
      // The log tells what was sent, though nobody looks at it.
      return after(noteBody(exchange), () => {
        throw toError(fault, status)
      })
    },
  }
}

/** The fault of the first rule that means the request, whose chance comes up and that is not used up. */
function choose(
  rules: readonly ParsedRule[],
  exchange: Exchange,
  { random }: World,
): Fault | undefined {
  for (const [at, rule] of rules.entries()) {
    if (rule.left <= 0 || !matches(rule.pattern, exchange)) continue
    if (rule.probability < 1 && random() >= rule.probability) continue
    rule.left--
    exchange.reasons.push(`fault ${at + 1} struck`)
    return rule.fault
  }
  return undefined
}

/** Lets a fault of the network happen, and the others be seen on the way back. */
function strike(
  fault: Fault,
  exchange: Exchange,
  { clock, random }: World,
): MaybePromise<MockResponse | undefined> {
  const { truncate, bytesPerSecond, drop, applied } = fault
  onLeave(exchange, (response) => {
    const own = Object.entries(fault.headers ?? {})
    const isOwn = (name: string): boolean => headerOf(own, name) !== undefined
    const headers = [...response.headers.filter(([name]) => !isOwn(name)), ...own]
    if (applied !== undefined) headers.push(['Preference-Applied', applied])
    let { body } = response
    if (truncate !== undefined) body = cutOff(body, truncate)
    if (bytesPerSecond !== undefined) body = slowDown(body, bytesPerSecond, clock)
    return { ...response, headers, body }
  })
  const dropped: MockResponse | undefined = drop
    ? { status: 0, headers: [], body: null }
    : undefined
  const milliseconds = fault.delay ? drawDelay(fault.delay, random) : 0
  return after(wait(clock, milliseconds), () => dropped)
}

function toError({ body }: Fault, status: number): MockError {
  const extensions = isRecord(body) ? body : {}
  const detail = typeof body === 'string' ? body : simulatedMessage(status)
  return new MockError(detail, { status, code: 'FAULT', extensions })
}
