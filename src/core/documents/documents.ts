import type { MockInternals } from '../http/contract/internals.ts'
import { createFixtureShapes } from '../mock/shapes.ts'
import { type OpenApiOptions, toOpenApi } from '../openapi/to-openapi.ts'
import type { OpenApiDocument } from '../types/openapi.ts'
import type { SchemaObject } from '../types/json-schema.ts'
import { toElement } from '../shape/place.ts'
import { isRecord } from '../json/json.ts'
import { mapSubschemas } from '../json/subschemas.ts'
import type { Shape } from '../shape/shapes.ts'
import { toSchemaUri } from '../url/schema-uri.ts'
import { resolveUri, splitFragment } from '../url/uri.ts'

/** Returns the documents that describe a mock; a further document reads only the fixtures that have changed. */
export function documentsOf(mock: MockInternals): Documents {
  const known = documents.get(mock)
  if (known) return known
  const infer = createFixtureShapes(mock)
  const created: Documents = {
    openApi: (options) => toOpenApi(mock, infer(), options),
    schemaNames: () => infer().map(({ name }) => name),
    schema(name, toUrl) {
      const shapes = infer()
      const shape = shapes.find((one) => one.name === name)
      return shape && toSchemaDocument(shape, shapes, toUrl)
    },
    relations: () =>
      infer().flatMap(({ name, relations }) =>
        relations.map(({ place, to }) => ({
          from: name,
          field: place.filter((step) => step !== toElement).join('.'),
          to,
          isList: place.includes(toElement),
        })),
      ),
  }
  documents.set(mock, created)
  return created
}

/** The documents that describe a mock, made from its fixtures and its configuration as they are at the call. */
export interface Documents {
  /** Returns the OpenAPI document. */
  openApi(options?: OpenApiOptions): OpenApiDocument
  /** Returns the names of all resources; each has a schema. */
  schemaNames(): string[]
  /**
   * Returns the JSON Schema of a record of a collection, or of the value of another resource; undefined for an unknown
   * name. `toUrl` returns the URL of the schema of a resource.
   */
  schema(name: string, toUrl: (name: string) => string): SchemaObject | undefined
  /** Returns the fields whose values are ids of records. */
  relations(): FieldRelation[]
}

/** A field whose values are ids of the records of a collection. */
export interface FieldRelation {
  /** The resource with the field. */
  from: string
  /** The path of the field, with dots. */
  field: string
  /** The collection of the ids. */
  to: string
  /** Whether the field is, or is in, a list. */
  isList: boolean
}

const documents = new WeakMap<MockInternals, Documents>()

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
    // Strict validators refuse a keyword that JSON Schema does not have; OpenAPI has extensions.
    const {
      $ref,
      'x-references': _reference,
      'x-file': _file,
      ...rest
    } = mapSubschemas(part, convert)
    return typeof $ref === 'string' ? { $ref: toReference($ref), ...rest } : rest
  }

  return { $schema: dialect, $id: toUrl(name), title: name, ...(convert(keywords) as SchemaObject) }
}

const dialect = 'https://json-schema.org/draft/2020-12/schema'

type Described = Pick<Shape, 'name' | 'schema'>

/** Returns the URI against which the references of a schema are resolved. */
function toUri(described: Described): string {
  const { $id } = described.schema
  const file = toSchemaUri(described.name)
  return typeof $id === 'string' ? splitFragment(resolveUri($id, file))[0] : file
}
