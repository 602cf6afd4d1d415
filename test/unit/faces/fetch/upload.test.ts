import { expect, it, onTestFinished } from 'vitest'

import { routes } from '../../../../src/behaviours.ts'
import { createMock, type Mock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'

const bytes = new Uint8Array([0xff, 0, 0xfe, 10])

/** A mock with a route that gives back the bytes of a file. */
function create(): Mock {
  const upload = async (request: Request): Promise<Response> => {
    const file = (await request.formData()).get('file') as File
    return new Response(await file.arrayBuffer(), { headers: { 'X-Name': file.name } })
  }
  return createMock({ fixtures: {}, use: [routes({ 'POST /upload': upload })] })
}

function toForm(): FormData {
  const form = new FormData()
  form.append('file', new File([bytes], 'a.bin', { type: 'application/octet-stream' }))
  return form
}

it('a route gets a file byte by byte', async () => {
  const answer = await create().fetch('/upload', { method: 'POST', body: toForm() })
  expect([answer.headers.get('x-name'), new Uint8Array(await answer.arrayBuffer())]).toEqual([
    'a.bin',
    bytes,
  ])
})

it('a route gets a file byte by byte over HTTP', async () => {
  const { url, close } = await serve(create(), { port: 0 })
  onTestFinished(() => close())
  const answer = await fetch(`${url}/upload`, { method: 'POST', body: toForm() })
  expect([answer.headers.get('x-name'), new Uint8Array(await answer.arrayBuffer())]).toEqual([
    'a.bin',
    bytes,
  ])
})
