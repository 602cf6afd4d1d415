import { isRecord, type Json } from '../../json/json.ts'

/**
 * The content of one file in `_recorded/`: a recorded request, and the response of the real API. `mock record` writes
 * such a file for each response that the mock cannot make from its records, and the mock sends it as it is.
 */
export interface StoredAnswer {
  method: string
  /** Without the query: `/api/search`. */
  path: string
  /** The parameters of the query. */
  query?: [name: string, value: string][]
  /** The body of the request: JSON, the fields of a form, or a text. */
  body?: Json
  status: number
  headers?: [name: string, value: string][]
  /** The JSON of the response; missing if there is none. */
  value?: Json
  /** The origin of the real API, if the answer has links to the API. */
  origin?: string
  /**
   * The resources whose records the answer contains, with digests of their data. Once a digest differs, the mock
   * answers from the data.
   */
  while?: Record<string, string>
}

/** Whether a value read from a file is a recorded answer. */
export function isStoredAnswer(value: unknown): value is StoredAnswer & Json {
  if (!isRecord(value)) return false
  const { method, path, query = [], status, headers = [], while: pinned = {} } = value
  return (
    typeof method === 'string' &&
    typeof path === 'string' &&
    path.startsWith('/') &&
    isPairs(query) &&
    Number.isInteger(status) &&
    (status as number) >= 200 &&
    (status as number) <= 599 &&
    isPairs(headers) &&
    isRecord(pinned) &&
    Object.values(pinned).every((digest) => typeof digest === 'string')
  )
}

function isPairs(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (pair) =>
        Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string'),
    )
  )
}
