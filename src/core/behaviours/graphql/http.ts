import { GraphQLError, OperationTypeNode } from 'graphql'

import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import {
  andThen,
  type BodyStream,
  type MaybePromise,
  type MockResponse,
  tryOr,
} from '../../http/contract/messages.ts'
import { invalidBody, mediaType, readJson, readJsonBody } from '../../http/resource/body.ts'
import { parsePreferences } from '../../http/response/accept.ts'
import { createStream, streamHeaders } from '../../http/response/streams.ts'
import { wrongMethod } from '../../http/routing/wrong-method.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Clock } from '../../time/clock.ts'
import { repeat } from '../live/feed.ts'
import { type createPrepare, type Prepared, toRequestErrors } from './execute.ts'

/** Answers requests of GraphQL over HTTP, with persisted queries and lists of operations. */
export function createAnswer(
  prepare: ReturnType<typeof createPrepare>,
  clock: Clock,
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

  function runOne(exchange: Exchange, given: Json, isAlone = true): MaybePromise<Outcome> {
    return tryOr(() => {
      const { query, operationName = null, variables, extensions } = isRecord(given) ? given : {}
      if (typeof operationName !== 'string' && operationName !== null)
        throw wrongParameter('operationName')
      if (!isRecord(variables ?? {})) throw wrongParameter('variables')
      if (!isRecord(extensions ?? {})) throw wrongParameter('extensions')
      const { operation, run, follow } = prepare(
        toQuery(query, extensions),
        operationName ?? undefined,
      )
      const kind = operation?.operation ?? OperationTypeNode.QUERY
      if (exchange.method !== 'POST' && kind === OperationTypeNode.MUTATION) {
        throw wrongMethod(`run a ${kind} by GET`, ['POST', 'OPTIONS'])
      }
      const values = isRecord(variables) ? variables : {}
      if (kind === OperationTypeNode.SUBSCRIPTION) {
        if (isAlone && acceptsStream(exchange)) return openStream(exchange, values, follow)
        throw notAcceptable(exchange, `a subscription alone has ${eventType}`)
      }
      return andThen(run(values, exchange), (result): Outcome => ({ result }))
    }, toRefusal)
  }

  async function openStream(
    exchange: Exchange,
    variables: JsonRecord,
    follow: Prepared['follow'],
  ): Promise<Outcome> {
    const stream = createStream()
    const { errors, stops } = await follow(variables, exchange, (result) =>
      stream.write(toEvent(result)),
    )
    if (errors) return { result: { errors } }
    // Proxies pass the headers on with the first bytes.
    stream.write(':\n\n')
    for (const stop of [...stops, repeat(clock, 15_000, () => stream.write(':\n\n'))])
      stream.onEnd(stop)
    exchange.reasons.push('streams a subscription')
    return { result: {}, stream: stream.body }
  }

  /** Runs operations one after the other, as a later one may read what an earlier one wrote. */
  async function runAll(exchange: Exchange, given: readonly Json[]): Promise<Outcome> {
    const results: unknown[] = []
    if (given.length > 50) throw invalidBody('it has more than 50 operations', 'Please send fewer.')
    for (const one of given) results.push((await runOne(exchange, one, false)).result)
    return { result: results }
  }

  return (exchange) => {
    const type = chooseType(exchange)
    const runAny = (given: Json): MaybePromise<Outcome> =>
      Array.isArray(given) ? runAll(exchange, given) : runOne(exchange, given)
    const answered = tryOr(() => andThen(readParameters(exchange), runAny), toRefusal)
    return andThen(answered, ({ result, error, stream }) => {
      const body = JSON.stringify(result)
      if (stream || (type === eventType && !error)) {
        return { status: 200, headers: streamHeaders, body: stream ?? toEvent(body) + completed }
      }
      // A refused operation is 400 only with the media type that says so (GraphQL over HTTP §6.4).
      const isRefused = isRecord(result) && !('data' in result) && type === responseType
      return {
        status: error?.status ?? (isRefused ? 400 : 200),
        headers: [
          ...(error?.headers ?? []),
          ['Content-Type', `${type === eventType ? 'application/json' : type}; charset=utf-8`],
        ],
        body,
      }
    })
  }
}

/** The body of a response, and the error of a request that is none of GraphQL over HTTP. */
interface Outcome {
  result: unknown
  error?: MockError
  /** The results of a subscription. */
  stream?: BodyStream
}

function toRefusal(error: unknown): Outcome {
  const result = { errors: toRequestErrors(error) }
  return error instanceof MockError ? { result, error } : { result }
}

const responseType = 'application/graphql-response+json'
const eventType = 'text/event-stream'

/** Writes a result in the distinct connections mode of GraphQL over server-sent events. */
const toEvent = (result: string): string => `event: next\ndata: ${result}\n\n`
const completed = 'event: complete\ndata:\n\n'

/** Chooses the media type of the response: JSON, unless `Accept` has events alone. @throws MockError 406 */
function chooseType(exchange: Exchange): string {
  const { accept = '*/*' } = exchange.headers
  const known = [responseType, 'application/json', 'application/*', '*/*']
  const [best] = parsePreferences(accept)
    .filter(({ name, quality }) => quality > 0 && known.includes(name))
    .toSorted((one, other) => other.quality - one.quality)
  if (best) return best.name === responseType ? responseType : 'application/json'
  if (acceptsStream(exchange)) return eventType
  throw notAcceptable(exchange, `GraphQL has ${responseType}, application/json and ${eventType}`)
}

function acceptsStream({ headers: { accept = '*/*' } }: Exchange): boolean {
  return parsePreferences(accept).some(
    ({ name, quality }) => quality > 0 && [eventType, 'text/*', '*/*'].includes(name),
  )
}

function notAcceptable({ headers: { accept = '*/*' } }: Exchange, reason: string): MockError {
  return new MockError(`Failed to answer as "${accept}": ${reason}. Please accept it.`, {
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
