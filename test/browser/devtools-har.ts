import { writeFileSync } from 'node:fs'

import type { CDPSession, Page } from 'playwright-core'

/** A request of a page as the network panel of Chromium has it. */
interface Tracked {
  request: NetworkRequest
  startedAt: number
  initiator: unknown
  response?: NetworkResponse
  body?: { body: string; base64Encoded: boolean }
  /** The redirects before this request, which the protocol reports under the same id. */
  redirects: Omit<Tracked, 'redirects'>[]
}

interface NetworkRequest {
  url: string
  method: string
  headers: Record<string, string>
  postData?: string
}

interface NetworkResponse {
  status: number
  statusText: string
  headers: Record<string, string>
  mimeType: string
  protocol?: string
}

/**
 * Tracks the requests of a page over the DevTools protocol. Returns a function that writes the archive as the
 * network panel of Chromium exports it: sanitized, so that no header has a cookie or a login.
 */
export async function trackRequests(page: Page): Promise<(path: string) => Promise<void>> {
  const client: CDPSession = await page.context().newCDPSession(page)
  const tracked = new Map<string, Tracked>()
  const pending: Promise<unknown>[] = []
  client.on('Network.requestWillBeSent', (event) => {
    const { requestId, request, wallTime, initiator, redirectResponse } = event
    const before = tracked.get(requestId)
    const redirects = before?.redirects ?? []
    if (before && redirectResponse) {
      before.response = redirectResponse
      redirects.push(before)
    }
    tracked.set(requestId, { request, startedAt: wallTime * 1000, initiator, redirects })
  })
  client.on('Network.responseReceived', ({ requestId, response }) => {
    const found = tracked.get(requestId)
    if (found) found.response = response
  })
  client.on('Network.loadingFinished', ({ requestId }) => {
    const found = tracked.get(requestId)
    const body = client.send('Network.getResponseBody', { requestId })
    // A body that the browser has dropped is missing in its archive, too.
    pending.push(body.then((value) => found && (found.body = value)).catch(() => undefined))
  })
  await client.send('Network.enable')
  return async (path) => {
    await Promise.all(pending)
    const entries = [...tracked.values()].flatMap((one) => [...one.redirects, one]).map(toEntry)
    const creator = { name: 'WebInspector', version: '537.36' }
    writeFileSync(path, JSON.stringify({ log: { version: '1.2', creator, pages: [], entries } }))
  }
}

function toEntry({ request, startedAt, initiator, response, body }: Omit<Tracked, 'redirects'>) {
  const { url, method, headers, postData } = request
  const { status = 0, statusText = '', mimeType = 'x-unknown', protocol = '' } = response ?? {}
  const time = 1.5
  return {
    _connectionId: '42',
    _initiator: initiator,
    _priority: 'High',
    _resourceType: 'fetch',
    cache: {},
    connection: '4711',
    pageref: 'page_1',
    request: {
      method,
      url,
      httpVersion: protocol,
      headers: toHeaders(headers),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      cookies: [],
      headersSize: -1,
      bodySize: postData?.length ?? 0,
      ...(postData !== undefined && {
        postData: { mimeType: headers['Content-Type'] ?? '', text: postData },
      }),
    },
    response: {
      status,
      statusText,
      httpVersion: protocol,
      headers: toHeaders(response?.headers ?? {}),
      cookies: [],
      content: {
        size: body?.body.length ?? 0,
        mimeType,
        ...(body && body.body !== '' && { text: body.body }),
        ...(body?.base64Encoded && { encoding: 'base64' }),
      },
      redirectURL: response?.headers['Location'] ?? '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 300,
      _error: null,
      _fetchedViaServiceWorker: false,
    },
    serverIPAddress: '[::1]',
    startedDateTime: new Date(startedAt).toISOString(),
    time,
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 1, receive: 0.5 },
  }
}

/** The headers as the archive has them, without cookies and logins. */
function toHeaders(headers: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(headers)
    .filter(([name]) => !/^(?:cookie|set-cookie|authorization)$/i.test(name))
    .map(([name, value]) => ({ name, value }))
}
