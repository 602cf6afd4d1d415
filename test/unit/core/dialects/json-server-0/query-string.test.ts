import { createRequire } from 'node:module'

import { expect, it } from 'vitest'

import { parseQueryString } from '../../../../../src/core/dialects/json-server-0/query-string.ts'
import { textOf } from '../../../../../src/core/dialects/shared/js-values.ts'
import { fc } from '../../../../fast-check.ts'
import { listed } from '../../../../peers/harness/listed.ts'

// The parser of query strings that Express uses, in the version that json-server 0.17 installs.
const express = createRequire(createRequire(import.meta.url).resolve('json-server'))
const reference = express('qs') as { parse: (query: string, options: object) => object }

const names = fc.constantFrom(
  ...listed('a¦b¦a.b¦views_gte¦_sort¦q¦constructor¦__proto__¦é¦%E4¦%5B¦a b¦a%20b¦+¦[a]¦a]¦a['),
)
const values = fc.constantFrom(...listed('x¦1¦1,2¦%20¦+¦%zz¦%E4¦%3D¦%26¦=¦é¦[]'))
const bracket = fc.constantFrom(
  ...listed('¦[]¦[0]¦[1]¦[999]¦[01]¦[1000]¦[name]¦[a][b]¦%5B%5D').map((one) => [one]),
)
const repeated = fc.constantFrom(['', ''], ['', '', ''], ['[]', '[]'], ['[0]', '[1]'], ['[1]', ''])

/** Parameters of different names. */
const queries = fc
  .uniqueArray(fc.tuple(names, fc.oneof(bracket, repeated)), {
    selector: ([name]) => name.replaceAll(/%\w\w|\W/g, ''),
    maxLength: 4,
  })
  .chain((parameters) => {
    const all = parameters.flatMap(([name, brackets]) => brackets.map((one) => `${name}${one}`))
    const pairs = all.map((name) => values.map((value) => `${name}=${value}`))
    return fc.tuple(...pairs).map((each) => each.join('&'))
  })

/** The texts that a filter compares with. */
function operandsOf(parameters: object): unknown {
  return Object.entries(parameters).map(([name, value]) => [name, [value].flat().map(textOf)])
}

it('reads the operands of a query that Express reads', () => {
  fc.assert(
    fc.property(queries, (query) => {
      const expected = reference.parse(query, { allowPrototypes: true, arrayLimit: 1000 })
      const parsed = parseQueryString(`?${query}`)
      expect([query, operandsOf(parsed)]).toEqual([query, operandsOf(expected)])
    }),
    { numRuns: 5000 },
  )
})
