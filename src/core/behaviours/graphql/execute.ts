import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  validate,
  validateSchema,
} from 'graphql'

import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Context } from './fields.ts'
import {
  checkSize,
  createBudget,
  maxTokens,
  measure,
  type Measure,
  type OperationLimits,
  refuseDeep,
} from './limits.ts'
import { createRecords } from './records.ts'

/** The parameters of a request (GraphQL over HTTP §5). */
export interface Parameters {
  query: string
  operationName?: string | undefined
  variables?: JsonRecord | undefined
}

/** An operation of a valid document. */
export interface Prepared {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  size: Measure
}

/** Creates a function that parses and validates documents. The last valid documents of a schema are kept. */
export function createPrepare(limits: OperationLimits): Prepare {
  const known = new WeakMap<GraphQLSchema, Map<string, Valid>>()

  function validated(schema: GraphQLSchema, query: string): Valid {
    const documents = known.get(schema) ?? new Map<string, Valid>()
    known.set(schema, documents)
    const before = documents.get(query)
    if (before) return before
    const invalid = documents.size === 0 ? validateSchema(schema) : []
    if (invalid.length > 0) throw new RequestErrors(invalid)
    const document = parse(query, { maxTokens })
    const size = measure(document)
    checkSize(size, limits)
    const errors = validate(schema, document, undefined, { maxErrors: 20 })
    if (errors.length > 0) throw new RequestErrors(errors)
    if (documents.size >= maxDocuments) documents.clear()
    const valid = { document, size }
    documents.set(query, valid)
    return valid
  }

  return (schema, { query, operationName }) => {
    const { document, size } = refuseDeep(() => validated(schema, query))
    const operation = getOperationAST(document, operationName)
    if (operation) return { schema, document, operation, size }
    throw new GraphQLError(
      operationName === undefined
        ? 'Failed to choose an operation: the document has several, or none. Please send "operationName".'
        : `Failed to find the operation "${operationName}" in the document.`,
    )
  }
}

/** Prepares the operation of a request. @throws GraphQLError or RequestErrors, of which the response has no data */
export type Prepare = (schema: GraphQLSchema, parameters: Parameters) => Prepared

interface Valid {
  document: DocumentNode
  size: Measure
}

const maxDocuments = 500

/** Several errors of a request. */
export class RequestErrors extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super(errors.map(({ message }) => message).join('\n'))
    this.errors = errors
  }
}

/** Runs an operation. `report` is called for errors that no code expected, and returns the text for the client. */
export function run(
  { schema, document, size }: Prepared,
  { operationName, variables }: Parameters,
  exchange: Exchange,
  { limits, report }: RunOptions,
): MaybePromise<ExecutionResult> {
  const budget = createBudget(size, limits)
  const contextValue: Context = { records: createRecords(exchange), spend: budget.spend }
  const executed = execute({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue,
  })
  return andThen(executed, (result): ExecutionResult => {
    const exceeded = budget.error()
    if (exceeded) return { errors: [exceeded] }
    if (!result.errors) return result
    return { ...result, errors: result.errors.map((error) => toKnown(error, report)) }
  })
}

/** The limits of operations, and the report of unexpected errors. */
export interface RunOptions {
  limits: OperationLimits
  report(error: unknown): string
}

/** Adds the code and the faults of a refused write or read to its error; hides the text of an unexpected error. */
function toKnown(error: GraphQLError, report: RunOptions['report']): GraphQLError {
  const { originalError: cause, nodes = null, path = null } = error
  if (!cause || cause instanceof GraphQLError) return error
  const options = { nodes, path }
  return cause instanceof MockError && cause.code !== 'CONFIG_INVALID'
    ? new GraphQLError(cause.message, { ...options, extensions: toExtensions(cause) })
    : new GraphQLError(report(cause), {
        ...options,
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      })
}

/** Returns the extensions of an error: the code that clients of GraphQL know, the status, and the faults by field. */
export function toExtensions({ status, code, errors }: MockError): Record<string, unknown> {
  return { code: codes[status] ?? code, status, reason: code, ...(errors && { errors }) }
}

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'BAD_USER_INPUT',
}

/** Returns the errors of a request that was not run. @throws any other error */
export function toRequestErrors(error: unknown): GraphQLFormattedError[] {
  if (error instanceof RequestErrors) return error.errors.map((one) => one.toJSON())
  if (error instanceof GraphQLError) return [error.toJSON()]
  if (error instanceof MockError) {
    return [{ message: error.message, extensions: toExtensions(error) }]
  }
  throw error
}
