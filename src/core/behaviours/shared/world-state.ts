import type { World } from '../../http/contract/behaviour.ts'

/**
 * Keeps what a behaviour knows in each of its worlds, or what all of a mock know together, by its
 * service. A fork begins with a copy of what is known where it comes from, and goes on alone.
 */
export function createWorldState<State>(
  start: () => State,
  copy: (state: State) => State,
  keyOf: (world: World) => object = (world) => world,
): (world: World) => State {
  const known = new WeakMap<object, State>()
  return (world) => {
    const key = keyOf(world)
    const there = known.get(key)
    if (there) return there
    const from = world.origin && known.get(keyOf(world.origin))
    const state = from ? copy(from) : start()
    known.set(key, state)
    return state
  }
}
