import { readFile } from 'node:fs/promises'
import type { MockResponse } from '../../core/http/messages.ts'

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** Nothing from elsewhere, nothing inline, and in no frame. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Hands out the home page or a file of it, which is read when it is asked for; undefined for any other. */
export async function readHome(path: string): Promise<MockResponse | undefined> {
  if (path === '/') return toResponse((await import('../../home/page.ts')).page, 'html')
  const name = /^\/__mock\/home\/([a-z]+)\.(css|js)$/.exec(path)
  if (name?.[2] === 'css') return toResponse((await import('../../home/page.ts')).style, 'css')
  if (!name) return undefined
  try {
    const { scriptAt } = await import('../../home/page.ts')
    return toResponse(await readFile(scriptAt(name[1] ?? ''), 'utf8'), 'js')
  } catch {
    return undefined
  }
}

function toResponse(body: string, kind: string): MockResponse {
  return {
    status: 200,
    headers: [
      ['Content-Type', types[kind] ?? ''],
      ['Cache-Control', 'no-cache'],
      // Who takes no HTML gets something else at the same place.
      ['Vary', 'Accept'],
      ['Content-Security-Policy', policy],
      ['X-Content-Type-Options', 'nosniff'],
      ['Referrer-Policy', 'no-referrer'],
    ],
    body,
  }
}
