import * as msw from 'msw'

import { startMock } from '../../../../src/browser.ts'
import { createMock } from '../../../../src/index.ts'
import type { Answer, ParsedRequest } from '../../../faces.ts'
import { tables } from './tables.ts'

declare global {
  /** The major version of MSW in this page. */
  var mswMajor: 2 | 3
  /** Sends a request to the current mock, or to a new mock of a table. */
  var sendRequest: (request: ParsedRequest, fresh?: Table) => Promise<Answer>
}

/** The file and the title of a table. */
export interface Table {
  file: string
  title: string
}

/** The tables of each loaded test file. */
const files = new Map<string, Promise<typeof tables>>()

globalThis.mswMajor = 'graphql' in msw ? 2 : 3

async function open({ file, title }: Table): Promise<void> {
  const known = files.get(file) ?? load(file)
  files.set(file, known)
  const create = (await known).get(title)
  if (!create) throw new Error(`There is no table "${title}" in ${file}.`)
  const created = create()
  await startMock('fetch' in created ? created : createMock(created))
}

async function load(file: string): Promise<typeof tables> {
  tables.clear()
  await import(/* @vite-ignore */ `/test/contract/${file}`)
  return new Map(tables)
}

globalThis.sendRequest = async ({ path, body, ...init }, fresh) => {
  if (fresh) await open(fresh)
  const response = await fetch(path, { ...init, ...(body !== undefined && { body }) })
  const headers = Object.fromEntries(response.headers)
  const received = await response.text()
  // The other faces get their requests at the origin that the tables expect.
  const text = atTableOrigin(received)
  for (const name of ['link', 'location']) {
    const value = headers[name]
    if (value !== undefined) headers[name] = atTableOrigin(value)
  }
  const length = headers['content-length']
  if (length !== undefined)
    headers['content-length'] = String(Number(length) + text.length - received.length)
  return { status: response.status, headers, text }
}

function atTableOrigin(text: string): string {
  return text.replaceAll(location.origin, 'http://mock.test')
}

Object.assign(globalThis, {
  setImmediate: (callback: () => void) => setTimeout(callback),
})

document.title = 'ready'
