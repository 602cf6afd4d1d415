import type { IdOption } from '../../core/fixtures/id-field.ts'
import type { LoadedFile } from '../read/read-file.ts'
import type { Stamp } from '../read/stamp.ts'
import { checkFile } from './check-file.ts'

/**
 * Creates a function that checks single files for changes, and remembers which files were half-written. Calls
 * back with each file that the function finds half-written, so that the file is checked again.
 */
export function createFileChecks(
  id: IdOption | undefined,
  onHalfWritten: (path: string) => void,
): CheckOne {
  // The stamps at which files were last half-written.
  const halfWritten = new Map<string, Stamp>()
  return (known, isQuiet) => {
    const half = halfWritten.get(known.path)
    const result = checkFile(known, id, { halfWritten: half, mayHaveSameStamp: isQuiet })
    if (!result) return undefined
    if ('file' in result) return result.file
    if (isQuiet) return undefined
    halfWritten.set(known.path, result.halfWritten)
    if (result.halfWritten !== half) onHalfWritten(known.path)
    return known
  }
}

/**
 * Checks one file. Returns the current file, or the known file if the current file is half-written; undefined if a full
 * scan has to follow. When the disk is quiet, the file is read even if its stamp is the same, and a half-written file
 * needs a full scan, which reports its error.
 */
export type CheckOne = (known: LoadedFile, isQuiet: boolean) => LoadedFile | undefined
