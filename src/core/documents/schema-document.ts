import { isRecord } from '../json/json.ts'
import { mapSubschemas } from '../json/subschemas.ts'
import type { Shape } from '../shape/shapes.ts'
import type { SchemaObject } from '../types/json-schema.ts'
import { toSchemaUri } from '../url/schema-uri.ts'
import { resolveUri, splitFragment } from '../url/uri.ts'

/**
 * Makes a JSON Schema document of the schema of a resource, which editors and validators can load by URL: with
 * `$schema`, with the URL of the document as `$id`, and with the URLs of other documents in references to the
 * schemas of other resources, such as `users.schema.json`.
 */
export function toSchemaDocument(
  { name, schema }: Described,
  all: readonly Described[],
  toUrl: (name: string) => string,
): SchemaObject {
  const { $schema: _schema, $id: _id, ...keywords } = schema
  const own = toUri({ name, schema })
  const urls = new Map(
    all.flatMap((one) =>
      [toSchemaUri(one.name), toUri(one)].map((uri) => [uri, toUrl(one.name)] as const),
    ),
  )

  function toReference(reference: string): string {
    if (reference.startsWith('#')) return reference
    const [uri, fragment] = splitFragment(resolveUri(reference, own))
    const url = urls.get(uri)
    return url === undefined ? reference : `${url === toUrl(name) ? '' : url}#${fragment}`
  }

  function convert(part: unknown): unknown {
    // References below another `$id` are relative to that.
    if (!isRecord(part) || part['$id'] !== undefined) return part
    const { $ref, ...rest } = mapSubschemas(part, convert)
    return typeof $ref === 'string' ? { $ref: toReference($ref), ...rest } : rest
  }

  return { $schema: dialect, $id: toUrl(name), title: name, ...(convert(keywords) as SchemaObject) }
}

/** The version of JSON Schema of the schemas. */
const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** A resource and its schema. */
type Described = Pick<Shape, 'name' | 'schema'>

/** Returns the URI against which the references of a schema are resolved. */
function toUri(described: Described): string {
  const { $id } = described.schema
  const file = toSchemaUri(described.name)
  return typeof $id === 'string' ? splitFragment(resolveUri($id, file))[0] : file
}
