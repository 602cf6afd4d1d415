import { isRecord, type JsonRecord } from './json.ts'

const keywords = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']

/**
 * Lists the values of the keywords whose schemas apply to the same value as the schema that holds the keywords
 * (JSON Schema Core §10.2); some can be missing or have the wrong shape.
 */
export function inPlaceSubschemas(schema: JsonRecord): unknown[] {
  const { dependentSchemas } = schema
  const dependents = isRecord(dependentSchemas) ? Object.values(dependentSchemas) : []
  return [...keywords.map((keyword) => schema[keyword]), ...dependents].flat()
}
