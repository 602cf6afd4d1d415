import type { MockInternals } from '../http/contract/internals.ts'
import type { Duration } from '../time/duration.ts'
import type { Instant } from '../time/instant.ts'
import type { Control, ControlAnswer } from './contract.ts'

/** The handlers of `/__mock/clock`: GET reads the time, PUT sets the time, POST `advance` moves the clock forward. */
export const clockControls: Record<string, Control> = {
  GET: ({ mock }) => toAnswer(mock),
  PUT({ mock, input }) {
    mock.clock.set(input as Instant)
    return toAnswer(mock)
  },
  'POST advance'({ mock, input }) {
    mock.clock.advance(input as Duration)
    return toAnswer(mock)
  },
}

function toAnswer({ clock }: MockInternals): ControlAnswer {
  const now = clock.now()
  return { value: { now, time: new Date(now).toISOString() } }
}
