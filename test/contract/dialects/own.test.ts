import { type Dialect, rest } from '../../../src/dialects.ts'
import { contract } from '../../faces.ts'

const posts = Array.from({ length: 5 }, (_, at) => ({ id: at + 1 }))
const users = [{ id: 1, name: 'Ada' }]
const [first, second, third, fourth] = posts

/** Hands out no more than two records, or a record's id alone, where nothing else is asked for. */
const pages: Dialect = {
  ...rest,
  name: 'pages',
  parseList(params, collection) {
    const asked = rest.parseList(params, collection)
    asked.query.slice ??= { start: 0, end: 2 }
    return asked
  },
  parseMember: (params, collection) => ({
    fields: [['id']],
    ...rest.parseMember(params, collection),
  }),
}

contract('a dialect of our own', () => ({ fixtures: { posts, users }, dialect: pages }), [
  ['is asked where nothing is asked for', 'GET /posts', { status: 200, body: [first, second] }],
  [
    'is asked with parameters',
    'GET /posts?_start=2&_end=4',
    { status: 200, body: [third, fourth] },
  ],
  ['is asked for a record too', 'GET /users/1', { status: 200, body: { id: 1 } }],
  [
    'is asked for a record with preconditions',
    { request: 'GET /users/1', headers: { 'if-none-match': '"x"' } },
    { status: 200, body: { id: 1 } },
  ],
  [
    'is asked for a record with parameters',
    'GET /users/1?_fields=name',
    { status: 200, body: { name: 'Ada' } },
  ],
])
