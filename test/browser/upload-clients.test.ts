import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'

import { files } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { serve } from '../../dist/node.js'
import { listen } from '../peers/harness/server.ts'
import { openPage } from './page.ts'
import type { UploadClients } from './upload-page.ts'

declare global {
  var clients: UploadClients
}

const content = 'abcdefghij'.repeat(350)

let bundled: Promise<string> | undefined

async function bundle(): Promise<string> {
  const made = await rolldown({
    input: join(import.meta.dirname, 'upload-page.ts'),
    platform: 'browser',
  })
  const { output } = await made.generate({ codeSplitting: false })
  await made.close()
  return output[0].code
}

/** Opens a page of another origin than the mock, with the clients. */
async function open(): Promise<{ page: Page; api: string; lines: string[] }> {
  const mock = createMock({
    fixtures: { users: [{ id: 1 }, { id: 2, avatar: svg }] },
    use: [files({ users: { avatar: true } })],
  })
  const server = await serve(mock, { port: 0 })
  onTestFinished(() => server.close())
  const script = await (bundled ??= bundle())
  const app = await listen(({ url }, response) => {
    const isScript = url === '/clients.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    // Another origin shows files only where they allow it.
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
    response.end(
      isScript ? script : '<!doctype html><script type="module" src="/clients.js"></script>',
    )
  })
  onTestFinished(app.close)
  const { page, lines } = await openPage(app.url)
  await page.waitForFunction(() => 'clients' in globalThis)
  return { page, api: server.url, lines }
}

const svg =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><rect width="7" height="7"/></svg>'

/** The file at a URL: its bytes and its name. */
async function read(url: string | null | undefined): Promise<unknown[]> {
  const response = await fetch(url ?? '')
  return [await response.text(), response.headers.get('content-disposition')]
}

const name = `filename="_ 1.txt"; filename*=UTF-8''%C3%A4%201.txt`
const uploaded = [content, `inline; ${name}`]

it('uploads with tus-js-client, in chunks', async () => {
  const { page, api } = await open()
  const url = await page.evaluate(([api, content]) => clients.tus(api, content), [
    api,
    content,
  ] as const)
  expect(await read(url)).toEqual(uploaded)
})

it('resumes with tus-js-client where it was aborted', async () => {
  const { page, api } = await open()
  const [url, first] = await page.evaluate(([api, content]) => clients.resumedTus(api, content), [
    api,
    content,
  ] as const)
  expect(first).toBe(2000)
  expect(await read(url)).toEqual(uploaded)
})

it('uploads with tus of uppy', async () => {
  const { page, api } = await open()
  const url = await page.evaluate(([api, content]) => clients.uppyTus(api, content), [
    api,
    content,
  ] as const)
  expect(await read(url)).toEqual(uploaded)
})

it('uploads a form with uppy', async () => {
  const { page, api } = await open()
  const url = await page.evaluate(([api, content]) => clients.uppyForm(api, content), [
    api,
    content,
  ] as const)
  expect(url).toBe(`${api}/users/1/avatar`)
  expect(await read(url)).toEqual(uploaded)
})

it.each([
  ['the presigned URL', false],
  ['the fields of a POST policy', true],
])('uploads with S3 of uppy by %s', async (_, hasFields) => {
  const { page, api } = await open()
  const file = await page.evaluate(
    ([api, content, hasFields]) => clients.uppyS3(api, content, hasFields),
    [api, content, hasFields] as const,
  )
  expect(await read(file)).toEqual(uploaded)
})

it('shows the URL of a record in an image', async () => {
  const { page, api } = await open()
  const width = await page.evaluate(async (api) => {
    const response = await fetch(`${api}/users/2`)
    const { avatar } = await response.json()
    return clients.image(avatar)
  }, api)
  expect(width).toBe(7)
})
