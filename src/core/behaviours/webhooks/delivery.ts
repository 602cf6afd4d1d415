import type { Clock } from '../../time/clock.ts'
import type { Send } from '../../http/contract/behaviour.ts'
import { redactUrl } from '../../log/redact.ts'

/** Who is told. */
export interface Endpoint {
  /** Where messages are sent, by POST. */
  url: string
  /** Signs the messages: `whsec_` and base64. */
  secret: string
  /** Which events: `posts.created`, `posts.*`. @default all */
  events?: readonly string[]
}

/** What happened to a message. */
export interface DeliveryEntry {
  id: string
  /** Without the secrets in it. */
  url: string
  type: string
  state: 'pending' | 'delivered' | 'failed' | 'gone'
  /** Every try: when, in milliseconds since 1970, and what came of it. */
  attempts: { time: number; status?: number; error?: string }[]
}

/** A message on its way. */
export interface Delivery {
  entry: DeliveryEntry
  /** Tries no more. */
  stop(): void
}

/** What a delivery is made of. */
export interface DeliveryOptions {
  endpoint: Endpoint
  message: { id: string; type: string; body: string }
  send: Send
  clock: Clock
  /** The pauses before further tries, in milliseconds. */
  waits: readonly number[]
  /** Hears that the endpoint wants no more (410). */
  onGone(): void
}

/** Sends a message, and again until it is taken: 2xx is, 410 wants no more, the rest is tried again. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { endpoint, message, send, clock, waits, onGone } = options
  const { id, type } = message
  const entry: DeliveryEntry = {
    id,
    url: redactUrl(endpoint.url),
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
      } else again(retryAfter(response.headers?.['retry-after'], clock))
    } catch (error) {
      entry.attempts.push({ time, error: redactUrl(String(error)) })
      again(0)
    }
  }

  function again(least: number): void {
    const pause = waits[entry.attempts.length - 1]
    if (pause === undefined) entry.state = 'failed'
    else if (!isStopped) cancel = clock.after(Math.max(pause, least), () => void attempt())
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

/** The headers of Standard Webhooks; the time is that of the try, in seconds. */
async function sign(
  secret: string,
  { id, body }: DeliveryOptions['message'],
  time: number,
): Promise<Record<string, string>> {
  const { Webhook } = await import('standardwebhooks')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(time), body),
  }
}

/** What `Retry-After` asks for, in milliseconds: seconds or a date (RFC 9110 §10.2.3). */
function retryAfter(value: string | undefined, clock: Clock): number {
  if (value === undefined) return 0
  const time = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.now()
  return Number.isNaN(time) ? 0 : time
}
