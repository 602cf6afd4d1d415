import { brotliCompressSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import type { HeaderList } from '../../../../src/core/http/contract/messages.ts'
import { loadMock } from '../../../../src/node.ts'
import { createCapture, type ProxiedExchange } from '../../../../src/proxy/exchange.ts'
import {
  createRecorder,
  type Recorder,
  type RecorderOptions,
} from '../../../../src/record/session/recorder.ts'
import { createFolder } from '../../loader/folder.ts'

const json: HeaderList = [['Content-Type', 'application/json']]

function exchange(
  path: string,
  body: string | Uint8Array,
  rest: Partial<ProxiedExchange> = {},
): ProxiedExchange {
  const capture = createCapture(200)
  capture.add(Buffer.from(body))
  return {
    startedAt: 1,
    ms: 1,
    method: 'GET',
    path,
    url: `http://api.test${path}`,
    requestHeaders: [],
    requestBody: createCapture(200),
    status: 200,
    headers: json,
    body: capture,
    failure: '',
    ...rest,
  }
}

function start(options: Partial<RecorderOptions> = {}): {
  recorder: Recorder
  summaries: string[]
} {
  const summaries: string[] = []
  const recorder = createRecorder({
    origin: 'http://api.test',
    out: 'fixtures',
    cwd: createFolder({}),
    limit: 200,
    onExchange: (_, { text }) => summaries.push(text),
    onProblem: (message) => summaries.push(message),
    ...options,
  })
  return { recorder, summaries }
}

describe('a recorder', () => {
  it('learns later, so that no response waits', async () => {
    const { recorder, summaries } = start()
    recorder.add(exchange('/posts', '[{"id":1}]'))
    await Promise.resolve()
    expect(summaries).toEqual([])
    const { count, learned, written } = await recorder.close()
    expect(summaries).toEqual(['1 record of posts (1 new)'])
    expect(count).toBe(1)
    expect(learned.resources).toMatchObject([{ name: 'posts', value: [{ id: 1 }] }])
    expect(written.files).toContain('fixtures/posts.json')
  })

  it('replaces the fields of `redact` in later requests too', async () => {
    const cwd = createFolder({})
    const { recorder } = start({ cwd, redact: ['pet'] })
    const requestBody = createCapture(200)
    requestBody.add(Buffer.from('{"pet":"Rex"}'))
    recorder.add(exchange('/posts', '[{"id":1}]'))
    recorder.add(
      exchange('/search', '{"found":1}', { method: 'POST', requestHeaders: json, requestBody }),
    )
    await recorder.close()
    const mock = await loadMock({ fixtures: 'fixtures', cwd })
    const response = await mock.fetch('http://localhost/search', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"pet":"Rex"}',
    })
    expect(await response.json()).toEqual({ found: 1 })
  })

  const rows: [title: string, exchange: ProxiedExchange, summary: RegExp][] = [
    [
      'a compressed body',
      exchange('/posts', brotliCompressSync('[{"id":1}]'), {
        headers: [...json, ['Content-Encoding', 'br']],
      }),
      /^1 record of posts/,
    ],
    [
      'Latin-1',
      exchange('/posts', Buffer.from('[{"id":"ü"}]', 'latin1'), {
        headers: [['Content-Type', 'application/json; charset=ISO-8859-1']],
      }),
      /^1 record of posts/,
    ],
    [
      'a damaged body',
      exchange('/posts', 'x', { headers: [...json, ['Content-Encoding', 'gzip']] }),
      /no JSON/,
    ],
    [
      'a script of a page',
      exchange('/app.js', 'x', { headers: [['Content-Type', 'text/javascript']] }),
      /a part of a page/,
    ],
    ['a file', exchange('/a.csv', 'x', { headers: [['Content-Type', 'text/csv']] }), /^recorded/],
    [
      'a redirect that adds a slash',
      exchange('/posts', '', { status: 301, headers: [['Location', '/posts/']] }),
      /the same path/,
    ],
    [
      'a redirect',
      exchange('/latest', '', { status: 302, headers: [['Location', '/posts/1']] }),
      /^recorded/,
    ],
    ['a body over the limit', exchange('/posts', ' '.repeat(201)), /more than 200 bytes.*--limit/],
    ['a broken response', exchange('/posts', '[', { failure: 'it broke off' }), /it broke off/],
    ['a part', exchange('/posts', '[{"id":1}]', { status: 206 }), /status 206/],
    ['no change', exchange('/posts', '', { status: 304 }), /status 304/],
  ]

  it.each(rows)('says what it learns from %s', async (_title, one, summary) => {
    const { recorder, summaries } = start()
    recorder.add(one)
    await recorder.close()
    expect(summaries).toEqual([expect.stringMatching(summary)])
  })
})
