import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'

import { drawPattern } from '../../../../src/core/generate/pattern-text.ts'
import { createGenerator, build, generate } from '../../../../src/generate.ts'
import type { JsonRecord } from '../../../../src/core/json/json.ts'
import { textOf } from '../../../../src/core/generate/draw.ts'
import type { JsonSchema } from '../../../../src/core/types/json-schema.ts'
import { createRandom } from '../../../../src/core/time/random.ts'
import { createMock } from '../../../../src/index.ts'

const folder = join(import.meta.dirname, '../../../../fixtures')
const fixtures: Record<string, JsonRecord[]> = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'profile.json')
    .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
)
const shop = (
  counts: Record<string, number>,
  seed: number | string = 7,
): Record<string, JsonRecord[]> => generate(counts, { fixtures, seed })

describe('generated records', () => {
  const counts = { users: 60, products: 90, orders: 200, posts: 120, comments: 400, reviews: 300 }
  const {
    users = [],
    products = [],
    orders = [],
    posts = [],
    comments = [],
    reviews = [],
  } = shop(counts)

  it('come after those that are there, up to the number that is asked for', () => {
    expect([users.length, products.length, orders.length]).toEqual([60, 90, 200])
    expect(users.slice(0, 36)).toEqual(fixtures['users'])
    expect(shop({ users: 3 })['users']).toEqual(fixtures['users'])
  })

  it('have keys that lead to records, also to new ones', () => {
    const ids = new Set(users.map(({ id }) => id))
    expect(orders.every(({ userId }) => ids.has(userId ?? null))).toBe(true)
    expect(posts.slice(20).some(({ userId }) => Number(userId) > 36)).toBe(true)
    const productIds = new Set(products.map(({ id }) => id))
    const items = orders.flatMap((order) => order['items'] as JsonRecord[])
    expect(items.every(({ productId }) => productIds.has(productId ?? null))).toBe(true)
  })

  it('have ids and texts of their own, in the form of the examples', () => {
    const unique = (records: readonly JsonRecord[], field: string): void =>
      expect(new Set(records.map((record) => record[field])).size).toBe(records.length)
    unique(users, 'id')
    unique(users, 'email')
    unique(users, 'username')
    unique(posts, 'slug')
    unique(posts, 'title')
    unique(orders, 'id')
    expect(posts.at(-1)?.['id']).toBe(120)
    expect(orders.every(({ id }) => /^[\da-f]{8}-[\da-f]{4}-4/.test(textOf(id)))).toBe(true)
    expect(orders.at(-1)?.['number']).toBe('FF-1200')
  })

  it('agree with themselves: slugs, totals, copies of other records, dates in order', () => {
    for (const { slug, title } of posts.slice(20)) {
      expect(
        textOf(slug).startsWith(textOf(title).toLowerCase().slice(0, 3).replace(/\W.*/, '')),
      ).toBe(true)
    }
    const byId = new Map(products.map((product) => [product['id'], product]))
    for (const order of orders.slice(90)) {
      const items = order['items'] as {
        productId: number
        name: string
        quantity: number
        unitPrice: number
      }[]
      const { subtotal, shipping, total } = order['totals'] as Record<string, number>
      const sum = items.reduce((all, { quantity, unitPrice }) => all + quantity * unitPrice, 0)
      expect(subtotal).toBeCloseTo(sum, 2)
      expect(total).toBeCloseTo(Number(subtotal) + Number(shipping), 2)
      for (const { productId, name } of items) expect(name).toBe(byId.get(productId)?.['name'])
      const times = [order['placedAt'], order['paidAt'], order['shippedAt']].filter(
        (time) => time !== null,
      )
      expect(times).toEqual(times.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)))
    }
  })

  it('agree with the examples: shares of values, nulls and ranges', () => {
    const share = (
      records: readonly JsonRecord[],
      isCounted: (record: JsonRecord) => boolean,
    ): number => records.filter(isCounted).length / records.length
    const { orders: known = [], reviews: knownReviews = [] } = fixtures
    const { orders: many = [] } = shop({ orders: 2000 })
    for (const status of ['shipped', 'paid', 'placed', 'cancelled']) {
      const [before, after] = [known, many.slice(90)].map((all) =>
        share(all, (one) => one['status'] === status),
      )
      expect(after).toBeCloseTo(before ?? 0, 1)
    }
    const isCancelled = (one: JsonRecord): boolean => one['cancellation'] !== null
    expect(share(many, isCancelled)).toBeCloseTo(share(known, isCancelled), 1)
    const ratings = reviews.map(({ rating }) => Number(rating))
    const mean = (values: readonly number[]): number =>
      values.reduce((a, b) => a + b, 0) / values.length
    expect(mean(ratings)).toBeCloseTo(mean(knownReviews.map(({ rating }) => Number(rating))), 0)
    const helpful = knownReviews.map((one) => Number(one['helpful']))
    expect(Math.max(...reviews.map((one) => Number(one['helpful'])))).toBeLessThanOrEqual(
      Math.max(...helpful),
    )
    const childCounts = (records: readonly JsonRecord[]): number =>
      new Set(records.map(({ postId }) => postId)).size
    expect(childCounts(comments)).toBeGreaterThan(15)
  })

  it('are the same for the same seed, and others for another', () => {
    expect(shop({ posts: 40 })).toEqual(shop({ posts: 40 }))
    expect(shop({ posts: 40 }, 'x')['posts']?.slice(20)).not.toEqual(
      shop({ posts: 40 })['posts']?.slice(20),
    )
  })

  it('do not change with a further record or another collection', () => {
    const few = shop({ reviews: 160 })['reviews']
    expect(shop({ reviews: 500 })['reviews']?.slice(0, 160)).toEqual(few)
    expect(shop({ reviews: 160, tags: 30 })['reviews']).toEqual(few)
  })

  it('keep the values of their other fields if a field is added', () => {
    const withStock = {
      ...fixtures,
      tags: (fixtures['tags'] ?? []).map((tag, at) => ({ ...tag, stock: at * 3 })),
    }
    const added = generate({ tags: 30 }, { fixtures: withStock, seed: 7 })['tags'] ?? []
    expect(added.map(({ stock: _stock, ...rest }) => rest)).toEqual(shop({ tags: 30 })['tags'])
  })

  it('need three examples', () => {
    const notes = [
      { id: 1, title: 'Buy bread', done: true, due: '2026-01-01' },
      { id: 2, title: 'Call Anna', done: false, due: null },
      { id: 3, title: 'Read a book', done: false, due: '2026-02-11' },
    ]
    const made = generate({ notes: 50 }, { fixtures: { notes } })['notes'] ?? []
    expect(made.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
    expect(new Set(made.map(({ title }) => title)).size).toBe(50)
    for (const { due } of made)
      expect(due === null || /^2026-0[12]-\d\d$/.test(textOf(due))).toBe(true)
  })
})

