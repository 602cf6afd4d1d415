import type { MaybePromise, MockResponse } from '../../core/http/contract/messages.ts'
import { ownValue } from '../../core/json/json.ts'
import { controlPath } from '../../core/url/control-path.ts'
import { type PageOptions, toPage } from '../../studio/page.ts'

/** Answers with the studio or one of its files, which `readFile` reads; undefined for any other path. */
export async function answerHome(
  path: string,
  readFile: ReadFile,
  features: Pick<PageOptions, 'isLinked' | 'hasReference'> = {},
): Promise<MockResponse | undefined> {
  const folder = `${controlPath}/home`
  if (path === '/' || path === folder || path === `${folder}/`) {
    const scripts = [`${folder}/start.js`, `${folder}/app.js`]
    return toPageResponse('html', toPage({ scripts, style: `${folder}/style.css`, ...features }))
  }
  if (!path.startsWith(`${folder}/`)) return undefined
  const name = path.slice(folder.length + 1)
  const type = ownValue(fileTypes, /^[\w.-]+\.(css|js)$/.exec(name)?.[1] ?? '')
  if (type === undefined) return undefined
  const body = await readFile(name)
  return body === undefined ? undefined : toPageResponse(type, body)
}

/** Reads a file of the studio; undefined for an unknown name. */
export type ReadFile = (name: string) => MaybePromise<string | undefined>

/** The Content Security Policy of the pages: only files of this server, no inline code, no frames. */
export const policy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The directives of the studio, whose script makes no markup from strings. */
export const trustedTypes = "require-trusted-types-for 'script'; trusted-types 'none'"

const fileTypes: Readonly<Record<string, string>> = { css: 'css', js: 'javascript' }

/** Responds with a page or one of its files. */
export function toPageResponse(
  type: string,
  body: string,
  csp = `${policy}; ${trustedTypes}`,
): MockResponse {
  return {
    status: 200,
    headers: [
      ['Content-Type', `text/${type}; charset=utf-8`],
      ['Cache-Control', 'no-cache'],
      // Without `text/html` in Accept, the same path responds with JSON.
      ['Vary', 'Accept'],
      ['Content-Security-Policy', csp],
      ['X-Content-Type-Options', 'nosniff'],
      ['Referrer-Policy', 'no-referrer'],
    ],
    body,
  }
}
