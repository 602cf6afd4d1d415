import type { Path } from '../json/path.ts'
import type { JsonSchema, SchemaObject } from './json-schema.ts'

/**
 * A description of the records of a resource, which the hook `describe` of a behaviour returns: how records are
 * stored, what a request may leave out, and which values are unique. Types and API documents are made from the
 * descriptions of all behaviours.
 */
export interface RecordDescription {
  /** A schema of the stored records. It decides about every field that it names. */
  schema?: JsonSchema
  /** Whether the schema names the field at a path, or allows fields of any name there. */
  names?(path: Path): boolean
  /** The descriptions of single fields, by name. */
  fields?: Readonly<Record<string, FieldDescription>>
  /** Groups of fields whose values no two records share. */
  unique?: readonly (readonly string[])[]
}

/** Describes a field of records for a behaviour. */
export interface FieldDescription {
  /** Keywords of JSON Schema: `{ readOnly: true }`. Keywords with a type replace what is known of the field. */
  schema?: SchemaObject
  /** Whether a record without the field is refused. */
  isRequired?: boolean
  /** Whether the mock sets the field if a new record lacks it. */
  isFilled?: boolean
  /** The schemas of values that the mock itself sets at times, besides values that requests give. */
  values?: readonly SchemaObject[]
  /** The resource whose ids the mock sets at times. */
  idsOf?: string
}
