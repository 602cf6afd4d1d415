import type { Scenarios } from '../../core/behaviours/scenarios/scenarios.ts'
import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import { type Json, tagOf } from '../../core/json/json.ts'
import { toMapName } from '../../core/mock/behaviours.ts'
import { type CoreMock, type Forkable, createCoreMock } from '../../core/mock/core-mock.ts'
import { toMovableClock } from '../../core/time/clock.ts'
import { platform } from '../web/platform.ts'
import type { AlarmClock } from './alarm-clock.ts'
import type { Items, StoredSnapshot } from './items.ts'
import type { WorkerSettings } from './options.ts'
import { type SessionList, createSessionsBehaviour } from './sessions.ts'
import { createStorageBehaviour } from './storage-behaviour.ts'
import { recordsWithStaleTimestamp } from '../../core/http/response/last-modified.ts'
import { apply, diffAll, toStep } from '../../core/store/differences.ts'
import type { Store } from '../../core/store/store.ts'
import { outdatedKeys, recordAt } from './records.ts'
import type { Rule } from '../../core/http/rules/rule.ts'

/** Creates the mock of a Durable Object from fixtures and storage. @throws MockError for wrong fixtures or stored data */
export function openMock(parts: MockParts): StoredMock {
  const { settings, bundled, items, sessions, onError } = parts
  const { config } = settings
  const data = Object.fromEntries([...bundled, ...items.all('fixture')])
  const behaviours = (config.use ?? []).filter(({ name }) => name !== 'sessions')
  const storedOffset = Number(items.get('world', 'clock') ?? 0)
  const storage = createStorageBehaviour({
    items,
    limits: settings.limits,
    bundled,
    scenario: scenarioOf(behaviours, items),
    moved: storedOffset,
    onError,
  })
  // All objects share the clock of the configuration, so that each object moves a fork of the clock.
  const clock = config.clock && toMovableClock(config.clock).fork()
  const reference = config.clock ?? parts.clock
  let rules: ReturnType<typeof createStoredRules> | undefined
  const mock = createCoreMock(
    {
      ...config,
      fixtures: { data, subscribe: () => () => undefined },
      use: [storage, createSessionsBehaviour(settings.sessions, sessions), ...behaviours],
      ...(clock && { clock }),
    },
    { ...platform, clock: parts.clock, openMap: (name) => openStoredMap(items, name) },
    (core: CoreMock) => {
      // A fork, as for the header of a scenario, lives in memory.
      if (rules) return core
      rules = createStoredRules(core, items)
      return Object.assign(core, { on: rules.on, ...createStoredSnapshots(core, items) })
    },
  )
  rules?.restore()
  // The milliseconds by which requests have moved the clock.
  let clockOffset = storedOffset
  return {
    mock,
    save() {
      rules?.save()
      const offset = mock.clock.now() - reference.now()
      // The two times are read one after the other.
      if (Math.abs(offset - clockOffset) < 5) return
      clockOffset = offset
      items.put('world', 'clock', offset)
    },
  }
}

/** The result of {@link openMock}. */
export interface StoredMock {
  mock: Forkable<CoreMock>
  /** Stores rules and the clock, which change without a write. Called after each request. */
  save(): void
}

/** The options of {@link openMock}. */
export interface MockParts {
  settings: WorkerSettings
  /** The fixtures of the worker by resource name. */
  bundled: ReadonlyMap<string, Json>
  items: Items
  clock: AlarmClock
  /** The list of sessions; only the shared mock has the list. */
  sessions: SessionList | undefined
  /** Called if a change could not be stored. */
  onError(error: unknown): void
}

/** Returns the data of the scenario that was active when the last process ended. */
function scenarioOf(
  behaviours: readonly Behaviour[],
  items: Items,
): Record<string, Json> | undefined {
  const active = openStoredMap<{ active: string | null }>(
    items,
    toMapName('scenarios', 0, 'active'),
  )
  const name = active.get('')?.active ?? undefined
  const scenarios = behaviours.find((one) => one.name === 'scenarios') as Scenarios | undefined
  return name === undefined ? undefined : scenarios?.fixturesOf(name)
}

/** Opens a stored map of a behaviour: it begins with the last entries in order, and stores every change. */
function openStoredMap<Value>(items: Items, name: string): Map<string, Value> {
  const kind = `map ${name}` as const
  const stored = items.all(kind).toSorted(([, one], [, other]) => one.position - other.position)
  const positions = new Map(stored.map(([key, { position }]) => [key, position]))
  let last = Math.max(0, ...positions.values())

  class StoredMap extends Map<string, Value> {
    override set(key: string, value: Value): this {
      const position = positions.get(key) ?? ++last
      positions.set(key, position)
      items.put(kind, key, { position, value })
      return super.set(key, value)
    }

    override delete(key: string): boolean {
      if (positions.delete(key)) items.remove(kind, key)
      return super.delete(key)
    }

    override clear(): void {
      if (positions.size > 0) items.clear(kind)
      positions.clear()
      super.clear()
    }

    /** Adds an entry that is stored already. */
    load(key: string, value: Value): void {
      super.set(key, value)
    }
  }

  const map = new StoredMap()
  for (const [key, { value }] of stored) map.load(key, value as Value)
  return map
}

