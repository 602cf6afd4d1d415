import type { Clock } from '../clock.ts'
import type { MockError } from '../errors.ts'
import type { Exchange, Service } from './exchange.ts'
import type { MaybePromise, MockResponse } from './messages.ts'
import type { Random } from '../random.ts'

/**
 * Where in the pipeline a behaviour stands; the hooks of an earlier place see a request first and its
 * answer last.
 */
export const stages = ['network', 'quota', 'fault', 'auth', 'resource', 'body'] as const

/** One of the {@link stages}. */
export type Stage = (typeof stages)[number]

/** One world: its data, its clock, its chance. Every fork has its own. */
export interface World {
  service: Service
  clock: Clock
  random: Random
}

/** What a behaviour does in one world; each hook is optional, and absent ones cost nothing. */
export interface Hooks {
  /** Sees a request before its target is looked up; a response ends its way here. */
  request?(exchange: Exchange): MaybePromise<MockResponse | MockError | undefined>
  /** Sees the response on its way back, and gives the one that goes on. */
  response?(response: MockResponse, exchange: Exchange): MaybePromise<MockResponse>
  /** Back to the start. */
  reset?(): void
}

/** A part of a real service that is simulated, made by a factory and handed in through `use`. */
export interface Behaviour {
  name: string
  stage: Stage
  /** Makes its state and hooks for a world. */
  create(world: World): Hooks
}
