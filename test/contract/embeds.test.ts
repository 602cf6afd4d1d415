import { expect } from 'vitest'

import { contract } from '../faces.ts'

const fixtures = {
  users: [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Bo' },
  ],
  posts: [
    { id: 1, title: 'a', userId: 1, tagIds: ['x', 'y'] },
    { id: 2, title: 'b', userId: '2', tagIds: [] },
    { id: 3, title: 'c', userId: 9, tagIds: ['x', 'gone'] },
    { id: 4, title: 'd', userId: null },
  ],
  comments: [
    { id: 1, postId: 1, userId: 2, text: 'k' },
    { id: 2, postId: '1', userId: 1, text: 'l' },
    { id: 3, postId: 2, userId: 1, text: 'm' },
  ],
  tags: [{ id: 'x' }, { id: 'y' }],
  groups: [{ id: 1 }, { id: 2 }],
  memberships: [
    { id: 1, userId: 1, groupId: 2 },
    { id: 2, userId: 1, groupId: 1 },
    { id: 3, userId: 2, groupId: 1 },
  ],
}

const { users, posts, comments, tags } = fixtures
const [ann, bo] = users
const [first, second, third, fourth] = posts
const [one, two, three] = comments

const given = (): { fixtures: Record<string, unknown> } => ({ fixtures })

contract('children', given, [
  [
    'are embedded in a list',
    'GET /posts?_embed=comments&_limit=2',
    {
      status: 200,
      body: [
        { ...first, comments: [one, two] },
        { ...second, comments: [three] },
      ],
    },
  ],
  [
    'are embedded in a member',
    'GET /posts/1?_embed=comments',
    { status: 200, body: { ...first, comments: [one, two] } },
  ],
  [
    'are an empty list without children',
    'GET /posts/3?_embed=comments',
    { status: 200, body: { ...third, comments: [] } },
  ],
  [
    'come with theirs',
    'GET /users/2?_embed=posts.comments.user',
    {
      status: 200,
      body: { ...bo, posts: [{ ...second, comments: [{ ...three, user: ann }] }] },
    },
  ],
  [
    'are embedded in children',
    'GET /users/2/posts?_embed=comments',
    { status: 200, body: [{ ...second, comments: [three] }] },
  ],
])

contract('a parent', given, [
  [
    'is embedded by the name of its key',
    'GET /posts/1?_embed=user',
    { status: 200, body: { ...first, user: ann } },
  ],
  ['is expanded', 'GET /posts/1?_expand=user', { status: 200, body: { ...first, user: ann } }],
  [
    'is found by a key of another type',
    'GET /posts/2?_embed=user',
    { status: 200, body: { ...second, user: bo } },
  ],
  [
    'is null where it is missing',
    'GET /posts/3?_embed=user',
    { status: 200, body: { ...third, user: null } },
  ],
  [
    'is null where none is named',
    'GET /posts/4?_embed=user',
    { status: 200, body: { ...fourth, user: null } },
  ],
  [
    'is null where the key is missing',
    [{ request: 'POST /posts', body: { id: 5 } }, 'GET /posts/5?_expand=user'],
    { status: 200, body: { id: 5, user: null } },
  ],
])

contract('several relations', given, [
  [
    'are separated by commas',
    'GET /comments/1?_embed=post,user',
    { status: 200, body: { ...one, post: first, user: bo } },
  ],
  [
    'are repeated',
    'GET /comments/1?_embed=post&_expand=user',
    { status: 200, body: { ...one, post: first, user: bo } },
  ],
  [
    'stand in brackets',
    'GET /comments/1?_embed[]=post&_expand[0]=user',
    { status: 200, body: { ...one, post: first, user: bo } },
  ],
  [
    'share their beginning',
    'GET /comments/3?_embed=post.user,post.tags',
    { status: 200, body: { ...three, post: { ...second, user: bo, tags: [] } } },
  ],
  [
    'are filtered before',
    'GET /posts?title=b&_embed=user',
    { status: 200, body: [{ ...second, user: bo }] },
  ],
  [
    'are cut to the fields that are asked for',
    'GET /posts/1?_embed=user&_fields=id,user.name',
    { status: 200, body: { id: 1, user: { name: 'Ann' } } },
  ],
])

contract('many to many', given, [
  [
    'goes by a list of keys, without those that are gone',
    'GET /posts?_embed=tags&_fields=id,tags',
    {
      status: 200,
      body: [
        { id: 1, tags },
        { id: 2, tags: [] },
        { id: 3, tags: [tags[0]] },
        { id: 4, tags: [] },
      ],
    },
  ],
  [
    'works in the other direction as well',
    'GET /tags/x?_embed=posts',
    { status: 200, body: { id: 'x', posts: [first, third] } },
  ],
  ['has a path', 'GET /tags/y/posts', { status: 200, body: [first] }],
  [
    'takes a record with a list of the one key',
    { request: 'POST /tags/y/posts', body: { title: 'e' } },
    { status: 201, body: { title: 'e', tagIds: ['y'], id: 5 } },
  ],
  [
    'goes through a collection that holds both keys',
    'GET /users/1?_embed=groups',
    { status: 200, body: { ...ann, groups: [{ id: 2 }, { id: 1 }] } },
  ],
  [
    'works in the other direction of the join as well',
    'GET /groups/1?_embed=users',
    { status: 200, body: { id: 1, users: [ann, bo] } },
  ],
  ['has a path through it', 'GET /users/2/groups', { status: 200, body: [{ id: 1 }] }],
])

