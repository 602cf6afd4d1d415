import type { Json } from '../../json/json.ts'

/** A recorded exchange, parsed for the learner, without the headers that may contain credentials. */
export interface ParsedExchange {
  /** When the request was sent, in milliseconds since 1970. */
  at: number
  /** The scheme and the authority of the URL in lower case: `https://api.example.com`. */
  origin: string
  method: string
  /** Below the origin, without the query and a final slash: `/api/posts`. */
  path: string
  /** Whether the path of the request ends with a slash. */
  isSlashed: boolean
  /** The decoded segments of the path. */
  segments: readonly string[]
  /** The parameters of the query, in the order of the request. */
  query: readonly Param[]
  /** The body of the request: JSON, the fields of a form, or a text. */
  sent: Json | undefined
  status: number
  /** The headers that a recorded answer keeps. */
  headers: readonly Param[]
  /** The JSON of the response; undefined for another body. */
  json: Json | undefined
  /** Whether the response has no body at all. */
  isEmpty: boolean
}

/** A name and a value: of a parameter or a header. */
export type Param = readonly [name: string, value: string]

/** Whether a status is a success (RFC 9110 §15.3). */
export function isSuccess({ status }: Pick<ParsedExchange, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** Compares exchanges by time, then by content, so that the order in which they were added does not matter. */
export function compareExchanges(left: ParsedExchange, right: ParsedExchange): number {
  return left.at - right.at || compareTexts(contentOf(left), contentOf(right))
}

function contentOf({ method, path, query, sent, status, json }: ParsedExchange): string {
  return JSON.stringify([method, path, query, sent, status, json])
}

/** Compares texts by code unit. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
