import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql'

import { toMessage } from '../../errors/error-details.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import type { JsonRecord } from '../../json/json.ts'
import { type Api, type Context, readAgain } from './engine.ts'
import { createRecords, type Records } from './records.ts'

/** The limits of operations, so that none occupies the mock. */
export interface OperationLimits {
  /** How deep the fields of an operation may be nested. @default 25 */
  depth?: number
  /** The most fields of a response, those of each record counted. @default 300000 */
  fields?: number
}

/** The most tokens of a document, and the most fields, those of a fragment counted at each use. */
const [maxTokens, maxDocumentFields] = [20_000, 3000]

/** An operation of a valid document; missing if the document has none, or none of the name. */
export interface Prepared {
  operation: OperationDefinitionNode | null | undefined
  run(variables: JsonRecord, exchange: Exchange): MaybePromise<ExecutionResult>
  /** Runs a subscription at each of its events; the result has errors, or functions that end the subscription. */
  follow(
    variables: JsonRecord,
    exchange: Exchange,
    send: (result: string) => void,
  ): Promise<Pick<ExecutionResult, 'errors'> & Pick<Context, 'stops'>>
}

/**
 * Creates the function that parses and validates documents, and keeps the last valid ones. The function throws a
 * GraphQLError, or an AggregateError of several. `report` is notified of unexpected errors of fields.
 */
export function createPrepare(
  apiOf: () => Api,
  db: Records['db'],
  feed: Context['feed'],
  { depth = 25, fields: most = 300_000 }: OperationLimits,
  report: (error: unknown) => void,
): (query: string, operationName: string | undefined) => Prepared {
  const documents = new WeakMap<Api, Map<string, ReturnType<typeof read>>>()

  function read({ schema, toError = (error) => error }: Api, query: string) {
    const document = parse(query, { maxTokens })
    const { depthOf, allOf, fieldsOf } = measure(document)
    for (const one of document.definitions) {
      if (one.kind !== Kind.OPERATION_DEFINITION) continue
      const isDeep = depthOf(one.selectionSet) > depth
      if (isDeep) throw tooLarge(`its fields are nested deeper than ${depth}`)
      const isLarge = allOf(one.selectionSet) > maxDocumentFields
      if (isLarge) throw tooLarge(`it has more than ${maxDocumentFields} fields`)
    }
    const errors = validate(schema, document, undefined, { maxErrors: 20 })
    if (errors.length > 0) throw new AggregateError(errors.map((one) => toError(one, document)))
    return { document, fieldsOf }
  }

  function keep(api: Api, query: string): ReturnType<typeof read> {
    const known = documents.get(api) ?? new Map<string, ReturnType<typeof read>>()
    try {
      const valid = known.get(query) ?? read(api, query)
      if (known.size >= 500) known.clear()
      documents.set(api, known.set(query, valid))
      return valid
    } catch (error) {
      // The package recurses once for each level of a document.
      throw error instanceof RangeError ? tooLarge('it is nested too deep') : error
    }
  }

  return (query, operationName) => {
    const api = apiOf()
    const { document, fieldsOf } = keep(api, query)
    const { schema, resolveField: fieldResolver, resolveType: typeResolver } = api

    function createContext(exchange: Exchange, notify: Context['notify'] = () => undefined) {
      let spent = 0
      return {
        records: createRecords(exchange, db),
        spend(found, { fieldNodes }) {
          for (const { selectionSet } of fieldNodes) {
            const count = Array.isArray(found) ? found.length : 1
            if (selectionSet && found) spent += count * fieldsOf(selectionSet)
          }
          return spent <= most ? found : null
        },
        isSpent: () => spent > most,
        notify,
        feed,
        stops: [],
      } satisfies Context
    }

    function run(
      variableValues: JsonRecord,
      exchange: Exchange,
      rootValue?: JsonRecord,
    ): MaybePromise<ExecutionResult> {
      const contextValue = createContext(exchange)
      const values = { operationName, variableValues, contextValue, rootValue }
      const executed = execute({ schema, document, fieldResolver, typeResolver, ...values })
      return andThen(executed, ({ errors, ...result }): ExecutionResult => {
        const { toError } = api
        if (contextValue.isSpent()) {
          const error = tooLarge(`its response has more than ${most} fields`)
          return { errors: [toError?.(error) ?? error] }
        }
        if (!errors) return result
        const known = errors.map((one) => toKnown(one, report))
        return toError ? { errors: known.map((one) => toError(one)) } : { ...result, errors: known }
      })
    }

    const follow: Prepared['follow'] = async (variableValues, exchange, send) => {
      const due = new Set<JsonRecord>()
      let running = Promise.resolve()
      let last = ''
      async function runFor(event: JsonRecord): Promise<void> {
        due.delete(event)
        const result = JSON.stringify(await run(variableValues, exchange, event))
        if (event !== readAgain || result !== last) send(result)
        last = result
      }
      // An operation runs after the write of its event, and after the operations of earlier events.
      const contextValue = createContext(exchange, (event) => {
        if (due.has(event)) return
        due.add(event)
        running = running.then(() => runFor(event)).catch(report)
      })
      const values = { operationName, variableValues, contextValue }
      const subscribeFieldResolver = api.subscribeField
      const source = await createSourceEventStream({
        schema,
        document,
        subscribeFieldResolver,
        ...values,
      })
      const { stops } = contextValue
      if (!('errors' in source) || !source.errors) return { stops }
      return { stops, errors: source.errors.map((one) => toKnown(one, report)) }
    }
    return { operation: getOperationAST(document, operationName), run, follow }
  }
}

