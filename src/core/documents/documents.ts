import type { MockInternals } from '../http/contract/internals.ts'
import { createFixtureShapes } from '../mock/shapes.ts'
import { type OpenApiOptions, toOpenApi } from '../openapi/to-openapi.ts'
import type { OpenApiDocument } from '../types/openapi.ts'
import type { SchemaObject } from '../types/json-schema.ts'
import { toElement } from '../shape/place.ts'
import { toSchemaDocument } from './schema-document.ts'

/**
 * Returns the documents that describe a mock: its OpenAPI document, its JSON Schemas and its relations. A
 * further document reads only the fixtures that have changed.
 */
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
