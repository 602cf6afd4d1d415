import { isDeepStrictEqual } from 'node:util'

import type { Json } from '../../../src/core/json/json.ts'
import { compare, type Difference, withoutOrigin } from './compare.ts'
import { withConditions } from './conditions.ts'
import { type Database, type DatabaseOptions, makeDatabase } from './database.ts'
import { type Exchange, openClient, type PeerRequest, type PeerResponse } from './exchange.ts'
import { nextIdHeader } from './ids.ts'
import { createRandom, type Random } from './random.ts'
import type { Peer } from './server.ts'
import type { Context } from './values.ts'

/** What both servers hold. */
export type State = Record<string, unknown>

/** One request with both answers to it. */
export interface Answered {
  request: PeerRequest
  reference: PeerResponse
  subject: PeerResponse
  difference: Difference
}

/** A difference that is meant: the dialect's table has a row of this name. */
export interface Exception {
  name: string
  /** May ask both sides something else that only reads. */
  covers: (answered: Answered, ask: AskBoth) => boolean | Promise<boolean>
}

/** Asks the reference and the subject. */
export type AskBoth = (request: PeerRequest) => Promise<[PeerResponse, PeerResponse]>

/** A comparison of one server with the one that it has to answer like. */
export interface Setup {
  options: DatabaseOptions
  makeRequest: (random: Random, context: Context) => PeerRequest
  /** The ids are for the records that have none, in order. */
  startReference: (database: Database, ids: readonly string[]) => Promise<Peer>
  startSubject: (database: Database) => Promise<Pick<Peer, 'url' | 'close'>>
  readState: (exchange: Exchange, database: Database) => Promise<State>
  exceptions: readonly Exception[]
  /** Whether the states may differ so after a request that only one side can answer so. */
  allowsState: (request: PeerRequest, reference: State, subject: State) => boolean
  /** Where the generator's ids begin to be random: what both sides draw has this form. */
  randomId: RegExp
}

/** A run of requests over one database. */
export interface Case {
  database: Database
  requests: PeerRequest[]
}

/** What a case led to. */
export interface Outcome extends Case {
  failure: Difference | undefined
  /** How often each exception explained a difference. */
  excused: Map<string, number>
  /** How many answers were alike, by status. */
  statuses: Map<number, number>
}

/** Makes a database and requests from the seed, and compares both servers until they differ. */
export async function runSeed(setup: Setup, seed: string, count: number): Promise<Outcome> {
  const random = createRandom(seed)
  const database = makeDatabase(random, setup.options)
  const context: Context = { database, created: new Map() }
  return runCase(
    setup,
    database,
    (index) =>
      index < count
        ? withConditions(random, escaped(setup.makeRequest(random, context)))
        : undefined,
    context,
  )
}

/** The request with what no request line can hold escaped, such as a resource's name. */
function escaped(request: PeerRequest): PeerRequest {
  const path = request.path.replaceAll(/[^\u0021-\u007e]+/g, encodeURIComponent)
  return { ...request, path }
}

/** Compares both servers over given requests. */
export async function replay(setup: Setup, { database, requests }: Case): Promise<Outcome> {
  return runCase(setup, database, (index) => requests[index])
}

