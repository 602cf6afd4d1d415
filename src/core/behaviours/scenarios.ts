import { checkOptions, isListOf, isMapOf, isObject, isText, wrong } from '../errors/check.ts'
import { MockError } from '../errors/mock-error.ts'
import { copyFixture } from '../fixtures/fixtures.ts'
import type { Behaviour, Controlled } from '../http/contract/behaviour.ts'
import { type Json, ownValue } from '../json/json.ts'
import { suggest } from '../errors/nearest.ts'
import { copyCovers, cover, recover, uncover } from '../store/overlay/overlay.ts'
import type { Store } from '../store/store.ts'
import { copyRules, type FaultRule, parseRule, type ParsedRule } from './faults/rules.ts'
import { createFaultHooks } from './faults/fault-hooks.ts'
import { forkFor, type OwnFork } from './shared/own-fork.ts'
import { createWorldState } from './shared/world-state.ts'

/** A state of the service, by what differs from the fixtures. */
export interface Scenario {
  /** The resources that are otherwise. */
  fixtures?: Record<string, Json>
  /** What goes wrong. */
  faults?: readonly FaultRule[]
}

/** Which scenarios there are, and which is on. */
export interface ScenarioOptions {
  /** By name; those of a folder `_scenarios` come besides. */
  sets?: Record<string, Scenario>
  /** The one that is on at the start. @default none */
  active?: string
  /** The header by which one request asks for another. @default 'X-Mock-Scenario' */
  header?: string
}

/** Scenarios to which others can be added, as those of a folder are. */
export interface Scenarios extends Behaviour {
  /** Adds sets in the place of those that were added before; `active` is on at the start. */
  extend(sets: Readonly<Record<string, Scenario>>, active?: string): void
}

/**
 * Lets the data and the faults be those of a named scenario, for everybody or for one request.
 * @throws MockError when an option is wrong
 * @example scenarios({ sets: { empty: { fixtures: { posts: [] } } } })
 */
export function scenarios(options: ScenarioOptions = {}): Scenarios {
  checkOptions(subject, options, { sets: isMapOf(isObject), active: isText, header: isText })
  const { sets: given = {}, header = 'X-Mock-Scenario' } = options
  let { active: start } = options
  const all = Object.entries(given)
  const rules = new Map(all.map(([name, scenario]) => [name, toRules(name, scenario)] as const))
  // As with the fixtures of a mock, what is given stays the caller's.
  const own = Object.fromEntries(all.map(([name, scenario]) => [name, copyFixtures(scenario)]))
  let sets: Readonly<Record<string, Scenario>> = own
  let tell = (): void => undefined
  // A fork for a scenario goes back to that, whichever is on at the start.
  const forks = new WeakSet<Controlled>()
  const stateIn = createWorldState<State>(
    () => ({ active: undefined, struck: [], seen: sets }),
    copyOf,
  )
  return {
    name: 'scenarios',
    extend(more, active) {
      sets = merge(own, more)
      start = active ?? start
      tell()
    },
    create(world) {
      const { store } = world.service
      const byHeader = new Map<string, OwnFork>()
      const state = stateIn(world)

      /** Puts the data of a scenario in the place of what was there before the last one. */
      function activate(name: string | undefined): void {
        if (name !== undefined && !Object.hasOwn(sets, name)) throw unknown(name, sets)
        uncover(store)
        store.reset()
        const { fixtures = {} } = name === undefined ? {} : (sets[name] ?? {})
        for (const [resource, value] of Object.entries(fixtures)) cover(store, resource, value)
        state.struck = copyRules(rules.get(name ?? '') ?? [])
        state.active = name
      }

      /** Takes over what has changed in the sets since the last request. */
      function follow(): void {
        if (state.seen === sets) return
        state.seen = sets
        for (const [name, fork] of byHeader) {
          if (Object.hasOwn(sets, name)) continue
          fork.end()
          byHeader.delete(name)
        }
        const { active } = state
        const scenario = active === undefined ? undefined : ownValue(sets, active)
        if (!scenario) state.active = undefined
        recover(store, scenario?.fixtures ?? {})
      }

      const endAll = (): void => {
        for (const fork of byHeader.values()) fork.end()
        byHeader.clear()
      }

      function enter(name: string): Controlled {
        const known = byHeader.get(name) ?? open(name)
        known.follow()
        return known.host
      }

      function open(name: string): OwnFork {
        const fork = forkFor(world, `scenario ${name}`)
        const { host } = fork
        forks.add(host)
        void host.behaviours.find((one) => one.name === 'scenarios')?.controls?.['PUT']?.(name)
        byHeader.set(name, fork)
        return fork
      }

      if (world.origin) copyCovers(world.origin.service.store, store)
      else {
        checkStart(start, sets)
        // What is wrong with one that is not on yet would else show only when it is asked for.
        for (const scenario of Object.values(own)) checkFixtures(scenario, store)
        activate(start)
        // Whoever looks at the data without a request sees the mock's own at once.
        tell = follow
      }
      return {
        at: {
          ...createFaultHooks(world, () => state.struck),
          entry({ headers }) {
            follow()
            const name = headers[header.toLowerCase()]
            if (name !== undefined && !Object.hasOwn(sets, name)) throw unknown(name, sets)
          },
        },
        divert({ headers }) {
          follow()
          const name = headers[header.toLowerCase()]
          const isOther = name !== undefined && name !== state.active
          return isOther && Object.hasOwn(sets, name) ? enter(name) : undefined
        },
        controls: {
          GET: () => ({ active: state.active ?? null, scenarios: Object.keys(sets) }),
          PUT(input) {
            if (input !== null && typeof input !== 'string')
              throw unknown(JSON.stringify(input), sets)
            activate(input ?? undefined)
            return { active: state.active ?? null, scenarios: Object.keys(sets) }
          },
        },
        end: endAll,
        reset() {
          endAll()
          const name = forks.has(world.host()) ? state.active : start
          activate(name !== undefined && Object.hasOwn(sets, name) ? name : undefined)
        },
      }
    },
  }
}

