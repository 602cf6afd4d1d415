import type { World } from '../http/behaviour.ts'

/**
 * Keeps what a behaviour knows in each of its worlds. A fork begins with a copy of what is known where
 * it comes from, and goes on alone.
 */
export function createStandings<Standing>(
  start: () => Standing,
  copy: (standing: Standing) => Standing,
): (world: World) => Standing {
  const known = new WeakMap<World, Standing>()
  return (world) => {
    const from = world.origin && known.get(world.origin)
    const standing = from ? copy(from) : start()
    known.set(world, standing)
    return standing
  }
}
