import { createRequire } from 'node:module'
import type JSON5 from 'json5'

/** The parser of JSON5, loaded when it is asked for: most folders hold JSON alone, and start sooner without. */
export function loadJson5(): typeof JSON5 {
  return createRequire(import.meta.url)('json5') as typeof JSON5
}
