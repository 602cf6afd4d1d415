import type { OperationDescription } from '../../http/contract/description.ts'
import { checkOptions, isFlag, isListOf, isObject, isOneOf } from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import { readDelay } from '../../time/duration.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { parsePrefer } from '../../http/response/settle.ts'
import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import {
  describeFaults,
  type FaultProfile,
  profiles,
  copyRules,
  type Fault,
  type FaultRule,
  type ParsedRule,
  parseRule,
  restoreRules,
  type StoredRule,
  storeRules,
} from './fault-rules.ts'
import { createFaultHooks } from './fault-hooks.ts'
import { checkPatterns } from '../shared/resources.ts'
import { createSharedState, createWorldState, openStored } from '../shared/world-state.ts'

/**
 * Makes requests fail with errors, dropped connections, and truncated or slow bodies.
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
  const stateOf = createWorldState<State>(
    (world) => openState(start, openStored(world, 'rules')),
    ({ rules }) => ({ start, rules: copyRules(rules), save: () => undefined }),
  )
  return {
    name: 'faults',
    create(world) {
      checkStore(world)
      const state = stateOf(world)
      const all = allOf(world)
      all.push(state)
      const rules = (): ParsedRule[] => all.flatMap((state) => state.rules)
      const saveAll = (): void => all.forEach((state) => state.save())
      return {
        at: createFaultHooks(
          world,
          () => state.rules,
          prefer ? preferred : undefined,
          () => state.save(),
        ),
        describe: () => ({
          operation: (operation) => ({
            ...(prefer && describePreferred()),
            ...describeFaults(state.rules, operation),
          }),
        }),
        controls: {
          GET: () =>
            rules().map(({ source, left }) => ({
              ...source,
              ...(left < Infinity && { left }),
            })) as Json,
          'PUT profile'(input) {
            const name = isRecord(input) ? input['profile'] : input
            checkOptions('the profile', { profile: name ?? undefined }, { profile: isProfile })
            for (const each of all) each.rules = copyRules(each.start)
            state.rules.push(...rulesOf(name as FaultProfile).map(parseRule))
            saveAll()
            return rules().length
          },
          'POST rules'(input) {
            state.rules.unshift(parseRule(input as FaultRule))
            saveAll()
            return rules().length
          },
          'DELETE rules'(input) {
            if (isRecord(input)) removeRule(all, input)
            else for (const each of all) each.rules = []
            saveAll()
            return rules().length
          },
        },
        reset() {
          state.rules = copyRules(start)
          state.save()
        },
      }
    },
  }
}

/** The options of {@link faults}. */
export interface FaultOptions {
  /** The faults. The first rule that matches a request, and whose `probability` is drawn, applies. */
  rules?: readonly FaultRule[]
  /** A predefined set of rules: `slow-3g`, `flaky`, `offline`, `down` or `rate-limited`. */
  profile?: FaultProfile
  /** Whether a request can ask for a fault with `Prefer: code=503, wait=2` (seconds). @default true */
  prefer?: boolean
}

interface State {
  start: readonly ParsedRule[]
  rules: ParsedRule[]
  /** Stores the rules with their remaining uses, if the mock has storage. */
  save(): void
}

function openState(
  start: readonly ParsedRule[],
  stored: Map<string, readonly StoredRule[]>,
): State {
  const last = stored.get('')
  const state: State = {
    start,
    rules: last ? restoreRules(last) : copyRules(start),
    save: () => void stored.set('', storeRules(state.rules)),
  }
  return state
}

const allOf = createSharedState<State[]>(() => [])

function removeRule(all: readonly State[], { left: _left, ...wanted }: JsonRecord): void {
  for (const { rules } of all) {
    const at = rules.findIndex(({ source }) => isSame(source, wanted))
    if (at >= 0) return void rules.splice(at, 1)
  }
  throw new MockError(
    'Failed to remove the fault: there is no such fault. Please see GET /__mock/faults.',
    { status: 404, code: 'RULE_UNKNOWN' },
  )
}

const isProfile = isOneOf(...Object.keys(profiles))

function rulesOf(profile: FaultProfile | null | undefined): readonly FaultRule[] {
  return profile ? profiles[profile] : []
}

/** Parses the fault of a `Prefer` header: `code`, as in Prism, and `wait` (RFC 7240 §4.3). */
function preferred({ headers, reasons }: Exchange): Fault | undefined {
  const text = headers['prefer']
  if (text === undefined) return undefined
  const preferences = parsePrefer(text)
  const code = /^[2-5]\d\d$/.exec(preferences.get('code') ?? '')?.[0]
  const seconds = /^\d{1,3}$/.exec(preferences.get('wait') ?? '')?.[0]
  if (code === undefined && seconds === undefined) return undefined
  reasons.push('fault of the Prefer header')
  const applied = [code && `code=${code}`, seconds && `wait=${seconds}`].filter(Boolean).join(', ')
  return {
    ...(code !== undefined && { status: Number(code) }),
    ...(seconds !== undefined && { delay: readDelay(`${seconds}s`) }),
    applied,
  }
}

function describePreferred(): OperationDescription {
  const description = '`code=503` requests an error with this status, `wait=2` a delay in seconds.'
  return {
    parameters: [{ name: 'Prefer', in: 'header', description, schema: { type: 'string' } }],
    headers: {
      'Preference-Applied': {
        description: 'The preference of `Prefer` that was applied.',
        schema: { type: 'string' },
      },
    },
    anyError: 'The error that `Prefer: code=` requests.',
  }
}
