import { checkOptions, isListOf, isMapOf, isObject, isOneOf, isText } from '../check.ts'
import { MockError } from '../errors.ts'
import type { Behaviour, Controlled } from '../http/behaviour.ts'
import type { Json } from '../json.ts'
import { suggest } from '../nearest.ts'
import { content } from '../store/resource.ts'
import type { Store } from '../store/store.ts'
import { type FaultRule, parseRule, type ParsedRule } from './fault-rules.ts'
import { createFaultHooks } from './fault-run.ts'

/** A state of the service, by what differs from the fixtures. */
export interface Scenario {
  /** The resources that are otherwise. */
  fixtures?: Record<string, Json>
  /** What goes wrong. */
  faults?: readonly FaultRule[]
}

/** Which scenarios there are, and which is on. */
export interface ScenarioOptions {
  sets: Record<string, Scenario>
  /** The one that is on at the start. @default none */
  active?: string
  /** The header by which one request asks for another. @default 'X-Mock-Scenario' */
  header?: string
}

/**
 * Lets the data and the faults be those of a named scenario, for everybody or for one request.
 * @throws MockError when an option is wrong
 * @example scenarios({ sets: { empty: { fixtures: { posts: [] } } } })
 */
export function scenarios(options: ScenarioOptions): Behaviour {
  checkOptions(
    'the options of scenarios',
    options,
    {
      sets: isMapOf(isObject),
      active: isOneOf(...Object.keys(options.sets ?? {})),
      header: isText,
    },
    ['sets'],
  )
  const { sets, active: start, header = 'X-Mock-Scenario' } = options
  const rulesOf = Object.entries(sets).map(
    ([name, scenario]) => [name, toRules(name, scenario)] as const,
  )
  const rules = new Map(rulesOf)
  // A fork for a scenario must not fork again for the same request.
  const forks = new WeakSet<Controlled>()
  return {
    name: 'scenarios',
    create(world) {
      const { store } = world.service
      const byHeader = new Map<string, Controlled>()
      let originals = new Map<string, Json | undefined>()
      let active: string | undefined
      let struck: ParsedRule[] = []

      /** Puts the data of a scenario in the place of what was there before the last one. */
      function activate(name: string | undefined): void {
        if (name !== undefined && !Object.hasOwn(sets, name)) throw unknown(name, sets)
        for (const [resource, value] of originals) store.reload(resource, value)
        store.reset()
        const { fixtures = {} } = name === undefined ? {} : (sets[name] ?? {})
        originals = new Map(Object.keys(fixtures).map((one) => [one, valueOf(store, one)]))
        for (const [resource, value] of Object.entries(fixtures)) store.reload(resource, value)
        struck = (rules.get(name ?? '') ?? []).map((rule) => ({ ...rule }))
        active = name
      }

      function forkFor(name: string): Controlled {
        const known = byHeader.get(name)
        if (known) return known
        if (!Object.hasOwn(sets, name)) throw unknown(name, sets)
        const fork = world.host().fork()
        forks.add(fork)
        void fork.behaviours.find((one) => one.name === 'scenarios')?.controls?.['PUT']?.(name)
        fork.onRequest((entry) => {
          world.log.add({
            ...entry,
            reason: [`scenario ${name}`, entry.reason].filter(Boolean).join('; '),
          })
        })
        byHeader.set(name, fork)
        return fork
      }

      activate(start)
      return {
        at: {
          ...createFaultHooks(world, () => struck),
          entry({ headers }) {
            const name = headers[header.toLowerCase()]
            if (name !== undefined && !Object.hasOwn(sets, name)) throw unknown(name, sets)
          },
        },
        divert({ headers }) {
          const name = headers[header.toLowerCase()]
          if (name === undefined || name === active || !Object.hasOwn(sets, name)) return undefined
          return forks.has(world.host()) ? undefined : forkFor(name)
        },
        controls: {
          GET: () => ({ active: active ?? null, scenarios: Object.keys(sets) }),
          PUT(input) {
            activate(typeof input === 'string' ? input : undefined)
            return { active: active ?? null, scenarios: Object.keys(sets) }
          },
        },
        reset() {
          byHeader.clear()
          activate(forks.has(world.host()) ? active : start)
        },
      }
    },
  }
}

function toRules(name: string, scenario: Scenario): ParsedRule[] {
  checkOptions(`the scenario "${name}"`, scenario, {
    fixtures: isObject,
    faults: isListOf(isObject),
  })
  return (scenario.faults ?? []).map(parseRule)
}

function valueOf(store: Store, name: string): Json | undefined {
  const resource = store.resources.get(name)
  return resource && content(resource)
}

function unknown(name: string, sets: Record<string, Scenario>): MockError {
  return new MockError(
    `Failed to find the scenario "${name}". ${suggest(name, Object.keys(sets))}`,
    {
      status: 400,
      code: 'SCENARIO_UNKNOWN',
    },
  )
}
