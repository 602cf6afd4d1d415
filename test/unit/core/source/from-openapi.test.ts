import { describe, expect, it } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { simpleRest } from '../../../../src/dialects.ts'
import { fromOpenApi } from '../../../../src/openapi.ts'
import { shop } from './shop-document.ts'

interface Answered {
  status: number
  body: never
}

function createAsk(options: Parameters<typeof createMock>[0]) {
  const mock = createMock(options)
  return async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const init = {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    }
    const response = await mock.fetch(path, init)
    const text = await response.text()
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as never }
  }
}

describe('fromOpenApi', () => {
  const rows = fromOpenApi(shop).operations.map(
    ({ method, path, action, collection = '' }) => `${method} ${path} ${action} ${collection}`,
  )

  it.each([
    'GET /customers list customers',
    'POST /customers create customers',
    'GET /customers/{customer} read customers',
    'PATCH /customers/{customer} update customers',
    'DELETE /customers/{customer} remove customers',
    'GET /customers/{customer}/orders list orders',
    'POST /customers/{customer}/orders create orders',
    'GET /orders/{orderId} read orders',
    'GET /settings read settings',
    'PUT /settings replace settings',
    'POST /search example ',
  ])('takes an operation for what it is: %s', (row) => {
    expect(rows).toContain(row)
  })

  it('finds a created record, in the list too, with an id like the example', async () => {
    const ask = createAsk({ openapi: fromOpenApi(shop, { count: 3 }) })
    const created = await ask('POST', '/customers', {
      name: 'Ada',
      email: 'ada@example.org',
      password: 'secret',
    })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.stringMatching(/^cus_[A-Za-z\d]{14}$/) as string,
      name: 'Ada',
      email: 'ada@example.org',
      nickname: null,
      createdAt: expect.stringMatching(/^20/) as string,
    })
    const { id } = created.body as { id: string }
    expect(await ask('GET', `/customers/${id}`)).toEqual({ status: 200, body: created.body })
    const list = await ask('GET', '/v1/customers?email=ada@example.org')
    expect(list.body).toEqual({
      object: 'list',
      data: [created.body],
      total: 1,
      has_more: false,
      next: null,
    })
  })

  it('pages and sorts by the parameters of the document', async () => {
    const ask = createAsk({ openapi: fromOpenApi(shop) })
    const page = (await ask('GET', '/customers?limit=8&page=3&sort=-name')).body as {
      data: { name: string }[]
      total: number
    }
    expect(page).toMatchObject({ total: 20, has_more: false })
    expect(page.data).toHaveLength(4)
    const names = page.data.map(({ name }) => name)
    expect(names).toEqual(names.toSorted().toReversed())
    expect((await ask('GET', '/customers')).body).toMatchObject({ has_more: true })
  })

  it('updates and removes a record', async () => {
    const ask = createAsk({ openapi: fromOpenApi(shop, { count: 2 }) })
    const { data } = (await ask('GET', '/customers')).body as { data: { id: string }[] }
    const path = `/customers/${data[0]?.id}`
    const updated = await ask('PATCH', path, { nickname: 'A' })
    expect(updated.body).toEqual({ ...data[0], nickname: 'A' })
    expect(await ask('DELETE', path)).toEqual({ status: 204, body: undefined })
    expect((await ask('GET', path)).status).toBe(404)
  })

  it('lists the records of a parent, and gives a new one its key', async () => {
    const ask = createAsk({ openapi: fromOpenApi(shop, { count: 4 }) })
    const { data } = (await ask('GET', '/customers')).body as { data: { id: string }[] }
    const id = data[1]?.id
    const created = await ask('POST', `/customers/${id}/orders`, { id: 77, total: 5 })
    expect(created.body).toMatchObject({ id: 77, total: 5, customerId: id })
    const orders = (await ask('GET', `/customers/${id}/orders`)).body as { customerId: string }[]
    expect(orders.length).toBeGreaterThan(1)
    expect(new Set(orders.map(({ customerId }) => customerId))).toEqual(new Set([id]))
    expect((await ask('GET', '/customers/nobody/orders')).status).toBe(404)
    expect((await ask('GET', '/orders/77')).body).toMatchObject({ customerId: id })
  })

  it.each<[title: string, request: [string, string, unknown?], status: number, text: string]>([
    ['a missing field', ['POST', '/customers', { name: 'x' }], 422, '"email" is required'],
    ['a wrong format', ['POST', '/customers', { name: 'x', email: 'x' }], 422, 'email'],
    ['no body', ['POST', '/customers'], 422, '"body" is required'],
    ['a wrong parameter', ['GET', '/customers?limit=x'], 422, '"limit" has to be an integer'],
    ['a limit beyond the maximum', ['GET', '/customers?limit=51'], 422, 'limit'],
    ['an unknown record', ['GET', '/customers/cus_x'], 404, 'Failed to find \\"cus_x\\"'],
    ['an unknown path', ['GET', '/nothing'], 404, 'no such path'],
    ['an unknown method', ['PUT', '/customers'], 405, 'GET, POST, HEAD, OPTIONS'],
  ])('refuses %s', async (_title, [method, path, body], status, text) => {
    const ask = createAsk({ openapi: fromOpenApi(shop) })
    const answer = await ask(method, path, body)
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body).replaceAll('\\\\"', '\\"').replaceAll('\\"', '"')).toContain(
      text.replaceAll('\\"', '"'),
    )
  })

  it('answers errors in the form of the document', async () => {
    const ask = createAsk({ openapi: fromOpenApi(shop) })
    expect((await ask('GET', '/customers/cus_x')).body).toEqual({
      error: { message: 'Failed to find "cus_x" in "customers".', code: 'NOT_FOUND' },
    })
  })

  it('keeps a singleton, and answers the example of any other operation', async () => {
    const ask = createAsk({ openapi: fromOpenApi(shop) })
    expect((await ask('PUT', '/settings', { theme: 'dark' })).body).toEqual({ theme: 'dark' })
    expect((await ask('GET', '/settings')).body).toEqual({ theme: 'dark' })
    expect((await ask('POST', '/search')).body).toEqual({ hits: 3 })
  })

  it('takes fixtures before examples', async () => {
    const order = { id: 5, customerId: 'cus_1', total: 3 }
    const ask = createAsk({ openapi: fromOpenApi(shop), fixtures: { orders: [order] } })
    expect((await ask('GET', '/orders/5')).body).toEqual(order)
    expect((await ask('GET', '/orders/1')).status).toBe(404)
  })

  it('creates the same data for the same seed', () => {
    const data = (seed: number): unknown => fromOpenApi(shop, { seed }).createData({})
    expect(data(7)).toEqual(data(7))
    expect(data(7)).not.toEqual(data(8))
  })

  it('is corrected by the option "bind" and by the document', async () => {
    const bind = { 'POST /search': 'searches.create', 'DELETE /customers/{id}': 'none' }
    const { operations } = fromOpenApi(shop, { bind })
    expect(operations.filter(({ isCorrected }) => isCorrected)).toMatchObject([
      { path: '/customers/{customer}', action: 'none' },
      { path: '/search', action: 'create', collection: 'searches' },
    ])
    const marked = structuredClone(shop) as { paths: Record<string, Record<string, object>> }
    Object.assign(marked.paths['/search']?.['post'] ?? {}, {
      'x-fixtura': { collection: 'searches', action: 'create' },
    })
    expect(fromOpenApi(marked).operations.at(-1)).toMatchObject({
      action: 'create',
      collection: 'searches',
    })
    const ask = createAsk({ openapi: fromOpenApi(shop, { bind }) })
    expect((await ask('DELETE', '/customers/cus_x')).status).toBe(405)
  })

  it.each<[title: string, run: () => unknown, message: string]>([
    ['another document', () => fromOpenApi({ posts: [] }), 'it has no "openapi: 3.x"'],
    [
      'a document that contains itself',
      () => {
        const schema: Record<string, unknown> = { type: 'object' }
        schema['properties'] = { child: schema }
        return fromOpenApi({ openapi: '3.0.0', paths: {}, components: { schemas: { A: schema } } })
      },
      'contains itself',
    ],
    [
      'a correction of an unknown operation',
      () => fromOpenApi(shop, { bind: { 'GET /custmers': 'customers.list' } }),
      'Did you mean "GET /customers"?',
    ],
    [
      'an unknown action',
      () => fromOpenApi(shop, { bind: { 'GET /customers': 'customers.show' } }),
      '"customers.show" is no collection with an action',
    ],
    [
      'another dialect beside the document',
      () =>
        createMock({
          openapi: fromOpenApi(shop),
          dialect: simpleRest,
        }),
      '"dialect" has no effect beside "openapi"',
    ],
  ])('refuses %s', (_title, run, message) => {
    expect(run).toThrow(message)
  })

  it('reads Swagger 2.0', async () => {
    const ask = createAsk({
      openapi: fromOpenApi({
        swagger: '2.0',
        basePath: '/api',
        consumes: ['application/json'],
        paths: {
          '/pets': {
            get: {
              responses: {
                200: { schema: { type: 'array', items: { $ref: '#/definitions/Pet' } } },
              },
            },
            post: {
              parameters: [
                { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
              ],
              responses: { 201: { schema: { $ref: '#/definitions/Pet' } } },
            },
          },
          '/pets/{id}': {
            get: {
              parameters: [{ name: 'id', in: 'path', required: true, type: 'integer' }],
              responses: { 200: { schema: { $ref: '#/definitions/Pet' } } },
            },
          },
        },
        definitions: {
          Pet: {
            type: 'object',
            required: ['name'],
            properties: { id: { type: 'integer' }, name: { type: 'string' } },
          },
        },
      }),
    })
    expect(await ask('POST', '/api/pets', { name: 'Rex' })).toEqual({
      status: 201,
      body: { id: 21, name: 'Rex' },
    })
    expect((await ask('GET', '/pets/21')).body).toEqual({ id: 21, name: 'Rex' })
    expect((await ask('POST', '/pets', {})).status).toBe(422)
  })

  it('reads the records of a list that allOf makes special', async () => {
    const collection = { properties: { data: { type: 'array', items: { type: 'object' } } } }
    const stations = {
      properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Station' } } },
    }
    const ask = createAsk({
      openapi: fromOpenApi(
        {
          openapi: '3.1.0',
          paths: {
            '/stations': {
              get: {
                responses: {
                  200: {
                    description: 'Stations',
                    content: { 'application/json': { schema: { allOf: [collection, stations] } } },
                  },
                },
              },
            },
          },
          components: {
            schemas: {
              Station: {
                type: 'object',
                required: ['id', 'name'],
                properties: { id: { type: 'integer' }, name: { const: 'Berlin' } },
              },
            },
          },
        },
        { count: 2 },
      ),
    })
    expect((await ask('GET', '/stations')).body).toEqual({
      data: [
        { id: 1, name: 'Berlin' },
        { id: 2, name: 'Berlin' },
      ],
    })
  })
})
