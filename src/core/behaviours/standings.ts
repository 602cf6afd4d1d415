import type { World } from '../http/behaviour.ts'

/**
 * Keeps what a behaviour knows in each of its worlds, or what all behaviours of a mock know by its
 * service. A fork begins with a copy of what is known where it comes from, and goes on alone.
 */
export function createStandings<Standing>(
  start: () => Standing,
  copy: (standing: Standing) => Standing,
  keyOf: (world: World) => object = (world) => world,
): (world: World) => Standing {
  const known = new WeakMap<object, Standing>()
  return (world) => {
    const key = keyOf(world)
    const there = known.get(key)
    if (there) return there
    const from = world.origin && known.get(keyOf(world.origin))
    const standing = from ? copy(from) : start()
    known.set(key, standing)
    return standing
  }
}
