import { sep } from 'node:path'
import type { Discovery } from '../discover/discover.ts'
import type { LoadedFile } from '../read/read-file.ts'

/**
 * Decides how long a loaded file that scans do not find any more stays loaded, because the file may be in the
 * middle of a save.
 */
export interface MissingFiles {
  /**
   * Returns the files that were not found but stay loaded: until the disk is quiet, all of them; then only the files in
   * folders that could not be read.
   */
  findRetained(loaded: Iterable<LoadedFile>, found: Discovery, isQuiet: boolean): LoadedFile[]
  /** Registers that a file exists. */
  found(path: string): void
}

/** Creates a record of missing files. Calls back when a file is found to be missing. */
export function createMissingFiles(onMissing: () => void): MissingFiles {
  const missing = new Set<string>()
  return {
    findRetained(loaded, { files, unknown }, isQuiet) {
      const isFound = new Set(files.map((file) => file.path))
      for (const path of missing) if (isFound.has(path)) missing.delete(path)
      return [...loaded].filter(({ path }) => {
        if (isFound.has(path)) return false
        if (unknown.some((folder) => path === folder || path.startsWith(folder + sep))) return true
        if (isQuiet && missing.delete(path)) return false
        if (!missing.has(path)) onMissing()
        missing.add(path)
        return true
      })
    },
    found: (path) => void missing.delete(path),
  }
}
