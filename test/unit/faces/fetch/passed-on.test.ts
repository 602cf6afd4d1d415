import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import { expect, it, onTestFinished } from 'vitest'

import { routes } from '../../../../src/behaviours.ts'
import { createMock, type Mock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'
import { send } from '../../../wire.ts'

const body = JSON.stringify({ from: 'another server' })

/** A mock whose routes ask another server, which compresses and speaks of its own connection. */
async function start(): Promise<Mock> {
  const other = createServer((_, response) => {
    const bytes = gzipSync(body)
    response.writeHead(200, {
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
      connection: 'close',
      'content-encoding': 'gzip',
      'content-type': 'application/json',
      'set-cookie': ['a=1', 'b=2'],
      trailer: 'x-sum',
      upgrade: 'h2c',
      'x-own': 'yes',
    })
    response.end(bytes)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const pass = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/`)
  return createMock({ fixtures: {}, use: [routes({ 'GET /other': pass })] })
}

it('an answer of another server goes on over HTTP, as the mock sends it', async () => {
  const mock = await start()
  const { port, close } = await serve(mock, { port: 0 })
  onTestFinished(() => close())
  const origin = 'http://localhost:5173'
  const answer = await send(port, { path: '/other', headers: { origin } })
  expect([answer.status, answer.text]).toEqual([200, body])
  const own = [
    'access-control-allow-origin',
    'content-encoding',
    'content-length',
    'set-cookie',
    'trailer',
    'upgrade',
  ]
  const lines = answer.lines.filter(([name]) => own.includes(name))
  expect(lines.map((line) => line.join(': ')).toSorted()).toEqual([
    `access-control-allow-origin: ${origin}`,
    `content-length: ${body.length}`,
    'set-cookie: a=1',
    'set-cookie: b=2',
  ])
  expect(answer.headers).toMatchObject({ 'x-own': 'yes', 'content-type': 'application/json' })
})

it('an answer of another server goes on in this program', async () => {
  const answer = await (await start()).fetch('/other')
  expect(await answer.json()).toEqual(JSON.parse(body))
  expect(answer.headers.get('content-encoding')).toBe(null)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

it('a coding of one of our own stays', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  const packed = (): Response => new Response(new Uint8Array(gzipSync(body)), { headers })
  const mock = createMock({ fixtures: {}, use: [routes({ 'GET /packed': packed })] })
  const { url, close } = await serve(mock, { port: 0 })
  onTestFinished(() => close())
  expect(await (await fetch(`${url}/packed`)).json()).toEqual(JSON.parse(body))
})
