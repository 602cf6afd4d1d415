import { isRecord, type JsonRecord } from '../../json/json.ts'
import { mapSubschemas } from '../../json/subschemas.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'

/**
 * Writes a schema of an earlier draft with the keywords of JSON Schema 2020-12: `definitions`, lists in `items`,
 * `dependencies`, the `id` of draft 4, and flags as exclusive limits. A schema of 2020-12 stays as it is.
 */
export function toDraft2020(schema: JsonSchema): JsonSchema {
  const uri = typeof schema === 'object' ? schema['$schema'] : undefined
  const isDraft4 = typeof uri === 'string' && uri.includes('draft-04')

  function convert(part: unknown): unknown {
    if (!isRecord(part)) return part
    const inner = mapSubschemas(part, convert)
    const keywords = Object.entries(inner).map(([name, value]): SchemaObject => {
      if (name === '$schema') return {}
      if (name === 'id' && isDraft4) return { $id: value }
      return conversions[name]?.(value, inner) ?? { [name]: value }
    })
    return Object.assign({}, ...keywords)
  }

  return convert(schema) as JsonSchema
}

/** The keywords of 2020-12 for a keyword of an earlier draft. */
const conversions: Readonly<
  Record<string, (value: unknown, schema: SchemaObject) => SchemaObject | undefined>
> = {
  definitions: (value) => ({ $defs: value }),
  $ref: (value) => ({ $ref: String(value).replaceAll(/(?<=#.*)\/definitions(?=\/)/g, '/$defs') }),
  items: (value) => (Array.isArray(value) ? { prefixItems: value as unknown[] } : undefined),
  additionalItems: (value, { items }) => (Array.isArray(items) ? { items: value } : {}),
  dependencies: (value) => (isRecord(value) ? toDependents(value) : {}),
  exclusiveMinimum: (value, { minimum }) => toLimit('exclusiveMinimum', value, minimum),
  exclusiveMaximum: (value, { maximum }) => toLimit('exclusiveMaximum', value, maximum),
  minimum: (_, { exclusiveMinimum }) => (exclusiveMinimum === true ? {} : undefined),
  maximum: (_, { exclusiveMaximum }) => (exclusiveMaximum === true ? {} : undefined),
}

/** Draft 4 has flags that make `minimum` and `maximum` exclusive. */
function toLimit(name: string, value: unknown, limit: unknown): SchemaObject | undefined {
  if (typeof value !== 'boolean') return undefined
  return value && limit !== undefined ? { [name]: limit } : {}
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
