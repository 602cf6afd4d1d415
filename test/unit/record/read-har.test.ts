import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import type { Json, JsonRecord } from '../../../src/core/json/json.ts'
import { createLearner } from '../../../src/core/learn/learner.ts'
import { countOrigins, readHar } from '../../../src/record/har/read-har.ts'
import { createFolder } from '../loader/folder.ts'

const json = { size: 8, mimeType: 'application/json', text: '{"id":1}' }

/** A body as Charles archives one whose coding it does not know. */
const compressed = {
  mimeType: json.mimeType,
  text: brotliCompressSync(json.text).toString('base64'),
  encoding: 'base64',
}

/** An entry of an archive, with what differs from a plain GET. */
function entry(
  content: JsonRecord,
  request: JsonRecord = {},
  status = 200,
  headers: readonly (readonly [name: string, value: string])[] = [],
): Json {
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url: 'https://api.test/posts/1', headers: [], ...request },
    response: { status, headers: headers.map(([name, value]) => ({ name, value })), content },
  }
}

async function read(...entries: Json[]): ReturnType<typeof readHar> {
  const folder = createFolder({ 'a.har': JSON.stringify({ log: { entries } }) })
  writeFileSync(join(folder, 'body.json'), '{"id":2}')
  return readHar(join(folder, 'a.har'), 'a.har')
}

