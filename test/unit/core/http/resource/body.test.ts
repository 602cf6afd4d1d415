import { gzipSync } from 'node:zlib'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createMock } from '../../../../../src/index.ts'
import { serve } from '../../../../../src/node.ts'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xd8])
const form = new TextEncoder().encode(
  '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--cut--\r\n',
)
const multipart = 'multipart/form-data; boundary=cut'

const rows: [title: string, headers: Record<string, string>, body: Uint8Array, wanted: object][] = [
  ['of another type', { 'content-type': 'image/png' }, png, { status: 415, accept: true }],
  [
    'that is compressed',
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    gzipSync('{"a":1}'),
    { status: 415, coding: 'identity' },
  ],
  [
    'that is a compressed form',
    { 'content-type': multipart, 'content-encoding': 'gzip' },
    gzipSync(form),
    { status: 415, coding: 'identity' },
  ],
  ['in another charset', { 'content-type': 'application/json' }, png, { status: 400 }],
  ['without a type', {}, png, { status: 400 }],
]

describe.each(['fetch', 'http'])('bytes by the way of %s', (way) => {
  it.each(rows)('are refused by their name: a body %s', async (_title, headers, body, wanted) => {
    const mock = createMock({ fixtures: { posts: [] } })
    const sent = { method: 'POST', headers, body: new Uint8Array(body) }
    const ask = async (): Promise<Response> => {
      if (way === 'fetch') return mock.fetch(new Request('http://localhost/posts', sent))
      const { url, close } = await serve(mock, { port: 0 })
      onTestFinished(close)
      return fetch(`${url}/posts`, sent)
    }
    const response = await ask()
    const coding = response.headers.get('accept-encoding')
    expect({
      status: response.status,
      ...(response.headers.has('accept') && { accept: true }),
      ...(coding !== null && { coding }),
    }).toEqual(wanted)
  })
})
