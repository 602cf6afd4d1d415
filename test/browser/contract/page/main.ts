import { startMock } from '../../../../src/browser.ts'
import { createMock } from '../../../../src/index.ts'
import type { Answer, ParsedRequest } from '../../../faces.ts'
import { tables } from './tables.ts'
import { createNothing } from './vitest.ts'

declare global {
  var openTable: (title: string) => Promise<void>
  var sendRequest: (request: ParsedRequest) => Promise<Answer>
}

globalThis.openTable = async (title) => {
  const create = tables.get(title)
  if (!create) throw new Error(`There is no table "${title}".`)
  const created = create()
  await startMock('handle' in created ? created : createMock(created))
}

globalThis.sendRequest = async ({ path, body, ...init }) => {
  const response = await fetch(path, { ...init, ...(body !== undefined && { body }) })
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, text: await response.text() }
}

// Only requests are made with it, and those are made outside of the page.
Object.assign(globalThis, { Buffer: createNothing() })

const file = new URL(location.href).searchParams.get('file')
await import(/* @vite-ignore */ `/test/contract/${file}`)
document.title = 'ready'
