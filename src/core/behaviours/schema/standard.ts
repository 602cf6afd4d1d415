import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { checkOptions, isCallable, isObject } from '../../errors/check.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Issue } from '../../errors/mock-error.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { RecordDescription } from '../../types/record-description.ts'
import { inPlaceSubschemas } from '../../json/in-place-subschemas.ts'
import { resolveLocal } from '../../json/local-reference.ts'
import type { Path } from '../../json/path.ts'
import { invalid } from '../shared/invalid.ts'
import { isOn, isWrite } from '../shared/coverage.ts'
import { checkByResource } from '../shared/resources.ts'

/** Creates the behaviour `schema`; `createCompile` creates the validators of JSON Schemas by resource. */
export function createSchema(
  schemas: Schemas,
  createCompile: (schemas: Readonly<Record<string, unknown>>) => (name: string) => RecordValidator,
): Schema {
  const checkStore = checkByResource('schema', schemas)
  const entries = Object.entries(schemas)
  for (const [name, one] of entries) if (isStandard(one)) checkStandard(name, one)
  const compile = createCompile(Object.fromEntries(entries.filter(([, one]) => !isStandard(one))))
  const validators: Record<string, RecordValidator> = Object.fromEntries(
    entries.map(([name, one]) => [name, isStandard(one) ? fromStandard(one) : compile(name)]),
  )
  return {
    name: 'schema',
    resources: Object.keys(schemas),
    validators,
    extend: (more) => createSchema({ ...schemas, ...more }, createCompile),
    create(world) {
      checkStore(world)
      return {
        check(write, exchange) {
          const validate = ownValue(validators, write.resource.name)
          if (!validate || write.action === 'remove') return undefined
          return validateWrite(write, validate, exchange)
        },
        describe: () => ({
          records: Object.fromEntries(entries.flatMap(describeRecords)),
          operation: (operation) =>
            isWrite(operation) && entries.some(([name]) => isOn(name, operation))
              ? { errors: { 422: 'A field is invalid.' } }
              : undefined,
        }),
      }
    },
  }
}

/** Schemas and validators by resource. */
export type Schemas = Readonly<Record<string, JsonSchema | StandardSchema>>

/** The behaviour that `schema` creates, with its validators by resource, which also check the fixtures. */
export interface Schema extends Behaviour {
  readonly validators: Readonly<Record<string, RecordValidator>>
  /** Creates the behaviour with further schemas. */
  extend(more: Schemas): Schema
}

/** Returns the issues of a record: the fields that are invalid, with a message for each. */
export type RecordValidator = (record: JsonRecord) => MaybePromise<readonly Issue[]>

/** The Standard Schema interface, version 1, of zod, valibot and ArkType: the members that `schema` reads. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly validate: (value: unknown) => MaybePromise<{
      readonly issues?: readonly StandardIssue[] | undefined
    }>
    /** Standard JSON Schema: the schemas of a validator that can describe itself. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => SchemaObject
    }
  }
}

interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

function describeRecords([name, one]: [string, JsonSchema | StandardSchema]): [
  string,
  RecordDescription,
][] {
  if (!isStandard(one)) return [[name, describe(one)]]
  try {
    // The stored record is the input of the validator, as its output is ignored.
    const schema = one['~standard'].jsonSchema?.input({ target: 'draft-2020-12' })
    return schema === undefined ? [] : [[name, describe(schema)]]
  } catch {
    // JSON Schema has no form for some validators, such as those that call a function.
    return []
  }
}

function describe(schema: JsonSchema): RecordDescription {
  return { schema, names: (path) => namesPath(schema, path) }
}

function validateWrite(
  write: Write,
  validate: RecordValidator,
  exchange: Exchange,
): MaybePromise<void> {
  const given = write.record ?? {}
  const idField = write.resource.kind === 'collection' ? write.resource.idField : undefined
  const lacksId = idField !== undefined && !Object.hasOwn(given, idField)
  // The store gives a new record its id later; the validator gets the id of another record until then.
  const record = lacksId ? { ...given, [idField]: borrowId(write, idField) } : given
  const issues = validate(record)
  const report = (found: readonly Issue[]): void => {
    const own = lacksId ? found.filter(({ path }) => path[0] !== idField) : found
    if (own.length > 0) throw invalid(write, own, exchange)
  }
  return andThen(issues, report)
}

function borrowId({ resource }: Write, idField: string): string | number {
  const [first] = resource.kind === 'collection' ? resource.records() : []
  return (first?.[idField] as string | number | undefined) ?? 1
}

/** Whether a schema is a validator that implements Standard Schema. */
export function isStandard(value: JsonSchema | StandardSchema | null): value is StandardSchema {
  const canHaveMembers = typeof value === 'object' || typeof value === 'function'
  return canHaveMembers && value !== null && '~standard' in value
}

/** @throws MockError when a validator cannot validate, as the first write would report */
function checkStandard(name: string, { '~standard': own }: StandardSchema): void {
  checkOptions(`the validator of "${name}"`, { '~standard': own }, { '~standard': isObject })
  const validate: unknown = own.validate
  const subject = `the "~standard" of the validator of "${name}"`
  checkOptions(subject, { validate }, { validate: isCallable }, ['validate'])
}

function fromStandard({ '~standard': { validate } }: StandardSchema): RecordValidator {
  const toIssues = (result: { issues?: readonly StandardIssue[] | undefined }): Issue[] =>
    (result.issues ?? []).map(({ path = [], message }) => ({ path: path.map(toStep), message }))
  return (record) => {
    const result = validate(record)
    return andThen(result, toIssues)
  }
}

function toStep(step: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof step === 'object' ? step.key : step
  return typeof key === 'number' ? key : String(key)
}

/** Whether a JSON Schema of records names the field at a path, or allows any name there. */
export function namesPath(root: unknown, path: Path): boolean {
  return names(root, 0, new Set())

  /** `visited` holds the schemas that apply to the same value. */
  function names(schema: unknown, depth: number, visited: Set<unknown>): boolean {
    const key = path[depth]
    if (key === undefined) return true
    if (!isRecord(schema) || visited.has(schema)) return false
    visited.add(schema)
    const { $ref, $dynamicRef, properties, patternProperties, additionalProperties } = schema
    // The fields of a map have any name.
    if ([patternProperties, additionalProperties].some(isRecord)) return true
    // The fields that another document names are unknown.
    if ($dynamicRef !== undefined) return true
    if (typeof $ref === 'string') {
      const target = resolveLocal($ref, root)
      if (target === undefined || names(target, depth, visited)) return true
    }
    if (isRecord(properties) && Object.hasOwn(properties, key)) {
      if (names(properties[key], depth + 1, new Set())) return true
    }
    const items = [schema['items'], schema['prefixItems']].flat()
    const isIndex = /^\d+$/.test(key)
    return (
      items.some((one) =>
        isIndex ? names(one, depth + 1, new Set()) : names(one, depth, visited),
      ) || inPlaceSubschemas(schema).some((one) => names(one, depth, visited))
    )
  }
}
