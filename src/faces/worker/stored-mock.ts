import type { Scenarios } from '../../core/behaviours/scenarios/scenarios.ts'
import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import type { Json } from '../../core/json/json.ts'
import { toMapName } from '../../core/mock/behaviours.ts'
import { type CoreMock, type Forkable, createCoreMock } from '../../core/mock/core-mock.ts'
import { toMovableClock } from '../../core/time/clock.ts'
import { platform } from '../web/platform.ts'
import type { AlarmClock } from './alarm-clock.ts'
import type { Items } from './items.ts'
import type { WorkerSettings } from './options.ts'
import { type SessionList, createSessionsBehaviour } from './sessions.ts'
import { createStorageBehaviour } from './storage-behaviour.ts'
import { openStoredMap } from './stored-map.ts'
import { createStoredRules } from './stored-rules.ts'
import { createStoredSnapshots } from './stored-snapshots.ts'

/**
 * Creates the mock of a Durable Object from fixtures and storage.
 * @throws MockError for wrong fixtures or stored data
 */
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
