import type { Clock } from '../core/clock.ts'
import type { Platform } from '../core/mock.ts'

const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer: unknown = setTimeout(callback, milliseconds)
    // What is far off, such as another try of a webhook, keeps no program from ending.
    if (milliseconds > 60_000) (timer as { unref?: () => void }).unref?.()
    return () => clearTimeout(timer as number)
  },
}

const encoder = new TextEncoder()

/** What every runtime has for the core: time, timers, UTF-8, requests to others, a console for failures. */
export const platform: Platform = {
  clock: systemClock,
  encode: (text) => encoder.encode(text),
  async send({ url, headers, body }) {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
    return { status: response.status, headers: Object.fromEntries(response.headers) }
  },
  onFailure(error, { method, path, id }) {
    console.error(`Failed to answer ${method} "${path}" (${id}):`, error)
  },
}