describe('a collection without records', () => {
  const schema = {
    type: 'object',
    required: ['id', 'sku', 'price', 'status', 'email', 'tags'],
    additionalProperties: false,
    properties: {
      id: { type: 'integer', minimum: 1 },
      sku: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}(?:-(?:a|b))?$' },
      price: { type: 'number', exclusiveMinimum: 0, maximum: 20, multipleOf: 0.5 },
      status: { enum: ['draft', 'live'] },
      email: { type: 'string', format: 'email' },
      createdAt: { type: 'string', format: 'date-time' },
      note: { type: ['string', 'null'], minLength: 30, maxLength: 40 },
      tags: { type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true },
      size: { oneOf: [{ const: 'S' }, { type: 'integer', minimum: 30, maximum: 60 }] },
    },
  }

  it('gets records that conform to its schema', () => {
    const { items = [] } = generate({ items: 200 }, { schemas: { items: schema } })
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    formats.default(ajv)
    const validate = ajv.compile(schema)
    expect(items).toHaveLength(200)
    for (const item of items) expect(validate(item) || validate.errors).toBe(true)
  })

  const visits = {
    type: 'object',
    required: ['patient', 'outcome', 'room'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      patient: { $ref: '#/$defs/person' },
      doctor: { $ref: 'staff.schema.json' },
      outcome: { oneOf: [{ $ref: '#/$defs/referral' }, { $ref: '#/$defs/report' }] },
      room: { allOf: [{ type: 'string', minLength: 2 }, { maxLength: 6 }] },
    },
    $defs: {
      person: {
        type: 'object',
        required: ['name', 'birthDate'],
        properties: {
          name: { type: 'string' },
          birthDate: { type: 'string', format: 'date' },
          contact: { $ref: '#/$defs/person' },
        },
      },
      referral: {
        type: 'object',
        required: ['to'],
        properties: { kind: { const: 'referral' }, to: { type: 'string' } },
      },
      report: {
        type: 'object',
        required: ['text'],
        properties: { kind: { const: 'report' }, text: { type: 'string' } },
      },
    },
  } as const
  const staff = { type: 'object', required: ['email'], properties: { email: { format: 'email' } } }

  it('follows $ref, allOf and oneOf, also into the schema of another collection', () => {
    const schemas = { visits, staff } as never
    const { visits: made = [] } = generate({ visits: 50 }, { schemas })
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    ajv.addSchema({ $id: 'staff.schema.json', ...staff })
    const validate = ajv.compile(visits)
    expect(made.filter((one) => !validate(one)).map((one) => [one, validate.errors])).toEqual([])
    expect(
      made.some((one) => typeof (one['doctor'] as JsonRecord | undefined)?.['email'] === 'string'),
    ).toBe(true)
  })

  it('keeps all values when the schema gets another field', () => {
    const { properties } = visits
    const more = { ...visits, properties: { mood: { type: 'string' }, ...properties } }
    const made = (schema: object): unknown =>
      generate({ visits: 20 }, { schemas: { visits: schema, staff } as never })['visits']?.map(
        ({ mood: _mood, ...rest }) => rest,
      )
    expect(made(more)).toEqual(made(visits))
  })

  it('is refused without a schema and fields', () => {
    expect(() => generate({ poots: 3 }, { fixtures })).toThrow(
      'Failed to generate "poots": there is no example. Please add a fixture with three records, or poots.schema.json. Did you mean "posts"?',
    )
  })

  it('gets the fields that are given, as values or functions', () => {
    const faker = { seeds: [] as number[], seed: (seed: number) => void faker.seeds.push(seed) }
    const made = generate(
      {
        logs: {
          count: 3,
          level: 'info',
          line: (_faker: typeof faker, _record, number) => `line ${number}`,
        },
      },
      { faker },
    )
    expect(made['logs']).toEqual(
      [0, 1, 2].map((at) => ({ id: at + 1, level: 'info', line: `line ${at}` })),
    )
    expect(new Set(faker.seeds).size).toBe(3)
  })

  it('needs faker for a function', () => {
    expect(() => generate({ logs: { count: 1, line: () => 'x' } })).toThrow(
      'npm install --save-dev @faker-js/faker',
    )
  })
})

