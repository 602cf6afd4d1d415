import { expect, it } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { fromOpenApi } from '../../../../src/openapi.ts'

const customer = {
  type: 'object',
  required: ['id', 'object', 'created', 'livemode', 'metadata'],
  properties: {
    id: { type: 'string', maxLength: 5000 },
    object: { type: 'string', enum: ['customer'] },
    created: { type: 'integer', format: 'unix-time' },
    livemode: { type: 'boolean' },
    email: { type: 'string', nullable: true },
    balance: { type: 'integer' },
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
    default_source: {
      anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/customer' }],
      nullable: true,
    },
  },
}

const json = (schema: object) => ({
  description: '',
  content: { 'application/json': { schema } },
})
const one = { $ref: '#/components/schemas/customer' }
const form = {
  content: {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        properties: {
          email: { type: 'string' },
          balance: { type: 'integer' },
          expand: { type: 'array', items: { type: 'string' } },
          metadata: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      encoding: { metadata: { style: 'deepObject', explode: true } },
    },
  },
}
const byId = [{ name: 'customer', in: 'path', required: true, schema: { type: 'string' } }]

/** A document in the style of payment APIs: forms with brackets, cursors, records that may be ids or deleted. */
const document = {
  openapi: '3.0.0',
  paths: {
    '/v1/customers': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'starting_after', in: 'query', schema: { type: 'string' } },
          {
            name: 'created',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { gte: { type: 'integer' } } },
          },
        ],
        responses: {
          200: json({
            type: 'object',
            required: ['data', 'has_more', 'object', 'url'],
            properties: {
              data: { type: 'array', items: one },
              has_more: { type: 'boolean' },
              object: { type: 'string', enum: ['list'] },
              url: { type: 'string', pattern: '^/v1/customers' },
            },
          }),
        },
      },
      post: { requestBody: form, responses: { 200: json(one) } },
    },
    '/v1/customers/{customer}': {
      get: {
        parameters: byId,
        responses: {
          200: json({ anyOf: [one, { $ref: '#/components/schemas/deleted_customer' }] }),
        },
      },
      post: { parameters: byId, requestBody: form, responses: { 200: json(one) } },
      delete: {
        parameters: byId,
        responses: { 200: json({ $ref: '#/components/schemas/deleted_customer' }) },
      },
    },
  },
  components: {
    schemas: {
      customer,
      deleted_customer: {
        type: 'object',
        required: ['deleted', 'id', 'object'],
        properties: {
          deleted: { type: 'boolean', enum: [true] },
          id: { type: 'string' },
          object: { type: 'string', enum: ['customer'] },
        },
      },
    },
  },
}

const stored = {
  id: 'cus_NffrFeUfNV2Hib',
  object: 'customer',
  created: 1_680_893_993,
  livemode: false,
  metadata: {},
}

it('creates, reads, lists, updates and removes a record by forms with brackets', async () => {
  const mock = createMock({ openapi: fromOpenApi(document), fixtures: { customers: [stored] } })
  const send = async (path: string, body?: string, method = 'POST'): Promise<never> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const init = body === undefined ? { method } : { method, body, headers }
    return (await (await mock.fetch(path, init)).json()) as never
  }
  const created: { id: string } = await send(
    '/v1/customers',
    'email=ada%40example.org&balance=5&metadata[order]=6&expand[]=default_source',
  )
  expect(created).toEqual({
    id: expect.stringMatching(/^cus_[A-Za-z\d]{14}$/) as string,
    object: 'customer',
    created: expect.any(Number) as number,
    livemode: expect.any(Boolean) as boolean,
    email: 'ada@example.org',
    balance: 5,
    metadata: { order: '6' },
  })
  const path = `/v1/customers/${created.id}`
  expect(await send(path, undefined, 'GET')).toEqual(created)
  expect(await send(`/v1/customers?starting_after=${stored.id}`, undefined, 'GET')).toEqual({
    data: [created],
    has_more: false,
    object: 'list',
    url: expect.stringMatching(/^\/v1\/customers/) as string,
  })
  const recent = await send('/v1/customers?created[gte]=1680893994&limit=1', undefined, 'GET')
  expect(recent).toMatchObject({ data: [{ id: created.id }] })
  expect(await send(path, 'metadata[paid]=yes')).toMatchObject({
    metadata: { order: '6', paid: 'yes' },
  })
  expect(await send(path, undefined, 'DELETE')).toEqual({
    deleted: true,
    id: created.id,
    object: 'customer',
  })
})
