import { describe, expect, it } from 'vitest'

import { files } from '../../../src/behaviours.ts'
import { createManualClock, createMock, type Mock, type MockOptions } from '../../../src/index.ts'
import { contract, type TableRequest } from '../../faces.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const time = Date.UTC(2026, 0, 2, 3, 4, 5)

function options(): MockOptions<Record<string, unknown>> {
  return {
    fixtures: {
      users: [
        { id: 1, name: 'Ada', avatar: null },
        { id: 2, name: 'Bo', avatar: 'data:text/plain,hello%20world' },
        { id: 3, name: 'Cy', avatar: 'https://example.com/cy.png' },
        { id: 4, name: 'Di', photos: ['data:text/plain,one', 'data:text/plain;name=2.txt,two'] },
      ],
      profile: { name: 'Me' },
    },
    base: '/api',
    seed: 1,
    clock: createManualClock(time),
    use: [
      files({
        users: {
          avatar: { types: ['image/*', 'text/plain', '.csv'], maxSize: '1KB' },
          photos: { list: true },
        },
        profile: { picture: true },
        uploads: { expires: '1m', maxSize: '2KB' },
      }),
    ],
  }
}

const put = (body: string, headers: Record<string, string> = {}): TableRequest => ({
  request: 'PUT /api/users/1/avatar',
  headers: { 'content-type': 'image/svg+xml', ...headers },
  body,
})

const boundary = 'b'
function form(request: string, ...parts: [head: string, body: string][]): TableRequest {
  const lines = parts.map(
    ([head, body]) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`,
  )
  return {
    request,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${lines.join('')}--${boundary}--\r\n`,
  }
}

const avatarUrl = 'http://mock.test/api/users/1/avatar'

