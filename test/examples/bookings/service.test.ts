import { join } from 'node:path'

import { handlers, strict } from 'fixtura/msw'
import { loadMock, serve } from 'fixtura/node'
import { setupServer } from 'msw/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

type Loaded = Awaited<ReturnType<typeof loadMock>>

/** Where the service is, by how it is mocked; the tests know no more of it than an address. */
const ways: Record<string, (mock: Loaded) => Promise<{ url: string; close(): unknown }>> = {
  HTTP: (mock) => serve(mock, { port: 0, host: '127.0.0.1' }),
  async MSW(mock) {
    const server = setupServer(...handlers(mock))
    server.listen(strict())
    return { url: 'http://service.test/api', close: () => server.close() }
  },
}

describe.each(Object.keys(ways))('an imaginary service over %s', (way) => {
  let mock: Loaded
  let service: { url: string; close(): unknown }

  beforeEach(async () => {
    mock = await loadMock(join(import.meta.dirname, 'mock.config.js'))
    service = (await ways[way]?.(mock)) ?? { url: '', close: () => {} }
  })
  afterEach(() => service.close())

  async function ask(
    line: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; headers: Headers; value: Record<string, unknown> }> {
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(service.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const value = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { status: response.status, headers: response.headers, value }
  }

  async function logIn(name: string): Promise<Record<string, string>> {
    const body = { email: `${name}@example.org`, password: name }
    const { value } = await ask('POST /login', { body })
    return { Authorization: `Bearer ${String(value['access_token'])}` }
  }

  it('says how long an answer may be kept, and answers 304', async () => {
    const first = await ask('GET /rooms')
    expect(first.headers.get('cache-control')).toBe('max-age=60')
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' }
    expect((await ask('GET /rooms', { headers })).status).toBe(304)
  })

  it('checks fields and stamps records', async () => {
    const headers = await logIn('ada')
    const wrong = await ask('POST /bookings', { headers, body: { roomId: 'attic', nights: 0 } })
    expect(wrong.status).toBe(422)
    expect(Object.keys(wrong.value['errors'] as object)).toEqual(['nights'])
    const right = await ask('POST /bookings', { headers, body: { roomId: 'attic', nights: 2 } })
    expect(right.status).toBe(201)
    expect(right.value).toMatchObject({ id: 3, createdAt: '2026-01-01T00:00:00.000Z' })
  })

  it('knows states and transitions', async () => {
    const headers = await logIn('host')
    const paid = await ask('PATCH /bookings/1', { headers, body: { status: 'paid' } })
    expect([paid.status, paid.value['allowed']]).toEqual([409, ['confirmed', 'declined']])
    expect((await ask('POST /bookings/1/confirm', { headers })).value['status']).toBe('confirmed')
  })

  it('has the endpoints of a resource', async () => {
    const headers = await logIn('ada')
    const added = await ask('POST /bookings', { headers, body: { roomId: 'cellar', nights: 1 } })
    expect(added.headers.get('location')).toBe(`${service.url}/bookings/3`)
    expect((await ask('GET /rooms/attic/bookings', { headers })).value).toHaveLength(1)
    const refused = await ask('PUT /rooms', { headers, body: {} })
    expect([refused.status, refused.headers.get('allow')]).toEqual([
      405,
      'GET, HEAD, QUERY, POST, OPTIONS',
    ])
  })

  it('knows who asks', async () => {
    const nobody = await ask('GET /bookings')
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ])
    const guest = await logIn('ada')
    expect((await ask('DELETE /bookings/1', { headers: guest })).status).toBe(403)
    const host = await logIn('host')
    expect((await ask('DELETE /bookings/1', { headers: host })).status).toBe(200)
  })

  it('tells what happens', async () => {
    const headers = { ...(await logIn('host')), Accept: 'text/event-stream' }
    const response = await fetch(`${service.url}/bookings`, { headers })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    await reader?.read()
    await ask('POST /bookings', {
      headers: await logIn('ada'),
      body: { roomId: 'attic', nights: 5 },
    })
    expect((await reader?.read())?.value).toContain('event: created')
    await reader?.cancel()
  })

  it('fails as a service does', async () => {
    const failed = await ask('GET /rooms/cellar')
    expect([failed.status, failed.headers.get('content-type')]).toEqual([
      503,
      expect.stringMatching(/problem\+json/),
    ])
    expect((await ask('GET /rooms/cellar')).status).toBe(200)
  })

  it('has limits', async () => {
    for (let count = 0; count < 5; count++) await ask('POST /login', { body: {} })
    const refused = await ask('POST /login', { body: {} })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  })

  it('has versions', async () => {
    const old = await ask('GET /v1/rooms/attic')
    expect(old.value).toMatchObject({ id: 'attic', capacity: 2 })
    expect(old.headers.get('deprecation')).toBe('@1767225600')
    expect((await ask('GET /v9/rooms')).status).toBe(404)
  })
})
