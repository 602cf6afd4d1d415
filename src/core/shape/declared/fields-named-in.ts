import { isRecord } from '../../json/json.ts'
import { resolveLocal } from '../../json/local-reference.ts'
import type { SchemaObject } from '../../types/json-schema.ts'

/** The keywords whose schemas apply to the same record. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']

/**
 * The fields of a record that a schema names, also in the parts that it is composed of; undefined if it refers to
 * another document, whose fields are unknown.
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
    const { dependentSchemas } = part
    const dependents = isRecord(dependentSchemas) ? Object.values(dependentSchemas) : []
    return [...inPlace.map((keyword) => part[keyword]), ...dependents].flat().every(visit)
  }
}
