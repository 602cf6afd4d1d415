import type { AlarmClock } from './alarm-clock.ts'
import type { Items } from './items.ts'

/**
 * Ends a session when its lifetime (`ttl`) has passed since its last request. The time of the last request is
 * stored once in a tenth of the lifetime, so that reads write nothing; a session may therefore be kept a
 * tenth longer.
 */
export function createLifetime({ items, clock, ttl, onUse, onEnd }: LifetimeOptions): Lifetime {
  let stored = Number(items.get('setting', 'used') ?? 0)
  let used = stored
  const grain = ttl / 10

  function check(): void {
    const left = Math.max(used, stored + grain) + ttl - clock.now()
    if (left <= 0) onEnd()
    else clock.after(left, check, true)
  }

  function use(): void {
    used = clock.now()
    if (used - stored < grain) return
    stored = used
    items.put('setting', 'used', stored)
    onUse()
  }

  if (stored === 0) use()
  check()
  return { use }
}

/** The lifetime of a session; see {@link createLifetime}. */
export interface Lifetime {
  /** Notes a request. */
  use(): void
}

/** The options of {@link createLifetime}. */
export interface LifetimeOptions {
  items: Items
  clock: AlarmClock
  /** In milliseconds. */
  ttl: number
  /** Called when the stored time of the last request changes. */
  onUse(): void
  onEnd(): void
}
