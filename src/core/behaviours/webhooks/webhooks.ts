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
import type { Behaviour, Send, WebhookTarget } from '../../http/contract/behaviour.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import { suggest } from '../../errors/nearest.ts'
import { randomText } from '../../time/random.ts'
import type { Change } from '../../store/store.ts'
import { checkNames } from '../shared/resources.ts'
import { createSharedState } from '../shared/world-state.ts'
import { createDelivery, type Delivery, type DeliveryEntry, type Endpoint } from './delivery.ts'

/**
 * Posts every change of a record to other servers (endpoints), signed and retried as in Standard Webhooks.
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
  const { endpoints, send, retries = defaultRetries, logSize = 100 } = options
  for (const endpoint of endpoints) {
    const checks = { url: isUrl, secret: isSecret, events: isListOf(isText) }
    checkOptions('an endpoint of "webhooks"', endpoint, checks, ['url', 'secret'])
  }
  const named = endpoints.flatMap(({ events = [] }) => events.filter((event) => event !== '*'))
  const checkStore = checkNames('webhooks', named.map(collectionOf))
  named.forEach(checkEvent)
  const delays = retries.map(toMilliseconds)
  return {
    name: 'webhooks',
    create(world) {
      const { clock, random, service, host, redactor, send: platformSend } = world
      checkStore(world)
      let deliveries: Delivery[] = []
      let maxDeliveries = 2 * logSize
      const logs = logsOf(world)
      logs.push(() => deliveries.slice(-logSize).map(({ entry }) => entry))
      let gone = new Set<string>()

      const publish = (collection: string, record: JsonRecord | undefined): Published => {
        const { behaviours } = host()
        const all = [
          ...behaviours.map(({ publish }) => publish),
          ...behaviours.map(({ translate }) => translate),
        ]
        return all.reduce<Published>(
          (published, hook) => (published && hook ? hook(collection, published) : published),
          record,
        )
      }

      function deliver(change: Change): void {
        if (!('collection' in change) || change.type === 'reloaded') return
        const { collection } = change
        const record = publish(collection, 'record' in change ? change.record : undefined)
        const previous = publish(collection, 'previous' in change ? change.previous : undefined)
        const data = record ?? previous
        if (!data) return
        const verb = !record ? 'deleted' : previous ? 'updated' : 'created'
        const type = `${collection}.${verb}`
        const id = `msg_${randomText(random, 20)}`
        const timestamp = new Date(clock.now()).toISOString()
        const body = JSON.stringify({ type, timestamp, data })
        for (const endpoint of endpoints) {
          if (gone.has(endpoint.url) || !receives(endpoint, type)) continue
          const delivery = createDelivery({
            endpoint,
            message: { id, type, body },
            send: send ?? platformSend,
            clock,
            redactor,
            delays,
            onGone: () => gone.add(endpoint.url),
          })
          deliveries.push(delivery)
        }
        if (deliveries.length > maxDeliveries) removeFinished()
      }

      /** Removes finished deliveries that the log hides; runs again once their number has doubled. */
      function removeFinished(): void {
        deliveries = deliveries.filter(
          ({ entry }, index) => index >= deliveries.length - logSize || entry.state === 'pending',
        )
        maxDeliveries = 2 * Math.max(logSize, deliveries.length)
      }

      const stopAll = (): void => deliveries.forEach(({ stop }) => stop())
      service.store.changes.subscribe(deliver, 'send a change to a webhook')
      return {
        describe: () => ({}),
        controls: {
          GET: () => logs.flatMap((log) => log()) as unknown as Json,
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

/** Checks the option `webhooks` of an OpenAPI document. @throws MockError with the nearest name */
export function checkWebhookTarget(target: WebhookTarget): void {
  checkOptions('the option "webhooks"', target, { url: isUrl, secret: isSecret, send: isCallable })
}

const defaultRetries = ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h']

/** The options of {@link webhooks}. */
export interface WebhookOptions {
  endpoints: readonly Endpoint[]
  /** Sends a message. Give a function in a page, where no receiver listens. @default fetch */
  send?: Send
  /** The delays between attempts. @default 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h */
  retries?: readonly Duration[]
  /** The number of deliveries in the log. @default 100 */
  logSize?: number
}

/** The delivery logs of all `webhooks` of a mock, which the control API shows as one list. */
const logsOf = createSharedState<(() => DeliveryEntry[])[]>(() => [])

/** An http URL with a valid authority (RFC 3986 §3.2); the core has no `URL`. */
const url =
  /^https?:\/\/(?:[^\s/?#@]*@)?(?:\[[\da-f.:]+\]|[^\s/?#@:[\]]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i

const isUrl: Check = [
  (value) => typeof value === 'string' && url.test(value),
  'a URL such as "http://localhost:4000/hooks"',
]

const isSecret: Check = [
  (value) => typeof value === 'string' && base64.test(value.replace(/^whsec_/, '')),
  '"whsec_" followed by base64',
]

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/

function checkEvent(event: string): void {
  const known = ['created', 'updated', 'deleted', '*'].map(
    (verb) => `${collectionOf(event)}.${verb}`,
  )
  if (known.includes(event)) return
  throw wrong('the options of "webhooks"', `there is no event "${event}". ${suggest(event, known)}`)
}

/** A record for a webhook; undefined for a record that webhooks must not contain. */
type Published = JsonRecord | undefined

/** Whether an endpoint receives an event type: `events` lists `posts.created`, `posts.*` or `*`. */
function receives({ events }: Endpoint, type: string): boolean {
  const names = ['*', type, `${collectionOf(type)}.*`]
  return !events || events.some((event) => names.includes(event))
}

/** Returns the collection of an event type; the name of a collection may contain dots. */
function collectionOf(event: string): string {
  return event.replace(/\.[^.]*$/, '')
}
