import { type Issue, MockError } from '../../errors/mock-error.ts'
import { toToken } from '../../json/pointer.ts'
import { createCompiler } from './compile/compiler.ts'
import { maxIssues, type Run, type SchemaNode } from './compile/evaluation.ts'
import { SchemaError } from './compile/schema-error.ts'

export { SchemaError }

/**
 * Compiles schemas by name; a `$ref` finds others as `name.schema.json` or by `$id`. With a reference, compiles that part
 * of the schema: `#/components/schemas/Pet`. The function throws MockError.
 */
export function createJsonSchemas(
  schemas: Readonly<Record<string, unknown>>,
): (name: string, reference?: string) => JsonSchemaValidator {
  const compile = createCompiler(schemas)
  return (name, reference) => {
    try {
      const node = compile(name, reference)
      return (value) => validate(node, value)
    } catch (cause) {
      if (!(cause instanceof SchemaError)) throw cause
      const { resource, schemaPath, message } = cause
      const place = schemaPath.length > 0 ? ` at #/${schemaPath.map(toToken).join('/')}` : ''
      throw new MockError(`Failed to read the schema of "${resource}"${place}: ${message}`, {
        code: 'SCHEMA_INVALID',
        cause,
      })
    }
  }
}

/** Validates a value against a JSON Schema, and returns the issues. */
export type JsonSchemaValidator = (value: unknown) => Issue[]

function validate(node: SchemaNode, value: unknown): Issue[] {
  const issues: Issue[] = []
  const run: Run = { path: [], issues }
  try {
    node.validate(value, run, [node.location.resource], undefined)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [{ path: [], message: 'is nested too deeply to be validated' }]
  }
  return issues.length > maxIssues ? issues.slice(0, 1) : issues
}
