import {
  type Check,
  checkOptions,
  isCallable,
  isCount,
  isListOf,
  isObject,
  isText,
  wrong,
} from '../../errors/check.ts'
import { type Duration, isDuration, toMilliseconds } from '../../time/duration.ts'
import type { Behaviour, Send } from '../../http/contract/behaviour.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import { suggest } from '../../errors/nearest.ts'
import { randomText } from '../../time/random.ts'
import type { Change } from '../../store/changes.ts'
import { checkNames } from '../shared/resources.ts'
import { createWorldState } from '../shared/world-state.ts'
import { createDelivery, type Delivery, type DeliveryEntry, type Endpoint } from './delivery.ts'

/** Who is told of changes, and how often it is tried. */
export interface WebhookOptions {
  /** Who is told. */
  endpoints: readonly Endpoint[]
  /** What sends a request; in a page there is nobody to send to, so give a function there. @default fetch */
  send?: Send
  /** The pauses between tries. @default 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h */
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
    'the options of "webhooks"',
    options,
    {
      endpoints: isListOf(isObject),
      send: isCallable,
      retries: isListOf(isDuration),
      logSize: isCount,
    },
    ['endpoints'],
  )
  const { endpoints, send, retries = pauses, logSize = 100 } = options
  for (const endpoint of endpoints) {
    const checks = { url: isAddress, secret: isSecret, events: isListOf(isText) }
    checkOptions('an endpoint of "webhooks"', endpoint, checks, ['url', 'secret'])
  }
  const named = endpoints.flatMap(({ events = [] }) => events.filter((one) => one !== '*'))
  const checkStore = checkNames('webhooks', named.map(collectionOf))
  named.forEach(checkEvent)
  const waits = retries.map(toMilliseconds)
  return {
    name: 'webhooks',
    create(world) {
      const { clock, random, service, host, send: platformSend } = world
      checkStore(service.store)
      let deliveries: Delivery[] = []
      let room = 2 * logSize
      const lists = listsIn(world)
      lists.push(() => deliveries.slice(-logSize).map(({ entry }) => entry))
      let gone = new Set<string>()

      const publish = (collection: string, record: JsonRecord | undefined): Published => {
        const hooks = host().behaviours
        const all = [...hooks.map((one) => one.publish), ...hooks.map((one) => one.translate)]
        return all.reduce<Published>(
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
          deliveries.push(delivery)
        }
        if (deliveries.length > room) tidy()
      }

      /** What is still tried is kept, though it is shown no more. To look for the rest waits until there is as much again. */
      function tidy(): void {
        deliveries = deliveries.filter(
          ({ entry }, at) => at >= deliveries.length - logSize || entry.state === 'pending',
        )
        room = 2 * Math.max(logSize, deliveries.length)
      }

      const stopAll = (): void => deliveries.forEach(({ stop }) => stop())
      service.store.changes.subscribe(tell, 'tell a webhook of a change')
      return {
        controls: {
          GET: () => lists.flatMap((list) => list()) as unknown as Json,
        },
        end: stopAll,
        reset() {
          stopAll()
          deliveries = []
          gone = new Set()
        },
      }
    },
  }
}

/** What every `webhooks` of a mock has delivered: the control shows it as one. */
const listsIn = createWorldState<(() => DeliveryEntry[])[]>(
  () => [],
  () => [],
  ({ service }) => service,
)

const isAddress: Check = [
  (value) => typeof value === 'string' && /^https?:\/\/\S+$/.test(value),
  'an address such as "http://localhost:4000/hooks"',
]

const isSecret: Check = [
  (value) => typeof value === 'string' && base64.test(value.replace(/^whsec_/, '')),
  '"whsec_" and base64',
]

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/

function checkEvent(event: string): void {
  const known = ['created', 'updated', 'deleted', '*'].map(
    (verb) => `${collectionOf(event)}.${verb}`,
  )
  if (known.includes(event)) return
  throw wrong('the options of "webhooks"', `there is no event "${event}". ${suggest(event, known)}`)
}

/** A record as others may know it. */
type Published = JsonRecord | undefined

/** An endpoint names events as `posts.created`, `posts.*` or `*`, or none for all. */
function wants({ events }: Endpoint, type: string): boolean {
  const any = ['*', type, `${collectionOf(type)}.*`]
  return !events || events.some((one) => any.includes(one))
}

/** The collection of an event, whose name may have dots in it. */
function collectionOf(event: string): string {
  return event.replace(/\.[^.]*$/, '')
}
