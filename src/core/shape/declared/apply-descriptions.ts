import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { RecordDescription } from '../../types/record-description.ts'
import { withExclusiveLimits } from '../../json/exclusive-limits.ts'
import { mapSubschemas } from '../../json/subschemas.ts'
import {
  applySchema,
  applyToField,
  propertiesOf,
  requiredOf,
  withProperty,
} from './apply-schema.ts'

/** Applies what behaviours describe to the inferred schema: first schemas, then fields; a later description wins. */
export function applyDescriptions(
  inferred: SchemaObject,
  descriptions: readonly RecordDescription[],
  idField?: string,
): Declared {
  let schema = inferred
  for (const description of descriptions) {
    const declared = toDraft2020(description.schema ?? true)
    if (typeof declared === 'object') schema = applySchema(schema, declared, idField)
  }
  const filled = new Set<string>()
  const unique = new Map<string, string[]>()
  for (const { fields = {}, unique: groups = [] } of descriptions) {
    for (const [name, field] of Object.entries(fields)) {
      const { schema: keywords, isRequired = false, isFilled = false } = field
      const inferredField = ownValue(propertiesOf(schema), name) ?? {}
      if (keywords) schema = withProperty(schema, name, applyToField(inferredField, keywords))
      if (isRequired && !requiredOf(schema).includes(name)) {
        schema = { ...schema, required: [...requiredOf(schema), name] }
      }
      if (isFilled) filled.add(name)
    }
    for (const group of groups) unique.set(JSON.stringify(group), [...group])
  }
  return { schema, filled: [...filled], unique: [...unique.values()] }
}

/** The result of {@link applyDescriptions}. */
interface Declared {
  schema: SchemaObject
  /** The names of the fields that the mock fills in. */
  filled: string[]
  /** The groups of fields whose values together are unique. */
  unique: string[][]
}

/** Converts a schema of an earlier draft to 2020-12; a schema of 2020-12 stays as it is. */
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
