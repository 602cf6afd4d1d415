import { createRequire } from 'node:module'
import type JSON5 from 'json5'

/**
 * Returns the package `json5`, the parser of `.json5` and `.jsonc` files. The first call loads the package,
 * because most mocks need only JSON.
 */
export function loadJson5(): typeof JSON5 {
  return createRequire(import.meta.url)('json5') as typeof JSON5
}
