import type { PeerRequest } from './exchange.ts'
import type { Random } from './random.ts'
import { makeRequest1 } from './requests-1.ts'
import { type Context, count, equal, nameOf, type Parameter, toSearch } from './values.ts'

/** Makes the next request in the manner of clients of json-server 1 up to beta.3, or of later ones. */
export function makeRequest1Beta(random: Random, context: Context): PeerRequest {
  if (random.chance(0.6)) {
    const request = makeRequest1(random, context)
    // beta.3 runs the handlers of all methods for HEAD, so that HEAD of a record deletes the record.
    return request.method === 'HEAD' ? { ...request, method: 'OPTIONS' } : request
  }
  const name = nameOf(random, context)
  const size = random.int(1, 3)
  const parameters = Array.from({ length: size }, () => random.weighted(makers)(random, context))
  const search = toSearch(random, parameters.flat())
  return { method: 'GET', path: `/${encodeURIComponent(name)}${search}` }
}

type Maker = (random: Random, context: Context) => Parameter[]

const makers: readonly (readonly [number, Maker])[] = [
  [6, (random, context) => [filter(random, context)]],
  [2, (random) => [['_limit', count(random)]]],
  [
    3,
    (random) => [
      ['_start', count(random)],
      [random.pick(['_end', '_limit']), count(random)],
    ],
  ],
  [1, (random) => [[random.pick(['_start', '_end']), count(random)]]],
  [
    2,
    (random) => [
      ['_page', count(random)],
      ['_per_page', count(random)],
    ],
  ],
  [2, (random, context) => [['_sort', equal(random, context, nameOf(random, context))[0]]]],
]

function filter(random: Random, context: Context): Parameter {
  const [field, value] = equal(random, context, nameOf(random, context))
  const suffix = random.pick(['', '_lt', '_lte', '_gt', '_gte', '_ne', '_like', '_gt_ne'])
  return [`${field}${suffix}`, value]
}
