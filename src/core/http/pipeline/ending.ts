import type { LogEntry } from '../../log/log.ts'
import {
  type HeaderList,
  isBytes,
  type MockRequest,
  type MockResponse,
} from '../contract/messages.ts'

/** The answer as it leaves, with what lets pages read it. */
export function toSent({ status, headers, body }: MockResponse, cors: HeaderList): MockResponse {
  return { status, headers: [...headers, ...cors, vary], body }
}

const vary: HeaderList[number] = ['Vary', 'Origin, Accept, Accept-Encoding, Prefer']

/** The entry of a request in the log. */
export function toEntry(
  { method, request }: { method: string; request: MockRequest },
  { status, body }: MockResponse,
  { time, ms, reason = '' }: { time: number; ms: number; reason?: string },
): LogEntry {
  const { headers, path, search } = request
  const url = (path + search).slice(0, 2000)
  const bytes = typeof body === 'string' || isBytes(body) ? body.length : 0
  return { time, method, url, headers, status, ms, bytes, reason }
}
