import { join, relative } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'

import type { Mock } from '../../../src/index.ts'
import { type Connection, type Expected, parse, type TableRequest } from '../../faces.ts'
import { host } from '../../table-requests.ts'
import type { Place } from '../../other-faces.ts'
import type { Table } from './page/main.ts'
import type { Msw } from './pages.setup.ts'

/** Connects through MSW in a page. The page creates the mock itself, by the title of the table. */
export function connectChromium(msw: Msw): (mock: Mock, place?: Place) => Promise<Connection> {
  return async (_mock, place) => {
    const page = await (opened[msw] ??= openPage(msw))
    const file = relative(
      join(import.meta.dirname, '../../contract'),
      expect.getState().testPath ?? '',
    )
    // Sent together with the first request, which saves a round trip to the page.
    let fresh: Table | undefined = { file, title: place?.title ?? '' }
    return {
      skipReason,
      send(request) {
        const table = fresh
        fresh = undefined
        return page.evaluate(([request, table]) => sendRequest(request, table), [
          parse(request),
          table,
        ] as const)
      },
      close: async () => {},
    }
  }
}

/** The open pages, which all test files share. */
const opened: Partial<Record<Msw, Promise<Page>>> = {}

async function openPage(msw: Msw): Promise<Page> {
  const browser = await chromium.connect(inject('browser'))
  const page = await browser.newPage()
  const failed = new Promise<never>((_, reject) => page.once('pageerror', reject))
  failed.catch(() => {})
  await page.goto(inject('pages')[msw])
  await Promise.race([page.waitForFunction(() => document.title === 'ready'), failed])
  expect(await page.evaluate(() => mswMajor)).toBe(msw === 'msw3' ? 3 : 2)
  return page
}

/** Headers that a page may not set (Fetch, "forbidden request-header"). */
const forbidden =
  /^(?:accept-(?:charset|encoding)|access-control-request-.*|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/

/** The reason why a page cannot send this request, or cannot read the expected headers. */
function skipReason(request: TableRequest, expected: Expected): string | undefined {
  const { method, headers, body } = parse(request)
  const header = Object.keys(headers).find((name) => forbidden.test(name))
  if (header !== undefined) return `a page may not send the header "${header}"`
  if (/^(?:TRACE|CONNECT)$/i.test(method)) return `a page may not send ${method}`
  if (body !== undefined && /^(?:GET|HEAD)$/.test(method)) {
    return `a page may not send a body with ${method}`
  }
  if ([301, 302, 303, 307, 308].includes(expected.status)) return 'a page follows redirects'
  if (JSON.stringify(body ?? '').includes(`//${host}/`)) return 'a page has another origin'
  const hidden = Object.keys(expected.headers ?? {}).find((name) => /^set-cookie$/i.test(name))
  return hidden === undefined ? undefined : `a page may not read the header "${hidden}"`
}
