import type { MockContext } from '../../http/contract/behaviour.ts'

/**
 * Creates the state of a behaviour for each world: a mock, or one of its forks. `start` creates the state of
 * a mock; a fork starts with a `copy` of the state of the mock that was forked. If `keyOf` returns
 * `world.service`, all behaviours of one kind in a mock share one state.
 */
export function createWorldState<State>(
  start: (world: MockContext) => State,
  copy: (state: State) => State,
  keyOf: (world: MockContext) => object = (world) => world,
): (world: MockContext) => State {
  const states = new WeakMap<object, State>()
  return (world) => {
    const key = keyOf(world)
    const existing = states.get(key)
    if (existing) return existing
    const original = world.origin && states.get(keyOf(world.origin))
    const state = original ? copy(original) : start(world)
    states.set(key, state)
    return state
  }
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
