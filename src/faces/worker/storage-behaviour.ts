import { MockError } from '../../core/errors/mock-error.ts'
import { copyFixture } from '../../core/fixtures/fixtures.ts'
import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import type { Write } from '../../core/http/contract/exchange.ts'
import type { Hooks } from '../../core/http/contract/hooks.ts'
import { type Json, isRecord } from '../../core/json/json.ts'
import type { Store } from '../../core/store/store.ts'
import type { MovableClock } from '../../core/time/clock.ts'
import type { Items } from './items.ts'
import type { SessionLimits } from './options.ts'
import { type Records, noItems, restoreRecords, singletonKey, storeChanges } from './records.ts'

/**
 * Restores and stores the data of a Durable Object, refuses writes above the limits, and takes uploads at
 * `/__mock/fixtures`. It is the first behaviour, so that others begin with the restored data.
 */
export function createStorageBehaviour(parts: StorageParts): Behaviour {
  const { items, limits, bundled, scenario, moved, onError } = parts
  return {
    name: 'fixtures',
    create({ service, clock, origin }) {
      const { store } = service
      // A fork, as for the header of a scenario, lives in memory, and has limits of its own.
      if (origin) return toLimits(storeChanges(store, noItems, onError), limits)
      const movable = clock as MovableClock
      if (moved !== 0) movable.set(movable.now() + moved)
      if (scenario) store.overlay.set(scenario)
      restoreRecords(store, items)
      const records = storeChanges(store, items, onError)
      const list = (): Json => ({
        bundled: [...bundled.keys()],
        uploaded: items.all('fixture').map(([name]) => name),
      })
      return {
        ...toLimits(records, limits),
        controls: {
          GET: list,
          PUT(input) {
            const given = readFixtures(input, store)
            for (const [name, value] of given) {
              if (value === null) items.remove('fixture', name)
              else items.put('fixture', name, value)
              store.reload(name, value ?? bundled.get(name))
            }
            return list()
          },
          DELETE() {
            for (const [name] of items.all('fixture')) {
              items.remove('fixture', name)
              store.reload(name, bundled.get(name))
            }
            return list()
          },
        },
      }
    },
  }
}

/** The options of {@link createStorageBehaviour}. */
export interface StorageParts {
  items: Items
  limits: SessionLimits
  /** The fixtures of the worker, without uploads. */
  bundled: ReadonlyMap<string, Json>
  /** The data of the scenario that was active when the last process ended. */
  scenario: Readonly<Record<string, Json>> | undefined
  /** The milliseconds by which the clock was moved. */
  moved: number
  /** Called if a change could not be stored. */
  onError(error: unknown): void
}

/** Reads uploaded fixtures by name; null removes an upload. @throws MockError 422 for data that is no fixture */
function readFixtures(input: Json, store: Store): [name: string, value: Json | null][] {
  if (!isRecord(input)) {
    throw invalid('the body is no object. Please send {"posts":[{"id":1}]}, with null to remove')
  }
  return Object.entries(input).map(([given, value]) => {
    const name = given.replace(/^\/|\/$/g, '')
    if (value === null) return [name, null]
    try {
      const loaded = store.load(name, copyFixture(value, name))
      if (loaded !== undefined) store.make(name, loaded)
    } catch (error) {
      throw error instanceof MockError
        ? new MockError(error.message, { status: 422, code: error.code, cause: error })
        : error
    }
    return [name, value]
  })
}

function invalid(reason: string): MockError {
  return new MockError(`Failed to take the fixtures: ${reason}.`, {
    status: 422,
    code: 'FIXTURES_INVALID',
  })
}

function toLimits(records: Records, limits: SessionLimits): Hooks {
  return {
    check: (write, _, writes) => checkLimits(write, writes, records, limits),
    describe: () => ({
      operation: ({ method }) =>
        method === 'POST' || method === 'PUT' || method === 'PATCH'
          ? { errors: { 413: 'The stored records have reached their limit.' } }
          : undefined,
    }),
  }
}

/** Checks all writes of a request, with the first. @throws MockError 413 when the stored records would exceed a limit */
function checkLimits(
  write: Write,
  writes: readonly Write[],
  records: Records,
  limits: SessionLimits,
): void {
  const stored = writes.filter(({ record }) => record)
  if (write !== stored[0]) return
  const { name } = write.resource
  const size = records.size()
  let [added, characters] = [0, 0]
  for (const { resource, id = singletonKey, record } of stored) {
    const before = records.charactersOf(resource.name, id)
    if (before === undefined) added += 1
    characters += JSON.stringify(record).length - (before ?? 0)
  }
  if (added > 0 && size.records + added > limits.records)
    throw tooLarge(name, `${limits.records} changed records`, 'records')
  if (characters > 0 && size.characters + characters > limits.bytes)
    throw tooLarge(name, `${limits.bytes} bytes`, 'bytes')
}

function tooLarge(name: string, limit: string, option: keyof SessionLimits): MockError {
  return new MockError(
    `Failed to write to "${name}": this session may store ${limit}. Please remove records, reset the session, or raise "limits.${option}" of createWorker.`,
    { status: 413, code: 'STORAGE_FULL' },
  )
}
