import type { Clock } from '../../time/clock.ts'
import type { Send } from '../../http/contract/behaviour.ts'
import type { Redactor } from '../../log/redact.ts'

/** Delivers a message: posts it again until a 2xx, a 410 or the last attempt. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { endpoint, message, send, clock, redactor, delays, onGone } = options
  const { id, type } = message
  const entry: DeliveryEntry = {
    id,
    url: redactor.redactUrl(endpoint.url),
    type,
    state: 'pending',
    attempts: [],
  }
  let cancel = (): void => {}
  let isStopped = false

  async function attempt(): Promise<void> {
    const time = clock.now()
    try {
      const headers = await sign(endpoint.secret, message, time)
      const response = await send({ url: endpoint.url, headers, body: message.body })
      entry.attempts.push({ time, status: response.status })
      if (response.status >= 200 && response.status < 300) entry.state = 'delivered'
      else if (response.status === 410) {
        entry.state = 'gone'
        if (!isStopped) onGone()
      } else retry(retryAfter(response.headers?.['retry-after'], clock))
    } catch (error) {
      entry.attempts.push({ time, error: redactor.redactUrl(String(error)) })
      retry(0)
    }
  }

  function retry(minimum: number): void {
    const delay = delays[entry.attempts.length - 1]
    if (delay === undefined) entry.state = 'failed'
    else if (!isStopped) cancel = clock.after(Math.max(delay, minimum), () => void attempt())
  }

  void attempt()
  return {
    entry,
    stop() {
      isStopped = true
      cancel()
    },
  }
}

/** The options of {@link createDelivery}. */
export interface DeliveryOptions {
  /** Without a secret, messages have no signature. */
  endpoint: Pick<Endpoint, 'url'> & Partial<Pick<Endpoint, 'secret'>>
  message: { id: string; type: string; body: string }
  send: Send
  clock: Clock
  redactor: Redactor
  /** The delays before further attempts, in milliseconds. */
  delays: readonly number[]
  /** Called when the endpoint responds with 410. */
  onGone(): void
}

/** A message that is being delivered. */
export interface Delivery {
  entry: DeliveryEntry
  stop(): void
}

/** The entry of a message in the delivery log. */
export interface DeliveryEntry {
  id: string
  /** The URL of the endpoint, redacted. */
  url: string
  type: string
  state: 'pending' | 'delivered' | 'failed' | 'gone'
  /** The attempts, each with its time in milliseconds since 1970 and its result. */
  attempts: { time: number; status?: number; error?: string }[]
}

/** A receiver: its URL, the key that signs the messages, and the event types that it gets. */
export interface Endpoint {
  /** The URL that messages are posted to. */
  url: string
  /** The key that signs the messages: `whsec_` followed by base64. */
  secret: string
  /** The event types: `posts.created`, `posts.*`. @default all */
  events?: readonly string[]
}

async function sign(
  secret: string | undefined,
  { id, body }: DeliveryOptions['message'],
  time: number,
): Promise<Record<string, string>> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time / 1000)),
  }
  if (secret === undefined) return headers
  const { Webhook } = await import('standardwebhooks')
  return {
    ...headers,
    'webhook-signature': new Webhook(secret).sign(id, new Date(time), body),
  }
}

/** Converts `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3), to milliseconds. */
function retryAfter(value: string | undefined, clock: Clock): number {
  if (value === undefined) return 0
  const time = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.now()
  return Number.isNaN(time) ? 0 : time
}
