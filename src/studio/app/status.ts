import { effect, type Signal, signal } from '@preact/signals'
import { ask } from '../control.ts'
import type { RemoteRuleList } from '../../remote/types.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { hasBehaviour, revision, type Row, state } from './state.ts'

/** The switches of the mock that make its answers unusual, and its differences from the fixtures. */
export interface Status {
  isDelayed: boolean
  faults: readonly FaultRule[]
  rules: Awaited<ReturnType<RemoteRuleList['list']>>
  scenario: string | null
  scenarios: readonly string[]
  /** How far the clock of the mock is ahead of the real time, in milliseconds. */
  clockOffset: number
  changes: Changes
  problems: readonly Diagnostic[]
}

/** A fault rule, as the control lists it. */
export interface FaultRule {
  on?: string
  probability?: number
  /** How often the rule still applies; undefined without a limit. */
  left?: number
  [effect: string]: unknown
}

/** The differences between the data and the fixtures. */
export interface Changes {
  total: number
  canSave: boolean
  changes: readonly Change[]
}

/** A record that differs from the fixtures. */
export interface Change {
  collection: string
  /** The id; undefined for a singleton. */
  id?: string
  type: 'created' | 'updated' | 'deleted'
  record?: Row
  previous?: Row
}

const initial: Status = {
  isDelayed: false,
  faults: [],
  rules: [],
  scenario: null,
  scenarios: [],
  clockOffset: 0,
  changes: { total: 0, canSave: false, changes: [] },
  problems: [],
}

/** The status of the mock, which the header, the start page, the switches and the changes share. */
export const status: Signal<Status> = signal(initial)

/** Whether the status has arrived. */
export const isStatusKnown: Signal<boolean> = signal(false)

/** Fetches the status now and after every change. The page begins with it once the first frame is shown. */
export function followStatus(): void {
  effect(() => {
    const turn = revision.value
    if (!state.value) return
    clearTimeout(timer)
    timer = setTimeout(
      () => void load(turn),
      Math.max(0, loadedAt + leastPause - performance.now()),
    )
  })
}

/** The least time between two loads, in milliseconds: the mock compares all its data for each. */
const leastPause = 300

let timer: ReturnType<typeof setTimeout> | undefined
let loadedAt = -Infinity

let asked = -1

async function load(turn: number): Promise<void> {
  asked = turn
  loadedAt = performance.now()
  const get = async <Value>(path: string, other: Value, isThere = true): Promise<Value> =>
    isThere ? ask<Value>(path).catch(() => other) : other
  const before = status.peek()
  const [delay, faults, rules, found, clock, changes, problems] = await Promise.all([
    get('delay', { isOn: false }, hasBehaviour('delay')),
    get('faults', before.faults, hasBehaviour('faults')),
    get('rules', before.rules),
    get('scenarios', { active: null, scenarios: [] }, hasBehaviour('scenarios')),
    get('clock', { now: Date.now() }),
    get('changes', before.changes),
    get('problems', before.problems),
  ])
  // A later request brings its own answers.
  if (turn !== asked) return
  status.value = {
    isDelayed: delay.isOn,
    faults,
    rules,
    scenario: found.active,
    scenarios: found.scenarios,
    clockOffset: clock.now - Date.now(),
    changes,
    problems,
  }
  isStatusKnown.value = true
}
