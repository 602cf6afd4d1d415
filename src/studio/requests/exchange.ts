import { ask } from '../control.ts'
import type { LogEntry } from '../../core/log/log.ts'

/**
 * Fetches a request of the log with its response, as the control API exports them (HAR 1.2), without secrets;
 * undefined once the log has dropped the request.
 */
export async function askExchange({
  time,
  method,
  status,
  ms,
}: LogEntry): Promise<Exchange | undefined> {
  const archive = await ask<{ log: { entries: Exchange[] } }>('log.har', {
    params: { time: String(time) },
  })
  const { entries } = archive.log
  return (
    entries.find(
      (one) => one.time === ms && one.request.method === method && one.response.status === status,
    ) ?? entries[0]
  )
}

/**
 * Turns a logged request into a draft that can be sent again, without the headers that the browser or the
 * connection sets.
 */
export function toDraft({ request }: Exchange): Draft {
  const { pathname, search } = new URL(request.url, location.origin)
  return {
    method: request.method,
    url: pathname + search,
    headers: request.headers
      .filter(({ name, value }) => !transport.test(name) && !isDefault(name, value))
      .map(({ name, value }) => [name, value] as const),
    body: request.postData?.text ?? '',
  }
}

/** A request and its response, as an entry of a HAR (HTTP archive). */
export interface Exchange {
  startedDateTime: string
  time: number
  request: {
    method: string
    url: string
    headers: Pair[]
    queryString: Pair[]
    postData?: Content
  }
  response: {
    status: number
    statusText: string
    headers: Pair[]
    content: Content
  }
}

/** A body of a HAR; without a text where the log does not keep it. */
export interface Content {
  mimeType: string
  text?: string
  size?: number
  encoding?: string
}

/** A name and a value of a HAR, such as a header. */
export interface Pair {
  name: string
  value: string
}

/** The headers that a page may not set, or that describe the connection. */
export const transport: RegExp =
  /^(?:host|connection|content-length|accept-encoding|accept-charset|cookie2?|origin|referer|user-agent|sec-.*|proxy-.*|te|trailer|transfer-encoding|upgrade|keep-alive|via|date|expect|dnt)$/i

/** A request that can be sent: from the log, or made by hand. */
export interface Draft {
  method: string
  /** Path and query. */
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string
  /** The id of the user as whom the request is sent. */
  user?: string
}

/** Whether a header has the value that clients send on their own. */
function isDefault(name: string, value: string): boolean {
  return /^accept(?:-language)?$/i.test(name) && /^\*(?:\/\*)?$/.test(value)
}

/** A draft without the headers whose values the log hides, and their names. */
export function withoutRedacted(draft: Draft): { rest: Draft; removed: string[] } {
  const isHidden = ([, value]: readonly [string, string]): boolean => value.includes('[redacted]')
  return {
    rest: { ...draft, headers: draft.headers.filter((one) => !isHidden(one)) },
    removed: draft.headers.filter(isHidden).map(([name]) => name),
  }
}

/** Whether the log replaced a part of a request, so that it cannot be sent as it was. */
export function isRedacted({ url, headers, body }: Draft): boolean {
  return [url, body, ...headers.map(([, value]) => value)].some((text) =>
    text.includes('[redacted]'),
  )
}
