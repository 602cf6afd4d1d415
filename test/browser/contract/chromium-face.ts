import { join, relative } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'

import type { Mock } from '../../../src/index.ts'
import { type Connection, type Expected, parse, type TableRequest } from '../../faces.ts'

/** Reaches a mock through msw in a page, which makes the mock by itself from the table's title. */
export async function connectChromium(_mock: Mock, title?: string): Promise<Connection> {
  const page = await openFile(expect.getState().testPath ?? '')
  await page.evaluate((title) => openTable(title), title ?? '')
  return {
    cannot: findObstacle,
    send: (request) => page.evaluate((request) => sendRequest(request), parse(request)),
    close: async () => {},
  }
}

/** The page of the test file before, which is used again. */
let opened: { file: string; page: Promise<Page> } | undefined

async function openFile(path: string): Promise<Page> {
  const file = relative(join(import.meta.dirname, '../../contract'), path)
  if (opened?.file !== file) opened = { file, page: load(file, opened?.page) }
  return opened.page
}

async function load(file: string, before: Promise<Page> | undefined): Promise<Page> {
  const page = (await before?.catch(() => undefined)) ?? (await openPage())
  const failed = new Promise<never>((_, reject) => {
    page.once('pageerror', ({ message }) => reject(new Error(`${file} in a page: ${message}`)))
  })
  failed.catch(() => {})
  await page.goto(`${inject('pages')}?file=${file}`)
  await Promise.race([page.waitForFunction(() => document.title === 'ready'), failed])
  return page
}

async function openPage(): Promise<Page> {
  const browser = await chromium.connect(inject('browser'))
  return browser.newPage()
}

/** Headers that a page may not set (Fetch, "forbidden request-header"). */
const forbidden =
  /^(?:accept-(?:charset|encoding)|access-control-request-.*|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/

/** Why a page cannot send this request, or read what is expected. */
function findObstacle(request: TableRequest, expected: Expected): string | undefined {
  const { method, headers, body } = parse(request)
  const header = Object.keys(headers).find((name) => forbidden.test(name))
  if (header !== undefined) return `a page may not send the header "${header}"`
  if (/^(?:TRACE|CONNECT)$/i.test(method)) return `a page may not send ${method}`
  if (body !== undefined && /^(?:GET|HEAD)$/.test(method)) {
    return `a page may not send a body with ${method}`
  }
  const hidden = Object.keys(expected.headers ?? {}).find((name) => /^set-cookie$/i.test(name))
  return hidden === undefined ? undefined : `a page may not read the header "${hidden}"`
}
