type Path = readonly (string | number)[]

/** A mistake in a JSON Schema. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  /** The name of the resource whose schema has the mistake. */
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

/** A schema that overflows the stack is too deep, or an object that contains itself. */
export function toSchemaError(resource: string, error: unknown): SchemaError {
  if (error instanceof SchemaError) return error
  if (!(error instanceof RangeError)) throw error
  return new SchemaError(resource, [], 'it is nested too deeply. Please give plain JSON.')
}
