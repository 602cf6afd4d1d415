import { describe, expect, it, onTestFinished } from 'vitest'

import { auth, faults, files, idempotency } from '../../../../src/behaviours.ts'
import { createMock, type Mock, type MockOptions } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'
import { documentOf } from '../../../openapi/document.ts'

function options(): MockOptions<Record<string, unknown>> {
  return {
    fixtures: {
      users: [
        { id: 1, name: 'Ada', avatar: null },
        { id: 2, name: 'Bo', avatar: 'data:text/plain,hello%20world' },
        { id: 3, name: 'Cy', avatar: 'https://example.com/cy.png' },
        { id: 4, name: 'Di', photos: ['data:text/plain,one', 'data:text/plain,two'] },
      ],
    },
    base: '/api',
    use: [files({ users: { avatar: true, photos: true } })],
  }
}

const tus = { 'tus-resumable': '1.0.0' }

// A page sees no redirect, so that this is no row of the contract.
it('redirects to a URL of another site', async () => {
  const answer = await createMock(options()).fetch('http://mock.test/api/users/3/avatar')
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    'https://example.com/cy.png',
  ])
})

it('describes files at the control API, and refuses wrong requests', async () => {
  const { url, close } = await serve(createMock(options()), { port: 0 })
  onTestFinished(close)
  const ask = async (body: object): Promise<unknown> => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(new URL('/__mock/files', url), init)
    return [answer.status, await answer.json()]
  }
  const asked = { resource: 'users', ids: ['2', '9', '3'], origin: 'http://a.test' }
  const file = { name: 'file.txt', type: 'text/plain', size: 11 }
  expect(await ask(asked)).toMatchObject([
    200,
    [
      { id: 2, avatar: { url: 'http://a.test/api/users/2/avatar', ...file } },
      null,
      { id: 3, avatar: 'https://example.com/cy.png' },
    ],
  ])
  const wrong: [object, number, string][] = [
    [{ ...asked, resource: 'usres' }, 404, '"usres"'],
    [{ ...asked, ids: 2 }, 400, '"ids" cannot be 2'],
    [{ resource: 'users' }, 400, '"ids" is missing'],
  ]
  for (const [body, status, detail] of wrong) {
    expect(await ask(body)).toMatchObject([status, { detail: expect.stringContaining(detail) }])
  }
})

describe('together with other behaviours', () => {
  it('replays an upload with an idempotency key', async () => {
    const mock = createMock({ ...options(), use: [...(options().use ?? []), idempotency()] })
    const { url, close } = await serve(mock, { port: 0 })
    onTestFinished(close)
    const upload = (path: string, body: BodyInit, type?: string): Promise<Response> =>
      fetch(`${url}${path}`, {
        method: 'POST',
        body,
        headers: { 'Idempotency-Key': path, ...(type !== undefined && { 'content-type': type }) },
      })
    const form = new FormData()
    form.append('avatar', new Blob(['GIF'], { type: 'image/gif' }), 'a.gif')
    for (const replayed of [null, 'true']) {
      const answers = [
        await upload('/users', form),
        await upload('/users/4/photos', 'GIF', 'image/gif'),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(201)
        expect(answer.headers.get('idempotency-replayed')).toBe(replayed)
      }
    }
    for (const path of ['/users/5/avatar', '/users/4/photos/2']) {
      expect(await (await fetch(url + path)).text()).toBe('GIF')
    }
  })

  it('belongs to the owner of the record', async () => {
    const fixtures = {
      users: [
        { id: 1, email: 'a@x.org', password: 'a' },
        { id: 2, email: 'b@x.org', password: 'b' },
      ],
      notes: [{ id: 1, userId: 2, image: 'data:text/plain,two' }],
    }
    const guard = auth({ protect: ['notes'], owners: { notes: { key: 'userId', read: 'own' } } })
    const mock = createMock({ fixtures, use: [guard, files({ notes: { image: true } })] })
    const logIn = async (email: string, password: string): Promise<string> => {
      const init = {
        method: 'POST',
        body: JSON.stringify({ email, password }),
        headers: { 'content-type': 'application/json' },
      }
      const { access_token: token } = await (await mock.fetch('http://x/login', init)).json()
      return `Bearer ${token}`
    }
    const ask = async (authorization: string, method: string): Promise<number> => {
      const headers = { authorization, 'content-type': 'text/plain' }
      const init = { method, headers, ...(method === 'PUT' && { body: 'x' }) }
      return (await mock.fetch('http://x/notes/1/image', init)).status
    }
    const [own, foreign] = [await logIn('b@x.org', 'b'), await logIn('a@x.org', 'a')]
    expect((await mock.fetch('http://x/notes/1/image')).status).toBe(401)
    for (const method of ['PUT', 'GET', 'DELETE']) {
      expect([method, await ask(foreign, method)]).toEqual([method, 403])
    }
    for (const method of ['PUT', 'GET', 'DELETE']) {
      expect([method, await ask(own, method)]).toEqual([method, method === 'DELETE' ? 204 : 200])
    }
  })
})

type Send = (input: string, init?: RequestInit) => Promise<Response>

