import type { Platform } from '../../core/mock/core-mock.ts'

/** Sends a POST, such as to the receiver of a webhook; rejects without a response within 15 seconds. */
export const send: Platform['send'] = async ({ url, headers, body }) => {
  const signal = AbortSignal.timeout(15_000)
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  return { status: response.status, headers: Object.fromEntries(response.headers) }
}
