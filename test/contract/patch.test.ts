import { contract, type Row, type TableRequest } from '../faces.ts'

const mergeType = 'application/merge-patch+json'
const patchType = 'application/json-patch+json'

function patch(path: string, type: string, body: unknown): TableRequest {
  return { request: `PATCH ${path}`, headers: { 'content-type': type }, body: JSON.stringify(body) }
}

const article = {
  title: 'Goodbye!',
  author: { givenName: 'John', familyName: 'Doe' },
  tags: ['example', 'sample'],
  content: 'This will be unchanged',
}

/** The table of RFC 7396, appendix A, as far as both sides are objects. */
const appendix: [original: unknown, change: unknown, expected: unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

contract('a merge patch (RFC 7396)', () => ({ fixtures: { article, posts: [{ id: 1 }] } }), [
  [
    'changes the example of section 3',
    patch('/article', mergeType, {
      title: 'Hello!',
      phoneNumber: '+01-123-456-7890',
      author: { familyName: null },
      tags: ['example'],
    }),
    {
      status: 200,
      body: {
        title: 'Hello!',
        author: { givenName: 'John' },
        tags: ['example'],
        content: 'This will be unchanged',
        phoneNumber: '+01-123-456-7890',
      },
    },
  ],
  ...appendix.map(([original, change, expected], at): Row => [
    `does as line ${at + 1} of the table of appendix A`,
    [{ request: 'PUT /article', body: original }, patch('/article', mergeType, change)],
    { status: 200, body: expected },
  ]),
  ['leaves an object', patch('/article', mergeType, ['c']), { status: 400 }],
  [
    'keeps the id that it would remove',
    patch('/posts/1', mergeType, { id: null, a: 1 }),
    { status: 200, body: { id: 1, a: 1 } },
  ],
])

contract(
  'a JSON Patch (RFC 6902)',
  () => ({ fixtures: { article, posts: [{ id: 1, tags: ['a'] }] } }),
  [
    [
      'changes a member',
      patch('/posts/1', patchType, [{ op: 'add', path: '/tags/-', value: 'b' }]),
      { status: 200, body: { id: 1, tags: ['a', 'b'] } },
    ],
    [
      'changes a singleton',
      patch('/article', patchType, [{ op: 'remove', path: '/author/familyName' }]),
      { status: 200, body: { ...article, author: { givenName: 'John' } } },
    ],
    [
      'is a conflict where a test fails',
      patch('/posts/1', patchType, [{ op: 'test', path: '/tags', value: [] }]),
      { status: 409 },
    ],
    [
      'is a conflict where something is missing',
      patch('/posts/1', patchType, [{ op: 'remove', path: '/x' }]),
      { status: 409 },
    ],
    [
      'changes all or nothing',
      [
        patch('/posts/1', patchType, [
          { op: 'remove', path: '/tags' },
          { op: 'remove', path: '/x' },
        ]),
        'GET /posts/1',
      ],
      { status: 200, body: { id: 1, tags: ['a'] } },
    ],
    [
      'is refused where it is malformed',
      patch('/posts/1', patchType, [{ op: 'spam' }]),
      { status: 400 },
    ],
    [
      'does not change an id',
      patch('/posts/1', patchType, [{ op: 'replace', path: '/id', value: 2 }]),
      { status: 400 },
    ],
    [
      'keeps the id that it would remove',
      patch('/posts/1', patchType, [{ op: 'remove', path: '/id' }]),
      { status: 200, body: { id: 1, tags: ['a'] } },
    ],
    ['finds no missing member', patch('/posts/9', patchType, []), { status: 404 }],
  ],
)

contract(
  'a patch in plain JSON',
  () => ({ fixtures: { posts: [{ id: 1, author: { name: 'Ada', nick: 'A' } }] } }),
  [
    [
      'merges the first level only',
      patch('/posts/1', 'application/json', { author: { name: 'Bea' } }),
      { status: 200, body: { id: 1, author: { name: 'Bea' } } },
    ],
    [
      'sets null',
      patch('/posts/1', 'application/json', { author: null }),
      { status: 200, body: { id: 1, author: null } },
    ],
  ],
)
