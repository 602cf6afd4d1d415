/** A JSON Schema that is an object of keywords: `{ type: 'string', maxLength: 9 }`. */
export type SchemaObject = Readonly<Record<string, unknown>>

/**
 * A JSON Schema: an object, or a boolean that allows every value or no value. `$schema` selects draft 4, 6,
 * 7, 2019-09 or 2020-12; the default is 2020-12.
 */
export type JsonSchema = boolean | SchemaObject
