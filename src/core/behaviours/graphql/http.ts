import { GraphQLError, type GraphQLSchema, Kind, OperationTypeNode } from 'graphql'

import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import {
  andThen,
  type MaybePromise,
  type MockResponse,
  tryOr,
} from '../../http/contract/messages.ts'
import {
  checkCoding,
  invalidBody,
  mediaType,
  readJson,
  readJsonBody,
} from '../../http/resource/body.ts'
import { parsePreferences } from '../../http/response/accept.ts'
import { wrongMethod } from '../../http/routing/wrong-method.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import {
  type Parameters,
  type Prepare,
  type Prepared,
  run,
  type RunOptions,
  toRequestErrors,
} from './execute.ts'

/** Creates the answer to requests of GraphQL over HTTP, with persisted queries and lists of operations. */
export function createAnswer({ schemaOf, prepare, ...options }: AnswerOptions): AnswerOperations {
  const persisted = new Map<string, string>()

  /** Returns the query of the hash in the extensions, and keeps a query that comes with its hash. */
  function toQuery({ query, extensions }: JsonRecord): string {
    const stored = isRecord(extensions) ? ownValue(extensions, 'persistedQuery') : undefined
    const hash = isRecord(stored) ? ownValue(stored, 'sha256Hash') : undefined
    if (typeof hash === 'string' && query === undefined) {
      const known = persisted.get(hash)
      if (known !== undefined) return known
      throw new GraphQLError('PersistedQueryNotFound', {
        extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
      })
    }
    if (typeof query !== 'string') throw wrongParameter('"query" is no text')
    if (typeof hash === 'string') {
      if (persisted.size >= maxPersisted) persisted.clear()
      persisted.set(hash, query)
    }
    return query
  }

  function toParameters(given: Json): Parameters {
    if (!isRecord(given)) throw wrongParameter('it is no object')
    const { operationName = null, variables = null, extensions = null } = given
    if (typeof operationName !== 'string' && operationName !== null) {
      throw wrongParameter('"operationName" is no text')
    }
    if (!isRecord(variables) && variables !== null) throw wrongParameter('"variables" is no object')
    if (!isRecord(extensions) && extensions !== null) {
      throw wrongParameter('"extensions" is no object')
    }
    return {
      query: toQuery(given),
      operationName: operationName ?? undefined,
      variables: variables ?? undefined,
    }
  }

  async function runAll(exchange: Exchange, given: readonly Json[]): Promise<Outcome> {
    if (given.length > maxOperations) {
      throw wrongParameter(`it has more than ${maxOperations} operations`)
    }
    const results: unknown[] = []
    // A later operation may read what an earlier operation wrote.
    for (const one of given) results.push((await runOne(exchange, one)).result)
    return { result: results }
  }

  function runOne(exchange: Exchange, given: Json): MaybePromise<Outcome> {
    return tryOr(() => {
      const parameters = toParameters(given)
      const prepared = prepare(schemaOf(), parameters)
      if (exchange.method !== 'POST' && prepared.operation.operation !== OperationTypeNode.QUERY) {
        throw wrongMethod(`run a ${prepared.operation.operation} by GET`, ['POST', 'OPTIONS'])
      }
      exchange.reasons.push(describe(prepared))
      return andThen(run(prepared, parameters, exchange, options), (result): Outcome => ({
        result,
        isRefused: result.data === undefined,
      }))
    }, toRefusal)
  }

  return (exchange) => {
    const type = chooseType(exchange.headers['accept'])
    const answered = tryOr(
      () =>
        andThen(readParameters(exchange), (given) =>
          Array.isArray(given) ? runAll(exchange, given) : runOne(exchange, given),
        ),
      toRefusal,
    )
    return andThen(answered, (outcome) => toResponse(outcome, type))
  }
}

/** Answers the requests of a GraphQL endpoint. */
export type AnswerOperations = (exchange: Exchange) => MaybePromise<MockResponse>

/** The schema, the preparation of documents, and the options of runs. */
export interface AnswerOptions extends RunOptions {
  schemaOf(): GraphQLSchema
  prepare: Prepare
}

/** The most persisted queries. */
const maxPersisted = 1000

/** The most operations of one request. */
const maxOperations = 50

/** The body of a response. */
interface Outcome {
  result: unknown
  /** Whether the operation was not run, as its document or its variables are wrong. */
  isRefused?: boolean
  /** The error of a request that is none of GraphQL over HTTP. */
  error?: MockError
}

function toRefusal(error: unknown): Outcome {
  const result = { errors: toRequestErrors(error) }
  return error instanceof MockError ? { result, error } : { result, isRefused: true }
}

const responseType = 'application/graphql-response+json'

/** Of refused operations, the status is 400 only with the media type that says so (GraphQL over HTTP §6.4). */
function toResponse({ result, isRefused, error }: Outcome, type: string): MockResponse {
  const refusedStatus = isRefused && type === responseType ? 400 : 200
  return {
    status: error?.status ?? refusedStatus,
    headers: [...(error?.headers ?? []), ['Content-Type', `${type}; charset=utf-8`]],
    body: JSON.stringify(result),
  }
}

/** Chooses the media type of the response, `application/json` unless `Accept` prefers the other. @throws MockError 406 */
function chooseType(accept = '*/*'): string {
  const types = new Map([
    [responseType, responseType],
    ...['application/json', 'application/*', '*/*'].map(
      (one) => [one, 'application/json'] as const,
    ),
  ])
  const [best] = parsePreferences(accept)
    .filter(({ name, quality }) => quality > 0 && types.has(name))
    .toSorted((one, other) => other.quality - one.quality)
  const type = best && types.get(best.name)
  if (type !== undefined) return type
  throw new MockError(
    `Failed to answer as "${accept}": GraphQL has ${responseType} and application/json. Please accept one.`,
    { status: 406, code: 'NOT_ACCEPTABLE' },
  )
}

function readParameters(exchange: Exchange): MaybePromise<Json> {
  const { method, params, request, service } = exchange
  if (method !== 'POST') {
    const texts = Object.fromEntries(params)
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        name === 'variables' || name === 'extensions' ? readJson(text, service.limits) : text,
      ]),
    )
  }
  checkCoding(request)
  const type = mediaType(request)
  if (type === 'application/json') return readJsonBody(exchange)
  throw new MockError(
    `Failed to read the body: "${type ?? ''}" is not supported. Please send application/json.`,
    { status: 415, code: 'TYPE_UNSUPPORTED', headers: [['Accept', 'application/json']] },
  )
}

function wrongParameter(reason: string): MockError {
  return invalidBody(reason, 'Please send { "query": "{ … }" }.')
}

/** Describes an operation for the log: `query GetPosts: allPosts, User`. */
function describe({ operation: { operation, name, selectionSet } }: Prepared): string {
  const fields = selectionSet.selections.map((one) =>
    one.kind === Kind.FIELD ? one.name.value : '…',
  )
  return `${operation}${name ? ` ${name.value}` : ''}: ${fields.slice(0, 5).join(', ')}`
}
