import { GraphQLError, OperationTypeNode } from 'graphql'

import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import {
  andThen,
  type MaybePromise,
  type MockResponse,
  tryOr,
} from '../../http/contract/messages.ts'
import { invalidBody, mediaType, readJson, readJsonBody } from '../../http/resource/body.ts'
import { parsePreferences } from '../../http/response/accept.ts'
import { wrongMethod } from '../../http/routing/wrong-method.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import { type createPrepare, toRequestErrors } from './execute.ts'

/** Answers requests of GraphQL over HTTP, with persisted queries and lists of operations. */
export function createAnswer(
  prepare: ReturnType<typeof createPrepare>,
): (exchange: Exchange) => MaybePromise<MockResponse> {
  const persisted = new Map<string, string>()

  /** Returns the query of the hash in the extensions, and keeps a query that comes with its hash. */
  function toQuery(query: Json | undefined, extensions: Json | undefined): string {
    const stored = isRecord(extensions) ? ownValue(extensions, 'persistedQuery') : undefined
    const hash = isRecord(stored) ? ownValue(stored, 'sha256Hash') : undefined
    if (typeof query === 'string' && typeof hash === 'string') {
      if (persisted.size >= 1000) persisted.clear()
      persisted.set(hash, query)
    }
    if (typeof query === 'string') return query
    if (typeof hash !== 'string') throw wrongParameter('query')
    const known = persisted.get(hash)
    if (known !== undefined) return known
    throw new GraphQLError('PersistedQueryNotFound', {
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
    })
  }

  function runOne(exchange: Exchange, given: Json): MaybePromise<Outcome> {
    return tryOr(() => {
      const { query, operationName = null, variables, extensions } = isRecord(given) ? given : {}
      if (typeof operationName !== 'string' && operationName !== null)
        throw wrongParameter('operationName')
      if (!isRecord(variables ?? {})) throw wrongParameter('variables')
      if (!isRecord(extensions ?? {})) throw wrongParameter('extensions')
      const { operation, run } = prepare(toQuery(query, extensions), operationName ?? undefined)
      const kind = operation?.operation ?? OperationTypeNode.QUERY
      if (exchange.method !== 'POST' && kind !== OperationTypeNode.QUERY) {
        throw wrongMethod(`run a ${kind} by GET`, ['POST', 'OPTIONS'])
      }
      const ran = run(isRecord(variables) ? variables : {}, exchange)
      return andThen(ran, (result): Outcome => ({ result }))
    }, toRefusal)
  }

  /** Runs operations one after the other, as a later one may read what an earlier one wrote. */
  async function runAll(exchange: Exchange, given: readonly Json[]): Promise<Outcome> {
    const results: unknown[] = []
    if (given.length > 50) throw invalidBody('it has more than 50 operations', 'Please send fewer.')
    for (const one of given) results.push((await runOne(exchange, one)).result)
    return { result: results }
  }

  return (exchange) => {
    const type = chooseType(exchange.headers['accept'])
    const runAny = (given: Json): MaybePromise<Outcome> =>
      Array.isArray(given) ? runAll(exchange, given) : runOne(exchange, given)
    const answered = tryOr(() => andThen(readParameters(exchange), runAny), toRefusal)
    return andThen(answered, ({ result, error }) => {
      // A refused operation is 400 only with the media type that says so (GraphQL over HTTP §6.4).
      const isRefused = isRecord(result) && !('data' in result) && type === responseType
      return {
        status: error?.status ?? (isRefused ? 400 : 200),
        headers: [...(error?.headers ?? []), ['Content-Type', `${type}; charset=utf-8`]],
        body: JSON.stringify(result),
      }
    })
  }
}

/** The body of a response, and the error of a request that is none of GraphQL over HTTP. */
interface Outcome {
  result: unknown
  error?: MockError
}

function toRefusal(error: unknown): Outcome {
  const result = { errors: toRequestErrors(error) }
  return error instanceof MockError ? { result, error } : { result }
}

const responseType = 'application/graphql-response+json'

/** Chooses the media type of the response, `application/json` unless `Accept` prefers the other. @throws MockError 406 */
function chooseType(accept = '*/*'): string {
  const known = [responseType, 'application/json', 'application/*', '*/*']
  const [best] = parsePreferences(accept)
    .filter(({ name, quality }) => quality > 0 && known.includes(name))
    .toSorted((one, other) => other.quality - one.quality)
  if (best) return best.name === responseType ? responseType : 'application/json'
  const reason = `GraphQL has ${responseType} and application/json. Please accept one`
  throw new MockError(`Failed to answer as "${accept}": ${reason}.`, {
    status: 406,
    code: 'NOT_ACCEPTABLE',
  })
}

function readParameters(exchange: Exchange): MaybePromise<Json> {
  const { method, params, request, service } = exchange
  if (method !== 'POST') {
    const isJson = (name: string): boolean => name === 'variables' || name === 'extensions'
    return Object.fromEntries(
      params.map(([name, text]) => [name, isJson(name) ? readJson(text, service.limits) : text]),
    )
  }
  const type = mediaType(request)
  if (type === 'application/json') return readJsonBody(exchange)
  throw new MockError(
    `Failed to read the body: "${type ?? ''}" is not supported. Please send application/json.`,
    { status: 415, code: 'TYPE_UNSUPPORTED', headers: [['Accept', 'application/json']] },
  )
}

function wrongParameter(name: string): MockError {
  return invalidBody(`"${name}" is missing or of a wrong type`, 'Please send { "query": "{ … }" }.')
}
