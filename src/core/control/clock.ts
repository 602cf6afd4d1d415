import type { Controlled } from '../http/contract/behaviour.ts'
import type { Duration } from '../time/duration.ts'
import type { Instant } from '../time/instant.ts'
import type { Control, ControlAnswer } from './contract.ts'

/** The controls of the clock: reading and setting the time, and moving it forward. */
export const clockControls: Record<string, Control> = {
  GET: ({ mock }) => describe(mock),
  PUT({ mock, input }) {
    mock.clock.set(input as Instant)
    return describe(mock)
  },
  'POST advance'({ mock, input }) {
    mock.clock.advance(input as Duration)
    return describe(mock)
  },
}

function describe({ clock }: Controlled): ControlAnswer {
  const now = clock.now()
  return { value: { now, time: new Date(now).toISOString() } }
}
