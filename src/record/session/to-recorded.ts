import type { RecordedExchange } from '../../core/learn/parse-exchange.ts'
import { decodeBody } from '../../proxy/decode-body.ts'
import type { ProxiedExchange } from '../../proxy/exchange.ts'

/** Converts an exchange of the proxy to the form that the learner reads: decodes the bodies to text. */
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
