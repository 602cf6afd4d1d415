import { checkOptions, isFlag, isListOf, isText } from '../errors/check.ts'
import { drawDelay } from '../time/draw-delay.ts'
import { type Delay, readDelay } from '../time/duration.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { pause } from '../http/contract/early-end.ts'
import { matches } from '../http/routing/matcher.ts'
import { parsePattern } from '../url/pattern.ts'
import { checkPatterns } from './shared/resources.ts'
import { createSharedState, openStored } from './shared/world-state.ts'

/**
 * Delays responses by a fixed time, a random time from a range, or a log-normal time. The same `seed`
 * gives the same delays.
 * @throws MockError when an option is wrong
 * @example delay('200-800')
 */
export function delay(time: Delay, options: DelayOptions = {}): Behaviour {
  const subject = 'the options of "delay"'
  const span = readDelay(time, subject)
  checkOptions(subject, options, { only: isListOf(isText) })
  const { only = ['*'] } = options
  const patterns = only.map(parsePattern)
  const checkStore = checkPatterns('delay', only)
  return {
    name: 'delay',
    create(world) {
      const { clock, random } = world
      checkStore(world)
      const state = switchOf(world)
      return {
        at: {
          network(exchange) {
            if (!describe(state).isOn || !patterns.some((pattern) => matches(pattern, exchange)))
              return undefined
            const milliseconds = drawDelay(span, random)
            if (milliseconds === 0) return undefined
            exchange.reasons.push(`delayed ${milliseconds} ms`)
            return pause(exchange, clock, milliseconds)
          },
        },
        describe: () => ({}),
        controls: {
          GET: () => describe(state),
          PUT(input) {
            checkOptions('the delay switch', input, { isOn: isFlag }, ['isOn'])
            state.set('isOn', (input as { isOn: boolean }).isOn)
            return describe(state)
          },
        },
        reset() {
          state.clear()
        },
      }
    },
  }
}

/** The options of {@link delay}. */
export interface DelayOptions {
  /** Patterns of the delayed requests: `POST *`, `orders`. @default all requests */
  only?: readonly string[]
}

const switchOf = createSharedState(
  (world) => openStored<boolean>(world, 'switch'),
  (state) => new Map(state),
)

function describe(state: ReadonlyMap<string, boolean>): { isOn: boolean } {
  return { isOn: state.get('isOn') ?? true }
}
