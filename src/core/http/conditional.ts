import { headerOf, type MockRequest, type MockResponse } from './messages.ts'

/** Answers 304 instead where the client holds what a safe request would get (RFC 9110 §13.1.2). */
export function withConditions(request: MockRequest, response: MockResponse): MockResponse {
  const held = request.headers['if-none-match']
  if (held === undefined || response.status !== 200) return response
  const tag = headerOf(response.headers, 'ETag')
  if (tag === undefined || !(held.trim() === '*' || tagsIn(held).includes(tag))) return response
  const headers = response.headers.filter(([name]) => name !== 'Content-Type')
  return { status: 304, headers, body: null }
}

/** The entity tags in a header, without the mark of weakness. */
function tagsIn(header: string): string[] {
  return header.match(/"[^"]*"/g) ?? []
}
