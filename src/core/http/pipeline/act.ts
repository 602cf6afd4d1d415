import type { Answer, Result } from '../../dialects/contract/dialect.ts'
import type { Exchange, Routed } from '../contract/exchange.ts'
import { andThen, type MaybePromise, type MockResponse } from '../contract/messages.ts'
import { checkAccept } from '../response/accept.ts'
import { noteUnusedParams } from '../resource/unused.ts'
import { write } from '../response/render.ts'
import { isSafe } from '../routing/methods.ts'
import { actionOf, answerOptions } from './actions.ts'
import { checkPreconditions } from './preconditions.ts'
import { serveWhole } from './serve-whole.ts'

/**
 * Runs the action of a request: selects the action by the kind of the target and the method, or passes the
 * request to the dialect if the dialect serves whole requests (`serve`).
 */
export function act(exchange: Exchange): MaybePromise<Outcome> {
  const { path, notFound, access, service } = exchange
  const isRead = isSafe(exchange.method)
  // The root lists the resources, also for clients that only wait until the server is up.
  if (
    notFound?.status === 404 &&
    isRead &&
    [service.base, `${service.base}/`, access.root].includes(path)
  ) {
    return write(exchange, { status: 200, headers: [], value: notFound.extensions })
  }
  if (service.dialect.serve) {
    return andThen(serveWhole(exchange), (answer) => ({ type: 'served', answer }))
  }
  if (notFound) throw notFound
  const routed = exchange as Routed
  if (routed.method === 'OPTIONS') return answerOptions(routed)
  const action = actionOf(routed)
  noteUnusedParams(routed)
  if (!isRead) {
    // A write is refused before anything of it is stored.
    checkAccept(routed.headers['accept'])
    checkPreconditions(routed, routed)
  }
  return action(routed)
}

/**
 * The outcome of `act`: a result that the dialect still has to render, the answer of a dialect that has served
 * the whole request, or a complete response.
 */
export type Outcome = Result | { type: 'served'; answer: Answer } | MockResponse
