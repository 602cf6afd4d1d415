import { inPlaceSubschemas } from '../../json/in-place-subschemas.ts'
import { isRecord } from '../../json/json.ts'
import { resolveLocal } from '../../json/local-reference.ts'
import type { Path } from '../../json/path.ts'

/**
 * Whether a JSON Schema of records names the field at a path, or allows fields of any name there, so that a
 * misspelt path can be reported.
 */
export function namesPath(root: unknown, path: Path): boolean {
  return names(root, 0, new Set())

  /** `visited` holds the schemas that apply to the same value. */
  function names(schema: unknown, at: number, visited: Set<unknown>): boolean {
    const key = path[at]
    if (key === undefined) return true
    if (!isRecord(schema) || visited.has(schema)) return false
    visited.add(schema)
    const { $ref, $dynamicRef, properties, patternProperties, additionalProperties } = schema
    // The fields of a map have any name.
    if ([patternProperties, additionalProperties].some(isRecord)) return true
    // The fields that another document names are unknown.
    if ($dynamicRef !== undefined) return true
    if (typeof $ref === 'string') {
      const target = resolveLocal($ref, root)
      if (target === undefined || names(target, at, visited)) return true
    }
    if (isRecord(properties) && Object.hasOwn(properties, key)) {
      if (names(properties[key], at + 1, new Set())) return true
    }
    const items = [schema['items'], schema['prefixItems']].flat()
    const isIndex = /^\d+$/.test(key)
    return (
      items.some((one) => (isIndex ? names(one, at + 1, new Set()) : names(one, at, visited))) ||
      inPlaceSubschemas(schema).some((one) => names(one, at, visited))
    )
  }
}
