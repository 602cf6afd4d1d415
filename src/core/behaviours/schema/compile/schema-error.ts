type Path = readonly (string | number)[]

/** The error for a mistake in a JSON Schema, with its resource and the keys that lead to it. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly resource: string
  /** The keys that lead to the schema with the mistake. */
  readonly schemaPath: Path
  /** The keys that lead on to the keyword with the mistake. */
  readonly keywordPath: Path

  constructor(resource: string, schemaPath: Path, message: string, keywordPath: Path = []) {
    super(message)
    this.resource = resource
    this.schemaPath = schemaPath
    this.keywordPath = keywordPath
  }
}

/** Converts a stack overflow to a SchemaError: the schema is nested too deeply, or contains itself. */
export function toSchemaError(resource: string, error: unknown): SchemaError {
  if (error instanceof SchemaError) return error
  if (!(error instanceof RangeError)) throw error
  return new SchemaError(resource, [], 'it is nested too deeply. Please give plain JSON.')
}
