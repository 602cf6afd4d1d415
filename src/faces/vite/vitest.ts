import type { ResolvedConfig, ViteDevServer } from 'vite'
import { isWithin } from '../../core/url/base.ts'
import { toResolved, virtualFixtures } from './virtual.ts'

/** What Vitest calls of a plugin, and the part of itself that is used. */
export interface VitestHook {
  configureVitest(context: { vitest: Vitest }): void
}

interface Vitest {
  vite: Pick<ViteDevServer, 'watcher'>
  /** Who runs again what takes a file; Vitest 3 lets nobody ask for it. */
  watcher: { onFileChange?(id: string): void }
}

/** Whether Vite works for Vitest: for the whole, for one of its projects, or for its pages. */
export function isVitest({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => /^vitest(?::|$)/.test(name))
}

/**
 * Lets Vitest run again what imports the fixtures when something at one of the places is edited, added
 * or removed; by itself it knows only of edits of what it has loaded.
 */
export function rerun({ vite, watcher }: Vitest, places: string[]): void {
  vite.watcher.add(places)
  vite.watcher.on('all', (_event, path) => {
    const file = path.replaceAll('\\', '/')
    if (places.some((place) => isWithin(file, place))) {
      watcher.onFileChange?.(toResolved(virtualFixtures))
    }
  })
}
