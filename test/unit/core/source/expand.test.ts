import { expect, it } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { fromOpenApi } from '../../../../src/openapi.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({
  responses: { 200: { description: '', content: { 'application/json': { schema } } } },
})
const byId = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
const expandable = {
  name: 'expand',
  in: 'query',
  style: 'deepObject',
  explode: true,
  schema: { type: 'array', items: { type: 'string' } },
}
const text = { type: 'string', maxLength: 5000 }
const body = {
  content: {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        properties: { customer: text, expand: { type: 'array', items: { type: 'string' } } },
      },
    },
  },
}
const listOf = (name: string) => ({
  type: 'object',
  required: ['data', 'has_more'],
  properties: {
    data: { type: 'array', items: ref(name) },
    has_more: { type: 'boolean' },
  },
})

const document = {
  openapi: '3.0.0',
  paths: {
    '/v1/charges': {
      get: { parameters: [expandable], ...json(listOf('charge')) },
      post: { requestBody: body, ...json(ref('charge')) },
    },
    '/v1/charges/{id}': {
      parameters: byId,
      get: { parameters: [expandable], ...json(ref('charge')) },
    },
    '/v1/customers': { get: json(listOf('customer')) },
    '/v1/customers/{id}': { parameters: byId, get: json(ref('customer')) },
    '/v1/plans': { get: json(listOf('plan')) },
    '/v1/plans/{id}': { parameters: byId, get: json(ref('plan')) },
  },
  components: {
    schemas: {
      charge: {
        type: 'object',
        required: ['id', 'customer'],
        properties: {
          id: { ...text, description: 'The id, such as `ch_3MmlLrLkdIwHu7ix`.' },
          customer: {
            anyOf: [text, ref('customer'), ref('gone')],
            nullable: true,
            'x-expansionResources': { oneOf: [ref('customer'), ref('gone')] },
          },
        },
        'x-expandableFields': ['customer'],
      },
      customer: {
        type: 'object',
        required: ['id', 'plans'],
        properties: {
          id: { ...text, pattern: '^cus_[a-z]{5}$' },
          plans: { type: 'array', items: { anyOf: [text, ref('plan')] } },
        },
      },
      plan: {
        type: 'object',
        required: ['id', 'amount'],
        properties: {
          id: { ...text, description: 'An id that starts with `plan_`.' },
          amount: { type: 'integer' },
        },
      },
      gone: {
        type: 'object',
        required: ['id', 'deleted'],
        properties: { id: text, deleted: { type: 'boolean' } },
      },
    },
  },
}

const fixtures = {
  charges: [
    { id: 'ch_1', customer: 'cus_a' },
    { id: 'ch_2', customer: 'cus_lost' },
  ],
  customers: [{ id: 'cus_a', plans: ['plan_1', 'plan_2'] }],
  plans: [{ id: 'plan_1', amount: 5 }],
}
const plan = { id: 'plan_1', amount: 5 }
const customer = { id: 'cus_a', plans: ['plan_1', 'plan_2'] }
const whole = { id: 'cus_a', plans: [plan, 'plan_2'] }
const lost = { id: 'ch_2', customer: 'cus_lost' }

const rows: [path: string, expected: unknown][] = [
  ['/v1/charges/ch_1', { id: 'ch_1', customer: 'cus_a' }],
  ['/v1/charges/ch_1?expand[]=customer', { id: 'ch_1', customer }],
  ['/v1/charges/ch_1?expand=customer', { id: 'ch_1', customer }],
  ['/v1/charges/ch_1?expand[]=customer.plans', { id: 'ch_1', customer: whole }],
  ['/v1/charges/ch_1?expand[]=customer&expand[]=customer.plans', { id: 'ch_1', customer: whole }],
  ['/v1/charges/ch_2?expand[]=customer.plans', lost],
  ['/v1/charges/ch_1?expand[]=nothing', { id: 'ch_1', customer: 'cus_a' }],
  [
    '/v1/charges?expand[]=data.customer',
    { data: [{ id: 'ch_1', customer }, lost], has_more: false },
  ],
  ['/v1/charges?expand[]=customer', { data: [{ id: 'ch_1', customer }, lost], has_more: false }],
]

it.each(rows)('answers %s', async (path, expected) => {
  const { fetch } = createMock({ openapi: fromOpenApi(document), fixtures })
  expect(await (await fetch(path)).json()).toEqual(expected)
})

it('expands the answer of a write, and stores the id', async () => {
  const { fetch } = createMock({ openapi: fromOpenApi(document), fixtures })
  const response = await fetch('/v1/charges', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'customer=cus_a&expand[]=customer',
  })
  const created = (await response.json()) as { id: string }
  expect(created).toMatchObject({ customer })
  const read = await fetch(`/v1/charges/${created.id}`)
  expect(await read.json()).toEqual({ id: created.id, customer: 'cus_a' })
})

it('gives ids the prefix of their description or pattern, and keys the ids of records', () => {
  const { db } = createMock<
    Record<'charges' | 'customers' | 'plans', { id: string; customer?: string }[]>
  >({
    openapi: fromOpenApi(document),
  })
  const customers = db.customers.find().map(({ id }) => id)
  expect(db.charges.find().map(({ id }) => id)).toEqual(
    Array(20).fill(expect.stringMatching(/^ch_\w{16}$/)),
  )
  expect(customers).toEqual(Array(20).fill(expect.stringMatching(/^cus_[a-z]{5}$/)))
  expect(db.plans.find().map(({ id }) => id)).toEqual(
    Array(20).fill(expect.stringMatching(/^plan_\w+$/)),
  )
  const keys = db.charges.find().map((charge) => charge.customer)
  expect(
    keys.filter((key) => typeof key === 'string').every((key) => customers.includes(key)),
  ).toBe(true)
  expect(keys.filter((key) => typeof key === 'string').length).toBeGreaterThan(10)
})