/** What is on in a world. */
interface State {
  active: string | undefined
  struck: readonly ParsedRule[]
  /** The sets as they were when it last looked. */
  seen: Readonly<Record<string, Scenario>>
}

/** A fork begins where its origin is, and counts on its own. */
function copyOf(state: State): State {
  return { ...state, struck: copyRules(state.struck) }
}

const subject = 'the options of "scenarios"'

/** All sets; of one that is there twice, what `own` says of a resource. */
function merge(
  own: Readonly<Record<string, Scenario>>,
  more: Readonly<Record<string, Scenario>>,
): Record<string, Scenario> {
  const merged = { ...own }
  for (const [name, scenario] of Object.entries(more)) {
    const held = ownValue(own, name)
    merged[name] = { ...scenario, ...held, fixtures: { ...scenario.fixtures, ...held?.fixtures } }
  }
  return merged
}

function checkStart(start: string | undefined, sets: Readonly<Record<string, Scenario>>): void {
  const names = Object.keys(sets)
  if (names.length > 0 && (start === undefined || Object.hasOwn(sets, start))) return
  const reason =
    names.length === 0
      ? 'there is no set. Please give "sets", or a folder "_scenarios" with some.'
      : `"active" cannot be "${start}". ${suggest(start ?? '', names)}`
  throw wrong(subject, reason)
}

function toRules(name: string, scenario: Scenario): ParsedRule[] {
  checkOptions(`the scenario "${name}"`, scenario, {
    fixtures: isObject,
    faults: isListOf(isObject),
  })
  return (scenario.faults ?? []).map(parseRule)
}

function copyFixtures({ fixtures = {}, ...rest }: Scenario): Scenario {
  const copies = Object.entries(fixtures).map(([name, value]) => [name, copyFixture(value, name)])
  return { ...rest, fixtures: Object.fromEntries(copies) as Record<string, Json> }
}

/** @throws MockError when a resource cannot be made of its data */
function checkFixtures({ fixtures = {} }: Scenario, store: Store): void {
  for (const [name, fixture] of Object.entries(fixtures)) {
    const value = store.load(name, fixture)
    if (value !== undefined) store.make(name, value)
  }
}

function unknown(name: string, sets: Readonly<Record<string, Scenario>>): MockError {
  return new MockError(
    `Failed to find the scenario "${name}". ${suggest(name, Object.keys(sets))}`,
    {
      status: 400,
      code: 'SCENARIO_UNKNOWN',
    },
  )
}
