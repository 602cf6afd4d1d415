import { answerRows } from '../dialects/supabase/supabase.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { onLeave } from '../http/contract/exchange.ts'
import { isBytes, type MockResponse } from '../http/contract/messages.ts'
import { represent } from '../http/response/represent.ts'
import { isRecord, type JsonRecord, tryJson } from '../json/json.ts'
import { decodeUtf8, toBinaryString } from '../text/binary-string.ts'

/**
 * Makes functions of routes below `/rest/v1/rpc`: a request can filter, order and page the rows that a route
 * answers, and choose their columns and their format.
 */
export function supabaseFunctions(): Behaviour {
  return {
    name: 'supabase-functions',
    create: ({ service }) => ({
      at: {
        resource(exchange) {
          if (!exchange.path.startsWith(`${service.base}/rest/v1/rpc/`)) return
          onLeave(exchange, (response) => {
            const rows = rowsIn(response)
            return rows ? represent(exchange, answerRows(exchange, rows)) : response
          })
        },
      },
    }),
  }
}

/** The rows in the body of a success response; undefined for another value. */
function rowsIn({ status, body }: MockResponse): JsonRecord[] | undefined {
  const text = isBytes(body) ? decodeUtf8(toBinaryString(body)) : body
  if (status !== 200 || typeof text !== 'string' || !text.startsWith('[')) return undefined
  const rows = tryJson(text)
  return Array.isArray(rows) && rows.every(isRecord) ? rows : undefined
}