contract('files in fields', options, [
  [
    'shows a data URL of a fixture as the URL of the file',
    'GET /api/users/2',
    { status: 200, body: { id: 2, name: 'Bo', avatar: 'http://mock.test/api/users/2/avatar' } },
  ],
  [
    'serves it with type, length, entity tag and name',
    'GET /api/users/2/avatar',
    {
      status: 200,
      headers: {
        'content-type': 'text/plain',
        'content-length': '11',
        etag: /^"[^"]+"$/,
        'accept-ranges': 'bytes',
        'content-disposition': 'inline; filename="file.txt"',
        'x-content-type-options': 'nosniff',
      },
      body: 'hello world',
    },
  ],
  [
    'answers HEAD without the bytes',
    'HEAD /api/users/2/avatar',
    { status: 200, headers: { 'content-length': '11' }, body: '' },
  ],
  ['finds no file in an empty field', 'GET /api/users/1/avatar', { status: 404 }],
  ['finds no file of an unknown record', 'GET /api/users/9/avatar', { status: 404 }],
  [
    'leaves a URL of another site alone',
    'GET /api/users/3',
    { status: 200, body: expect.objectContaining({ avatar: 'https://example.com/cy.png' }) },
  ],
  [
    'serves a range',
    { request: 'GET /api/users/2/avatar', headers: { range: 'bytes=6-' } },
    {
      status: 206,
      headers: { 'content-range': 'bytes 6-10/11', 'content-length': '5' },
      body: 'world',
    },
  ],
  [
    'refuses a range behind the end',
    { request: 'GET /api/users/2/avatar', headers: { range: 'bytes=11-' } },
    { status: 416, headers: { 'content-range': 'bytes */11' } },
  ],
  [
    'serves all for a range of another version',
    { request: 'GET /api/users/2/avatar', headers: { range: 'bytes=6-', 'if-range': '"x"' } },
    { status: 200, body: 'hello world' },
  ],
  [
    'answers 304 for a known entity tag',
    { request: 'GET /api/users/2/avatar', headers: { 'if-none-match': '*' } },
    { status: 304, body: '' },
  ],
  [
    'stores the bytes of a PUT',
    put(svg),
    {
      status: 201,
      headers: { location: avatarUrl },
      body: { name: 'avatar.svg', type: 'image/svg+xml', size: svg.length, url: avatarUrl },
    },
  ],
  [
    'serves an SVG in a sandbox, with the time of the upload',
    [put(svg), 'GET /api/users/1/avatar'],
    {
      status: 200,
      headers: {
        'content-type': 'image/svg+xml',
        'content-security-policy': 'sandbox',
        'last-modified': new Date(time).toUTCString(),
      },
      body: svg,
    },
  ],
  [
    'answers 304 for a file that was not modified since',
    [
      put(svg),
      {
        request: 'GET /api/users/1/avatar',
        headers: { 'if-modified-since': new Date(time).toUTCString() },
      },
    ],
    { status: 304 },
  ],
  ['replaces a file', [put(svg), put('<svg/>')], { status: 200, headers: { location: null } }],
  [
    'replaces no file of another version',
    [put(svg), put('<svg/>', { 'if-match': '"x"' })],
    { status: 412 },
  ],
  [
    'takes the name of Content-Disposition',
    [
      put(svg, { 'content-disposition': "attachment; filename*=UTF-8''..%2F%C3%84da.svg" }),
      'GET /api/users/1/avatar',
    ],
    {
      status: 200,
      headers: {
        'content-disposition': `inline; filename="_da.svg"; filename*=UTF-8''%C3%84da.svg`,
      },
    },
  ],
  ['removes a file', [put(svg), 'DELETE /api/users/1/avatar'], { status: 204 }],
  [
    'has no file in the record then',
    [put(svg), 'DELETE /api/users/1/avatar', 'GET /api/users/1'],
    { status: 200, body: { id: 1, name: 'Ada', avatar: null } },
  ],
  ['removes no file that is not there', 'DELETE /api/users/1/avatar', { status: 404 }],
  [
    'refuses a type',
    put('x', { 'content-type': 'application/pdf' }),
    { status: 415, headers: { accept: 'image/*, text/plain' } },
  ],
  [
    'takes a type by the extension',
    put('a;b', {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="a.csv"',
    }),
    { status: 201 },
  ],
  [
    'refuses a file above the limit, which it names',
    put('x'.repeat(1025)),
    {
      status: 413,
      body: expect.objectContaining({ detail: expect.stringContaining('more than 1 KB') }),
    },
  ],
  [
    'takes a file of exactly the limit',
    put('x'.repeat(1024)),
    { status: 201, body: expect.objectContaining({ size: 1024 }) },
  ],
  [
    'says which methods it has',
    { request: 'PATCH /api/users/1/avatar', body: {} },
    { status: 405 },
  ],
  [
    'stores a file of a form',
    form(
      'POST /api/users',
      ['name="name"', 'Eve'],
      ['name="avatar"; filename="e.csv"\r\nContent-Type: text/csv', 'a;b'],
    ),
    { status: 201, body: { id: 5, name: 'Eve', avatar: 'http://mock.test/api/users/5/avatar' } },
  ],
  [
    'serves it with its name',
    [
      form('POST /api/users', ['name="avatar"; filename="e.csv"\r\nContent-Type: text/csv', 'a;b']),
      'GET /api/users/5/avatar',
    ],
    {
      status: 200,
      headers: { 'content-disposition': 'inline; filename="e.csv"' },
      body: 'a;b',
    },
  ],
  [
    'refuses a file of a form by its type, and stores nothing',
    [
      form('POST /api/users', [
        'name="avatar"; filename="e.pdf"\r\nContent-Type: application/pdf',
        'a',
      ]),
      'GET /api/users/5',
    ],
    { status: 404 },
  ],
  [
    'stores a data URL in JSON',
    {
      request: 'PATCH /api/users/1',
      body: { avatar: 'data:image/png;base64,AAEC' },
    },
    { status: 200, body: { id: 1, name: 'Ada', avatar: avatarUrl } },
  ],
  [
    'refuses a broken data URL',
    { request: 'PATCH /api/users/1', body: { avatar: 'data:image/png;base64,?' } },
    {
      status: 422,
      body: expect.objectContaining({ errors: { avatar: 'is no valid data URL' } }),
    },
  ],
  [
    'refuses a path of a request',
    { request: 'PATCH /api/users/1', body: { avatar: './users.json' } },
    { status: 422 },
  ],
  [
    'refuses the path of a file that was never uploaded',
    { request: 'PATCH /api/users/1', body: { avatar: './_files/0123456789abcdef-a.png' } },
    { status: 422 },
  ],
  [
    'keeps the file of a record that comes back with the URL',
    [
      put(svg),
      { request: 'PUT /api/users/1', body: { name: 'Ada', avatar: '/api/users/1/avatar' } },
      'GET /api/users/1/avatar',
    ],
    { status: 200, body: svg },
  ],
  [
    'keeps the file in a PATCH of another field',
    [put(svg), { request: 'PATCH /api/users/1', body: { name: 'A' } }, 'GET /api/users/1/avatar'],
    { status: 200, body: svg },
  ],
  [
    'tests the URL in a JSON Patch',
    [
      put(svg),
      {
        request: 'PATCH /api/users/1',
        headers: { 'content-type': 'application/json-patch+json' },
        body: [
          { op: 'test', path: '/avatar', value: avatarUrl },
          { op: 'replace', path: '/name', value: 'A' },
        ],
      },
      'GET /api/users/1/avatar',
    ],
    { status: 200, body: svg },
  ],
  [
    'copies the file of another record by its URL',
    [
      { request: 'PATCH /api/users/1', body: { avatar: '/api/users/2/avatar' } },
      'GET /api/users/1/avatar',
    ],
    { status: 200, body: 'hello world' },
  ],
  [
    'answers the form of an upload to the field',
    form('POST /api/users/1/avatar', [
      'name="file"; filename="a.csv"\r\nContent-Type: text/csv',
      'a',
    ]),
    {
      status: 201,
      body: { name: 'a.csv', type: 'text/csv; charset=utf-8', size: 1, url: avatarUrl },
    },
  ],
  [
    'lists the files of a list',
    'GET /api/users/4/photos',
    {
      status: 200,
      body: [0, 1].map((at) => `http://mock.test/api/users/4/photos/${at}`),
    },
  ],
  ['serves a file of a list', 'GET /api/users/4/photos/1', { status: 200, body: 'two' }],
  [
    'adds a file to a list',
    [
      { request: 'POST /api/users/4/photos', headers: { 'content-type': 'text/plain' }, body: '3' },
      'GET /api/users/4/photos/2',
    ],
    { status: 200, body: '3' },
  ],
  [
    'removes a file of a list',
    ['DELETE /api/users/4/photos/0', 'GET /api/users/4/photos/0'],
    { status: 200, body: 'two' },
  ],
  [
    'stores the files of a repeated field',
    [
      form(
        'POST /api/users',
        ['name="photos[]"; filename="1.txt"\r\nContent-Type: text/plain', 'x'],
        ['name="photos[]"; filename="2.txt"\r\nContent-Type: text/plain', 'y'],
      ),
      'GET /api/users/5/photos/1',
    ],
    { status: 200, body: 'y' },
  ],
  [
    'stores a file in a singleton',
    [
      {
        request: 'PUT /api/profile/picture',
        headers: { 'content-type': 'image/gif' },
        body: 'GIF',
      },
      'GET /api/profile',
    ],
    { status: 200, body: { name: 'Me', picture: 'http://mock.test/api/profile/picture' } },
  ],
])