describe('a connection that breaks', () => {
  const faces: [name: string, open: (mock: Mock) => Promise<Send>][] = [
    ['fetch', async (mock) => (input, init) => mock.fetch(new Request(input, init))],
    [
      'http',
      async (mock) => {
        const { url, close } = await serve(mock, { port: 0 })
        onTestFinished(close)
        return (input, init) => fetch(input.replace('http://mock.test', new URL(url).origin), init)
      },
    ],
  ]
  const file = 'http://mock.test/api/users/2/avatar'

  /** The bytes of a response that arrive before its connection breaks. */
  async function readAll({ body }: Response): Promise<[text: string, isWhole: boolean]> {
    let text = ''
    try {
      for await (const chunk of body ?? []) text += new TextDecoder().decode(chunk)
      return [text, true]
    } catch {
      return [text, false]
    }
  }

  it.each(faces)('ends a download after a share of its bytes (%s)', async (_, open) => {
    const mock = createMock(options())
    const send = await open(mock)
    mock.on('GET', '/users/:id/avatar').drop({ after: '50%', times: 1 })
    const broken = await send(file)
    expect(broken.headers.get('content-length')).toBe('11')
    const [text, isWhole] = await readAll(broken)
    expect(['hello'.startsWith(text), isWhole]).toEqual([true, false])
    expect(await readAll(await send(file))).toEqual(['hello world', true])
  })

  it.each(faces)('stores nothing of an upload that breaks (%s)', async (_, open) => {
    const mock = createMock(options())
    const send = await open(mock)
    mock.on('PUT', '/users/:id/avatar').drop({ after: '50%', times: 1 })
    const init = { method: 'PUT', body: 'x'.repeat(100), headers: { 'content-type': 'text/plain' } }
    await expect(send(file, init)).rejects.toThrow(TypeError)
    expect(await readAll(await send(file))).toEqual(['hello world', true])
    expect((await send(file, init)).status).toBe(200)
  })

  it.each(faces)(
    'lets a resumable upload continue after the bytes that arrived (%s)',
    async (_, open) => {
      const mock = createMock(options())
      const send = await open(mock)
      const made = await send('http://mock.test/api/uploads', {
        method: 'POST',
        headers: { ...tus, 'upload-length': '6' },
      })
      const path = new URL(made.headers.get('location') ?? '').pathname
      const url = `http://mock.test${path}`
      const patch = (offset: string, body: string): Promise<Response> =>
        send(url, {
          method: 'PATCH',
          body,
          headers: {
            ...tus,
            'upload-offset': offset,
            'content-type': 'application/offset+octet-stream',
          },
        })
      mock.on('PATCH', '/uploads/:key').drop({ after: 2, times: 1 })
      await expect(patch('0', 'abcdef')).rejects.toThrow(TypeError)
      const head = await send(url, { method: 'HEAD', headers: tus })
      expect(head.headers.get('upload-offset')).toBe('2')
      expect((await patch('2', 'cdef')).status).toBe(204)
      expect(await (await send(url)).text()).toBe('abcdef')
    },
  )

  it('truncates and slows a download as faults say', async () => {
    const fault = { on: 'GET /users/:id/avatar', truncate: 0.5, times: 1 }
    const use = [...(options().use ?? []), faults({ rules: [fault] })]
    const mock = createMock({ ...options(), use })
    expect(await readAll(await mock.fetch(file))).toEqual(['hello', false])
  })

  it('refuses a place that is none', () => {
    const rule = createMock(options()).on('GET', '/users')
    expect(() => rule.drop({ after: 'half' })).toThrow('cannot be "half"')
    expect(() => rule.drop({ after: '100%' })).toThrow('cannot be "100%"')
  })
})

describe('the OpenAPI document', () => {
  const { paths, components } = documentOf(createMock(options()))
  const binary = { type: 'string', format: 'binary' }

  it.each<[title: string, value: unknown, expected: unknown]>([
    [
      'has a form with files beside JSON',
      Object.entries(paths['/users']?.post?.requestBody?.content ?? {}).filter(
        ([type]) => type !== 'application/x-www-form-urlencoded',
      ),
      [
        ['application/json', expect.anything()],
        ['multipart/form-data', { schema: { $ref: '#/components/schemas/UserUpload' } }],
      ],
    ],
    [
      'has other fields in the form of a PATCH',
      paths['/users/{id}']?.patch?.requestBody?.content['multipart/form-data'],
      { schema: { $ref: '#/components/schemas/UserUploadPatch' } },
    ],
    [
      'has files as bytes in a form',
      components?.schemas?.['UserUpload'],
      {
        properties: {
          name: { type: 'string' },
          avatar: { ...binary, contentMediaType: 'application/octet-stream' },
        },
      },
    ],
    [
      'names what a field takes in JSON',
      components?.schemas?.['User'],
      { properties: { avatar: { 'x-file': expect.stringMatching(/./) } } },
    ],
    [
      'has bytes in the responses of a file',
      components?.responses?.['GetFileUsersAvatarResponse'],
      { content: { '*/*': { schema: binary } } },
    ],
    [
      'has bytes and a form in uploads to a field',
      paths['/users/{id}/avatar']?.put?.requestBody?.content,
      { '*/*': { schema: binary }, 'multipart/form-data': { schema: { required: ['file'] } } },
    ],
    [
      'has uploads of their own',
      Object.entries(paths).flatMap(([path, item]) =>
        path.startsWith('/uploads') ? Object.keys(item).map((method) => `${method} ${path}`) : [],
      ),
      expect.arrayContaining([
        'post /uploads',
        ...['get', 'head', 'put', 'post', 'patch', 'delete'].map((one) => `${one} /uploads/{key}`),
      ]),
    ],
  ])('%s', (_, value, expected) => {
    if (Array.isArray(expected) || typeof expected !== 'object') expect(value).toEqual(expected)
    else expect(value).toMatchObject(expected as object)
  })
})
