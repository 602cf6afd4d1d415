import { expect, it } from 'vitest'

import { generate } from '../../../../src/generate.ts'

const date = { type: 'string', format: 'date' }
const time = { type: 'string', format: 'date-time' }
const number = { type: 'number' }
const text = { type: 'string' }
const record = (properties: object) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

const schemas = {
  patients: record({
    id: { type: 'string', pattern: '^pat_[a-z0-9]{8}$' },
    firstName: text,
    lastName: text,
    email: { type: 'string', format: 'email' },
  }),
  visits: record({
    id: { type: 'integer' },
    startsAt: time,
    endsAt: time,
    durationMinutes: { type: 'integer', minimum: 10, maximum: 60, multipleOf: 5 },
  }),
  invoices: record({
    id: { type: 'integer' },
    status: { enum: ['open', 'paid'] },
    issuedOn: date,
    dueOn: date,
    paidOn: { type: ['string', 'null'], format: 'date' },
    lines: {
      type: 'array',
      minItems: 1,
      items: record({
        description: text,
        quantity: { type: 'integer', minimum: 1, maximum: 5 },
        unitPrice: { type: 'number', minimum: 5, maximum: 400, multipleOf: 0.01 },
        amount: number,
      }),
    },
    subtotal: number,
    tax: number,
    shipping: number,
    total: number,
  }),
}

interface Visit {
  startsAt: string
  endsAt: string
  durationMinutes: number
}

interface Invoice {
  status: string
  issuedOn: string
  dueOn: string
  paidOn: string | null
  lines: { quantity: number; unitPrice: number; amount: number }[]
  subtotal: number
  tax: number
  shipping: number
  total: number
}

const data = generate({ patients: 50, visits: 50, invoices: 50 }, { schemas }) as unknown as {
  patients: Record<string, string>[]
  visits: Visit[]
  invoices: Invoice[]
}

it('draws ids by the pattern of the schema', () => {
  const ids = data.patients.map(({ id }) => id)
  expect(new Set(ids).size).toBe(50)
  expect(ids).toEqual(Array(50).fill(expect.stringMatching(/^pat_[a-z0-9]{8}$/)))
})

it('gives e-mail addresses the name of their person', () => {
  for (const { firstName = '', lastName = '', email } of data.patients) {
    const name = `${firstName}.${lastName}`.toLowerCase().replaceAll(/[^a-z.]/g, '')
    expect(email?.replaceAll(/\d/g, '')).toBe(`${name}@example.com`)
  }
})

it('ends visits after their duration', () => {
  for (const { startsAt, endsAt, durationMinutes } of data.visits) {
    expect(startsAt).toMatch(/:(?:00|15|30|45):00Z$/)
    expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(durationMinutes * 60_000)
  }
})

it('adds up invoices, and dates them in order', () => {
  const day = 86_400_000
  for (const { lines, subtotal, tax, shipping, total, ...invoice } of data.invoices) {
    for (const line of lines) expect(line.amount).toBeCloseTo(line.quantity * line.unitPrice, 1)
    expect(subtotal).toBeCloseTo(
      lines.reduce((sum, { amount }) => sum + amount, 0),
      1,
    )
    expect(Math.abs(tax - subtotal / 5)).toBeLessThanOrEqual(0.5)
    expect(total).toBeCloseTo(subtotal + tax + shipping, 1)
    const wait = Date.parse(invoice.dueOn) - Date.parse(invoice.issuedOn)
    expect(wait >= 0 && wait <= 30 * day).toBe(true)
    if (invoice.status === 'open') expect(invoice.paidOn).toBeNull()
    if (invoice.paidOn) expect(invoice.paidOn >= invoice.issuedOn).toBe(true)
  }
})

it('leaves dates that are no days of the calendar, and the end of all dates', () => {
  const odd = record({
    startsAt: { const: '2024-13-41T10:07:00Z' },
    endsAt: time,
    issuedOn: { const: '9999-12-31' },
    dueOn: date,
    duration: { const: 'long' },
  })
  const { odds } = generate({ odds: 3 }, { schemas: { odds: odd } }) as unknown as {
    odds: Record<string, string>[]
  }
  for (const { startsAt, dueOn } of odds) {
    expect(startsAt).toBe('2024-13-41T10:07:00Z')
    expect(dueOn).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})
