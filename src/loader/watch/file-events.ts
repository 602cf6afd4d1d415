import { lstatSync, statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import nodePath, { join } from 'node:path'
import { watch } from 'chokidar'
import { isIgnored, SCENARIOS } from '../discover/discover.ts'
import { createTurns } from '../read/turns.ts'
import type { Scanner } from './scanner.ts'

/**
 * A watcher that notifies a callback when a fixture file or folder below the watched paths (the roots)
 * changes on the disk. The package chokidar reports the events of the file system.
 */
export interface FileEvents {
  /** Whether the watched folders, files and links are still the same: a replaced folder has no more events. */
  isCurrent(): Promise<boolean>
  /** Whether the folders among the roots are still the same, which is quicker to find than `isCurrent`. */
  hasSameFolders(): boolean
  /** Whether the watcher has failed, so that changes may have no events. */
  hasFailed(): boolean
  close(): Promise<void>
}

/**
 * Calls back when something may have changed below a folder, in a file named by hand, or in the target of
 * a link; with the path if only the content of that file changed. Resolves when the watcher is ready.
 */
export async function openFileEvents(
  roots: readonly string[],
  scanner: Pick<Scanner, 'current'>,
  onEvent: (path?: string) => void,
): Promise<FileEvents> {
  const before = await findWatched(roots, scanner)
  const isWanted = createFilter(before)
  const paths = [...toPaths(before)]
  const watcher = watch(paths, {
    ignored: (path) => !isWanted(path),
    ignoreInitial: true,
    ignorePermissionErrors: true,
    // The scanner tells a replaced file from a deleted file, and sooner.
    atomic: false,
  })
  watcher.on('all', (event, path) => onEvent(event === 'change' ? path : undefined))
  // chokidar drops the second of two quick changes from its own events, but not from the raw events.
  watcher.on('raw', (_event, path: string | null, details) => {
    const { watchedPath = '' } = details as { watchedPath?: string }
    const changed = join(watchedPath, path ?? '')
    if (isWanted(changed)) onEvent(changed)
  })
  // Without events, as with too many watches, the periodic scans still find changes.
  let hasFailed = false
  watcher.on('error', () => {
    hasFailed = true
    onEvent()
  })
  const ready = new Promise<void>((resolve) => {
    watcher.once('ready', resolve)
    watcher.once('error', () => resolve())
  })
  // chokidar never emits `ready` where there is nothing to watch.
  if (paths.length > 0) await ready
  return {
    close: () => watcher.close(),
    async isCurrent() {
      const now = await findWatched(roots, scanner)
      return now.identity === before.identity
    },
    hasSameFolders: () => roots.every((root) => inodeOf(root) === before.folders.get(root)),
    hasFailed: () => hasFailed,
  }
}

/** Creates the test whether events of a path count. chokidar writes paths with slashes on every system. */
export function createFilter(
  watched: WatchedPaths,
  { dirname, normalize, sep }: Pick<typeof nodePath, 'dirname' | 'normalize' | 'sep'> = nodePath,
): (path: string) => boolean {
  const paths = toPaths(watched, dirname)
  return (eventPath) => {
    const path = normalize(eventPath)
    return (
      paths.has(path) || [...watched.folders.keys()].some((folder) => isInside(path, folder, sep))
    )
  }
}

/**
 * The watched paths and the folders around them: the events of a file or a folder end with its removal, and
 * editors replace files.
 */
function toPaths({ folders, files }: WatchedPaths, dirname = nodePath.dirname): Set<string> {
  const paths = [...folders.keys(), ...files]
  return new Set([...paths, ...paths.map((path) => dirname(path))])
}

/** Absolute paths to watch. */
interface WatchedPaths {
  folders: ReadonlySet<string> | ReadonlyMap<string, unknown>
  files: ReadonlySet<string>
}

interface Watched extends WatchedPaths {
  /** Changes when a folder is replaced, or a link leads elsewhere. */
  identity: string
  /** The inodes of the folders among the roots. */
  folders: Map<string, number>
}

async function findWatched(
  roots: readonly string[],
  scanner: Pick<Scanner, 'current'>,
): Promise<Watched> {
  const folders = new Map<string, number>()
  const files = new Set<string>()
  const identities: string[] = []
  for (const root of roots) {
    const inode = inodeOf(root)
    if (inode === undefined) files.add(root)
    else {
      folders.set(root, inode)
      identities.push(`${root} ${inode}`)
    }
  }
  const takeTurns = createTurns()
  for (const { path } of scanner.current().files.values()) {
    await takeTurns()
    if (!isLink(path)) continue
    const target = await realpath(path).catch(() => path)
    files.add(target)
    identities.push(target)
  }
  return { folders, files, identity: identities.join('\n') }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  } catch {
    return false
  }
}

/** The inode of a folder; undefined if there is none at the path. */
function inodeOf(path: string): number | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isDirectory() ? stats.ino : undefined
  } catch {
    return undefined
  }
}

/** Whether a path is below a folder, with no ignored folder or file between. */
function isInside(path: string, folder: string, sep: string): boolean {
  if (path === folder) return true
  if (!path.startsWith(folder + sep)) return false
  return path
    .slice(folder.length + 1)
    .split(sep)
    .every((name, index) => !isIgnored(name) || (index === 0 && name === SCENARIOS))
}