describe('a factory', () => {
  it('builds another record at each call, without an id', () => {
    const { build: buildOne } = createGenerator({ fixtures })
    const [first, second] = [buildOne('posts', { status: 'draft' }), buildOne('posts')]
    expect(first).toMatchObject({ status: 'draft', title: expect.any(String) })
    expect(first).not.toHaveProperty('id')
    expect(second['title']).not.toBe(first['title'])
    const mock = createMock({ fixtures })
    expect(
      mock.db['posts']?.insert(build('posts', { status: 'draft' }, { fixtures })),
    ).toMatchObject({
      id: 21,
      status: 'draft',
    })
  })
})

describe('mistakes', () => {
  it.each([
    [
      'a singleton',
      () => generate({ profile: 3 }, { fixtures: { profile: {} } }),
      'it is no collection',
    ],
    [
      'a number of records',
      () => generate({ posts: -1 }, { fixtures }),
      '-1 is no number of records',
    ],
    ['an option', () => generate({ posts: 1 }, { fixtures, sead: 1 } as object), 'seed'],
  ])('in %s are named', (_title, run, message) => {
    expect(run).toThrow(message)
  })
})

it.each([
  '^[A-Z]{3}-\\d{4}$',
  '(foo|ba[rz])+',
  '^\\w{2,5}\\.[^\\d]{3}$',
  '^(?:a|b){2}c?$',
  'x*y{0,2}z',
])('a text is drawn for the pattern %s', (pattern) => {
  const expression = new RegExp(pattern)
  for (let seed = 0; seed < 100; seed++) {
    expect(drawPattern(createRandom(seed), pattern)).toMatch(expression)
  }
})

