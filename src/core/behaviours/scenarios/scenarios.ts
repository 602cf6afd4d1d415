import {
  checkOptions,
  isHeaderName,
  isMapOf,
  isObject,
  isText,
  isListOf,
  wrong,
} from '../../errors/check.ts'
import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import type { MockInternals } from '../../http/contract/internals.ts'
import { type Json, ownValue } from '../../json/json.ts'
import type { Description } from '../../http/contract/description.ts'
import { createFaultHooks } from '../faults/fault-hooks.ts'
import {
  copyRules,
  type ParsedRule,
  restoreRules,
  type StoredRule,
  storeRules,
  describeFaults,
  type FaultRule,
  parseRule,
} from '../faults/fault-rules.ts'
import { createWorldState, openStored } from '../shared/world-state.ts'
import { forkFor, type OwnFork } from '../shared/own-fork.ts'
import { suggest } from '../../errors/nearest.ts'
import { MockError } from '../../errors/mock-error.ts'
import { copyFixture } from '../../fixtures/fixtures.ts'
import type { Store } from '../../store/store.ts'

export type { Scenario }

/**
 * Adds scenarios, named sets of other data and of faults, such as `empty` or `error`: one can be active for
 * all requests, and a request can choose another by a header.
 * @throws MockError when an option is wrong
 * @example scenarios({ sets: { empty: { fixtures: { posts: [] } } } })
 */
