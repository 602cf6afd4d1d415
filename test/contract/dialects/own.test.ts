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

/** Writes references of every form (RFC 3986 §4.2). */
const referring: Dialect = {
  ...rest,
  name: 'referring',
  render(result, context) {
    const answer = rest.render(result, context)
    if (result.type !== 'list') return { ...answer, headers: [['location', '/a?b=<c>']] }
    const links = ['/a', 'b', '?c=,', '//other.test/d', 'https://other.test/e', '../f']
    const link = links.map((target) => `<${target}>; rel="x"; title="<g>, \\"<h>"`).join(', ')
    return { ...answer, headers: [['Link', link]] }
  },
}

contract(
  'a custom dialect with relative URLs',
  () => ({ fixtures: { posts }, base: '/api', dialect: referring }),
  [
    [
      'has absolute URLs in Link',
      'GET /api/posts',
      {
        status: 200,
        headers: {
          link: [
            'http://mock.test/a',
            'http://mock.test/api/b',
            'http://mock.test/api/posts?c=,',
            'http://other.test/d',
            'https://other.test/e',
            'http://mock.test/api/../f',
          ]
            .map((target) => `<${target}>; rel="x"; title="<g>, \\"<h>"`)
            .join(', '),
        },
      },
    ],
    [
      'has an absolute URL in Location',
      { request: 'POST /api/posts', body: {} },
      { status: 201, headers: { location: 'http://mock.test/a?b=<c>' } },
    ],
  ],
)

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