async function runCase(
  setup: Setup,
  database: Database,
  next: (index: number) => PeerRequest | undefined,
  context?: Context,
): Promise<Outcome> {
  const outcome: Outcome = {
    database,
    requests: [],
    failure: undefined,
    excused: new Map(),
    statuses: new Map(),
  }
  const subject = await setup.startSubject(database)
  const ours = openClient(subject.url)
  const begun = await setup.readState(ours.exchange, database)
  const reference = await setup.startReference(database, drawnIds(database, begun))
  const theirs = openClient(reference.url)
  const states = async (): Promise<[State, State]> =>
    Promise.all([
      setup.readState(theirs.exchange, database),
      setup.readState(ours.exchange, database),
    ])
  try {
    for (let index = 0; outcome.failure === undefined; index++) {
      const request = next(index)
      if (!request) break
      outcome.requests.push(request)
      const { answers, id } = await ask(setup, request, theirs.exchange, ours.exchange)
      const [expected, actual] = [
        withoutOrigin(answers[0], reference.url),
        withoutOrigin(answers[1], subject.url),
      ]
      const difference = compare(request, expected, actual)
      if (!difference) add(outcome.statuses, actual.status)
      else {
        const answered = { request, reference: expected, subject: actual, difference }
        const both: AskBoth = (other) => Promise.all([theirs.exchange(other), ours.exchange(other)])
        const exception = await findException(setup.exceptions, answered, both)
        if (exception) add(outcome.excused, exception.name)
        else outcome.failure = difference
      }
      if (id !== undefined) remember(context, request, id)
      const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
      const mayDiffer = difference !== undefined || request.method === 'DELETE'
      if (outcome.failure || isSafe || !mayDiffer) continue
      const [left, right] = await states()
      if (isDeepStrictEqual(left, right)) continue
      if (difference || setup.allowsState(request, left, right)) reference.restore(right)
      else outcome.failure = stateDifference(left, right)
    }
    if (outcome.failure === undefined) {
      const [left, right] = await states()
      outcome.failure = stateDifference(left, right)
    }
    return outcome
  } finally {
    ours.close()
    theirs.close()
    await Promise.all([subject.close(), reference.close()])
  }
}

/** Sends to both; for a POST to the subject first, whose random id the reference then takes over. */
async function ask(
  setup: Setup,
  request: PeerRequest,
  theirs: Exchange,
  ours: Exchange,
): Promise<{ answers: [PeerResponse, PeerResponse]; id?: Json }> {
  if (request.method !== 'POST') {
    return { answers: await Promise.all([theirs(request), ours(request)]) }
  }
  const subject = await ours(request)
  const id = createdId(subject)
  const isDrawn = typeof id === 'string' && setup.randomId.test(id)
  const headers = { ...request.headers, ...(isDrawn && { [nextIdHeader]: id }) }
  const reference = await theirs({ ...request, headers })
  return { answers: [reference, subject], ...(id !== undefined && { id }) }
}

async function findException(
  exceptions: readonly Exception[],
  answered: Answered,
  both: AskBoth,
): Promise<Exception | undefined> {
  for (const exception of exceptions) {
    if (await exception.covers(answered, both)) return exception
  }
  return undefined
}

function createdId({ status, text }: PeerResponse): Json | undefined {
  if (status !== 201) return undefined
  const body = JSON.parse(text || 'null') as Json
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body['id'] : undefined
}

function remember(context: Context | undefined, { path }: PeerRequest, id: Json): void {
  const part = path.split(/[/?]/).at(path.split('/').length === 4 ? 3 : 1) ?? ''
  const name = decodeURIComponent(part)
  context?.created.set(name, [...(context.created.get(name) ?? []), id])
}

/** The ids that the subject gave to records that have none in the database, in order. */
function drawnIds(database: Database, state: State): string[] {
  return Object.entries(database).flatMap(([name, value]) => {
    const now = state[name]
    if (!Array.isArray(value) || !Array.isArray(now)) return []
    return value.flatMap((record, index) => {
      const isThere = typeof record === 'object' && record !== null && 'id' in record
      const drawn = (now as { id?: unknown }[])[index]?.id
      return isThere || typeof drawn !== 'string' ? [] : [drawn]
    })
  })
}

function stateDifference(left: State, right: State): Difference | undefined {
  for (const name of Object.keys({ ...left, ...right })) {
    const [reference, subject] = [JSON.stringify(left[name]), JSON.stringify(right[name])]
    if (reference !== subject) return { what: `state of ${name}`, reference, subject }
  }
  return undefined
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
