import { expect, it } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { fromOpenApi } from '../../../../src/openapi.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const address = {
  type: 'object',
  required: ['city'],
  properties: { city: { const: 'Kyiv' } },
  additionalProperties: false,
}

/** The schema of `GET /thing`, and the members that the response has, or has not (undefined). */
const rows: [title: string, schema: object, expected: object][] = [
  [
    'leaves out a member that another schema of allOf forbids',
    {
      additionalProperties: false,
      properties: { name: { const: 'a' } },
      allOf: [{ type: 'object', properties: { name: { const: 'a' }, size: { type: 'integer' } } }],
    },
    { name: 'a', size: undefined },
  ],
  [
    'keeps members that are required, although another schema forbids them',
    { allOf: [address, { properties: { street: { const: 'b' } }, additionalProperties: false }] },
    { city: 'Kyiv', street: 'b' },
  ],
  [
    'answers one choice of oneOf that differ in required members alone',
    {
      type: 'object',
      properties: { id: { const: 'r' }, org: { const: 'o' }, orgID: { const: 'p' } },
      oneOf: [{ required: ['id', 'org'] }, { required: ['id', 'orgID'] }],
    },
    { id: 'r', org: 'o', orgID: undefined },
  ],
  [
    'answers one choice of oneOf whose members are optional',
    {
      oneOf: [
        {
          type: 'object',
          properties: { rooms: { type: 'object', properties: { a: { const: 1 } } } },
        },
        {
          type: 'object',
          properties: { alerts: { type: 'object', properties: { b: { const: 2 } } } },
        },
      ],
    },
    { rooms: { a: 1 }, alerts: null },
  ],
]

it.each(rows)('%s', async (_, schema, expected) => {
  const { fetch } = createMock({
    openapi: fromOpenApi(toDocument({ '/thing': { get: answer(schema) } })),
  })
  expect(await (await fetch('/thing')).json()).toEqual(JSON.parse(JSON.stringify(expected)))
})

it('gives ids the format that the path asks for', async () => {
  const bill = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, no: { type: 'integer' } },
  }
  const mock = createMock<{ bills: { id: string }[] }>({
    openapi: fromOpenApi(
      toDocument({
        '/bills': { get: answer({ type: 'array', items: bill }) },
        '/bills/{billId}': {
          parameters: [
            {
              name: 'billId',
              in: 'path',
              required: true,
              schema: { type: 'string', format: 'uuid' },
            },
          ],
          get: answer(bill),
        },
      }),
    ),
  })
  const [first] = mock.db.bills.find()
  expect(first?.id).toMatch(uuid)
  expect((await mock.fetch(`/bills/${first?.id}`)).status).toBe(200)
})

it('prefers JSON to a sequence of JSON texts, which is a text', async () => {
  const { fetch } = createMock({
    openapi: fromOpenApi(
      toDocument({
        '/numbers': {
          get: {
            responses: {
              200: {
                description: '',
                content: {
                  'application/json-seq': { example: { day: 'never' } },
                  'application/json; charset=utf-8': {
                    schema: {
                      type: 'object',
                      required: ['day'],
                      properties: { day: { const: 'today' } },
                    },
                  },
                },
              },
            },
          },
        },
      }),
    ),
  })
  expect(await (await fetch('/numbers')).json()).toEqual({ day: 'today' })
})

function answer(schema: object): object {
  return { responses: { 200: { description: '', content: { 'application/json': { schema } } } } }
}

function toDocument(paths: object): object {
  return { openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths }
}

const texts: [title: string, media: object, type: string, expected: string | RegExp][] = [
  ['a text', { 'text/csv': { example: 'a,b\n1,2' } }, 'text/csv', 'a,b\n1,2'],
  ['a drawn text', { 'text/plain': { schema: { const: 'pong' } } }, 'text/plain', 'pong'],
  ['a file', { 'image/png': { schema: { type: 'string', format: 'binary' } } }, 'image/png', /./],
  ['a file without a schema', { 'application/pdf': {} }, 'application/pdf', ''],
]

it.each(texts)('answers %s with its media type', async (_, content, type, expected) => {
  const responses = { 200: { description: '', content } }
  const { fetch } = createMock({
    openapi: fromOpenApi(toDocument({ '/it': { get: { responses } } })),
  })
  const response = await fetch('/it')
  expect(response.headers.get('content-type')).toBe(type)
  expect(await response.text()).toEqual(
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  )
})

it('creates a record of an upload, with the fields of the form', async () => {
  const file = {
    type: 'object',
    required: ['id', 'title'],
    properties: { id: { type: 'integer' }, title: { type: 'string' }, pages: { type: 'integer' } },
  }
  const form = {
    type: 'object',
    required: ['file', 'title'],
    properties: {
      file: { type: 'string', format: 'binary' },
      title: { type: 'string' },
      pages: { type: 'integer' },
    },
  }
  const { fetch } = createMock({
    openapi: fromOpenApi(
      toDocument({
        '/files': {
          post: {
            ...answer(file),
            requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } },
          },
        },
      }),
    ),
  })
  const body = new FormData()
  body.set('file', new Blob(['%PDF']), 'scan.pdf')
  body.set('title', 'Scan')
  body.set('pages', '3')
  const response = await fetch('/files', { method: 'POST', body })
  expect(await response.json()).toMatchObject({ title: 'Scan', pages: 3 })
})

it('gives people the names of people, and dates of birth before 2010', () => {
  const patient = {
    type: 'object',
    required: ['id', 'name', 'born'],
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      born: { type: 'string', format: 'date' },
    },
  }
  const { db } = createMock<{ patients: { name: string; born: string }[] }>({
    openapi: fromOpenApi(
      toDocument({ '/patients': { get: answer({ type: 'array', items: patient }) } }),
    ),
  })
  for (const { name, born } of db.patients.find()) {
    expect(name).toMatch(/^\p{Lu}\S* \p{Lu}/u)
    expect(born < '2011').toBe(true)
  }
})

it('takes a form that the document describes as a text', async () => {
  const requestBody = { content: { 'multipart/form-data': { schema: { type: 'string' } } } }
  const { fetch } = createMock({
    openapi: fromOpenApi(
      toDocument({ '/scan': { post: { ...answer({ const: 'taken' }), requestBody } } }),
    ),
  })
  const body = new FormData()
  body.set('file', new Blob(['a']), 'a.txt')
  const response = await fetch('/scan', { method: 'POST', body })
  expect([response.status, await response.json()]).toEqual([200, 'taken'])
})
