import type { SchemaError } from '../core/behaviours/schema/json-schema.ts'
import type { Schema } from '../core/behaviours/schema/schema.ts'
import type { RecordValidator } from '../core/behaviours/shared/standard-schema.ts'
import type { Issue } from '../core/errors/mock-error.ts'
import { idFieldOf, type IdOption } from '../core/fixtures/id-field.ts'
import type { Behaviour } from '../core/http/contract/behaviour.ts'
import { isRecord, type Json, ownValue } from '../core/json/json.ts'
import type { Diagnostic, Source } from '../core/fixtures/source.ts'
import { diagnose } from '../loader/check/diagnose.ts'
import { firstOfEach, type Problem } from '../loader/check/problem.ts'
import type { LoadResult } from '../loader/load.ts'
import { keysTo, type LoadedFile, readText } from '../loader/read/read-file.ts'
import { filesOf } from './load-mock.ts'

/** Validates records by `posts.schema.json` and the behaviour `schema`; ignores id fields, which loading adds. */
export async function checkRecords(
  { files, schemas }: Pick<LoadResult, 'files' | 'schemas'>,
  { id, use = [], names, maxReported }: RecordCheckOptions,
): Promise<Diagnostic[]> {
  const behaviours = use.filter(isSchema)
  if (Object.keys(schemas).length + behaviours.length === 0) return []
  const { createJsonSchemas, SchemaError } =
    await import('../core/behaviours/schema/json-schema.ts')
  const compile = createJsonSchemas(schemas)
  const originsOf = (name: string): Origin[] => [
    ...(Object.hasOwn(schemas, name) ? [[compile(name), `${name}.schema.json`] as const] : []),
    ...behaviours.flatMap(({ validators }): Origin[] => {
      const validate = ownValue(validators, name)
      return validate ? [[validate, 'schema']] : []
    }),
  ]
  const diagnostics: Diagnostic[] = []
  const invalidSchemas = new Set<string>()
  const report = async (file: LoadedFile, problems: readonly Problem[]): Promise<void> => {
    if (problems.length > 0) diagnostics.push(...diagnose(file, problems, await readText(file)))
  }
  for (const file of files.values()) {
    if (file.scenario !== undefined) continue
    for (const source of file.sources.filter(({ name }) => names?.has(name) ?? true)) {
      try {
        for (const origin of originsOf(source.name)) {
          await report(
            file,
            await findInvalid(source, keysTo(file, source), origin, id, maxReported),
          )
        }
      } catch (error) {
        const { cause } = error as { cause?: unknown }
        if (!(cause instanceof SchemaError)) throw error
        // A schema to which other schemas refer fails with each of these schemas.
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

/** The options of {@link checkRecords}: the ids and behaviours of the mock, and how much to check and report. */
export interface RecordCheckOptions {
  id?: IdOption | undefined
  /** The behaviours, of which each `schema` also validates the fixtures. */
  use?: readonly Behaviour[] | undefined
  /** The resources to check. @default all */
  names?: ReadonlySet<string>
  /** How many records of a resource are reported one by one. @default 10 */
  maxReported?: number
}

/** A validator of the records of a resource, and the name of its origin for messages. */
type Origin = readonly [validate: RecordValidator, origin: string]

function isSchema(behaviour: Behaviour): behaviour is Schema {
  return 'validators' in behaviour
}

function findSchema(files: Iterable<LoadedFile>, resource: string): LoadedFile | undefined {
  return [...files].find(
    ({ kind, name, scenario }) => kind === 'schema' && name === resource && scenario === undefined,
  )
}

async function findInvalid(
  { name, value }: Source,
  root: readonly string[],
  [validate, origin]: Origin,
  id: IdOption | undefined,
  maxReported: number | undefined,
): Promise<Problem[]> {
  const records: (readonly [path: readonly (string | number)[], record: Json])[] = Array.isArray(
    value,
  )
    ? value.map((record, at) => [[at], record])
    : [[[], value]]
  const idField = Array.isArray(value) ? idFieldOf(id, name) : undefined
  const invalid: { issue: Issue; path: (string | number)[] }[] = []
  for (const [keys, record] of records) {
    if (!isRecord(record)) continue
    const found = validate(record)
    const issues = found instanceof Promise ? await found : found
    const issue = issues.find(({ path }) => idField === undefined || path[0] !== idField)
    if (issue) invalid.push({ issue, path: [...root, ...keys, ...issue.path] })
  }
  const problems = invalid.map(({ issue, path }): Problem => {
    const field = issue.path.length > 0 ? `"${issue.path.join('.')}"` : 'a record'
    const problem = `${field} ${issue.message}, as "${origin}" says`
    return {
      severity: 'warning',
      path,
      problem,
      advice: 'Please correct the record or the schema.',
    }
  })
  return firstOfEach(problems, undefined, maxReported)
}

function toProblem({ message, schemaPath, keywordPath }: SchemaError): Problem {
  const [, problem = '', advice = 'Please correct the schema.'] =
    /^(.*?)\.?(?: ((?:Did you mean|Please) .*))?$/s.exec(message) ?? []
  return { severity: 'error', path: [...schemaPath, ...keywordPath], problem, advice }
}

/** Creates a search for fixture records that break their schemas, which returns each problem once. */
export function createInvalidRecords(
  mock: object,
): (names?: ReadonlySet<string>) => Promise<Diagnostic[]> {
  const loaded = filesOf(mock)
  let known: Diagnostic[] = []
  return async (names) => {
    if (!loaded) return []
    const { id, use } = loaded.config
    const files = loaded.source.scanner.current()
    const found = await checkRecords(files, {
      id,
      use,
      maxReported: MAX_REPORTED,
      ...(names && { names }),
    })
    const texts = new Set(known.map((problem) => JSON.stringify(problem)))
    const isChecked = ({ file }: Diagnostic): boolean =>
      !names ||
      [...files.files.values()].some(
        ({ label, sources }) => label === file && sources.some(({ name }) => names.has(name)),
      )
    known = [...known.filter((problem) => !isChecked(problem)), ...found]
    return found.filter((problem) => !texts.has(JSON.stringify(problem)))
  }
}

/** The most invalid records of a resource that a server reports one by one. */
const MAX_REPORTED = 5
