import { expect, it } from 'vitest'

import { MockError } from '../../../../src/core/errors/mock-error.ts'
import { createRandom } from '../../../../src/core/time/random.ts'
import { createMock } from '../../../../src/index.ts'
import { fromOpenApi } from '../../../../src/openapi.ts'
import { seed } from '../../../seed.ts'
import { shop } from './shop-document.ts'

type Tree = Record<string, unknown>

const junk: unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  '[',
  '{}',
  [],
  {},
  [null],
  { $ref: '#/nowhere' },
  { $ref: '#/components/schemas/Order' },
  { $ref: '#/components/schemas/Customer/properties' },
  { $ref: 'other.yaml#/x' },
  { $ref: '#' },
  { type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"}}') as unknown },
  { allOf: [{ $ref: '#/components/schemas/Customer' }, { $ref: '#/components/schemas/Order' }] },
  { oneOf: [] },
  { type: 'string', pattern: '(a+)+$' },
  { type: 'string', pattern: '(' },
  { type: 'integer', minimum: 5, maximum: 1 },
  { type: 'array', minItems: 5, uniqueItems: true, items: { enum: [1] } },
  { type: 'array', minItems: 1e9 },
  { type: 'string', minLength: 1e9 },
  { not: {} },
]

/** Replaces, removes or adds some values anywhere in a document. */
function mutate(document: object, random: () => number): object {
  const copy = structuredClone(document) as Tree
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
    let at: Tree = copy
    for (let depth = 0; depth < 12; depth++) {
      const keys = Object.keys(at)
      if (keys.length === 0) break
      const key = pick(keys)
      const inner = at[key]
      if (typeof inner === 'object' && inner !== null && random() < 0.85) {
        at = inner as Tree
        continue
      }
      if (random() < 0.2) delete at[key]
      else at[random() < 0.1 ? '__proto__x' : key] = structuredClone(pick(junk))
      break
    }
  }
  return copy
}

const requests: [method: string, path: string, body?: string][] = [
  ['GET', '/customers'],
  ['GET', '/customers?limit=2&page=1e9&sort=__proto__&email[a][b]=1'],
  ['POST', '/customers', '{"name":"x","email":"x@example.org","__proto__":{"x":1}}'],
  ['POST', '/customers', '['],
  ['POST', '/customers', '[]'],
  ['GET', '/customers/__proto__'],
  ['PATCH', '/customers/constructor', '{"id":{}}'],
  ['GET', '/customers/%E0%A4%A/orders'],
  ['POST', '/customers/x/orders', '{"parent":{"parent":{}}}'],
  ['GET', '/orders/1'],
  ['GET', '/settings'],
  ['PUT', '/settings', 'null'],
  ['POST', '/search'],
  ['OPTIONS', '/customers'],
  ['HEAD', '/v1/customers'],
]

it('never fails on what a document or a client sends', async () => {
  const random = createRandom(seed)
  for (let run = 0; run < 300; run++) {
    const document = mutate(shop, random)
    const told = JSON.stringify(document)
    let mock: ReturnType<typeof createMock>
    try {
      mock = createMock({ openapi: fromOpenApi(document, { count: 2 }) })
    } catch (error) {
      if (error instanceof MockError) continue
      throw new Error(`Failed to start from ${told}`, { cause: error })
    }
    for (const [method, path, body] of requests) {
      const init = { method, ...(body !== undefined && { body }) }
      const { status } = await mock.fetch(path, init)
      expect(status, `${method} ${path} ${body}\n${told}`).toBeLessThan(500)
    }
  }
}, 60_000)
