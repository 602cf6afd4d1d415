import { define, ownValue } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { RecordDescription } from '../../types/record-description.ts'
import { applySchema, applyToField, propertiesOf, requiredOf } from './apply-schema.ts'
import { toDraft2020 } from './to-draft-2020.ts'

/**
 * Combines the schema that was inferred from records with what the behaviours of a mock (the values of `use`)
 * declare about the records: a declaration wins. Applies the declared schemas first, then the descriptions of
 * single fields, both in the order of the behaviours.
 */
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
    for (const [name, { schema: keywords, isRequired = false, isFilled = false }] of Object.entries(
      fields,
    )) {
      if (keywords) schema = withField(schema, name, keywords)
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
export interface Declared {
  /** The inferred schema with all declarations. */
  schema: SchemaObject
  /** The fields that the mock sets if a new record lacks them. */
  filled: string[]
  /** Groups of fields whose values no two records share. */
  unique: string[][]
}

function withField(schema: SchemaObject, name: string, keywords: SchemaObject): SchemaObject {
  const properties: Record<string, JsonSchema> = { ...propertiesOf(schema) }
  define(properties, name, applyToField(ownValue(properties, name) ?? {}, keywords))
  return { ...schema, properties }
}
