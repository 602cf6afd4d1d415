import { lstat, realpath, stat } from 'node:fs/promises'
import nodePath, { join } from 'node:path'
import { watch } from 'chokidar'
import { isIgnored, SCENARIOS } from '../discover/discover.ts'
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
  const isWanted = createFilter(before)
  const places = [...toPlaces(before)]
  const watcher = watch(places, {
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
  const begun = new Promise<void>((ready) => {
    watcher.once('ready', ready)
    watcher.once('error', () => ready())
  })
  // Of nothing it never says that it is ready.
  if (places.length > 0) await begun
  return {
    close: () => watcher.close(),
    async isCurrent() {
      const now = await identify(roots, scanner)
      return now.key === before.key
    },
  }
}

/** Makes the test whether what happens at a path counts. chokidar writes paths with slashes on every system. */
export function createFilter(
  named: Named,
  { dirname, normalize, sep }: Pick<typeof nodePath, 'dirname' | 'normalize' | 'sep'> = nodePath,
): (path: string) => boolean {
  const places = toPlaces(named, dirname)
  return (written) => {
    const path = normalize(written)
    return places.has(path) || [...named.folders].some((folder) => isInside(path, folder, sep))
  }
}

/**
 * What has to be watched. The events of a file or a folder end with it, and editors replace files, so
 * that what it stands in has to be, too.
 */
function toPlaces({ folders, files }: Named, dirname = nodePath.dirname): Set<string> {
  const named = [...folders, ...files]
  return new Set([...named, ...named.map((path) => dirname(path))])
}

/** What is watched, by absolute paths. */
interface Named {
  folders: Set<string>
  files: Set<string>
}

interface Places extends Named {
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
function isInside(path: string, folder: string, sep: string): boolean {
  if (path === folder) return true
  if (!path.startsWith(folder + sep)) return false
  return path
    .slice(folder.length + 1)
    .split(sep)
    .every((name, index) => !isIgnored(name) || (index === 0 && name === SCENARIOS))
}
