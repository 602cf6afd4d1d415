import type { Clock } from '../../time/clock.ts'
import { wait } from '../../time/wait.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { MaybePromise } from '../contract/messages.ts'

/**
 * Lets a request wait for that many milliseconds, less what it has waited already for the program to
 * load; so it counts from when the request came, also where time is moved by hand.
 */
export function linger(exchange: Exchange, clock: Clock, milliseconds: number): MaybePromise<void> {
  const left = milliseconds - (exchange.waited ?? 0)
  exchange.waited = Math.max(0, -left)
  return left > 0 ? wait(clock, left) : undefined
}
