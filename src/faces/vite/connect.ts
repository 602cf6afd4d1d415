import type { Conflict, FixtureListener, FixtureSource } from '../../core/fixtures/fixtures.ts'
import type { FeedChange, FeedStatus } from './feed.ts'

/** The part of `import.meta.hot` that is used. */
interface Hot {
  on(event: 'fixtura:change', callback: (change: FeedChange) => void): void
  on(event: 'fixtura:status', callback: (status: FeedStatus) => void): void
  send(event: string, data: unknown): void
}

/**
 * Makes a source of the data that follows the dev server. It runs in the page and goes there as text,
 * so that it must not use anything outside of itself.
 */
export function connect(
  data: Record<string, unknown>,
  revision: number,
  hot: Hot | undefined,
): FixtureSource {
  const listeners = new Set<FixtureListener>()

  /** Takes away the overlay that a broken fixture has put up, and no other. */
  function closeOverlay(): void {
    if (typeof document === 'undefined') return
    for (const overlay of document.querySelectorAll('vite-error-overlay')) {
      const plugin = overlay.shadowRoot?.querySelector('.plugin')?.textContent
      if (plugin?.includes('fixtura')) overlay.remove()
    }
  }

  function tell(conflicts: readonly Conflict[]): void {
    for (const { collection, id } of conflicts) {
      const name = id === '' ? collection : `${collection}/${id}`
      console.warn(`${name}: the fixture took the place of what requests wrote.`)
    }
  }

  hot?.on('fixtura:status', ({ isBroken }) => {
    if (!isBroken) closeOverlay()
  })
  hot?.on('fixtura:change', (change) => {
    if (change.revision <= revision) return
    revision = change.revision
    const changed: Record<string, unknown> = { ...change.changed }
    for (const name of change.removed) changed[name] = undefined
    for (const name of Object.keys(changed)) {
      if (changed[name] === undefined) delete data[name]
      else data[name] = changed[name]
    }
    for (const listener of listeners) listener(changed, tell)
  })
  // Asks for what has changed between the answer that brought this module and the connection.
  hot?.send('fixtura:ready', { revision })

  return {
    data,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