const tus = { 'tus-resumable': '1.0.0' }
const key = /^http:\/\/mock\.test\/api\/uploads\/[\da-z]{16}$/

contract('uploads', options, [
  [
    'gives a presigned address',
    { request: 'POST /api/uploads', body: { name: 'a.csv', type: 'text/csv', size: 3 } },
    {
      status: 201,
      headers: { location: key },
      body: {
        url: expect.stringMatching(/\/api\/uploads\/[\da-z]{16}\?.*X-Amz-Signature=[\da-f]{64}/),
        method: 'PUT',
        headers: { 'Content-Type': 'text/csv; charset=utf-8' },
        fields: expect.objectContaining({ 'X-Amz-Algorithm': 'AWS4-HMAC-SHA256' }),
        file: expect.stringMatching(key),
        expires: new Date(time + 60_000).toISOString(),
      },
    },
  ],
  [
    'refuses an address for a file above the limit',
    { request: 'POST /api/uploads', body: { size: 2049 } },
    { status: 413 },
  ],
  [
    'refuses a size that is no number',
    { request: 'POST /api/uploads', body: { size: '3' } },
    { status: 400 },
  ],
  [
    'says which protocol it speaks',
    'OPTIONS /api/uploads',
    {
      status: 204,
      headers: { 'tus-version': '1.0.0', 'tus-max-size': '2048', 'tus-extension': /creation/ },
    },
  ],
  [
    'creates a resumable upload',
    { request: 'POST /api/uploads', headers: { ...tus, 'upload-length': '5' } },
    {
      status: 201,
      headers: { location: key, 'tus-resumable': '1.0.0', 'upload-expires': /GMT$/ },
      body: '',
    },
  ],
  [
    'needs a length',
    { request: 'POST /api/uploads', headers: tus },
    { status: 400, headers: { 'tus-resumable': '1.0.0' } },
  ],
  [
    'refuses a length above the limit',
    { request: 'POST /api/uploads', headers: { ...tus, 'upload-length': '2049' } },
    { status: 413 },
  ],
  [
    'refuses another version',
    { request: 'POST /api/uploads', headers: { 'tus-resumable': '0.2.2', 'upload-length': '5' } },
    { status: 412, headers: { 'tus-version': '1.0.0' } },
  ],
  [
    'takes the first bytes with the creation',
    {
      request: 'POST /api/uploads',
      headers: {
        ...tus,
        'upload-length': '5',
        'content-type': 'application/offset+octet-stream',
      },
      body: 'abc',
    },
    { status: 201, headers: { 'upload-offset': '3' } },
  ],
  ['knows no upload of another key', 'GET /api/uploads/0123456789abcdef', { status: 404 }],
])

