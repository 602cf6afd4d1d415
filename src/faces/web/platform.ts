import type { Clock } from '../../core/time/clock.ts'
import type { Platform } from '../../core/mock/core-mock.ts'

/** Sends a POST, such as to the receiver of a webhook; rejects without a response within 15 seconds. */
export const send: Platform['send'] = async ({ url, headers, body }) => {
  const signal = AbortSignal.timeout(15_000)
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  return { status: response.status, headers: Object.fromEntries(response.headers) }
}

// The functions of a runtime that the core uses but does not import: the same on Node, in pages and in workers.

/** The longest delay of `setTimeout` in milliseconds; a longer one fires at once. */
export const longestTimer: number = 2 ** 31 - 1

const systemClock: Clock = {
  now: () => Date.now(),
  // A distant timer, such as the retry of a webhook, does not keep the process alive.
  after(milliseconds, callback, isBackground = milliseconds > 60_000) {
    let timer: ReturnType<typeof setTimeout>
    const start = (left: number): void => {
      const step = Math.min(left, longestTimer)
      timer = setTimeout(() => (left > step ? start(left - step) : callback()), step)
      if (isBackground && typeof timer === 'object') timer.unref()
    }
    start(milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Encodes a text as UTF-8; React Native may have no `TextEncoder`. */
function encode(text: string): Uint8Array {
  if (typeof TextEncoder === 'function') return (encoder ??= new TextEncoder()).encode(text)
  const binary = encodeURIComponent(text).replaceAll(/%(..)/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

let encoder: TextEncoder | undefined

/** The platform of every runtime: time, timers, UTF-8, `fetch`, and the console for failures. */
export const platform: Platform = {
  clock: systemClock,
  encode,
  send,
  onFailure(error, doing) {
    console.error(`Failed to ${doing}:`, error)
  },
}
