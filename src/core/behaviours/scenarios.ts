import {
  checkOptions,
  isHeaderName,
  isListOf,
  isMapOf,
  isObject,
  isText,
  wrong,
} from '../errors/check.ts'
import { MockError } from '../errors/mock-error.ts'
import { copyFixture } from '../fixtures/fixtures.ts'
import type { Behaviour, Controlled } from '../http/contract/behaviour.ts'
import { type Json, ownValue } from '../json/json.ts'
import { suggest } from '../errors/nearest.ts'
import type { Store } from '../store/store.ts'
import { copyRules, type FaultRule, parseRule, type ParsedRule } from './faults/rules.ts'
import { describeScenarios } from './faults/describe-scenarios.ts'
import { createFaultHooks } from './faults/fault-hooks.ts'
import { forkFor, type OwnFork } from './shared/own-fork.ts'
import { createWorldState } from './shared/world-state.ts'

/**
 * A scenario of the option `sets`: while the scenario is active, `fixtures` replaces the data of some
 * resources, and `faults` apply to requests.
 */
export interface Scenario {
  /** The data of the resources that differ. */
  fixtures?: Record<string, Json>
  /** The faults that are active with the scenario. */
  faults?: readonly FaultRule[]
}

/** The options of {@link scenarios}. */
export interface ScenarioOptions {
  /** The scenarios by name. The folder `_scenarios` adds further scenarios. */
  sets?: Record<string, Scenario>
  /** The scenario that is active at the start. @default none */
  active?: string
  /** The header that chooses a scenario for one request. @default 'X-Mock-Scenario' */
  header?: string
}

/** The behaviour, with a function that adds the scenarios of a folder. */
export interface Scenarios extends Behaviour {
  /** Replaces the sets of the previous call; `active` is active at the start. */
  extend(sets: Readonly<Record<string, Scenario>>, active?: string): void
  /** The same scenarios, to which a mock can add its own. */
  copy(): Scenarios
}

/**
 * Replaces data and adds faults by named scenarios, for all requests or for one request.
 * @throws MockError when an option is wrong
 * @example scenarios({ sets: { empty: { fixtures: { posts: [] } } } })
 */
export function scenarios(options: ScenarioOptions = {}): Scenarios {
  checkOptions(subject, options, {
    sets: isMapOf(isObject),
    active: isText,
    header: isHeaderName,
  })
  const { sets: given = {}, header = 'X-Mock-Scenario' } = options
  let { active: start } = options
  const all = Object.entries(given)
  const rules = new Map(all.map(([name, scenario]) => [name, toRules(name, scenario)] as const))
  // Copies, so that the mock never changes objects of the caller.
  const own = Object.fromEntries(all.map(([name, scenario]) => [name, copyFixtures(scenario)]))
  let sets: Readonly<Record<string, Scenario>> = own
  let onExtend = (): void => undefined
  // The forks for the header: `reset` keeps their scenario.
  const forks = new WeakSet<Controlled>()
  const stateOf = createWorldState<State>(() => ({ active: undefined, faults: [], sets }), copyOf)
  return {
    name: 'scenarios',
    extend(more, active) {
      sets = merge(own, more)
      start = active ?? start
      onExtend()
    },
    copy: () => scenarios({ ...options, sets: own }),
    create(world) {
      const { store } = world.service
      const byHeader = new Map<string, OwnFork>()
      const state = stateOf(world)

      /** Removes the previous overlay, resets the data, and applies the overlay of a scenario. */
      function activate(name: string | undefined): void {
        if (name !== undefined && !Object.hasOwn(sets, name)) throw unknown(name, sets)
        store.overlay.set({})
        store.reset()
        const { fixtures = {} } = name === undefined ? {} : (sets[name] ?? {})
        store.overlay.set(fixtures)
        state.faults = copyRules(rules.get(name ?? '') ?? [])
        state.active = name
      }

      /** Applies the changes of `extend` since the last call. */
      function update(): void {
        if (state.sets === sets) return
        state.sets = sets
        for (const [name, fork] of byHeader) {
          if (Object.hasOwn(sets, name)) continue
          fork.end()
          byHeader.delete(name)
        }
        const { active } = state
        const scenario = active === undefined ? undefined : ownValue(sets, active)
        if (!scenario) state.active = undefined
        store.overlay.update(scenario?.fixtures ?? {})
      }

      const endAll = (): void => {
        for (const fork of byHeader.values()) fork.end()
        byHeader.clear()
      }

      function enter(name: string): Controlled {
        const fork = byHeader.get(name) ?? open(name)
        fork.updateFixtures()
        return fork.host
      }

      function open(name: string): OwnFork {
        const fork = forkFor(world, `scenario ${name}`)
        const { host } = fork
        forks.add(host)
        void host.behaviours
          .find((behaviour) => behaviour.name === 'scenarios')
          ?.controls?.['PUT']?.(name)
        byHeader.set(name, fork)
        return fork
      }

      if (!world.origin) {
        checkStart(start, sets)
        // Errors in inactive scenarios are reported at the start too.
        for (const scenario of Object.values(own)) checkFixtures(scenario, store)
        activate(start)
        // `mock.db` reads the new data at once; forks update with their next request.
        onExtend = update
      }
      return {
        at: {
          ...createFaultHooks(world, () => state.faults),
          entry({ headers }) {
            update()
            const name = headers[header.toLowerCase()]
            if (name !== undefined && !Object.hasOwn(sets, name)) throw unknown(name, sets)
          },
        },
        divert({ headers }) {
          update()
          const name = headers[header.toLowerCase()]
          const isOther = name !== undefined && name !== state.active
          return isOther && Object.hasOwn(sets, name) ? enter(name) : undefined
        },
        describe: () => describeScenarios(Object.keys(sets), header, state.faults),
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

/** The active scenario of a world. */
interface State {
  active: string | undefined
  faults: readonly ParsedRule[]
  /** The sets that the world has last applied. */
  sets: Readonly<Record<string, Scenario>>
}

function copyOf(state: State): State {
  return { ...state, faults: copyRules(state.faults) }
}

const subject = 'the options of "scenarios"'

/** Merges the sets of a folder into those of the options; the options take precedence for each resource. */
function merge(
  own: Readonly<Record<string, Scenario>>,
  more: Readonly<Record<string, Scenario>>,
): Record<string, Scenario> {
  const merged = { ...own }
  for (const [name, scenario] of Object.entries(more)) {
    const given = ownValue(own, name)
    merged[name] = { ...scenario, ...given, fixtures: { ...scenario.fixtures, ...given?.fixtures } }
  }
  return merged
}

function checkStart(start: string | undefined, sets: Readonly<Record<string, Scenario>>): void {
  const names = Object.keys(sets)
  if (names.length > 0 && (start === undefined || Object.hasOwn(sets, start))) return
  const reason =
    names.length === 0
      ? 'there are no scenarios. Please give "sets", or add a folder "_scenarios".'
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

/** @throws MockError when the data of a resource is invalid */
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
