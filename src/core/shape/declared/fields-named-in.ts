import { inPlaceSubschemas } from '../../json/in-place-subschemas.ts'
import { isRecord } from '../../json/json.ts'
import { resolveLocal } from '../../json/local-reference.ts'
import type { SchemaObject } from '../../types/json-schema.ts'

/**
 * Returns the names of all fields that a declared schema mentions, including those in `allOf` and local `$ref`,
 * so that inferred claims about these fields can be dropped. Returns undefined if a `$ref` points to another
 * document, whose fields are unknown.
 */
export function fieldsNamedIn(schema: SchemaObject): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  const visited = new Set<unknown>()
  return visit(schema) ? names : undefined

  function visit(part: unknown): boolean {
    if (!isRecord(part) || visited.has(part)) return true
    visited.add(part)
    const { properties, $ref } = part
    if (isRecord(properties)) for (const name of Object.keys(properties)) names.add(name)
    if (typeof $ref === 'string') {
      const target = resolveLocal($ref, schema)
      if (target === undefined || !visit(target)) return false
    }
    return inPlaceSubschemas(part).every(visit)
  }
}
