import { createRequire } from 'node:module'

/** The parser of JSON5, loaded when it is asked for: most folders hold JSON alone, and start sooner without. */
export function loadJson5(): typeof import('json5') {
  return createRequire(import.meta.url)('json5') as typeof import('json5')
}
