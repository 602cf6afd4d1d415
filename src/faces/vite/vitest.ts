import type { ResolvedConfig, ViteDevServer } from 'vite'
import { isWithin } from '../../core/url/base.ts'
import { toResolved, virtualFixtures } from './virtual.ts'

/** Reruns the tests that import the fixtures when these change; Vitest itself does so only for modules. */
export function rerunTests({ vite, watcher }: Vitest, paths: string[]): void {
  vite.watcher.add(paths)
  vite.watcher.on('all', (_event, path) => {
    const file = path.replaceAll('\\', '/')
    if (paths.some((folder) => isWithin(file, folder))) {
      watcher.onFileChange?.(toResolved(virtualFixtures))
    }
  })
}

/** Whether the configuration is of Vitest: of its root, a project, or its browser mode. */
export function isVitest({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => /^vitest(?::|$)/.test(name))
}

/** The plugin hook `configureVitest` of Vitest 4.1 and later, through which changed fixtures rerun tests. */
export interface VitestHook {
  configureVitest(context: { vitest: Vitest }): void
}

/** The used part of Vitest. */
interface Vitest {
  vite: Pick<ViteDevServer, 'watcher'>
  /** Reruns the tests that import a file; Vitest 3 has no public `onFileChange`. */
  watcher: { onFileChange?(id: string): void }
}
