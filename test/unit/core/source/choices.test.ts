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
