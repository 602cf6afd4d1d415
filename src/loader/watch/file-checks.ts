import type { IdOption } from '../../core/fixtures/id-field.ts'
import type { LoadedFile } from '../read/read-file.ts'
import type { Stamp } from '../read/stamp.ts'
import { checkFile } from './check-file.ts'

/**
 * Checks one file. Returns the file as it is now, or as it was last where it is half-written; undefined
 * where a full scan has to follow. A file that may have changed without a new stamp is read in any case.
 */
export type CheckOne = (known: LoadedFile, mayHaveSameStamp: boolean) => LoadedFile | undefined

/** Creates a function that checks files, and calls back when it finds one half-written. */
export function createFileChecks(id: IdOption | undefined, onHalfWritten: () => void): CheckOne {
  // The stamps at which files were last half-written.
  const halfWritten = new Map<string, Stamp>()
  return (known, mayHaveSameStamp) => {
    const half = halfWritten.get(known.path)
    const result = checkFile(known, id, { halfWritten: half, mayHaveSameStamp })
    if (!result) return undefined
    if ('file' in result) return result.file
    halfWritten.set(known.path, result.halfWritten)
    if (result.halfWritten !== half) onHalfWritten()
    return known
  }
}
