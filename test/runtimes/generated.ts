/** Prints a hash of generated data, which has to be the same on every runtime: of the fixtures, a schema and a document. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { generate } from '../../src/generate.ts'
import { fromOpenApi } from '../../src/openapi.ts'
import { shop } from '../unit/core/source/shop-document.ts'

const folder = join(import.meta.dirname, '../../fixtures')
const fixtures = Object.fromEntries(
  readdirSync(folder)
    .toSorted()
    .filter((name) => name.endsWith('.json') && name !== 'profile.json')
    .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
)
const visit = {
  type: 'object',
  properties: {
    patient: { type: 'string' },
    weight: { type: 'number', minimum: 3, maximum: 120 },
    code: { type: 'string', pattern: '^[A-Z]\\d{2}(?:\\.\\d)?$' },
    admittedAt: { type: 'string', format: 'date-time' },
    dischargedAt: { type: ['string', 'null'], format: 'date-time' },
    result: { oneOf: [{ $ref: '#/$defs/report' }, { type: 'string', maxLength: 20 }] },
  },
  $defs: { report: { type: 'object', properties: { text: { type: 'string' }, score: {} } } },
}
const counts = Object.fromEntries(Object.keys(fixtures).map((name) => [name, 300]))
const data = [
  generate({ ...counts, visits: 300 }, { fixtures, schemas: { visits: visit }, seed: 7 }),
  generate({ users: 100 }, { fixtures, locale: 'de', seed: 'seven' }),
  fromOpenApi(shop, { count: 50 }).createData({}),
]
console.log(createHash('sha256').update(JSON.stringify(data)).digest('hex'))
