import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json, JsonRecord } from '../../../src/core/json/json.ts'
import { countOrigins } from '../../../src/record/har/choose-origin.ts'
import { readHar } from '../../../src/record/har/read-har.ts'
import { createFolder } from '../loader/folder.ts'

const json = { size: 8, mimeType: 'application/json', text: '{"id":1}' }

/** An entry of an archive, with what differs from a plain GET. */
function entry(content: JsonRecord, request: JsonRecord = {}, status = 200): Json {
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url: 'https://api.test/posts/1', headers: [], ...request },
    response: { status, headers: [], content },
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
  ]

  it.each(bodies)('gives a body that is %s', async (_title, content, body) => {
    const { exchanges } = await read(entry(content))
    expect(exchanges[0]?.body).toBe(body)
  })

  it('takes the type of a body where headers are missing', async () => {
    const { exchanges } = await read(entry(json))
    expect(exchanges[0]?.headers).toEqual([['Content-Type', 'application/json']])
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
    ['other JSON', '[]', 'it has no "log.entries"'],
  ]

  it.each(broken)('is refused: %s', async (_title, text, message) => {
    const folder = createFolder({ 'a.har': text })
    await expect(readHar(join(folder, 'a.har'), 'a.har')).rejects.toThrow(message)
  })
})
