import { realpathSync } from 'node:fs'
import nodePath from 'node:path'
import { addToMultimap } from '../../core/structures/add-to-multimap.ts'
import { isIgnored, SCENARIOS } from '../discover/discover.ts'
import { createFolderWatches, identityOf, type WatchFailure } from './folder-watches.ts'
import type { LoadedFile } from '../read/read-file.ts'
import type { Scanner } from './scanner.ts'

/**
 * Watches the folders that a scanner has found, the files that paths name, and the targets of links. Calls
 * back when something may have changed; with the path of a fixture if only that file has changed.
 */
export function openFileEvents(
  roots: readonly string[],
  scanner: Pick<Scanner, 'current'>,
  onEvent: (path?: string) => void,
): FileEvents {
  let rootIdentities = new Map<string, string | undefined>()
  let links = new Map<string, string[]>()
  let isWanted: (path: string) => boolean = () => false
  const watches = createFolderWatches((path) => {
    if (path === undefined) onEvent()
    else if (isWanted(path)) for (const file of links.get(path) ?? [path]) onEvent(file)
  })
  const update = (): boolean => {
    const { files, folders } = scanner.current()
    rootIdentities = new Map(roots.map((root) => [root, identityOf(root)]))
    links = findTargets(files.values())
    const isFolder = (root: string): boolean => rootIdentities.get(root) !== undefined
    const watched = {
      folders: new Set(roots.filter(isFolder)),
      files: new Set([...roots.filter((root) => !isFolder(root)), ...links.keys()]),
    }
    isWanted = createFilter(watched)
    return watches.update([...folders, ...toParents(watched)])
  }
  update()
  return {
    update,
    hasSameFolders: () => roots.every((root) => identityOf(root) === rootIdentities.get(root)),
    failure: watches.failure,
    close: watches.close,
  }
}

/** The running watch of {@link openFileEvents} on the watched paths (the roots). */
export interface FileEvents {
  /**
   * Follows the folders and links that the last scan found. Returns whether there are new watches, so that
   * another scan has to find the changes before them.
   */
  update(): boolean
  /** Whether the folders among the roots are the same as in the last update. */
  hasSameFolders(): boolean
  /** Why changes may have no events; undefined as long as all folders are watched. */
  failure(): WatchFailure | undefined
  close(): void
}

/** Creates the test whether events of a path count. */
export function createFilter(
  watched: WatchedPaths,
  { dirname, normalize, sep }: Pick<typeof nodePath, 'dirname' | 'normalize' | 'sep'> = nodePath,
): (path: string) => boolean {
  const paths = new Set([...watched.folders, ...watched.files, ...toParents(watched, dirname)])
  return (eventPath) => {
    const path = normalize(eventPath)
    return paths.has(path) || [...watched.folders].some((folder) => isInside(path, folder, sep))
  }
}

/** Absolute paths to watch. */
interface WatchedPaths {
  folders: ReadonlySet<string>
  files: ReadonlySet<string>
}

/**
 * The folders around the watched paths: the events of a file or a folder end with its removal, and editors
 * replace files.
 */
function toParents({ folders, files }: WatchedPaths, dirname = nodePath.dirname): string[] {
  return [...folders, ...files].map((path) => dirname(path))
}

/** The targets of links, each with the fixture files that are links to it. */
function findTargets(files: Iterable<LoadedFile>): Map<string, string[]> {
  const targets = new Map<string, string[]>()
  for (const { path, isLink, named } of files) {
    if (!isLink && !named) continue
    const target = toRealPath(path)
    if (target !== path) addToMultimap(targets, target, path)
  }
  return targets
}

function toRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
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
