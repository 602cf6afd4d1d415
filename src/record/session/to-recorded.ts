import type { RecordedExchange } from '../../core/learn/exchange.ts'
import { decodeBody } from '../../proxy/decode-body.ts'
import type { ProxiedExchange } from '../../proxy/exchange.ts'

/** Decodes the bodies of an exchange for the learner. */
export async function toRecorded(
  exchange: ProxiedExchange,
  limit: number,
): Promise<RecordedExchange> {
  const { startedAt, method, url, requestHeaders, requestBody, status, headers, body } = exchange
  const none = new Uint8Array()
  return {
    startedAt,
    method,
    url,
    requestHeaders,
    requestBody: await decodeBody(requestBody.bytes() ?? none, requestHeaders, limit),
    status,
    headers,
    body: await decodeBody(body.bytes() ?? none, headers, limit),
  }
}