contract(
  'a relation to a missing collection',
  () => ({ fixtures: { notes: [{ id: 1, userId: 1, categoryId: 2 }] } }),
  [
    [
      'is refused, and the collection is named after the key',
      'GET /notes?_embed=user',
      {
        status: 400,
        body: expect.objectContaining({
          detail: expect.stringContaining(
            '"users" is missing, the collection that "userId" of "notes" references. Please add its fixture',
          ),
        }),
      },
    ],
    [
      'is refused on a record, too',
      'GET /notes/1?_embed=category',
      {
        status: 400,
        body: expect.objectContaining({
          detail: expect.stringContaining('"categories" is missing'),
        }),
      },
    ],
  ],
)

contract(
  'a configured relation to a missing collection',
  () => ({
    fixtures: { notes: [{ id: 1, writer: 1 }] },
    relations: { notes: { writer: 'authors' } },
  }),
  [
    [
      'is refused, and the configured collection is named',
      'GET /notes?_embed=writer',
      {
        status: 400,
        body: expect.objectContaining({ detail: expect.stringContaining('"authors" is missing') }),
      },
    ],
  ],
)

contract('a relation that there is not', given, [
  [
    'is refused, and the known ones are told',
    'GET /posts?_embed=likes',
    {
      status: 400,
      body: expect.objectContaining({
        detail: expect.stringContaining('Failed to embed "likes": "posts" has no such relation.'),
        errors: { _embed: 'known: user, tags, comments, users' },
      }),
    },
  ],
  [
    'is refused inside of another one, also where the page is empty',
    'GET /posts?_embed=comments.likes&_page=9',
    { status: 400, body: expect.objectContaining({ errors: { _embed: 'known: post, user' } }) },
  ],
  [
    'is a field of what is shown',
    'GET /posts?_expand=user&_fields=id,user.name',
    { status: 200, headers: { 'x-mock-ignored': null } },
  ],
  [
    'is refused on a member',
    'GET /posts/1?_expand=likes',
    { status: 400, body: expect.objectContaining({ errors: { _expand: expect.any(String) } }) },
  ],
  [
    'is refused where it leads too far',
    'GET /posts?_expand=a.b.c.d.e.f.g.h.i',
    {
      status: 400,
      body: expect.objectContaining({ errors: { _expand: 'is nested deeper than 8 relations' } }),
    },
  ],
  ['is refused further down', 'GET /users?_embed=posts.likes', { status: 400 }],
  ['is refused where nothing is found', 'GET /posts?title=none&_embed=likes', { status: 400 }],
])

contract(
  'a relation by configuration',
  () => ({
    fixtures: { users, letters: [{ id: 1, writer: 2, reader: '1' }] },
    relations: { letters: { writer: 'users', reader: { to: 'users', as: 'to' } } },
  }),
  [
    [
      'is called as its key',
      'GET /letters/1?_embed=writer',
      { status: 200, body: { id: 1, writer: bo, reader: '1' } },
    ],
    [
      'is called otherwise',
      'GET /letters/1?_embed=to',
      { status: 200, body: { id: 1, writer: 2, reader: '1', to: ann } },
    ],
    [
      'has a path',
      'GET /users/2/letters',
      { status: 200, body: [{ id: 1, writer: 2, reader: '1' }] },
    ],
  ],
)

contract(
  'a collection that has never held a record',
  () => ({
    fixtures: { categories: [{ id: 1, tagIds: ['x'] }], tags, comments: [], notes: [] },
    base: '/api',
  }),
  [
    ['has children, none yet', 'GET /api/categories/1/comments', { status: 200, body: [] }],
    ['has none of a parent that is missing', 'GET /api/categories/9/comments', { status: 404 }],
    [
      'is embedded as a list',
      'GET /api/categories/1?_embed=comments',
      { status: 200, body: { id: 1, tagIds: ['x'], comments: [] } },
    ],
    [
      'may be asked for its parents',
      'GET /api/comments?_embed=category&_expand=note',
      { status: 200, body: [] },
    ],
    [
      'takes a child with the key of its parent',
      { request: 'POST /api/categories/1/comments', body: { text: 'k' } },
      { status: 201, body: { text: 'k', categoryId: 1, id: 1 } },
    ],
    [
      'is known by its keys from then on',
      [
        { request: 'POST /api/categories/1/comments', body: { text: 'k' } },
        'GET /api/comments?_embed=category&_fields=id,category.id',
      ],
      { status: 200, body: [{ id: 1, category: { id: 1 } }] },
    ],
    [
      'has no other parents from then on',
      [{ request: 'POST /api/categories/1/comments', body: {} }, 'GET /api/tags/x/comments'],
      { status: 404 },
    ],
    [
      'does not come between others',
      'GET /api/categories/1/tags',
      { status: 200, body: [tags[0]] },
    ],
    ['has no relation to a missing collection', 'GET /api/comments?_embed=like', { status: 400 }],
  ],
)
