import { readFile } from 'node:fs/promises'
import type { MockResponse } from '../../core/http/contract/messages.ts'

/** The Content Security Policy of the page at `/`: only files of this server, no inline code, no markup from strings, no frames. */
const policy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Responds with the home page or one of its files; undefined for any other path. */
export async function readHome(path: string): Promise<MockResponse | undefined> {
  const home = await import('../../studio/page.ts')
  if (path === '/') return toResponse('html', home.page)
  if (path === '/__mock/home/style.css') return toResponse('css', home.style)
  if (path === '/__mock/home/app.js')
    return toResponse('javascript', await readFile(home.script, 'utf8'))
  return undefined
}

function toResponse(type: string, body: string): MockResponse {
  return {
    status: 200,
    headers: [
      ['Content-Type', `text/${type}; charset=utf-8`],
      ['Cache-Control', 'no-cache'],
      // Without `text/html` in Accept, the same path responds with JSON.
      ['Vary', 'Accept'],
      ['Content-Security-Policy', policy],
      ['X-Content-Type-Options', 'nosniff'],
      ['Referrer-Policy', 'no-referrer'],
    ],
    body,
  }
}
