import { describe, expect, it } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { fromOpenApi } from '../../../../src/openapi.ts'

const json = (schema: object): object => ({ 200: { content: { 'application/json': { schema } } } })
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
const list = (name: string): object => ({ responses: json({ type: 'array', items: ref(name) }) })
const one = (name: string): object => ({ responses: json(ref(name)) })
const sent = (name: string): object => ({
  requestBody: { content: { 'application/json': { schema: ref(name) } } },
  ...one(name),
})
const record = (...names: string[]): object => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})
const param = (name: string, schema: object = { type: 'string' }): object => ({
  name,
  in: 'path',
  required: true,
  schema,
})

const document = {
  openapi: '3.1.0',
  paths: {
    '/projects': { get: list('Project'), post: sent('Project') },
    '/projects/{id}': { get: one('Project'), delete: { responses: { 204: {} } } },
    '/projects/{id}/settings': {
      get: one('Settings'),
      put: sent('Settings'),
      delete: { responses: { 204: {} } },
    },
    '/projects/{id}/status': { get: one('Project'), put: sent('Project') },
    '/projects/{id}/owner': { get: one('Project') },
    '/tests/projects/{id}/close': { post: one('Project') },
    '/flags/{project}': { get: list('Flag'), post: sent('Flag') },
    '/flags/{project}/{key}': { get: one('Flag') },
    '/disputes': { get: list('Dispute') },
    '/disputes/{id}': { get: one('Dispute') },
    '/issuing/disputes': { get: list('IssuingDispute') },
    '/issuing/disputes/{id}': { get: one('IssuingDispute') },
    '/keys': {
      get: { responses: json({ properties: { ssh_keys: { type: 'array', items: ref('Key') } } }) },
    },
    '/keys/{id}': { get: { responses: json({ properties: { ssh_key: ref('Key') } }) } },
    '/sessions': { post: sent('Session') },
    '/holidays': { get: list('Holiday') },
    '/search': { get: list('Holiday') },
    '/files/{id}': {
      get: { ...one('File'), parameters: [param('id', { type: 'string', format: 'uuid' })] },
    },
    '/files/{name}': { get: { responses: json(record('byName')), parameters: [param('name')] } },
    '/default': { get: list('Project'), post: sent('Fallback') },
    '/default/{id}': { get: one('Fallback') },
  },
  components: {
    schemas: {
      Project: record('id', 'name', 'state'),
      Settings: record('color', 'size'),
      Flag: record('key', 'title'),
      Dispute: record('id', 'amount', 'reason'),
      IssuingDispute: record('id', 'amount', 'reason'),
      Key: record('id', 'fingerprint'),
      Session: record('id', 'url'),
      Holiday: record('day'),
      File: record('id', 'byId'),
      Fallback: record('id', 'value'),
    },
  },
}

const openapi = fromOpenApi(document, { count: 3 })

describe('an operation is taken for what it is', () => {
  const rows = openapi.operations.map(({ method, path, action, collection = '' }) =>
    `${method} ${path} ${action} ${collection}`.trim(),
  )

  it.each([
    ['a value of each record', 'PUT /projects/{id}/settings replace settings'],
    ['another view of a record', 'GET /projects/{id}/status read projects'],
    ['another record', 'GET /projects/{id}/owner example'],
    ['a verb at another path', 'POST /tests/projects/{id}/close update projects'],
    ['a list below a parameter', 'GET /flags/{project} list flags'],
    ['a new record below a parameter', 'POST /flags/{project} create flags'],
    ['a record below two parameters', 'GET /flags/{project}/{key} read flags'],
    ['records of the same name', 'GET /issuing/disputes/{id} read issuing-disputes'],
    ['a list in an envelope with the full name', 'GET /keys list keys'],
    ['new records alone', 'POST /sessions create sessions'],
    ['a list of a plural', 'GET /holidays list holidays'],
    ['a name that options have', 'GET /default/{id} read default-2'],
  ])('%s: %s', (_title, row) => {
    expect(rows).toContain(row)
  })
})

describe('a value of each record', () => {
  const mock = createMock<Record<string, { id: string }[]>>({ openapi })
  const [first, second] = mock.db['projects']?.find().map(({ id }) => id) ?? []
  const at = async (path: string, init?: object): Promise<{ status: number; body: unknown }> => {
    const response = await mock.fetch(path, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? '' : JSON.parse(text) }
  }
  const put = (body: object): object => ({
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

  it('is there before the first write, and the same at each read', async () => {
    const read = await at(`/projects/${first}/settings`)
    expect(read).toMatchObject({ status: 200, body: { color: expect.any(String) } })
    expect(await at(`/projects/${first}/settings`)).toEqual(read)
    expect((await at(`/projects/${second}/settings`)).body).not.toEqual(read.body)
  })

  it('keeps a write, for its record alone', async () => {
    const written = { color: 'red', size: 'L' }
    expect(await at(`/projects/${first}/settings`, put(written))).toMatchObject({ body: written })
    expect(await at(`/projects/${first}/settings`)).toEqual({ status: 200, body: written })
    expect((await at(`/projects/${second}/settings`)).body).not.toEqual(written)
    const removed = await at(`/projects/${first}/settings`, { method: 'DELETE' })
    expect(removed.status).toBe(204)
    expect((await at(`/projects/${first}/settings`)).body).not.toEqual(written)
  })

  it('is missing without its record', async () => {
    expect(await at('/projects/none/settings')).toMatchObject({ status: 404 })
    expect(await at('/projects/none/settings', put({ color: 'a', size: 'b' }))).toMatchObject({
      status: 404,
    })
  })
})

it('of two paths that differ in a name, the one for which the parameter is valid is served', async () => {
  const mock = createMock({
    openapi: fromOpenApi(document, {
      bind: { 'GET /files/{id}': 'example', 'GET /files/{name}': 'example' },
    }),
  })
  const read = async (path: string): Promise<unknown> => (await mock.fetch(path)).json()
  expect(await read('/files/5f0c6d2e-1b1a-4c57-9f57-0a1f6a7d3c11')).toHaveProperty('byId')
  expect(await read('/files/photo.png')).toEqual({ byName: expect.any(String) })
})
