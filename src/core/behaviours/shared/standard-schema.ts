import { checkOptions, isCallable, isObject } from '../../errors/check.ts'
import type { Issue } from '../../errors/mock-error.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { invalid } from './invalid.ts'

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

/** Creates the hook that validates records to be written, by resource, and throws a MockError 422 with the issues. */
export function createValidation(
  validators: Readonly<Record<string, RecordValidator>>,
): (write: Write, exchange: Exchange) => MaybePromise<void> {
  return (write, exchange) => {
    const validate = ownValue(validators, write.resource.name)
    return validate && write.action !== 'remove'
      ? validateWrite(write, validate, exchange)
      : undefined
  }
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
export function checkStandard(name: string, { '~standard': own }: StandardSchema): void {
  checkOptions(`the validator of "${name}"`, { '~standard': own }, { '~standard': isObject })
  const validate: unknown = own.validate
  const subject = `the "~standard" of the validator of "${name}"`
  checkOptions(subject, { validate }, { validate: isCallable }, ['validate'])
}

/** Returns the validator of a Standard Schema for records. */
export function fromStandard({ '~standard': { validate } }: StandardSchema): RecordValidator {
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

/** Returns the JSON Schema of a validator that can describe itself. */
export function describeStandard({ '~standard': own }: StandardSchema): SchemaObject | undefined {
  try {
    // The stored record is the input of the validator, as its output is ignored.
    return own.jsonSchema?.input({ target: 'draft-2020-12' })
  } catch {
    // JSON Schema has no form for some validators, such as those that call a function.
    return undefined
  }
}
