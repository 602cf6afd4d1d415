import { checkAccept } from '../response/accept.ts'
import { actionOf, answerOptions, readOf } from './actions.ts'
import type { Exchange, Routed } from '../contract/exchange.ts'
import { write } from '../response/finish.ts'
import { after, type MaybePromise, type MockResponse } from '../contract/messages.ts'
import { toPreconditions } from '../response/preconditions.ts'
import { isSafe } from '../routing/methods.ts'
import { serveWhole } from './serve-whole.ts'
import { settle } from '../response/settle.ts'

/** Answers a request that has found its target, or that its dialect answers whole. */
export function act(exchange: Exchange): MaybePromise<MockResponse> {
  const { method, path, missing, access, service, records } = exchange
  const isRead = isSafe(method)
  // The root tells what there is, to those too who only wait for a server.
  if (
    missing?.status === 404 &&
    isRead &&
    [service.base, `${service.base}/`, access.root].includes(path)
  ) {
    return write(exchange, { status: 200, headers: [], value: missing.extensions })
  }
  if (service.dialect.serve) {
    return after(serveWhole(exchange), (answer) =>
      settle(exchange, write(exchange, answer, { isCurrent: isRead })),
    )
  }
  if (missing) throw missing
  const routed = exchange as Routed
  if (routed.method === 'OPTIONS') return answerOptions(routed)
  const action = actionOf(routed)
  const { accept } = routed.headers
  if (!isRead) {
    checkAccept(accept)
    holdPreconditions(routed, routed)
  }
  return after(action(routed), (result) => {
    if (isRead) checkAccept(accept)
    return settle(routed, records.show(routed, result))
  })
}

/**
 * Holds the preconditions of a write against its target as it is now, and again when it is stored.
 * @throws MockError 412, or 428 where it has to have some
 */
export function holdPreconditions(exchange: Exchange, routed: Routed): void {
  exchange.check = toPreconditions(routed, () => {
    const read: Routed = { ...routed, method: 'GET', reasons: [] }
    return exchange.records.show(read, readOf(read))
  })
  exchange.check?.()
}
