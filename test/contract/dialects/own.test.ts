import { type Dialect, rest } from '../../../src/dialects.ts'
import { contract } from '../../faces.ts'

const posts = Array.from({ length: 5 }, (_, at) => ({ id: at + 1 }))
const [first, second, third, fourth] = posts

/** Hands out no more than two records where nothing else is asked for. */
const pages: Dialect = {
  ...rest,
  name: 'pages',
  parseList(params, collection) {
    const asked = rest.parseList(params, collection)
    asked.query.slice ??= { start: 0, end: 2 }
    return asked
  },
}

contract('a dialect of our own', () => ({ fixtures: { posts }, dialect: pages }), [
  ['is asked where nothing is asked for', 'GET /posts', { status: 200, body: [first, second] }],
  [
    'is asked with parameters',
    'GET /posts?_start=2&_end=4',
    { status: 200, body: [third, fourth] },
  ],
])