export function scenarios(options: ScenarioOptions = {}): Scenarios {
  checkOptions(scenarioSubject, options, {
    sets: isMapOf(isObject),
    active: isText,
    header: isHeaderName,
  })
  const { sets: given = {}, header = 'X-Mock-Scenario' } = options
  let { active: start } = options
  const all = Object.entries(given)
  const rules = new Map(
    all.map(([name, scenario]) => [name, toScenarioRules(name, scenario)] as const),
  )
  const own = Object.fromEntries(all.map(([name, scenario]) => [name, copyScenario(scenario)]))
  let sets: Readonly<Record<string, Scenario>> = own
  let onExtend = (): void => undefined
  // The forks for the header: `reset` keeps their scenario.
  const forks = new WeakSet<MockInternals>()
  const stateOf = createWorldState<State>(
    () => ({ active: undefined, faults: [], sets }),
    (state) => ({ ...state, faults: copyRules(state.faults) }),
  )
  return {
    name: 'scenarios',
    extend(more, active) {
      sets = mergeSets(own, more)
      start = active ?? start
      onExtend()
    },
    copy: () => scenarios({ ...options, sets: own }),
    fixturesOf: (name) => {
      const scenario = ownValue(sets, name)
      return scenario && { ...scenario.fixtures }
    },
    create(world) {
      const { store } = world.service
      const state = stateOf(world)
      const headerForks = createHeaderForks(world, (fork, name) => {
        forks.add(fork)
        const own = fork.behaviours.find((behaviour) => behaviour.name === 'scenarios')
        void own?.controls?.['PUT']?.(name)
      })
      const stored = openStored<StoredScenario>(world, 'active')

      function save(): void {
        const { active = null, faults } = state
        stored.set('', { active, faults: storeRules(faults) })
      }

      /** Removes the previous overlay, resets the data, and applies the overlay of a scenario. */
      function activate(name: string | undefined): void {
        if (name !== undefined && !Object.hasOwn(sets, name)) throw unknownScenario(name, sets)
        store.overlay.set({})
        store.reset()
        const { fixtures = {} } = name === undefined ? {} : (sets[name] ?? {})
        store.overlay.set(fixtures)
        state.faults = copyRules(rules.get(name ?? '') ?? [])
        state.active = name
        save()
      }

      /** Applies the changes of `extend` since the last call. */
      function update(): void {
        if (state.sets === sets) return
        state.sets = sets
        headerForks.endUnless((name) => Object.hasOwn(sets, name))
        const { active } = state
        const scenario = active === undefined ? undefined : ownValue(sets, active)
        if (!scenario) state.active = undefined
        store.overlay.update(scenario?.fixtures ?? {})
      }

      const list = (): Json => ({ active: state.active ?? null, scenarios: Object.keys(sets) })

      const endForks = (): void => headerForks.endUnless(() => false)

      if (!world.origin) {
        checkStart(start, sets)
        // Errors in inactive scenarios are reported at the start too.
        for (const scenario of Object.values(own)) checkScenario(scenario, store)
        const last = stored.get('')
        // The store has the data of the stored scenario again.
        if (last && (last.active === null || Object.hasOwn(sets, last.active))) {
          state.active = last.active ?? undefined
          state.faults = restoreRules(last.faults)
        } else activate(start)
        // `mock.db` reads the new data at once; forks update with their next request.
        onExtend = update
      }
      return {
        at: {
          ...createFaultHooks(world, () => state.faults, undefined, save),
          entry({ headers }) {
            update()
            const name = headers[header.toLowerCase()]
            if (name !== undefined && !Object.hasOwn(sets, name)) throw unknownScenario(name, sets)
          },
        },
        divert({ headers }) {
          update()
          const name = headers[header.toLowerCase()]
          const isOther = name !== undefined && name !== state.active
          return isOther && Object.hasOwn(sets, name) ? headerForks.enter(name) : undefined
        },
        describe: () => describeScenarios(Object.keys(sets), header, state.faults),
        controls: {
          GET: list,
          PUT(input) {
            if (input !== null && typeof input !== 'string') {
              throw unknownScenario(JSON.stringify(input), sets)
            }
            activate(input ?? undefined)
            return list()
          },
        },
        end: endForks,
        reset() {
          endForks()
          const name = forks.has(world.host()) ? state.active : start
          activate(name !== undefined && Object.hasOwn(sets, name) ? name : undefined)
        },
      }
    },
  }
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

/** The behaviour that {@link scenarios} creates; a mock adds the scenarios of its folder `_scenarios`. */
export interface Scenarios extends Behaviour {
  /** Replaces the sets of the previous call; `active` is active at the start. */
  extend(sets: Readonly<Record<string, Scenario>>, active?: string): void
  /** The same scenarios, to which a mock can add its own. */
  copy(): Scenarios
  /** The data of a scenario; undefined for an unknown name. For code that restores a stored mock. */
  fixturesOf(name: string): Record<string, Json> | undefined
}

interface StoredScenario {
  active: string | null
  faults: StoredRule[]
}

interface State {
  active: string | undefined
  faults: readonly ParsedRule[]
  /** The sets that the world has last applied. */
  sets: Readonly<Record<string, Scenario>>
}

function createHeaderForks(
  world: MockContext,
  activate: (fork: MockInternals, name: string) => void,
) {
  const forks = new Map<string, OwnFork>()

  function open(name: string): OwnFork {
    const fork = forkFor(world, `scenario ${name}`)
    activate(fork.host, name)
    forks.set(name, fork)
    return fork
  }

  return {
    /** Returns the fork of a scenario, which the first request creates. */
    enter(name: string): MockInternals {
      const fork = forks.get(name) ?? open(name)
      fork.updateFixtures()
      return fork.host
    },
    /** Ends the forks of the scenarios for which `isKept` returns false. */
    endUnless(isKept: (name: string) => boolean): void {
      for (const [name, fork] of forks) {
        if (isKept(name)) continue
        fork.end()
        forks.delete(name)
      }
    },
  }
}

function describeScenarios(
  names: readonly string[],
  header: string,
  faults: readonly ParsedRule[],
): Description {
  if (names.length === 0) return {}
  const schema = { type: 'string', enum: names }
  const description = 'The scenario that answers. Schemas do not describe its data.'
  return {
    operation(operation) {
      const { errors, headers } = describeFaults(faults, operation)
      return {
        parameters: [{ name: header, in: 'header', description, schema }],
        errors: { ...errors, 400: 'There is no such scenario.' },
        headers,
      }
    },
  }
}

/** While a scenario is active, `fixtures` replaces the data of some resources, and `faults` apply to requests. */
interface Scenario {
  /** The data of the resources that differ. */
  fixtures?: Record<string, Json>
  /** The faults that are active with the scenario. */
  faults?: readonly FaultRule[]
}

const scenarioSubject: string = 'the options of "scenarios"'

/** Merges the scenarios of `_scenarios` into those of the options, which take precedence. */
function mergeSets(
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

/** Checks the scenarios. @throws MockError if there are none, or if the one at the start is missing */
function checkStart(start: string | undefined, sets: Readonly<Record<string, Scenario>>): void {
  const names = Object.keys(sets)
  if (names.length > 0 && (start === undefined || Object.hasOwn(sets, start))) return
  const reason =
    names.length === 0
      ? 'there are no scenarios. Please give "sets", or add a folder "_scenarios".'
      : `"active" cannot be "${start}". ${suggest(start ?? '', names)}`
  throw wrong(scenarioSubject, reason)
}

/** Parses the faults of a scenario. @throws MockError when a fault is wrong */
function toScenarioRules(name: string, scenario: Scenario): ParsedRule[] {
  checkOptions(`the scenario "${name}"`, scenario, {
    fixtures: isObject,
    faults: isListOf(isObject),
  })
  return (scenario.faults ?? []).map(parseRule)
}

/** Copies the data of a scenario, so that the mock never changes objects of the caller. */
function copyScenario({ fixtures = {}, ...rest }: Scenario): Scenario {
  const copies = Object.entries(fixtures).map(([name, value]) => [name, copyFixture(value, name)])
  return { ...rest, fixtures: Object.fromEntries(copies) as Record<string, Json> }
}

/** Checks the data of a scenario. @throws MockError when the data of a resource is invalid */
function checkScenario({ fixtures = {} }: Scenario, store: Store): void {
  for (const [name, fixture] of Object.entries(fixtures)) {
    const value = store.load(name, fixture)
    if (value !== undefined) store.make(name, value)
  }
}

function unknownScenario(name: string, sets: Readonly<Record<string, Scenario>>): MockError {
  return new MockError(
    `Failed to find the scenario "${name}". ${suggest(name, Object.keys(sets))}`,
    { status: 400, code: 'SCENARIO_UNKNOWN' },
  )
}