/** Counts the fields of selections, with those of their fragments, in time that is linear in the document. */
function measure(
  document: DocumentNode,
): Record<'depthOf' | 'allOf' | 'fieldsOf', (set: SelectionSetNode) => number> {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  )
  /** Counts once for each selection; a fragment that contains itself is refused by the validation. */
  const count = (
    join: (field: number, inner: number, before: number) => number,
  ): ((set: SelectionSetNode) => number) => {
    const known = new Map<SelectionSetNode, number>()
    return function visit(set) {
      if (!known.has(set)) {
        known.set(set, 0)
        let sum = 0
        for (const one of set.selections) {
          const inner =
            one.kind === Kind.FRAGMENT_SPREAD ? fragments.get(one.name.value) : one.selectionSet
          sum = join(Number(one.kind === Kind.FIELD), inner ? visit(inner) : 0, sum)
        }
        known.set(set, sum)
      }
      return known.get(set) ?? 0
    }
  }
  return {
    depthOf: count((field, inner, before) => Math.max(before, field + inner)),
    allOf: count((field, inner, before) => before + field + inner),
    fieldsOf: count((field, inner, before) => before + (field || inner)),
  }
}

function tooLarge(reason: string): GraphQLError {
  return new GraphQLError(`Failed to run the operation: ${reason}. Please ask for less.`, {
    extensions: { code: 'OPERATION_TOO_LARGE' },
  })
}

/** Adds the code, the status and the faults by field to the error of a refused read or write. */
function toKnown(error: GraphQLError, report: (error: unknown) => void): GraphQLError {
  const { originalError: cause, nodes = null, path = null } = error
  if (!cause || cause instanceof GraphQLError) return error
  const isExpected = cause instanceof MockError && cause.code !== 'CONFIG_INVALID'
  if (!isExpected) report(cause)
  const extensions = isExpected ? toExtensions(cause) : { code: 'INTERNAL_SERVER_ERROR' }
  return new GraphQLError(toMessage(cause), { nodes, path, extensions })
}

function toExtensions({ status, code, errors }: MockError): Record<string, unknown> {
  return { code: codes[status] ?? code, status, reason: code, ...(errors && { errors }) }
}

/** The codes that clients of GraphQL know. */
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
  if (error instanceof AggregateError) return error.errors.flatMap(toRequestErrors)
  if (error instanceof GraphQLError) return [error.toJSON()]
  if (!(error instanceof MockError)) throw error
  return [{ message: error.message, extensions: toExtensions(error) }]
}
