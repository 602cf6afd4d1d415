import { isRecord } from '../json/json.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import { componentOf } from './schemas/references.ts'

/**
 * Returns the schemas that a document refers to, directly or through other schemas, in their order; the
 * document leaves out all others.
 */
export function usedSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
  document: unknown,
): Record<string, JsonSchema> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isRecord(value)) return
    const [component] = componentOf(value)?.split('/') ?? []
    if (component !== undefined && !used.has(component)) {
      used.add(component)
      visit(schemas[component])
    }
    Object.values(value).forEach(visit)
  }
  visit(document)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}
