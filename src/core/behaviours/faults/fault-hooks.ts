import type { MockContext } from '../../http/contract/behaviour.ts'
import { createRequestState, type Exchange, onLeave } from '../../http/contract/exchange.ts'
import type { Hooks } from '../../http/contract/hooks.ts'
import { andThen, headerOf, type MockResponse } from '../../http/contract/messages.ts'
import {
  afterDelay,
  applies,
  dropped,
  simulatedError,
  throttleBody,
  truncateBody,
} from '../../http/rules/simulate.ts'
import { noteBody } from '../../http/resource/body.ts'
import type { Clock } from '../../time/clock.ts'
import type { Fault, ParsedRule } from './fault-rules.ts'

/** Delays and drops at the stage `network`, errors at `fault`, after `quota`; a fault of `preferred` comes first. */
export function createFaultHooks(
  world: MockContext,
  rules: () => readonly ParsedRule[],
  preferred: (exchange: Exchange) => Fault | undefined = () => undefined,
  onUse: () => void = () => undefined,
): Pick<NonNullable<Hooks['at']>, 'network' | 'fault'> {
  const chosen = createRequestState<Fault>()

  /** Returns the fault of the first rule that applies, which has one use less then. */
  function choose(exchange: Exchange): Fault | undefined {
    const index = rules().findIndex((rule) => applies(rule, exchange, world.random))
    const rule = rules()[index]
    if (!rule) return undefined
    rule.left--
    if (rule.left < Infinity) onUse()
    exchange.reasons.push(`fault ${index + 1} applied`)
    return rule.fault
  }

  return {
    network(exchange) {
      const fault = preferred(exchange) ?? choose(exchange)
      if (!fault) return undefined
      chosen.set(exchange, fault)
      const { truncate, bytesPerSecond, delay, drop } = fault
      if (truncate !== undefined || bytesPerSecond !== undefined) exchange.needsBody = true
      onLeave(exchange, (response) => changeResponse(response, fault, world.clock))
      return afterDelay(delay, exchange, world, () => (drop ? dropped : undefined))
    },
    fault(exchange) {
      const { status, body } = chosen.get(exchange) ?? {}
      if (status === undefined) return undefined
      // Reads the body for the log, as no later stage reads the body.
      return andThen(noteBody(exchange), () => {
        throw simulatedError(status, 'FAULT', body)
      })
    },
  }
}

function changeResponse(response: MockResponse, fault: Fault, clock: Clock): MockResponse {
  const { truncate, bytesPerSecond, applied } = fault
  const own = Object.entries(fault.headers ?? {})
  const isOwn = (name: string): boolean => headerOf(own, name) !== undefined
  const headers = [...response.headers.filter(([name]) => !isOwn(name)), ...own]
  if (applied !== undefined) headers.push(['Preference-Applied', applied])
  let { body } = response
  if (truncate !== undefined) body = truncateBody(body, { share: truncate })
  if (bytesPerSecond !== undefined) body = throttleBody(body, bytesPerSecond, clock)
  return { ...response, headers, body }
}
