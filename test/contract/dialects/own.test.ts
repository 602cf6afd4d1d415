import { type Dialect, rest } from '../../../src/dialects.ts'
import { contract } from '../../faces.ts'

const posts = Array.from({ length: 5 }, (_, at) => ({ id: at + 1 }))
const users = [{ id: 1, name: 'Ada' }]
const [first, second, third, fourth] = posts

/** Limits a list to two records, and a record to its id, unless the request has parameters. */
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

contract('a custom dialect', () => ({ fixtures: { posts, users }, dialect: pages }), [
  ['parses a list without parameters', 'GET /posts', { status: 200, body: [first, second] }],
  [
    'parses the parameters of a list',
    'GET /posts?_start=2&_end=4',
    { status: 200, body: [third, fourth] },
  ],
  ['parses a record without parameters', 'GET /users/1', { status: 200, body: { id: 1 } }],
  [
    'parses a record with preconditions',
    { request: 'GET /users/1', headers: { 'if-none-match': '"x"' } },
    { status: 200, body: { id: 1 } },
  ],
  [
    'parses the parameters of a record',
    'GET /users/1?_fields=name',
    { status: 200, body: { name: 'Ada' } },
  ],
])
