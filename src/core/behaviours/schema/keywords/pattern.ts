import { toMessage } from '../../../errors/error-details.ts'
import type { Location } from '../compile/registry.ts'
import type { Site } from './keyword.ts'

/**
 * Compiles a regular expression of `pattern` or `patternProperties` with the flag `u` (JSON Schema Core
 * §6.4).
 * @throws SchemaError for a regular expression that is invalid with the flag `u`
 */
export function toPattern(text: string, site: Site, ...steps: Location['path']): RegExp {
  try {
    return new RegExp(text, 'u')
  } catch (error) {
    throw site.mistake(`${toMessage(error)}. Please write it for the flag "u".`, ...steps)
  }
}