/** Uploads in several requests, each of which needs the response before. */
describe('the way of an upload', () => {
  async function send(mock: Mock, request: string, init: RequestInit = {}): Promise<Response> {
    const [method = 'GET', url = ''] = request.split(' ')
    return mock.fetch(new Request(new URL(url, 'http://mock.test'), { method, ...init }))
  }

  async function presigned(mock: Mock): Promise<{
    url: string
    file: string
    fields: Record<string, string>
  }> {
    const body = JSON.stringify({ name: 'a.txt', type: 'text/plain' })
    const headers = { 'content-type': 'application/json' }
    return (await send(mock, 'POST /api/uploads', { body, headers })).json()
  }

  it('takes the bytes of a PUT, and the file in a record', async () => {
    const mock = createMock(options())
    const { url, file } = await presigned(mock)
    const answer = await send(mock, `PUT ${url}`, { body: 'hi' })
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, expect.any(String)])
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ avatar: file })
    expect((await send(mock, 'PATCH /api/users/1', { body, headers })).status).toBe(200)
    expect(await (await send(mock, 'GET /api/users/1/avatar')).text()).toBe('hi')
    expect(await (await send(mock, `GET ${file}`)).text()).toBe('hi')
  })

  it('takes a form with the fields of a policy', async () => {
    const mock = createMock(options())
    const { url, file, fields } = await presigned(mock)
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    body.append('file', new Blob(['hi'], { type: 'text/plain' }), 'a.txt')
    expect((await send(mock, `POST ${url}`, { body })).status).toBe(204)
    expect(await (await send(mock, `GET ${file}`)).text()).toBe('hi')
  })

  it.each([
    ['a wrong signature', (url: string) => url.replace(/Signature=./, 'Signature=x')],
    ['no signature', (url: string) => url.split('?')[0] ?? ''],
  ])('refuses %s', async (_, change) => {
    const mock = createMock(options())
    const { url } = await presigned(mock)
    expect((await send(mock, `PUT ${change(url)}`, { body: 'hi' })).status).toBe(403)
  })

  it('refuses an address that has expired by the clock of the mock', async () => {
    const mock = createMock(options())
    const { url, file } = await presigned(mock)
    mock.clock.advance('1m')
    expect((await send(mock, `PUT ${url}`, { body: 'hi' })).status).toBe(403)
    expect((await send(mock, `GET ${file}`)).status).toBe(404)
  })

  it('refuses the file of an upload that is not complete', async () => {
    const mock = createMock(options())
    const { file } = await presigned(mock)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ avatar: file })
    const answer = await send(mock, 'PATCH /api/users/1', { body, headers })
    expect(answer.status).toBe(422)
  })

  it('continues a resumable upload where it stopped', async () => {
    const mock = createMock(options())
    const created = await send(mock, 'POST /api/uploads', {
      headers: {
        ...tus,
        'upload-defer-length': '1',
        'upload-metadata': `filename ${btoa('a.txt')},filetype ${btoa('text/plain')},empty`,
      },
    })
    const url = created.headers.get('location') ?? ''
    const patch = (offset: number, body: string, more = {}): Promise<Response> =>
      send(mock, `PATCH ${url}`, {
        headers: {
          ...tus,
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
          ...more,
        },
        body,
      })
    expect((await patch(0, 'abc')).headers.get('upload-offset')).toBe('3')
    const head = await send(mock, `HEAD ${url}`, { headers: tus })
    const names = ['upload-offset', 'upload-defer-length', 'cache-control']
    expect(names.map((name) => head.headers.get(name))).toEqual(['3', '1', 'no-store'])
    expect((await patch(2, 'x')).status).toBe(409)
    expect((await patch(3, 'x', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await patch(3, 'defg', { 'upload-length': '6' })).status).toBe(413)
    const last = await patch(3, 'def', { 'upload-length': '6' })
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '6'])
    const file = await send(mock, `GET ${url}`)
    expect(await file.text()).toBe('abcdef')
    expect(file.headers.get('content-disposition')).toBe('inline; filename="a.txt"')
  })

  it('ends a resumable upload by DELETE, and by its expiry', async () => {
    const mock = createMock(options())
    const create = async (): Promise<string> => {
      const headers = { ...tus, 'upload-length': '5' }
      const created = await send(mock, 'POST /api/uploads', { headers })
      return created.headers.get('location') ?? ''
    }
    const first = await create()
    expect((await send(mock, `DELETE ${first}`, { headers: tus })).status).toBe(204)
    expect((await send(mock, `HEAD ${first}`, { headers: tus })).status).toBe(404)
    const second = await create()
    mock.clock.advance('61s')
    expect((await send(mock, `HEAD ${second}`, { headers: tus })).status).toBe(410)
  })

  it('keeps a finished upload that a record has, when its address expires', async () => {
    const mock = createMock(options())
    const created = await send(mock, 'POST /api/uploads', {
      body: 'hi',
      headers: {
        ...tus,
        'upload-length': '2',
        'content-type': 'application/offset+octet-stream',
      },
    })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ picture: created.headers.get('location') })
    expect((await send(mock, 'PATCH /api/profile', { body, headers })).status).toBe(200)
    mock.clock.advance('2m')
    await presigned(mock)
    expect(await (await send(mock, 'GET /api/profile/picture')).text()).toBe('hi')
  })
})

