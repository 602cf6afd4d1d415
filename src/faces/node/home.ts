import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MockResponse } from '../../core/http/contract/messages.ts'
import { ownValue } from '../../core/json/json.ts'

/** The Content Security Policy of the pages: only files of this server, no inline code, no frames. */
const policy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The policy of the page at `/`, whose script makes no markup from strings. */
const strictPolicy = `${policy}; require-trusted-types-for 'script'; trusted-types 'none'`

/** Responds with the home page, the API reference or a file of these; undefined for any other path. */
export async function readHome(path: string): Promise<MockResponse | undefined> {
  if (path.startsWith('/__mock/docs')) return readDocs(path)
  const home = await import('../../studio/page.ts')
  if (/^\/(?:__mock\/home\/?)?$/.test(path)) return toResponse('html', home.page)
  const [, name = '', extension = ''] = /^\/__mock\/home\/([\w.-]+)\.(css|js)$/.exec(path) ?? []
  if (name === '') return undefined
  const body = await readFile(new URL(`${name}.${extension}`, home.homeFolder), 'utf8').catch(
    () => undefined,
  )
  return body === undefined ? undefined : toResponse(fileTypes[extension] ?? '', body)
}

/** The types of the files of the page. */
const fileTypes: Readonly<Record<string, string>> = { css: 'css', js: 'javascript' }

/** Responds with the API reference or one of its files, or with how to install the package that shows it. */
async function readDocs(path: string): Promise<MockResponse | undefined> {
  const docs = await import('../../studio/docs-page.ts')
  if (path === '/__mock/docs/style.css') return toResponse('css', docs.docsStyle, policy)
  if (path === '/__mock/docs/docs.js')
    return toResponse('javascript', await readFile(docs.docsScript, 'utf8'), policy)
  const { findSwaggerUi } = await import('./swagger-ui.ts')
  const folder = findSwaggerUi()
  if (path === '/__mock/docs')
    return toResponse('html', folder === undefined ? docs.missingPage : docs.docsPage, policy)
  const file = path.slice('/__mock/docs/'.length)
  const type = ownValue(swaggerFiles, file)
  if (folder === undefined || type === undefined) return undefined
  return toResponse(type, await readFile(join(folder, file), 'utf8'), policy)
}

/** The files of Swagger UI that the API reference loads, with their types. */
const swaggerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'css',
  'swagger-ui-bundle.js': 'javascript',
}

function toResponse(type: string, body: string, csp: string = strictPolicy): MockResponse {
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