it('a pattern that is no regular expression is drawn from as far as it goes', () => {
  expect(drawPattern(createRandom(1), String.raw`a\p{L`)).toMatch(/^a[a-z]$/)
})

it('names of object members are no formats, schemas and languages', () => {
  const properties = {
    city: { type: 'string', format: 'constructor' },
    note: { type: 'string', format: 'toString' },
  }
  const [one = {}] =
    generate({ a: 1 }, { schemas: { a: { properties } }, locale: 'constructor' })['a'] ?? []
  expect(typeof one['city']).toBe('string')
  expect(one['note']).not.toBe('[object Object]')
  expect(() => generate(JSON.parse('{"constructor":1}'))).toThrow('there is no example')
})

it('"build" follows the options of each call', () => {
  const schemaOf = (name: string): object => ({ [name]: { properties: { [name]: {} } } })
  const options = ['cat', 'dog'].map((name) => ({ schemas: schemaOf(name) as never }))
  expect(build('cat', {}, options[0])).toHaveProperty('cat')
  expect(build('dog', {}, options[1])).toHaveProperty('dog')
  expect(build('cat', {}, options[0])).not.toEqual(build('cat', {}, options[0]))
})

describe('records of a clinic, by schemas alone', () => {
  const text = { type: 'string' }
  const integer = { type: 'integer' }
  const record = (properties: Record<string, JsonSchema>): JsonSchema => ({
    type: 'object',
    properties: { id: integer, ...properties },
    required: ['id', ...Object.keys(properties)],
  })
  const line = { type: 'object', required: ['drugId', 'amount'] }
  const schemas = {
    invoices: record({
      appointmentId: integer,
      lines: {
        type: 'array',
        minItems: 1,
        maxItems: 4,
        items: { ...line, properties: { drugId: integer, amount: { type: 'number', minimum: 1 } } },
      },
      total: { type: 'number' },
    }),
    appointments: record({ doctorId: integer, startsAt: { type: 'string', format: 'date-time' } }),
    doctors: record({ name: text, email: { type: 'string', format: 'email' } }),
    drugs: record({ name: text }),
  }
  const counts = { invoices: 40, appointments: 20, doctors: 5, drugs: 8 }
  const {
    invoices = [],
    appointments = [],
    doctors = [],
    drugs = [],
  } = generate(counts, { schemas })
  const linesOf = ({ lines }: JsonRecord): JsonRecord[] => lines as JsonRecord[]
  const idsOf = (records: readonly JsonRecord[]): Set<unknown> =>
    new Set(records.map(({ id }) => id))

  it('have keys that lead to records, also in lists', () => {
    const known = [idsOf(appointments), idsOf(doctors), idsOf(drugs)] as const
    expect(invoices.every(({ appointmentId }) => known[0].has(appointmentId))).toBe(true)
    expect(appointments.every(({ doctorId }) => known[1].has(doctorId))).toBe(true)
    expect(invoices.flatMap(linesOf).every(({ drugId }) => known[2].has(drugId))).toBe(true)
    expect(new Set(invoices.flatMap(linesOf).map(({ drugId }) => drugId)).size).toBeGreaterThan(4)
  })

  it('have totals over their lists', () => {
    for (const invoice of invoices) {
      const sum = linesOf(invoice).reduce((total, { amount }) => total + Number(amount), 0)
      expect(invoice['total']).toBeCloseTo(sum, 2)
    }
  })

  it('have names of people where there is an address to write to', () => {
    expect(doctors.map(({ name }) => name)).not.toEqual(drugs.map(({ name }) => name).slice(0, 5))
    const surnames = doctors.map(({ name }) => textOf(name ?? null).split(' ')[1] ?? '')
    expect(surnames.every((surname) => /^\p{Lu}/u.test(surname))).toBe(true)
  })
})
