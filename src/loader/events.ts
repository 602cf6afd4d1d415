import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { watch } from 'chokidar'
import { isIgnored, SCENARIOS } from './discover.ts'
import type { Scanner } from './scanner.ts'

/** The file system's events for a set of roots. */
export interface Events {
  /** Whether everything that has to be watched still is: a folder that was replaced is not. */
  isCurrent(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Calls back whenever something may have changed below a folder, in a file named by hand, or in a file that
 * a link leads to, with the path where it is that alone. Resolves when the events have begun.
 */
export async function openEvents(
  roots: readonly string[],
  scanner: Scanner,
  hint: (path?: string) => void,
): Promise<Events> {
  const before = await identify(roots, scanner)
  const { folders, files } = before
  // The events of a file or a folder end with it, and editors replace files, so that what it stands in
  // has to be watched.
  const named = [...folders, ...files]
  const places = new Set([...named, ...named.map((path) => dirname(path))])
  const isWanted = (path: string): boolean =>
    places.has(path) || [...folders].some((folder) => isInside(path, folder))
  const watcher = watch([...places], {
    ignored: (path) => !isWanted(path),
    ignoreInitial: true,
    ignorePermissionErrors: true,
    // The scanner tells a replaced file from a deleted one by itself, and sooner.
    atomic: false,
  })
  watcher.on('all', (event, path) => hint(event === 'change' ? path : undefined))
  // chokidar drops the second of two quick changes from its own events, but not from the raw ones.
  watcher.on('raw', (_event, path: string | null, details) => {
    const { watchedPath = '' } = details as { watchedPath?: string }
    const changed = join(watchedPath, path ?? '')
    if (isWanted(changed)) hint(changed)
  })
  // Without events (too many watches, say) the rounds go on finding what changes.
  watcher.on('error', () => hint())
  await new Promise<void>((ready) => {
    watcher.once('ready', ready)
    watcher.once('error', () => ready())
  })
  return {
    close: () => watcher.close(),
    async isCurrent() {
      const now = await identify(roots, scanner)
      return now.key === before.key
    },
  }
}

interface Places {
  folders: Set<string>
  files: Set<string>
  /** Differs when a folder, a file named by hand or a link is no longer the one it was. */
  key: string
}

async function identify(roots: readonly string[], scanner: Scanner): Promise<Places> {
  const places: Places = { folders: new Set(), files: new Set(), key: '' }
  const identities: string[] = []
  for (const root of roots) {
    const stats = await stat(root).catch(() => undefined)
    places[stats?.isDirectory() ? 'folders' : 'files'].add(root)
    if (stats?.isDirectory()) identities.push(`${root} ${stats.ino}`)
  }
  for (const { path } of scanner.current().files.values()) {
    const isLink = await lstat(path).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    )
    if (!isLink) continue
    const target = await realpath(path).catch(() => path)
    places.files.add(target)
    identities.push(target)
  }
  return { ...places, key: identities.join('\n') }
}

/** Whether a path is below a folder and no part of the way is passed over. */
function isInside(path: string, folder: string): boolean {
  if (path === folder) return true
  if (!path.startsWith(folder + sep)) return false
  return path
    .slice(folder.length + 1)
    .split(sep)
    .every((name, index) => !isIgnored(name) || (index === 0 && name === SCENARIOS))
}
