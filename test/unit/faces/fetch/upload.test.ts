import { expect, it, onTestFinished } from 'vitest'

import { idempotency, routes } from '../../../../src/behaviours.ts'
import { createMock, type Mock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'

const bytes = new Uint8Array([0xff, 0, 0xfe, 10])

/** A mock with routes that give back the bytes of a file. */
function create(): Mock {
  const upload = async (request: Request): Promise<Response> => {
    const file = (await request.formData()).get('file') as File
    return new Response(await file.arrayBuffer(), { headers: { 'X-Name': file.name } })
  }
  const put = async (request: Request): Promise<Response> =>
    new Response(await request.arrayBuffer(), {
      headers: { 'X-Name': request.headers.get('content-type') ?? '' },
    })
  const table = { 'POST /upload': upload, 'PUT /avatar': put }
  return createMock({ fixtures: {}, maxBody: 1000, use: [routes(table)] })
}

function toForm(): FormData {
  const form = new FormData()
  form.append('file', new File([bytes], 'a.bin', { type: 'application/octet-stream' }))
  return form
}

const asked: [title: string, path: string, init: () => RequestInit, name: string][] = [
  ['in a form', '/upload', () => ({ method: 'POST', body: toForm() }), 'a.bin'],
  [
    'on its own',
    '/avatar',
    () => ({ method: 'PUT', body: bytes, headers: { 'Content-Type': 'image/png' } }),
    'image/png',
  ],
]

async function check(answer: Response, name: string): Promise<void> {
  expect([answer.headers.get('x-name'), new Uint8Array(await answer.arrayBuffer())]).toEqual([
    name,
    bytes,
  ])
}

it.each(asked)('a route gets a file byte by byte %s', async (_, path, init, name) => {
  await check(await create().fetch(path, init()), name)
})

it.each(asked)('a route gets a file byte by byte %s over HTTP', async (_, path, init, name) => {
  const { url, close } = await serve(create(), { port: 0 })
  onTestFinished(() => close())
  await check(await fetch(url + path, init()), name)
})

it('a file that is too large is refused before the route', async () => {
  const init = { method: 'PUT', body: new Uint8Array(1001), headers: { 'Content-Type': 'a/b' } }
  expect((await create().fetch('/avatar', init)).status).toBe(413)
})

it('a route gets a file of any type that a client may write', async () => {
  const head = 'Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: a/b, c'
  const body = `--x\r\n${head}\r\n\r\nhello\r\n--x--\r\n`
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const answer = await create().fetch('/upload', { method: 'POST', body, headers })
  expect([answer.status, await answer.text()]).toEqual([200, 'hello'])
})

it('a route gets no body where there is none', async () => {
  const answer = await create().fetch('/avatar', { method: 'PUT' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

it('a route gets what was read before as text', async () => {
  const echo = async (request: Request): Promise<string> => request.text()
  const use = [idempotency(), routes({ 'POST /echo': echo })]
  const mock = createMock({ fixtures: {}, use })
  const headers = { 'Idempotency-Key': 'a', 'Content-Type': 'text/plain' }
  const answer = await mock.fetch('/echo', { method: 'POST', body: 'ü', headers })
  expect(await answer.json()).toBe('ü')
})
