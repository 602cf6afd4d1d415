import type { PeerRequest, PeerResponse } from './exchange.ts'

/** What two answers to one request disagree about. */
export interface Difference {
  what: string
  reference: unknown
  subject: unknown
}

/** The headers that both sides have to agree on. */
const headers = ['x-total-count', 'link', 'location']

/** Compares two answers: status, body with the order of its keys, and the headers of a list. */
export function compare(
  request: PeerRequest,
  reference: PeerResponse,
  subject: PeerResponse,
): Difference | undefined {
  const isJson = isJsonType(reference)
  const rows: [what: string, read: (response: PeerResponse) => unknown][] = [
    ['status', ({ status }) => status],
    ...headers.map((name): (typeof rows)[number] => [name, (response) => response.headers[name]]),
  ]
  if (isJson && request.method !== 'HEAD') {
    rows.push(['content-type', isJsonType], ['body', ({ text }) => text])
  }
  for (const [what, read] of rows) {
    const difference = { what, reference: read(reference), subject: read(subject) }
    if (difference.reference !== difference.subject) return difference
  }
  return undefined
}

function isJsonType({ headers }: PeerResponse): boolean {
  return headers['content-type']?.startsWith('application/json') === true
}

/** The text with the server's own address taken out, so that two servers can be compared. */
export function withoutOrigin(response: PeerResponse, url: string): PeerResponse {
  const strip = (text: string): string => text.replaceAll(url, 'http://server')
  return {
    ...response,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, strip(value)]),
    ),
  }
}
