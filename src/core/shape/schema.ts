/** A JSON Schema (2020-12) that is an object. */
export type SchemaObject = { [keyword: string]: unknown }
