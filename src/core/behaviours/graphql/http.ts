import { GraphQLError, OperationTypeNode } from 'graphql'

import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { Limits } from '../../http/contract/limits.ts'
import {
  andThen,
  type BodyStream,
  type FormField,
  type MaybePromise,
  type MockResponse,
  tryOr,
} from '../../http/contract/messages.ts'
import {
  checkCoding,
  invalidBody,
  mediaType,
  noteBody,
  readJson,
  readJsonBody,
  unread,
} from '../../http/resource/body.ts'
import { parsePreferences } from '../../http/response/accept.ts'
import { createStream, streamHeaders } from '../../http/response/streams.ts'
import { wrongMethod } from '../../http/routing/wrong-method.ts'
import { define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
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

/** Reads the parameters of a request, or its list of operations. @throws MockError 400, 415 */
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
  if (type === formType) {
    return andThen(request.form(service.limits.maxBody), () => exchange.body ?? null)
  }
  throw new MockError(
    `Failed to read the body: "${type ?? ''}" is not supported. Please send application/json.`,
    {
      status: 415,
      code: 'TYPE_UNSUPPORTED',
      headers: [['Accept', `application/json, ${formType}`]],
    },
  )
}

const formType = 'multipart/form-data'

/** Notes the operation of a body, of JSON or of a form with files; `readParameters` reports what is wrong. */
export function noteOperation(exchange: Exchange): MaybePromise<void> {
  const { request, method, headers, service } = exchange
  if (method !== 'POST' || mediaType(request) !== formType) return noteBody(exchange)
  const read = (): MaybePromise<FormField[]> => {
    checkCoding(request)
    const isAsked = headers['apollo-require-preflight'] ?? headers['x-apollo-operation-name']
    if (isAsked) return request.form(service.limits.maxBody)
    // Without such a header, a page of another site can send a form without a preflight.
    throw invalidBody(
      'a form can come from any site',
      'Please add the header "Apollo-Require-Preflight: true".',
    )
  }
  const keep = (form: () => FormField[]): void => {
    exchange.request = { ...request, ...unread, form }
  }
  const note = (fields: FormField[]): void => {
    exchange.body = readUploads(fields, service.limits)
    keep(() => fields)
  }
  return tryOr(
    () => andThen(read(), note),
    (error) =>
      keep(() => {
        throw error as Error
      }),
  )
}

/** Puts the files of a form into its operations (GraphQL multipart request specification). */
function readUploads(fields: readonly FormField[], limits: Limits): Json {
  const parts = new Map(fields)
  const [operations, map] = ['operations', 'map'].map((name) => {
    const text = parts.get(name)
    if (typeof text !== 'string') throw wrongForm(`it has no field "${name}"`)
    return readJson(text, limits)
  })
  for (const [name, paths] of Object.entries(isRecord(map) ? map : {})) {
    const file = parts.get(name)
    if (file === undefined || typeof file === 'string') throw wrongForm(`it has no file "${name}"`)
    for (const path of [paths].flat().map(scalarText)) {
      const keys = path.split('.')
      const last = keys.pop() ?? ''
      const step = (from: Json | undefined, key: string): Json | undefined =>
        Array.isArray(from) ? from[Number(key)] : isRecord(from) ? ownValue(from, key) : undefined
      const holder = keys.reduce(step, operations)
      if (step(holder, last) !== null) throw wrongForm(`there is no null at "${path}"`)
      if (Array.isArray(holder)) holder[Number(last)] = file
      else if (isRecord(holder)) define(holder, last, file)
    }
  }
  return operations ?? null
}

function wrongForm(reason: string): MockError {
  return invalidBody(reason, 'Please send "operations", "map", and the files that "map" names.')
}

function wrongParameter(name: string): MockError {
  return invalidBody(`"${name}" is missing or of a wrong type`, 'Please send { "query": "{ … }" }.')
}
