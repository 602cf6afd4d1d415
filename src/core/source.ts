import type { Json } from './json.ts'

/** One resource as a loader hands it over: its path below the base, its data and where that stands. */
export interface Source {
  /** Path segments joined by `/`, without a leading slash: `posts`, `v1/posts`. */
  name: string
  value: Json
  /** The file, for messages; with the key behind `#` where a database file holds several. */
  source: string
}

/** A problem in a fixture, with its place. Lines and columns count from 1. */
export interface Diagnostic {
  /** An error stops a start; a warning is only said. */
  severity: 'error' | 'warning'
  file: string
  line?: number
  column?: number
  /** *Failed to X "value": Y.* */
  message: string
  /** What to do about it. */
  advice?: string
  /** The lines around the place, with a marker under the column. */
  frame?: string
}

/** Whether a problem stops a start. */
export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}
