import { createRequire } from 'node:module'

import { expect, it } from 'vitest'

import { parseQueryString } from '../../../../../src/core/dialects/json-server-0/query-string.ts'
import { fc } from '../../../../fast-check.ts'
import { listed } from '../../../../peers/harness/listed.ts'

// The parser of query strings that Express uses, in the version that json-server 0.17 installs.
const express = createRequire(createRequire(import.meta.url).resolve('json-server'))
const reference = express('qs') as { parse: (query: string, options: object) => object }

const parts = listed(
  'a¦b¦c¦=¦=¦=¦&¦&¦&¦[¦]¦[]¦[]¦[0]¦[1]¦[2]¦[01]¦[-1]¦[a]¦[b]¦[1000]¦[2000]¦[toString]¦[__proto__]¦.¦+¦%20¦',
  '%zz¦%5B¦%5D¦%3D¦%26¦%E4¦é¦1¦0¦__proto__¦constructor¦hasOwnProperty¦;¦,¦?¦#',
)

const scraps = fc.array(fc.constantFrom(...parts), { maxLength: 24 }).map((each) => each.join(''))

const bracket = fc.constantFrom(...listed('[]¦[0]¦[1]¦[2]¦[x]¦[x]¦[998]¦[999]¦[1000]¦[01]¦c'))
const pair = fc
  .tuple(fc.constantFrom('a', 'a', 'b'), fc.array(bracket, { maxLength: 3 }))
  .map(([name, brackets]) => `${name}${brackets.join('')}=1`)
const pairs = fc.array(pair, { maxLength: 5 }).map((each) => each.join('&'))

it.each([
  ['any query', scraps],
  ['names with brackets', pairs],
])('parses %s as Express does', (_, queries) => {
  fc.assert(
    fc.property(queries, (query) => {
      const expected = reference.parse(query, { allowPrototypes: true, arrayLimit: 1000 })
      const found = parseQueryString(`?${query}`)
      expect(JSON.stringify(found)).toBe(JSON.stringify(expected))
    }),
    { numRuns: 5000 },
  )
})
