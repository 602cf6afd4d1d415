import type { MockContext } from '../../http/contract/behaviour.ts'

/** Creates the state of a behaviour for each mock and fork; a fork starts with a `copy`, without one anew. */
export function createWorldState<State>(
  start: (world: MockContext) => State,
  copy?: (state: State) => State,
  keyOf: (world: MockContext) => object = (world) => world,
): (world: MockContext) => State {
  const states = new WeakMap<object, State>()
  return (world) => {
    const key = keyOf(world)
    const existing = states.get(key)
    if (existing) return existing
    const original = world.origin && states.get(keyOf(world.origin))
    const state = original && copy ? copy(original) : start(world)
    states.set(key, state)
    return state
  }
}

/** Creates the state of a mock or fork that all its behaviours of one kind share. */
export function createSharedState<State>(
  start: (world: MockContext) => State,
  copy?: (state: State) => State,
): (world: MockContext) => State {
  return createWorldState(start, copy, ({ service }) => service)
}

/** Creates the state of a behaviour whose parts are maps, which storage keeps and a fork copies. */
export function createMapsState<State extends Record<keyof State, Map<string, unknown>>>(
  names: readonly (keyof State & string)[],
): (world: MockContext) => State {
  const fill = (toMap: (name: keyof State & string) => Map<string, unknown>): State =>
    Object.fromEntries(names.map((name) => [name, toMap(name)])) as State
  return createWorldState(
    (world) => fill((name) => openStored(world, name)),
    (state) => fill((name) => new Map(state[name])),
  )
}

/** Opens a map in which a behaviour keeps state, which outlives the process with storage. */
export function openStored<Value>(
  { stored }: Pick<MockContext, 'stored'>,
  name: string,
): Map<string, Value> {
  return stored?.<Value>(name) ?? new Map()
}

/** 64 MiB, or 4 MiB with storage: an object of a worker has little memory, and reads all at its start. */
export function memoryLimit({ stored }: Pick<MockContext, 'stored'>): number {
  return (stored ? 4 : 64) * 1024 * 1024
}
