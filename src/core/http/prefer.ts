import type { HeaderList, MockRequest, MockResponse } from './messages.ts'

/** Answers a write as the client prefers (RFC 7240 §4.2): with what was written, or without. */
export function withPreference({ headers }: MockRequest, response: MockResponse): MockResponse {
  const preferred = headers['prefer']
  if (preferred === undefined || response.status >= 300) return response
  const [, wanted] = /(?:^|,)\s*return\s*=\s*"?(minimal|representation)\b/i.exec(preferred) ?? []
  if (wanted === undefined) return response
  const applied = `return=${wanted.toLowerCase()}`
  const kept: HeaderList = [...response.headers, ['Preference-Applied', applied]]
  if (applied !== 'return=minimal') return { ...response, headers: kept }
  return { status: 204, headers: kept.filter(([name]) => name !== 'Content-Type'), body: null }
}
