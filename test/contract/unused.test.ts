import { expect } from 'vitest'

import { versions } from '../../src/behaviours.ts'
import { simpleRest } from '../../src/dialects.ts'
import type { MockConfig, MockOptions } from '../../src/index.ts'
import { contract, type Row } from '../faces.ts'

const ada = { id: 1, name: 'Ada' }
const tags = [
  { id: 'x', label: 'X' },
  { id: 'y', label: 'Y' },
]
const posts = [
  { id: 1, title: 'One', author: { name: 'Ada' }, userId: 1 },
  { id: 2, title: 'Two', author: { name: 'Bo' }, userId: 9 },
]
const [one, two] = posts
const profile = { theme: 'dark', userId: 1, tagIds: ['y', 'x'], team: { id: 7 } }
const fixtures = { users: [ada], tags, posts, profile, colours: ['red'] }

const blog =
  (more: MockConfig = {}) =>
  (): MockOptions<Record<string, unknown>> => ({ fixtures, ...more })

/** Expects the header that names the parameters without effect. */
const ignored = (names: string | null, body?: unknown, status = 200): Row[2] => ({
  status,
  headers: { 'x-mock-ignored': names },
  ...(body !== undefined && { body }),
})

const where = (tree: unknown): string => `_where=${encodeURIComponent(JSON.stringify(tree))}`

contract('a parameter without effect', blog(), [
  ['is named for a member', 'GET /posts/1?title=x&_page=2', ignored('title, _page', one)],
  ['is named for HEAD', 'HEAD /posts/1?title=x', ignored('title')],
  ['is named for a singleton', 'GET /profile?theme=x', ignored('theme', profile)],
  ['is named for a document', 'GET /colours?_limit=1', ignored('_limit', ['red'])],
  [
    'is named for POST',
    { request: 'POST /posts?a=1', body: { title: 'x' } },
    ignored('a', { id: 3, title: 'x' }, 201),
  ],
  [
    'is named for POST of a list',
    { request: 'POST /posts?a=1', body: [{}] },
    ignored('a', [{ id: 3 }], 201),
  ],
  ['is named for PUT', { request: 'PUT /profile?a=1', body: {} }, ignored('a', {})],
  [
    'is named for PATCH',
    { request: 'PATCH /posts/1?_fields=id', body: {} },
    ignored('_fields', one),
  ],
  ['is named for DELETE', 'DELETE /posts/1?_dependant=users', ignored('_dependant', one)],
  [
    'is named in a cached response as well',
    ['GET /posts/1?a', 'GET /posts/1?a'],
    ignored('a', one),
  ],
  [
    'keeps its name readable in a list of names',
    'GET /posts/1?a%2Cb&%C3%BC',
    ignored('a%2Cb, %C3%BC', one),
  ],
  [
    'is none that embeds',
    'GET /posts/1?_embed=user&_fields=id,user.name',
    ignored(null, { id: 1, user: { name: 'Ada' } }),
  ],
  ['is none that deletes dependents', 'DELETE /users/1?_dependent=posts', ignored(null, ada)],
])

contract('an unknown field', blog(), [
  [
    'in _fields of a list is left out and named',
    'GET /posts?_fields=id,titel',
    ignored('_fields', [{ id: 1 }, { id: 2 }]),
  ],
  [
    'in _fields of a member is left out and named',
    'GET /posts/1?_fields=id,titel',
    ignored('_fields', { id: 1 }),
  ],
  [
    'in _fields of a singleton is left out and named',
    'GET /profile?_fields=theme,color',
    ignored('_fields', { theme: 'dark' }),
  ],
  [
    'inside of another is left out and named',
    'GET /posts/1?_fields=author.nam',
    ignored('_fields', { author: {} }),
  ],
  ['in _where does not count', `GET /posts?${where({ titel: 'x' })}`, ignored('_where', posts)],
  [
    'in _where does not count beside others',
    `GET /posts?${where({ titel: 'x', title: 'Two' })}`,
    ignored('_where', [two]),
  ],
  [
    'in _where does not count in a branch',
    `GET /posts?${where({ or: [{ 'author.nam': 'x' }, { title: 'Two' }] })}`,
    ignored('_where', [two]),
  ],
  [
    'in _where does not count as the only one of a branch',
    `GET /posts?${where({ not: { or: [{ titel: { gt: 1, lt: 2 } }] }, title: 'Two' })}`,
    ignored('_where', [two]),
  ],
  [
    'is none that is embedded',
    'GET /posts?_embed=user&_fields=user.name&id=1',
    ignored(null, [{ user: { name: 'Ada' } }]),
  ],
  ['does not change an empty branch', `GET /posts?${where({ or: [] })}`, ignored(null, [])],
  [
    'in the body of QUERY is named as there',
    { request: 'QUERY /posts', body: { where: { titel: 1 }, fields: ['id', 'titel'] } },
    ignored('where, fields', [{ id: 1 }, { id: 2 }]),
  ],
])

/** Rows of a request that a strict mock refuses: the parameter, its text, and the end of the message. */
function refuses(
  rows: [title: string, request: Row[1], parameter: string, text: string, advice: string][],
): Row[] {
  return rows.map(([title, request, parameter, text, advice]) => [
    title,
    request,
    {
      status: 400,
      body: expect.objectContaining({
        detail: expect.stringMatching(/^Failed to read .+[.?]$/),
        message: expect.stringContaining(advice),
        errors: { [parameter]: text },
      }),
    },
  ])
}