describe('files in worlds', () => {
  const body = 'GIF'
  const upload = (mock: Mock, own = body): Promise<Response> =>
    mock.fetch(
      new Request('http://mock.test/api/users/1/avatar', {
        method: 'PUT',
        body: own,
        headers: { 'content-type': 'image/gif' },
      }),
    )
  const read = async (mock: Mock): Promise<string | number> => {
    const answer = await mock.fetch(new Request('http://mock.test/api/users/1/avatar'))
    return answer.ok ? answer.text() : answer.status
  }

  it('has the files of a fork apart', async () => {
    const mock = createMock(options())
    await upload(mock)
    const fork = mock.fork()
    expect(await read(fork)).toBe('GIF')
    await upload(fork, 'other')
    expect([await read(mock), await read(fork)]).toEqual(['GIF', 'other'])
  })

  it('resets files, and restores those of a snapshot', async () => {
    const mock = createMock(options())
    await upload(mock)
    mock.snapshot('a')
    await upload(mock, 'other')
    mock.reset()
    expect(await read(mock)).toBe(404)
    mock.restore('a')
    expect(await read(mock)).toBe('GIF')
  })

  it('has no bytes of files in the log', async () => {
    const mock = createMock(options())
    await upload(mock, 'secret bytes')
    await read(mock)
    expect(JSON.stringify(mock.log)).not.toContain('secret bytes')
    expect(mock.log.map(({ status, bytes }) => [status, bytes > 0])).toEqual([
      [201, true],
      [200, true],
    ])
  })
})
