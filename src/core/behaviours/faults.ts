import { checkOptions, isEither, isFlag, isListOf, isObject, isOneOf } from '../check.ts'
import { wait } from '../clock.ts'
import { MockError } from '../errors.ts'
import type { Behaviour, World } from '../http/behaviour.ts'
import { type Exchange, onLeave } from '../http/exchange.ts'
import type { MockResponse } from '../http/messages.ts'
import { isRecord, type Json } from '../json.ts'
import { isMeant } from '../pattern.ts'
import { phraseOf } from '../status.ts'
import { cutOff, slowDown } from './fault-bodies.ts'
import { type Fault, type FaultRule, parseRule, type ParsedRule } from './fault-rules.ts'
import { type FaultProfile, profiles } from './fault-profiles.ts'

/** What goes wrong. */
export interface FaultOptions {
  /** The first rule that means a request and whose chance comes up decides. */
  rules?: readonly FaultRule[]
  /** Rules by name: a slow line, a flaky one, none, a service that is down or refuses. */
  profile?: FaultProfile
  /** Whether a client may ask for a fault: `Prefer: code=503, wait=2` (seconds). @default true */
  prefer?: boolean
}

/**
 * Lets requests fail: with an error, a dropped connection, a body that is cut off or slow.
 * @throws MockError when an option is wrong
 * @example faults({ rules: [{ on: 'POST /orders', probability: 0.1, status: 503 }] })
 */
export function faults(options: FaultOptions = {}): Behaviour {
  checkOptions('the options of faults', options, {
    rules: isListOf(isObject),
    profile: isOneOf(...Object.keys(profiles)),
    prefer: isFlag,
  })
  const { prefer = true } = options
  const start = [...(options.rules ?? []), ...rulesOf(options.profile)].map(parseRule)
  return {
    name: 'faults',
    create(world) {
      let rules = start.map((rule) => ({ ...rule }))
      const chosen = new WeakMap<Exchange, Fault>()
      return {
        at: {
          network(exchange) {
            const fault = (prefer && preferred(exchange)) || choose(rules, exchange, world)
            if (!fault) return undefined
            chosen.set(exchange, fault)
            return strike(fault, exchange, world)
          },
          fault(exchange) {
            const fault = chosen.get(exchange)
            if (fault?.status !== undefined) throw toError(fault, fault.status)
          },
        },
        controls: {
          GET: () =>
            rules.map(({ text, left }) => ({ ...text, ...(left < Infinity && { left }) })) as Json,
          'PUT profile'(input) {
            const name = isRecord(input) ? input['profile'] : input
            checkOptions(
              'the profile',
              { profile: name ?? undefined },
              {
                profile: isEither(isOneOf(...Object.keys(profiles))),
              },
            )
            rules = [
              ...start.map((rule) => ({ ...rule })),
              ...rulesOf(name as FaultProfile).map(parseRule),
            ]
            return rules.length
          },
          'POST rules'(input) {
            rules.unshift(parseRule(input as FaultRule))
            return rules.length
          },
          'DELETE rules'() {
            rules = []
            return 0
          },
        },
        reset() {
          rules = start.map((rule) => ({ ...rule }))
        },
      }
    },
  }
}

function rulesOf(profile: FaultProfile | null | undefined): readonly FaultRule[] {
  return profile ? profiles[profile] : []
}

/** The fault of the first rule that means the request, whose chance comes up and that is not used up. */
function choose(
  rules: ParsedRule[],
  { method, path, reasons }: Exchange,
  { random, service }: World,
): Fault | undefined {
  const below = path.slice(service.base.length)
  for (const [at, rule] of rules.entries()) {
    if (rule.left <= 0 || !isMeant(rule.pattern, method, below)) continue
    if (rule.probability < 1 && random() >= rule.probability) continue
    rule.left--
    reasons.push(`fault ${at + 1} struck`)
    return rule.fault
  }
  return undefined
}

/** What a client asks for itself, in seconds and a status (as Prism has it). */
function preferred({ headers, reasons }: Exchange): Fault | undefined {
  const text = headers['prefer']
  if (text === undefined) return undefined
  const code = /(?:^|[\s,;])code="?([2-5]\d\d)\b/.exec(text)?.[1]
  const seconds = /(?:^|[\s,;])wait="?(\d{1,3})\b/.exec(text)?.[1]
  if (code === undefined && seconds === undefined) return undefined
  reasons.push('as preferred')
  const applied = [code && `code=${code}`, seconds && `wait=${seconds}`].filter(Boolean).join(', ')
  return {
    ...(code !== undefined && { status: Number(code) }),
    ...(seconds !== undefined && { delay: () => Number(seconds) * 1000 }),
    headers: { 'Preference-Applied': applied },
  }
}

/** Lets a fault of the network happen, and the others be seen on the way back. */
function strike(
  fault: Fault,
  exchange: Exchange,
  { clock, random }: World,
): Promise<MockResponse | undefined> | MockResponse | undefined {
  const { truncate, bytesPerSecond, drop } = fault
  onLeave(exchange, (response) => {
    const headers = [...response.headers, ...Object.entries(fault.headers ?? {})]
    let { body } = response
    if (truncate !== undefined) body = cutOff(body, truncate)
    if (bytesPerSecond !== undefined) body = slowDown(body, bytesPerSecond, clock)
    return { ...response, headers, body }
  })
  const dropped: MockResponse | undefined = drop
    ? { status: 0, headers: [], body: null }
    : undefined
  const milliseconds = fault.delay?.(random) ?? 0
  return milliseconds > 0 ? wait(clock, milliseconds).then(() => dropped) : dropped
}

function toError({ body, code }: Fault, status: number): MockError {
  const extensions = isRecord(body) ? body : {}
  const detail =
    typeof body === 'string' ? body : `${phraseOf(status)}, as the mock was told to answer.`
  return new MockError(detail, { status, code: code ?? 'FAULT', extensions })
}
