import { MockError } from '../../core/errors/mock-error.ts'
import type { HeaderList } from '../../core/http/contract/messages.ts'
import type { Forward } from '../../core/proxy/forward.ts'

/** Sends a request with the global `fetch`. */
export const forward: Forward = async ({ method, url, headers, body, isInsecure, onCancel }) => {
  if (isInsecure) {
    throw new MockError(
      'the option "insecure" needs a mock that is loaded from files in Node, with loadMock or mock server',
    )
  }
  const controller = new AbortController()
  onCancel(() => controller.abort())
  const init: RequestInit = {
    method,
    headers: headers.filter(([name]) => !ownHeaders.test(name)),
    body: (body ?? null) as BodyInit | null,
    redirect: 'manual',
    signal: controller.signal,
  }
  const first = await fetch(url, init)
  // A page cannot see a redirect, so it is followed.
  const response =
    first.type === 'opaqueredirect' ? await fetch(url, { ...init, redirect: 'follow' }) : first
  const isDecoded = response.headers.has('content-encoding')
  const left = isDecoded ? /^(?:set-cookie|content-(?:encoding|length))$/ : /^set-cookie$/
  const lines: HeaderList = [...response.headers].filter(([name]) => !left.test(name))
  for (const cookie of response.headers.getSetCookie()) lines.push(['Set-Cookie', cookie])
  return { status: response.status, headers: lines, body: response.body as never }
}

/** The headers that `fetch` sets itself, or refuses. */
const ownHeaders = /^(?:host|content-length|expect|accept-encoding)$/i