describe('an archive', () => {
  const bodies: [title: string, content: JsonRecord, body: string | undefined][] = [
    ['text', json, '{"id":1}'],
    ['base64', { ...json, text: btoa('{"id":1}'), encoding: 'base64' }, '{"id":1}'],
    ['bytes', { mimeType: 'image/png', text: '/w==', encoding: 'base64' }, undefined],
    [
      'a file beside the archive',
      { size: 8, mimeType: json.mimeType, _file: 'body.json' },
      '{"id":2}',
    ],
    ['a file elsewhere', { size: 8, mimeType: json.mimeType, _file: '../../body.txt' }, undefined],
    ['no text', { size: 8, mimeType: json.mimeType }, undefined],
    ['bytes of Brotli', compressed, '{"id":1}'],
    ['bytes of an unknown coding', { ...compressed, text: '/w==' }, undefined],
    ['cut off', { ...json, comment: 'truncated', text: '[{"id":1},{"i' }, undefined],
  ]

  it.each(bodies)('gives a body that is %s', async (_title, content, body) => {
    const { exchanges } = await read(entry(content, {}, 200, [['Content-Encoding', 'br']]))
    expect(exchanges[0]?.body).toBe(body)
  })

  it('takes the type of a body where headers are missing', async () => {
    const { exchanges } = await read(entry(json))
    expect(exchanges[0]?.headers).toEqual([['Content-Type', 'application/json']])
  })

  const missing: [title: string, content: JsonRecord, status: number][] = [
    ['an empty text', { ...json, text: '', comment: 'Response bodies are not included.' }, 200],
    ['a text that is cut off', { ...json, text: '[{"id":1},{"i' }, 200],
    ['a cache that was up to date', { size: 0, mimeType: json.mimeType }, 304],
  ]

  it.each(missing)('names requests whose response has %s', async (_title, content, status) => {
    const found = await read(entry(content, {}, status))
    expect(found.missing).toEqual(['GET https://api.test/posts/1'])
    expect(found.exchanges[0]?.body).toBeUndefined()
  })

  it('takes a body from the cache of the browser for a response', async () => {
    const { exchanges, missing } = await read(entry(json, {}, 304))
    expect(exchanges[0]).toMatchObject({ status: 200, body: '{"id":1}' })
    expect(missing).toEqual([])
  })

  it('has the bytes of a body that is no text', async () => {
    const content = { mimeType: 'image/png', text: '/w==', encoding: 'base64' }
    const { exchanges } = await read(entry(content))
    expect(exchanges).toMatchObject([{ body: undefined, base64: '/w==' }])
    const learner = createLearner()
    const [exchange] = exchanges
    expect(exchange && learner.add(exchange).kind).toBe('answer')
    expect(learner.learned().reads).toMatchObject([{ status: 200, file: { base64: '/w==' } }])
  })

  it('teaches nothing by what is no exchange with the API', async () => {
    const socket = { url: 'wss://api.test/live' }
    const found = await read(
      { ...(entry({}, socket, 101) as object), _webSocketMessages: [{ type: 'send', data: '{}' }] },
      entry({ size: 0, mimeType: 'x-unknown' }, { method: 'OPTIONS' }, 204),
      entry({ size: 0, mimeType: 'x-unknown' }, {}, 301, [['Location', '/posts/1/']]),
      entry(json, { url: 'data:application/json,{}' }),
      entry(json, { url: 'blob:https://api.test/1' }),
      { ...(entry({}, {}, 0) as object), _fetchedViaServiceWorker: true },
      { startedDateTime: '', request: null, response: null },
    )
    const learner = createLearner({ origin: 'https://api.test' })
    const kinds = found.exchanges.map((exchange) => learner.add(exchange).kind)
    expect(new Set(kinds)).toEqual(new Set(['nothing']))
    expect(found).toMatchObject({ missing: [], unanswered: 1 })
    expect(learner.learned()).toMatchObject({ resources: [], reads: [], answers: [] })
  })

  it('names requests whose body is missing, and counts those without a response', async () => {
    const found = await read(
      entry({ size: 8, mimeType: json.mimeType }),
      entry({ size: 0, mimeType: 'x-unknown' }, {}, 204),
      entry({}, {}, 0),
    )
    expect(found.missing).toEqual(['GET https://api.test/posts/1'])
    expect(found.unanswered).toBe(1)
  })

  it('gives the fields of a form', async () => {
    const params = [{ name: 'a', value: '1 2' }]
    const mimeType = 'application/x-www-form-urlencoded'
    const { exchanges } = await read(
      entry(json, { method: 'POST', postData: { mimeType, params } }),
    )
    expect(exchanges[0]?.requestBody).toBe('a=1%202')
  })

  const sent: [title: string, data: JsonRecord, body: string | undefined][] = [
    ['with headers in front', { text: 'Content-Type: x\r\nContent-Length: 3\r\n\r\na=1' }, 'a=1'],
    ['in a file beside the archive', { _file: 'body.json' }, '{"id":2}'],
    ['without a text', { params: [] }, ''],
  ]

  it.each(sent)('gives the body of a request %s', async (_title, data, body) => {
    const postData = { mimeType: 'application/x-www-form-urlencoded', ...data }
    const { exchanges } = await read(entry(json, { method: 'POST', postData }))
    expect(exchanges[0]?.requestBody).toBe(body)
  })

  it('keeps the order of requests of one millisecond', async () => {
    const { exchanges } = await read(entry(json), entry(json))
    const [first = 0, second = 0] = exchanges.map(({ startedAt }) => startedAt)
    expect(first).toBeLessThan(second)
  })

  it('counts the JSON of each origin', async () => {
    const other = { url: 'https://cdn.test/data.json' }
    const { exchanges } = await read(entry(json), entry(json), entry(json, other))
    expect(countOrigins(exchanges)).toEqual([
      ['https://api.test', 2],
      ['https://cdn.test', 1],
    ])
  })

  const broken: [title: string, text: string, message: string][] = [
    [
      'a ZIP archive',
      'PK\u0003\u0004',
      'Please unpack it, and import the .har file that it contains.',
    ],
    ['no JSON', '{"log":', 'expected a value, but the file ends'],
    ['JSON that is cut off', '{"log": {\n  "entries": [{"a":', '(line 2, column 20)'],
    [
      'a broken entry',
      '{"log":{"entries":[{"request":{"url":"http://a.test/"}},{"request":{"url":7}}]}}',
      '"log.entries[1]" has no request with a "url". Please save it again',
    ],
    ['an entry that is no object', '{"log":{"entries":[4]}}', '"log.entries[0]" has no request'],
    ['other JSON', '[]', 'it has no "log.entries"'],
  ]

  it.each(broken)('is refused: %s', async (_title, text, message) => {
    const folder = createFolder({ 'a.har': text })
    await expect(readHar(join(folder, 'a.har'), 'a.har')).rejects.toThrow(message)
  })
})
