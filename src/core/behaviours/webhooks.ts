import {
  checkOptions,
  isAmount,
  isCallable,
  isCount,
  isEither,
  isListOf,
  isObject,
  isText,
} from '../check.ts'
import { type Duration, toMilliseconds } from '../duration.ts'
import type { Behaviour, Send } from '../http/behaviour.ts'
import type { Json, JsonRecord } from '../json.ts'
import { randomText } from '../random.ts'
import type { Change } from '../store/changes.ts'
import { createDelivery, type Delivery, type Endpoint } from './webhook-delivery.ts'

/** Who is told of changes, and how often it is tried. */
export interface WebhookOptions {
  endpoints: readonly Endpoint[]
  /** What sends a request; in a page there is nobody to send to, so give a function there. @default fetch */
  send?: Send
  /** The pauses between tries. @default the example of Standard Webhooks, from at once to 24 hours */
  retries?: readonly Duration[]
  /** How many deliveries the log keeps. @default 100 */
  logSize?: number
}

const pauses = ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h']

/**
 * Tells endpoints of every change, signed and repeated as Standard Webhooks has it.
 * @throws MockError when an option is wrong
 * @example webhooks({ endpoints: [{ url: 'http://localhost:4000/hooks', secret: 'whsec_c2VjcmV0' }] })
 */
export function webhooks(options: WebhookOptions): Behaviour {
  checkOptions(
    'the options of webhooks',
    options,
    {
      endpoints: isListOf(isObject),
      send: isCallable,
      retries: isListOf(isEither(isAmount, isText)),
      logSize: isCount,
    },
    ['endpoints'],
  )
  const { endpoints, send, retries = pauses, logSize = 100 } = options
  for (const endpoint of endpoints) {
    checkOptions('an endpoint of webhooks', endpoint, {
      url: isText,
      secret: isText,
      events: isListOf(isText),
    })
  }
  const waits = retries.map(toMilliseconds)
  return {
    name: 'webhooks',
    create({ clock, random, service, host, send: platformSend }) {
      let deliveries: Delivery[] = []
      let gone = new Set<string>()

      const publish = (collection: string, record: JsonRecord | undefined): Published => {
        const hooks = host().behaviours.map((one) => one.publish)
        return hooks.reduce<Published>(
          (known, hook) => (known && hook ? hook(collection, known) : known),
          record,
        )
      }

      function tell(change: Change): void {
        if (!('collection' in change) || change.type === 'reloaded') return
        const { collection } = change
        const record = publish(collection, 'record' in change ? change.record : undefined)
        const previous = publish(collection, 'previous' in change ? change.previous : undefined)
        const data = record ?? previous
        if (!data) return
        const verb = !record ? 'deleted' : previous ? 'updated' : 'created'
        const type = `${collection}.${verb}`
        const id = `msg_${randomText(random, 20)}`
        const time = clock.now()
        const body = JSON.stringify({
          type,
          timestamp: new Date(time).toISOString(),
          data,
        })
        for (const endpoint of endpoints) {
          if (gone.has(endpoint.url) || !wants(endpoint, type)) continue
          const delivery = createDelivery({
            endpoint,
            message: { id, type, body },
            send: send ?? platformSend,
            clock,
            waits,
            onGone: () => gone.add(endpoint.url),
          })
          deliveries = [...deliveries, delivery].slice(-logSize)
        }
      }

      service.store.changes.subscribe(tell)
      return {
        controls: {
          GET: () => deliveries.map(({ entry }) => entry) as unknown as Json,
        },
        reset() {
          for (const { stop } of deliveries) stop()
          deliveries = []
          gone = new Set()
        },
      }
    },
  }
}

/** A record as others may know it. */
type Published = JsonRecord | undefined

/** An endpoint names events as `posts.created`, `posts.*` or `*`, or none for all. */
function wants({ events }: Endpoint, type: string): boolean {
  const collection = type.slice(0, type.lastIndexOf('.'))
  return !events || events.some((one) => one === '*' || one === type || one === `${collection}.*`)
}
