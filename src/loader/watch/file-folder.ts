import { createReadStream, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { FileBytes, FileFolder } from '../../core/fixtures/file-folder.ts'
import type { LoadedFile } from '../read/read-file.ts'
import { createFileIndex } from './file-index.ts'
import type { Scanner } from './scanner.ts'

/** Creates access to the files beside fixtures, as they are on the disk when they are opened. */
export function createFileFolder(scanner: Scanner): FileFolder {
  const fileOf = createFileIndex(scanner)
  return {
    open(resource, path) {
      const file = fileOf(resource)
      const found = file && resolve(dirname(file.path), path)
      if (!found || !isPlain(path) || !isInside(found, rootOf(file))) return undefined
      return openBytes(found)
    },
  }
}

/** Opens a file; undefined for a path that names no file. */
export function openBytes(path: string): FileBytes | undefined {
  const stats = statsOf(path)
  if (!stats?.isFile()) return undefined
  const { size, ino, mtimeMs } = stats
  return {
    size,
    tag: `"${ino}-${size}-${mtimeMs}"`,
    modified: mtimeMs,
    async *read(start, end) {
      if (end > start) yield* createReadStream(path, { start, end: end - 1 })
    },
  }
}

function statsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

/** Whether every file system reads the path as it is written: not as a drive, a stream of a file, or a hidden name. */
function isPlain(path: string): boolean {
  return !/[\\:\0]/.test(path) && !path.split('/').some((one) => /^\.(?!\.?$)/.test(one))
}

/** The folder that a fixture file was found in; of a file that was named, the folder of the file. */
function rootOf({ path, name, named }: LoadedFile): string {
  const depth = named ? 0 : name.split('/').length - 1
  return join(dirname(path), ...Array.from({ length: depth }, () => '..'))
}

/** Whether a file is inside of a folder, also when links are followed. */
function isInside(path: string, root: string): boolean {
  try {
    return path.startsWith(root + sep) && realpathSync(path).startsWith(realpathSync(root) + sep)
  } catch {
    return false
  }
}
