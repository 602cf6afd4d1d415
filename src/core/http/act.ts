import type { Result } from '../dialects/dialect.ts'
import { checkAccept } from './accept.ts'
import { actionOf, answerOptions, readOf } from './actions.ts'
import type { Exchange, Routed } from './exchange.ts'
import { write } from './finish.ts'
import { after, type MaybePromise, type MockResponse } from './messages.ts'
import { toPreconditions } from './preconditions.ts'
import { isSafe } from './represent.ts'
import { serveWhole } from './serve-whole.ts'
import { settle } from './settle.ts'

/** Answers a request that has found its target, or that its dialect answers whole. */
export function act(
  exchange: Exchange,
  show: (routed: Routed, result: Result) => MockResponse,
): MaybePromise<MockResponse> {
  const isRead = isSafe(exchange.method)
  if (exchange.service.dialect.serve) {
    return after(serveWhole(exchange), (answer) =>
      settle(exchange, write(exchange, answer, { isCurrent: isRead })),
    )
  }
  if (exchange.missing) throw exchange.missing
  const routed = exchange as Routed
  if (routed.method === 'OPTIONS') return answerOptions(routed)
  const action = actionOf(routed)
  const { accept } = routed.headers
  /** What a GET of the same target would answer now. */
  const current = (): MockResponse => {
    const read: Routed = { ...routed, method: 'GET', reasons: [] }
    return show(read, readOf(read))
  }
  if (!isRead) {
    checkAccept(accept)
    routed.check = toPreconditions(routed, current)
    routed.check?.()
  }
  return after(action(routed), (result) => {
    if (isRead) checkAccept(accept)
    return settle(routed, show(routed, result))
  })
}
