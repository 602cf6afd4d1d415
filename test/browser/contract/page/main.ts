import * as msw from 'msw'

import { startMock } from '../../../../src/browser.ts'
import { createMock } from '../../../../src/index.ts'
import type { Answer, ParsedRequest } from '../../../faces.ts'
import { tables } from './tables.ts'
import { createNothing } from './vitest.ts'

declare global {
  /** Starts a fresh mock of a table in a test file, and gives the major version of msw that carries it. */
  var openTable: (file: string, title: string) => Promise<2 | 3>
  var sendRequest: (request: ParsedRequest) => Promise<Answer>
}

/** How the mocks of each test file's tables are made. */
const files = new Map<string, Promise<typeof tables>>()

globalThis.openTable = async (file, title) => {
  const known = files.get(file) ?? load(file)
  files.set(file, known)
  const create = (await known).get(title)
  if (!create) throw new Error(`There is no table "${title}" in ${file}.`)
  const created = create()
  await startMock('handle' in created ? created : createMock(created))
  return 'graphql' in msw ? 2 : 3
}

async function load(file: string): Promise<typeof tables> {
  tables.clear()
  await import(/* @vite-ignore */ `/test/contract/${file}`)
  return new Map(tables)
}

globalThis.sendRequest = async ({ path, body, ...init }) => {
  const response = await fetch(path, { ...init, ...(body !== undefined && { body }) })
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, text: await response.text() }
}

Object.assign(globalThis, {
  // Only requests are made with it, and those are made outside of the page.
  Buffer: createNothing(),
  setImmediate: (callback: () => void) => setTimeout(callback),
})

document.title = 'ready'
