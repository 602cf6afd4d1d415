import { createLimit, type Limit } from '../read/limit.ts'

/**
 * The file handles that the writers of many files share, so that they do not exhaust the handles of the process,
 * which may be as few as 256.
 */
export interface Handles {
  /** Limits how many files are opened and written at the same time. */
  limit: Limit
  /** How many journals have an open handle. */
  openJournals: number
}

/** Creates the handles of a process. */
export function createHandles(): Handles {
  return { limit: createLimit(MAX_WRITES), openJournals: 0 }
}

/** How many files are written at the same time. Node runs four operations of the file system in parallel. */
const MAX_WRITES = 32

/** How many journals stay open for the next write. */
export const MAX_OPEN_JOURNALS: number = 64
