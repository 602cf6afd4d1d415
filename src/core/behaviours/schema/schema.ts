import { createJsonSchemas } from './json-schema.ts'
import { createSchema, type Schema, type Schemas } from './standard.ts'

/**
 * Validates every record before it is stored, by resource: with JSON Schema, or with a validator that
 * implements Standard Schema. A PATCH is validated as the whole record that results from the patch.
 * The output of a validator is ignored, so transformed values are not stored.
 * @throws MockError when a JSON Schema has a mistake
 * @example schema({ posts: { type: 'object', required: ['title'] }, users: z.object({ name: z.string() }) })
 */
export function schema(schemas: Schemas = {}): Schema {
  return createSchema(schemas, createJsonSchemas)
}
