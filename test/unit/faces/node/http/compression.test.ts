import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { describe, expect, it, onTestFinished } from 'vitest'

import type { Behaviour, MockResponse } from '../../../../../src/behaviours.ts'
import { createMock } from '../../../../../src/index.ts'
import { serve } from '../../../../../src/node.ts'
import { send, type WireAnswer } from '../../../../wire.ts'

const large = { id: 1, text: 'Grüße '.repeat(300) }
const fixtures = { posts: [large, { id: 2, text: 'short' }] }

async function start(use: Behaviour[] = []): Promise<number> {
  const { port, close } = await serve(createMock({ fixtures, use }), { port: 0 })
  onTestFinished(() => close())
  return port
}

async function get(path: string, headers: Record<string, string> = {}): Promise<WireAnswer> {
  return send(await start(), { path, headers })
}

function decode({ headers, body }: WireAnswer): unknown {
  const coding = headers['content-encoding']
  const plain =
    coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
  return JSON.parse(plain.toString())
}

describe('a content coding (RFC 9110 §12.5.3)', () => {
  const rows: [accepted: string | undefined, path: string, coding: string | undefined][] = [
    ['gzip, deflate, br', '/posts/1', 'br'],
    ['gzip, deflate', '/posts/1', 'gzip'],
    ['GZIP', '/posts/1', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', '/posts/1', 'gzip'],
    ['br;q=0, gzip', '/posts/1', 'gzip'],
    ['*', '/posts/1', 'br'],
    ['*;q=0', '/posts/1', undefined],
    ['deflate', '/posts/1', undefined],
    ['identity', '/posts/1', undefined],
    ['', '/posts/1', undefined],
    [undefined, '/posts/1', undefined],
    ['br, gzip', '/posts/2', undefined],
    ['br, gzip', '/posts', 'br'],
  ]

  it.each(rows)('of %j for %s is %j', async (accepted, path, coding) => {
    const answer = await get(path, accepted === undefined ? {} : { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
    expect(answer.headers['vary']).toContain('Accept-Encoding')
    const expected = { '/posts': fixtures.posts, '/posts/1': large, '/posts/2': fixtures.posts[1] }
    expect(decode(answer)).toEqual(expected[path as keyof typeof expected])
  })
})

describe('content that is already compressed', () => {
  const rows: [title: string, headers: MockResponse['headers']][] = [
    ['an image', [['Content-Type', 'image/png']]],
    ['content without a type', []],
    [
      'content with a coding',
      [
        ['Content-Type', 'text/plain'],
        ['Content-Encoding', 'zstd'],
      ],
    ],
  ]

  it.each(rows)('is sent unchanged: %s', async (_, headers) => {
    const entry = (): MockResponse => ({ status: 200, headers, body: 'a'.repeat(2000) })
    const port = await start([{ name: 'whole', create: () => ({ at: { entry } }) }])
    const answer = await send(port, { path: '/posts', headers: { 'accept-encoding': 'br' } })
    expect(answer.text).toHaveLength(2000)
    expect(answer.headers['content-encoding']).toBe(
      headers.find(([name]) => name === 'Content-Encoding')?.[1],
    )
  })
})

describe('a list that is requested again', () => {
  it('is compressed from the cache until it changes', async () => {
    const port = await start()
    const ask = (accepted: string): Promise<WireAnswer> =>
      send(port, { path: '/posts', headers: { 'accept-encoding': accepted } })
    for (const accepted of ['br', 'gzip', 'br', 'gzip', 'br']) {
      const answer = await ask(accepted)
      expect(answer.headers['content-encoding']).toBe(accepted)
      expect(decode(answer)).toEqual(fixtures.posts)
    }
    await send(port, { method: 'DELETE', path: '/posts/2' })
    expect(decode(await ask('br'))).toEqual([large])
  })
})

describe('the ETag of a compressed response (RFC 9110 §8.8.3)', () => {
  it('differs from the uncompressed one, and by coding', async () => {
    const port = await start()
    const tags = await Promise.all(
      ['', 'gzip', 'br'].map(async (accepted) => {
        const headers = { 'accept-encoding': accepted }
        return (await send(port, { path: '/posts/1', headers })).headers['etag'] ?? ''
      }),
    )
    expect(new Set(tags).size).toBe(3)
    expect(tags.every((tag) => /^"[^"]+"$/.test(tag))).toBe(true)
  })

  it('is the only header that changes', async () => {
    const port = await start()
    const path = '/posts?_page=1&_limit=1'
    const plain = await send(port, { path })
    const coded = await send(port, { path, headers: { 'accept-encoding': 'br' } })
    const { etag, 'content-length': _length, 'content-encoding': coding, ...others } = coded.headers
    expect([etag, coding]).toEqual([plain.headers['etag']?.replace(/"$/, '-br"'), 'br'])
    expect(others['link']).toContain('rel="last"')
    expect({ ...plain.headers, date: '' }).toMatchObject({ ...others, date: '' })
  })

  it('gets 304 with the same ETag', async () => {
    const port = await start()
    const headers = { 'accept-encoding': 'gzip' }
    const { etag = '' } = (await send(port, { path: '/posts', headers })).headers
    const again = await send(port, {
      path: '/posts',
      headers: { ...headers, 'if-none-match': `"x", ${etag}` },
    })
    expect([again.status, again.headers['etag'], again.text]).toEqual([304, etag, ''])
    expect(again.headers['content-encoding']).toBeUndefined()
  })

  it('allows a write while it matches', async () => {
    const port = await start()
    const headers = { 'accept-encoding': 'br' }
    const { etag = '' } = (await send(port, { path: '/posts/1', headers })).headers
    const put = (tag: string): Promise<WireAnswer> =>
      send(port, {
        method: 'PATCH',
        path: '/posts/1',
        headers: { 'if-match': tag, 'content-type': 'application/json' },
        body: '{"a":1}',
      })
    expect((await put(etag)).status).toBe(200)
    expect((await put(etag)).status).toBe(412)
  })
})

describe('HEAD', () => {
  it.each([
    ['', '/posts/1'],
    ['br', '/posts/1'],
    ['br', '/posts/2'],
    ['br', '/posts'],
  ])('with %j of %s has the headers of GET', async (accepted, path) => {
    const port = await start()
    const headers = { 'accept-encoding': accepted }
    const head = await send(port, { method: 'HEAD', path, headers })
    const got = await send(port, { path, headers })
    const expected = got.headers
    // A response to HEAD may omit headers that need the content (RFC 9110 §9.3.2).
    if (expected['content-encoding']) delete expected['content-length']
    expect({ ...head.headers, date: '' }).toEqual({ ...expected, date: '' })
    expect(head.text).toBe('')
  })
})
