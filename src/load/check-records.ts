import type { JsonSchemaValidator, SchemaError } from '../core/behaviours/schema/json-schema.ts'
import { idFieldOf, type IdOption } from '../core/fixtures/id-field.ts'
import { isRecord, type Json } from '../core/json/json.ts'
import type { Diagnostic, Source } from '../core/fixtures/source.ts'
import { diagnose } from '../loader/check/diagnose.ts'
import type { LoadResult } from '../loader/load.ts'
import { keysTo, type LoadedFile, readText } from '../loader/read/read-file.ts'
import type { Problem } from '../loader/check/shape.ts'

/**
 * Validates fixture records against their JSON Schema, such as `posts.schema.json` for `posts`. Returns
 * warnings for at most ten invalid records of a resource, and errors for invalid schemas. Problems with the
 * id field of a collection are ignored, because loading adds missing ids.
 */
export async function checkRecords(
  { files, schemas }: Pick<LoadResult, 'files' | 'schemas'>,
  id: IdOption | undefined,
): Promise<Diagnostic[]> {
  if (Object.keys(schemas).length === 0) return []
  const { createJsonSchemas, SchemaError } =
    await import('../core/behaviours/schema/json-schema.ts')
  const compile = createJsonSchemas(schemas)
  const diagnostics: Diagnostic[] = []
  const invalidSchemas = new Set<string>()
  const report = async (file: LoadedFile, problems: readonly Problem[]): Promise<void> => {
    if (problems.length > 0) diagnostics.push(...diagnose(file, problems, await readText(file)))
  }
  for (const file of files.values()) {
    if (file.scenario !== undefined) continue
    for (const source of file.sources.filter(({ name }) => Object.hasOwn(schemas, name))) {
      try {
        const validate = compile(source.name)
        await report(file, findInvalid(source, keysTo(file, source), validate, id))
      } catch (error) {
        const { cause } = error as { cause?: unknown }
        if (!(cause instanceof SchemaError)) throw error
        // A schema that others refer to fails with each of them.
        if (invalidSchemas.has(cause.resource)) continue
        invalidSchemas.add(cause.resource)
        const own = findSchema(files.values(), cause.resource)
        if (!own) throw error
        await report(own, [toProblem(cause)])
      }
    }
  }
  return diagnostics
}

function findSchema(files: Iterable<LoadedFile>, resource: string): LoadedFile | undefined {
  return [...files].find(
    ({ kind, name, scenario }) => kind === 'schema' && name === resource && scenario === undefined,
  )
}

const MAX_INVALID = 10

function findInvalid(
  { name, value }: Source,
  root: readonly string[],
  validate: JsonSchemaValidator,
  id: IdOption | undefined,
): Problem[] {
  const records: (readonly [path: readonly (string | number)[], record: Json])[] = Array.isArray(
    value,
  )
    ? value.map((record, at) => [[at], record])
    : [[[], value]]
  const idField = Array.isArray(value) ? idFieldOf(id, name) : undefined
  const invalid = records.flatMap(([keys, record]) => {
    if (!isRecord(record)) return []
    const isIdAtFault = (path: readonly unknown[]): boolean =>
      idField !== undefined && path[0] === idField
    const [issue] = validate(record).filter(({ path }) => !isIdAtFault(path))
    return issue ? [{ issue, path: [...root, ...keys, ...issue.path] }] : []
  })
  return invalid.slice(0, MAX_INVALID).map(({ issue, path }, at): Problem => {
    const more =
      at === MAX_INVALID - 1 && invalid.length > MAX_INVALID
        ? ` (and ${invalid.length - MAX_INVALID} more)`
        : ''
    const field = issue.path.length > 0 ? `"${issue.path.join('.')}"` : 'a record'
    return {
      severity: 'warning',
      path,
      problem: `${field} ${issue.message}, as "${name}.schema.json" says${more}`,
      advice: 'Please correct the record or the schema.',
    }
  })
}

function toProblem({ message, schemaPath, keywordPath }: SchemaError): Problem {
  const [, problem = '', advice = 'Please correct the schema.'] =
    /^(.*?)\.?(?: ((?:Did you mean|Please) .*))?$/s.exec(message) ?? []
  return { severity: 'error', path: [...schemaPath, ...keywordPath], problem, advice }
}