contract(
  'a strict mock',
  blog({ strict: true }),
  refuses([
    [
      'refuses a field for a member',
      'GET /posts/1?title=x',
      'title',
      'is unknown; known: _embed, _expand, _fields',
      'Known: _embed',
    ],
    [
      'refuses a misspelled parameter',
      'GET /posts/1?_field=id',
      '_field',
      'is unknown; known: _embed, _expand, _fields',
      'Did you mean "_fields"?',
    ],
    [
      'refuses a parameter for a singleton',
      'GET /profile?q=x',
      'q',
      'is unknown; known: _embed, _expand, _fields',
      'Known: _embed',
    ],
    [
      'refuses a parameter for a document',
      'GET /colours?q=x',
      'q',
      'is unknown; known: none',
      'Known: none.',
    ],
    [
      'refuses a parameter for POST',
      { request: 'POST /posts?q=x', body: {} },
      'q',
      'is unknown; known: none',
      'Known: none.',
    ],
    [
      'refuses a misspelled parameter for DELETE',
      'DELETE /posts/1?_dependant=x',
      '_dependant',
      'is unknown; known: _dependent',
      'Did you mean "_dependent"?',
    ],
    [
      'refuses a misspelled field of a member',
      'GET /posts/1?_fields=id,titel',
      '_fields',
      '"titel" is unknown; known: id, title, author, userId',
      'Failed to read "_fields": "posts" has no field "titel". Did you mean "title"?',
    ],
    [
      'refuses a misspelled field of a singleton',
      'GET /profile?_fields=thema',
      '_fields',
      '"thema" is unknown; known: theme, userId, tagIds, team',
      'Did you mean "theme"?',
    ],
    [
      'refuses a misspelled field in a tree',
      `GET /posts?${where({ not: { titel: 'x' } })}`,
      '_where',
      '"titel" is unknown; known: id, title, author, userId',
      'Failed to read "_where": "posts" has no field "titel". Did you mean "title"?',
    ],
    [
      'refuses a misspelled field to sort by',
      'GET /posts?_sort=-titel',
      '_sort',
      '"titel" is unknown; known: id, title, author, userId',
      'Did you mean "title"?',
    ],
  ]),
)

contract('a strict mock that knows all names', blog({ strict: true }), [
  [
    'takes them for a member',
    'GET /posts/1?_expand=user&_fields=author.name,user.id',
    ignored(null, { author: { name: 'Ada' }, user: { id: 1 } }),
  ],
  [
    'takes them for a singleton',
    'GET /profile?_fields=theme,team.id',
    ignored(null, { theme: 'dark', team: { id: 7 } }),
  ],
  ['takes them for DELETE', 'DELETE /users/1?_dependent=posts', ignored(null, ada)],
  [
    'takes them for DELETE with a precondition',
    { request: 'DELETE /users/1?_dependent=posts', headers: { 'if-match': '*' } },
    ignored(null, ada),
  ],
  [
    'stores nothing of a refused write',
    [{ request: 'POST /posts?a=1', body: {} }, 'GET /posts'],
    { status: 200, headers: { 'x-total-count': '2' } },
  ],
])

contract(
  'a strict mock with versions',
  blog({
    strict: true,
    use: [versions({ versions: { v1: { fields: { posts: { title: 'headline' } } } } })],
  }),
  [
    [
      'knows the fields of the version',
      'GET /v1/posts/1?_fields=headline',
      ignored(null, { headline: 'One' }),
    ],
    ...refuses([
      [
        'does not know the stored fields',
        'GET /v1/posts/1?_fields=title',
        '_fields',
        '"title" is unknown; known: id, headline, author, userId',
        '"posts" has no field "title".',
      ],
    ]),
  ],
)

contract('the relations of a singleton', blog(), [
  [
    'are embedded by a key',
    'GET /profile?_embed=user&_fields=theme,user',
    ignored(null, { theme: 'dark', user: ada }),
  ],
  [
    'are embedded by a list of keys',
    'GET /profile?_embed=tags&_fields=tags',
    ignored(null, { tags: [tags[1], tags[0]] }),
  ],
  [
    'are embedded further down',
    'GET /profile?_expand=user.posts&_fields=user',
    ignored(null, { user: { ...ada, posts: [one] } }),
  ],
  [
    'are refused if unknown',
    'GET /profile?_embed=posts',
    {
      status: 400,
      body: expect.objectContaining({
        detail: expect.stringContaining('"profile" has no such relation. Known: user, tags.'),
        errors: { _embed: 'known: user, tags' },
      }),
    },
  ],
  ['are no children of the parent', 'GET /users/1/profile', { status: 404 }],
  [
    'are not deleted with the parent',
    ['DELETE /users/1?_dependent=posts', 'GET /profile?_expand=user&_fields=user'],
    ignored(null, { user: null }),
  ],
])

contract(
  'the configured relations of a singleton',
  blog({ relations: { profile: { theme: { to: 'tags', as: 'look' } } } }),
  [
    [
      'are embedded',
      [
        { request: 'PATCH /profile', body: { theme: 'x' } },
        'GET /profile?_embed=look&_fields=look',
      ],
      ignored(null, { look: tags[0] }),
    ],
  ],
)

contract('simple-rest', blog({ dialect: simpleRest }), [
  [
    'names a parameter without effect for a member',
    'GET /posts/1?range=[0,1]',
    ignored('range', one),
  ],
  ['names none that embeds', 'GET /posts/1?embed=["user"]', ignored(null, { ...one, user: ada })],
])
