import { ownValue } from '../../json/json.ts'
import type { Result } from '../../dialects/contract/dialect.ts'
import type { MaybePromise, MockResponse } from '../contract/messages.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Service } from '../contract/service.ts'
import { list, query, queryTypes } from '../resource/list.ts'
import { create, patch, read, remove, replace } from '../resource/member.ts'
import { isSafe, methodsOf } from '../routing/methods.ts'
import { patchTypes } from '../resource/patch.ts'
import type { Target } from '../routing/target.ts'
import { wrongMethod } from '../routing/wrong-method.ts'

/** The actions: the function that handles each HTTP method on each kind of target. HEAD runs the action of GET. */
const actions: { [Kind in Target['kind']]: Record<string, Action<Kind>> } = {
  collection: { GET: list, QUERY: query, POST: create },
  member: { GET: read, PUT: replace, PATCH: patch, DELETE: remove },
  singleton: { GET: read, PUT: replace, PATCH: patch },
  document: { GET: read },
}

/**
 * Handles one HTTP method on one kind of target, such as POST to a collection: reads or writes the store and
 * returns the result, which the dialect renders.
 */
export type Action<Kind extends Target['kind'] = Target['kind']> = (
  exchange: Routed<Extract<Target, { kind: Kind }>>,
) => MaybePromise<Result>

/**
 * Returns the action of a request.
 * @throws MockError 405 with `Allow` when its target has no such method
 */
export function actionOf({ request, method, target, service }: Routed): Action {
  const row = actions[target.kind] as Record<string, Action>
  const action = ownValue(row, method === 'HEAD' ? 'GET' : method)
  const allowed = methodsAt(target, service)
  if (action && allowed.includes(method)) return action
  const isClosed = action && service.readOnly && !isSafe(method)
  const reason = isClosed
    ? 'the mock is read-only'
    : method === 'POST' && isJoined(target)
      ? 'the relation is many-to-many'
      : `a ${target.kind} has no such method`
  throw wrongMethod({ ...request, method }, reason, allowed, isClosed ? 'READ_ONLY' : undefined)
}

/** Returns the result of a GET of the target, without a promise. */
export function readOf(exchange: Routed): Result {
  const row = actions[exchange.target.kind] as Record<'GET', Action>
  // No GET action is asynchronous.
  return row.GET(exchange) as Result
}

/** Answers OPTIONS with the methods of the target and the media types that they accept (RFC 9110 §9.3.7). */
export function answerOptions({ target, service }: Routed): MockResponse {
  const methods = methodsAt(target, service)
  const headers: MockResponse['headers'] = [
    ['Allow', methods.join(', ')],
    ['Cache-Control', 'no-store'],
  ]
  if (methods.includes('PATCH')) headers.push(['Accept-Patch', patchTypes.join(', ')])
  if (methods.includes('QUERY')) headers.push(['Accept-Query', queryTypes.join(', ')])
  return { status: 204, headers, body: null }
}

/** Returns the methods that a target allows. */
function methodsAt(target: Target, { readOnly, dialect }: Service): string[] {
  return methodsOf(target.kind, readOnly).filter((one) =>
    one === 'POST' ? !isJoined(target) : one !== 'QUERY' || dialect.parseQuery,
  )
}

/** Whether the path leads through a join collection, so that POST has no foreign key to set. */
function isJoined(target: Target): boolean {
  const parent = target.kind === 'collection' ? target.parent : undefined
  return parent !== undefined && !parent.related.relation
}
