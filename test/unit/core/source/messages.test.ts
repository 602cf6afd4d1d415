import { describe, expect, it, vi } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { fromOpenApi } from '../../../../src/openapi.ts'

const pet = { $ref: '#/components/schemas/Pet' }
const content = (schema: object): object => ({ content: { 'application/json': { schema } } })
const message = (schema: object): object => ({
  post: { requestBody: content(schema), responses: { 200: {} } },
})
const document = {
  openapi: '3.1.0',
  paths: {
    '/pets': {
      get: { responses: { 200: content({ type: 'array', items: pet }) } },
      post: { requestBody: content(pet), responses: { 201: content(pet) } },
    },
    '/pets/{id}': {
      get: { responses: { 200: content(pet) } },
      delete: { responses: { 204: {} } },
    },
    '/subscriptions': {
      post: {
        requestBody: content({ type: 'object', properties: { url: { type: 'string' } } }),
        responses: { 201: content({ type: 'object', properties: { id: { type: 'string' } } }) },
        callbacks: {
          onPet: { '{$request.body#/url}?from={$request.query.from}': message(pet) },
        },
      },
    },
  },
  webhooks: {
    newPet: message(pet),
    'pet.deleted': message({
      type: 'object',
      required: ['type', 'data'],
      properties: { type: { const: 'pet.deleted' }, data: pet },
    }),
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
      },
    },
  },
}

function open(url?: string) {
  const sent: { url: string; body: unknown; headers: Record<string, string> }[] = []
  const send = ({ url: target, headers, body }: (typeof sent)[number] & { body: string }) => {
    sent.push({ url: target, headers, body: JSON.parse(body) })
    return { status: 200 }
  }
  const secret = 'whsec_c2VjcmV0'
  const webhooks = { ...(url !== undefined && { url, secret }), send }
  const mock = createMock({ openapi: fromOpenApi(document, { count: 2, webhooks }) })
  const post = (path: string, body: object): Promise<Response> =>
    mock.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { mock, sent, post }
}

describe('the webhooks of a document', () => {
  it('are sent after the change that they describe, with the record, signed', async () => {
    const { mock, sent, post } = open('http://hooks.test/in')
    await post('/pets', { id: 9, name: 'Rex' })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ url: 'http://hooks.test/in', body: { id: 9, name: 'Rex' } })
    expect(sent[0]?.headers['webhook-signature']).toMatch(/^v1,/)
    await mock.fetch('/pets/9', { method: 'DELETE' })
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[1]?.body).toEqual({ type: 'pet.deleted', data: { id: 9, name: 'Rex' } })
  })

  it('are not sent without a URL', async () => {
    const { sent, post } = open()
    await post('/pets', { id: 9, name: 'Rex' })
    await post('/subscriptions', { url: 'http://me.test/hook' })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.url).toBe('http://me.test/hook?from=')
  })
})

describe('the callbacks of an operation', () => {
  it('are sent to the URL in the request after the response', async () => {
    const { sent, post } = open()
    await post('/subscriptions?from=here', { url: 'http://me.test/hook' })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      url: 'http://me.test/hook?from=here',
      body: { id: expect.any(Number), name: expect.any(String) },
    })
  })

  it('are not sent to what is no URL', async () => {
    const { mock, sent, post } = open()
    await post('/subscriptions', { url: 'file:///etc/passwd' })
    await post('/subscriptions', {})
    await mock.fetch('/pets')
    expect(sent).toEqual([])
  })
})
