import { withExclusiveLimits } from '../../json/exclusive-limits.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import { mapSubschemas } from '../../json/subschemas.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'

/**
 * Converts a declared schema of an earlier draft of JSON Schema to 2020-12, which all schemas of a mock are
 * written in: `definitions`, lists in `items`, `dependencies`, the `id` of draft 4, and flags as exclusive
 * limits. A schema of 2020-12 stays as it is.
 */
export function toDraft2020(schema: JsonSchema): JsonSchema {
  const uri = typeof schema === 'object' ? schema['$schema'] : undefined
  const isDraft4 = typeof uri === 'string' && uri.includes('draft-04')

  function convert(part: unknown): unknown {
    if (!isRecord(part)) return part
    const inner = withExclusiveLimits(mapSubschemas(part, convert) as JsonRecord)
    const keywords = Object.entries(inner).map(([name, value]): SchemaObject => {
      if (name === '$schema') return {}
      if (name === 'id' && isDraft4) return { $id: value }
      return ownValue(conversions, name)?.(value, inner) ?? { [name]: value }
    })
    return Object.assign({}, ...keywords)
  }

  return convert(schema) as JsonSchema
}

/** By keyword of an earlier draft: returns the keywords of 2020-12 that replace it; undefined if it stays. */
const conversions: Readonly<
  Record<string, (value: unknown, schema: SchemaObject) => SchemaObject | undefined>
> = {
  definitions: (value) => ({ $defs: value }),
  $ref: (value) => ({ $ref: String(value).replaceAll(/(?<=#.*)\/definitions(?=\/)/g, '/$defs') }),
  items: (value) => (Array.isArray(value) ? { prefixItems: value as unknown[] } : undefined),
  additionalItems: (value, { items }) => (Array.isArray(items) ? { items: value } : {}),
  dependencies: (value) => (isRecord(value) ? toDependents(value) : {}),
}

function toDependents(dependencies: JsonRecord): SchemaObject {
  const entries = Object.entries(dependencies)
  const required = entries.filter(([, value]) => Array.isArray(value))
  const schemas = entries.filter(([, value]) => !Array.isArray(value))
  return {
    ...(required.length > 0 && { dependentRequired: Object.fromEntries(required) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
  }
}
