import { checkOptions, isFlag, isListOf, isObject, isOneOf } from '../../errors/check.ts'
import { readDelay } from '../../time/duration.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { isRecord, type Json } from '../../json/json.ts'
import { copyRules, type Fault, type FaultRule, type ParsedRule, parseRule } from './rules.ts'
import { createFaultHooks } from './fault-hooks.ts'
import { type FaultProfile, profiles } from './profiles.ts'
import { checkPatterns } from '../shared/resources.ts'
import { createWorldState } from '../shared/world-state.ts'

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
  checkOptions('the options of "faults"', options, {
    rules: isListOf(isObject),
    profile: isProfile,
    prefer: isFlag,
  })
  const { rules: given = [], profile, prefer = true } = options
  const start = [...given, ...rulesOf(profile)].map(parseRule)
  const patterns = given.map(({ on = '*' }) => on)
  const checkStore = checkPatterns('faults', patterns)
  const stateIn = createWorldState<State>(
    () => ({ start, rules: copyRules(start) }),
    ({ rules }) => ({ start, rules: copyRules(rules) }),
  )
  return {
    name: 'faults',
    create(world) {
      checkStore(world.service.store)
      const state = stateIn(world)
      const all = allIn(world)
      all.push(state)
      const rules = (): ParsedRule[] => all.flatMap((one) => one.rules)
      return {
        at: createFaultHooks(world, () => state.rules, prefer ? preferred : undefined),
        controls: {
          GET: () =>
            rules().map(({ text, left }) => ({
              ...text,
              ...(left < Infinity && { left }),
            })) as Json,
          'PUT profile'(input) {
            const name = isRecord(input) ? input['profile'] : input
            checkOptions('the profile', { profile: name ?? undefined }, { profile: isProfile })
            for (const one of all) one.rules = copyRules(one.start)
            state.rules.push(...rulesOf(name as FaultProfile).map(parseRule))
            return rules().length
          },
          'POST rules'(input) {
            state.rules.unshift(parseRule(input as FaultRule))
            return rules().length
          },
          'DELETE rules'() {
            for (const one of all) one.rules = []
            return 0
          },
        },
        reset() {
          state.rules = copyRules(start)
        },
      }
    },
  }
}

interface State {
  start: readonly ParsedRule[]
  rules: ParsedRule[]
}

/** Those of every `faults` of a mock: the control steers them all as one. */
const allIn = createWorldState<State[]>(
  () => [],
  () => [],
  ({ service }) => service,
)

const isProfile = isOneOf(...Object.keys(profiles))

function rulesOf(profile: FaultProfile | null | undefined): readonly FaultRule[] {
  return profile ? profiles[profile] : []
}

/** What a client asks for itself, in seconds and a status (as Prism has it). */
function preferred({ headers, reasons }: Exchange): Fault | undefined {
  const text = headers['prefer']
  if (text === undefined) return undefined
  const code = /(?:^|[\s,;])code\s*=\s*"?([2-5]\d\d)\b/i.exec(text)?.[1]
  const seconds = /(?:^|[\s,;])wait\s*=\s*"?(\d{1,3})\b/i.exec(text)?.[1]
  if (code === undefined && seconds === undefined) return undefined
  reasons.push('as preferred')
  const applied = [code && `code=${code}`, seconds && `wait=${seconds}`].filter(Boolean).join(', ')
  return {
    ...(code !== undefined && { status: Number(code) }),
    ...(seconds !== undefined && { delay: readDelay(`${seconds}s`) }),
    applied,
  }
}
