import { createRequire } from 'node:module'
import type JSON5 from 'json5'

/** Loads the parser of JSON5 when the first JSON5 text is parsed, because most folders hold only JSON. */
export function loadJson5(): typeof JSON5 {
  return createRequire(import.meta.url)('json5') as typeof JSON5
}