/** The mock's functions for snapshots, which store new ones and know those of earlier processes. */
function createStoredSnapshots(
  { store, snapshot, restore, snapshots }: CoreMock,
  items: Items,
): Pick<CoreMock, 'snapshot' | 'restore' | 'snapshots'> {
  return {
    snapshot(name) {
      snapshot(name)
      const marked = Array.from(
        store.resources,
        ([name, one]) => [name, outdatedKeys(one)] as const,
      )
      const stored: StoredSnapshot = {
        steps: diffAll(store).map(toStep),
        outdated: Object.fromEntries(marked.filter(([, keys]) => keys.length > 0)),
      }
      items.put('snapshot', name, stored)
    },
    restore(name) {
      const stored = snapshots().includes(name) ? undefined : items.get('snapshot', name)
      if (stored === undefined) return restore(name)
      const fork = store.fork()
      fork.reset()
      applySnapshot(fork, stored)
      store.restore(fork)
    },
    snapshots: () => [...new Set([...items.all('snapshot').map(([name]) => name), ...snapshots()])],
  }
}

function applySnapshot(store: Store, { steps, outdated: marked }: StoredSnapshot): void {
  apply(store, steps)
  for (const [name, keys] of Object.entries(marked)) {
    const resource = store.resources.get(name)
    for (const key of keys) {
      // A copy: a record with the content of the fixture is the fixture's own object, which must not be marked.
      const record = { ...recordAt(resource, key) }
      recordsWithStaleTimestamp.add(
        resource?.kind === 'singleton'
          ? store.replaceSingleton(name, record)
          : store.replace(name, key, record),
      )
    }
  }
}

/** Stores the rules whose responses are plain data, as all of the control API are, across restarts. */
function createStoredRules({ on, rules }: CoreMock, items: Items): StoredRules {
  const added = new Map<number, StoredRule>()
  let last = items.get('world', 'rules') as StoredRule[] | undefined

  function add(method: string, path: string): Rule {
    const rule = on(method, path)
    const effects: Effect[] = []
    const wrapped: Rule = { ...rule }
    const call = (name: Effect['name'], given: unknown[]): Rule => {
      ;(rule[name] as (...values: unknown[]) => Rule)(...given)
      const count = effectNames[name]
      const { times: _times, ...options } = (given[count] ?? {}) as Record<string, unknown>
      const values = given.slice(0, count)
      // JSON has no undefined: a reply without a body has one argument less.
      if (values.at(-1) === undefined) values.pop()
      effects.push({ name, values, options })
      // The newest rule is the first, and becomes active with its first effect.
      const [newest] = rules.list()
      if (newest && effects.length === 1) added.set(newest.number, { method, path, effects })
      return wrapped
    }
    return Object.assign(wrapped, {
      fail: (...given: unknown[]) => call('fail', given),
      reply: (...given: unknown[]) => call('reply', given),
      drop: (...given: unknown[]) => call('drop', given),
      delay: (...given: unknown[]) => call('delay', given),
      times(count: number) {
        rule.times(count)
        return wrapped
      },
    })
  }

  return {
    on: add,
    restore() {
      for (const { method, path, effects, left } of last ?? []) {
        const rule = add(method, path)
        for (const { name, values, options } of effects) {
          const given = [...values]
          while (given.length < effectNames[name]) given.push(undefined)
          ;(rule[name] as (...values: unknown[]) => Rule)(...given, options)
        }
        if (left !== undefined) rule.times(left)
      }
    },
    save() {
      if (last === undefined && rules.list().length === 0) return
      const active = rules.list().flatMap(({ number, left }) => {
        const rule = added.get(number)
        return rule && isPlain(rule) ? [{ ...rule, ...(left !== undefined && { left }) }] : []
      })
      const next = active.toReversed()
      if (JSON.stringify(next) === JSON.stringify(last ?? [])) return
      last = next
      items.put('world', 'rules', next)
    },
  }
}

interface StoredRules {
  /** `mock.on`, which remembers the effects of the rules that it adds. */
  on: CoreMock['on']
  /** Adds the rules of the last process. */
  restore(): void
  /** Stores the active rules if they have changed. */
  save(): void
}

/** A call, such as `fail(500)`, that added an effect to a rule. */
interface Effect {
  name: 'fail' | 'reply' | 'drop' | 'delay'
  /** The arguments without the options. */
  values: unknown[]
  options: Record<string, unknown>
}

/** A rule as plain data. */
interface StoredRule {
  method: string
  path: string
  effects: Effect[]
  /** The number of requests that the rule still applies to; missing for no limit. */
  left?: number
}

/** The effects, with the number of arguments before the options. */
const effectNames: Readonly<Record<Effect['name'], number>> = {
  fail: 1,
  reply: 2,
  drop: 0,
  delay: 1,
}

/** Whether JSON can represent the values of a rule; a rule with a function or a stream as body is not stored. */
function isPlain({ effects }: StoredRule): boolean {
  const values = effects.flatMap(({ values, options }) => [...values, options['body']])
  return values.every((value) => plainTags.has(tagOf(value)))
}

const plainTags = new Set(['Object', 'Array', 'String', 'Number', 'Boolean', 'Null', 'Undefined'])
