import type { Json, JsonRecord } from '../../../src/core/json/json.ts'
import type { Backend, Reply } from './backends.ts'

/** A request of a scripted client: method, path with query, and the JSON that it sends. */
export type Step = readonly [method: string, path: string, sent?: JsonRecord]

/** A request of the client, and the response of the back end. */
export interface Exchanged {
  method: string
  url: string
  sent: JsonRecord | undefined
  reply: Reply
}

/** What the client does: it reads lists, pages, details and filters, writes, logs in and searches. */
export const script: readonly Step[] = [
  ['POST', '/api/login', { email: 'ottilie@quartermaine.dev', password: 'correct-horse-battery' }],
  ['GET', '/api/authors'],
  ['GET', '/api/articles'],
  ['GET', '/api/articles?page=2'],
  ['GET', '/api/articles?page=3'],
  ['GET', '/api/articles/2'],
  ['GET', '/api/articles/3'],
  ['GET', '/api/articles/99'],
  ['GET', '/api/search?q=title&api_key=query-key-8086'],
  ['POST', '/api/articles', { title: 'New', author_id: 2, is_published: true }],
  ['PATCH', '/api/articles/3', { title: 'Changed' }],
  ['DELETE', '/api/articles/7'],
  ['GET', '/api/articles/3'],
  ['GET', '/api/articles/100'],
  ['GET', '/api/articles?page=1'],
]

/** Lets a client run a script against a back end. */
export function run(backend: Backend, steps: readonly Step[] = script): Exchanged[] {
  return steps.map(([method, path, sent]) => {
    const reply = structuredClone(backend.answer(method, path, sent))
    return { method, url: backend.origin + path, sent, reply }
  })
}

/** An archive as Chromium writes it; `encoding` writes bodies as Safari and Charles do. */
export function toHar(exchanges: readonly Exchanged[], encoding?: 'base64'): Json {
  const entries = exchanges.map(({ method, url, sent, reply }, at): Json => {
    const text = reply.json === undefined ? '' : JSON.stringify(reply.json)
    const encoded = encoding ? Buffer.from(text).toString('base64') : text
    const headers = { ...(text !== '' && { 'content-type': 'application/json' }), ...reply.headers }
    return {
      startedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
      time: 5,
      request: {
        method,
        url,
        httpVersion: 'h3',
        headers: [
          { name: ':path', value: '/' },
          { name: 'Authorization', value: 'Bearer tok_9f8e7d6c5b4a3210' },
          { name: 'Cookie', value: 'sid=session-cookie-4711' },
        ],
        ...(sent && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
      },
      response: {
        status: reply.status,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        content: {
          size: text.length,
          mimeType: text === '' ? 'x-unknown' : 'application/json',
          ...(text !== '' && { text: encoded, ...(encoding && { encoding }) }),
        },
      },
    }
  })
  return { log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } }
}
