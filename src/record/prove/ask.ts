import type { MockInternals } from '../../core/http/contract/internals.ts'
import type { HeaderList, MockBody } from '../../core/http/contract/messages.ts'
import { type Json, tryJson } from '../../core/json/json.ts'
import { type ParsedExchange, toSearch } from '../../core/learn/parse-exchange.ts'
import { jsonApiType } from '../../core/learn/recognize/json-api.ts'

/** Sends the request of an exchange to a mock; a `Request` and a `Response` for each would take most of the time. */
export async function ask(
  mock: Pick<MockInternals, 'handle'>,
  exchange: ParsedExchange,
): Promise<Replied> {
  const { method, path, isSlashed, query, sent, origin, document, isAnonymous = true } = exchange
  const search = toSearch(query)
  const { status, body, headers } = await mock.handle(
    {
      method,
      path: path + (isSlashed ? '/' : ''),
      search: search === '' ? '' : `?${search}`,
      origin,
      headers: {
        ...(sent !== undefined && { 'content-type': document ? jsonApiType : 'application/json' }),
        ...(!isAnonymous && { authorization: `Bearer ${tokenOf(exchange.viewer)}` }),
      },
      text: () => (sent === undefined ? '' : JSON.stringify(sent)),
      form: () => [],
    },
    { origins: 'any' },
  )
  const text = toText(body)
  return { status, body, headers, text, json: tryJson(text) }
}

/** Returns the token with which a mock that is tried knows a user of the recording. */
export function tokenOf(viewer = 0): string {
  return `recorded-${viewer}`
}

/** A response of a mock. */
export interface Replied {
  status: number
  body: MockBody
  headers: HeaderList
  text: string
  json: Json | undefined
}

/** Returns the text of a body; empty for a stream, which no exchange of JSON has. */
function toText(body: MockBody): string {
  return typeof body === 'string' ? body : body instanceof Uint8Array ? decoder.decode(body) : ''
}

const decoder = new TextDecoder()
