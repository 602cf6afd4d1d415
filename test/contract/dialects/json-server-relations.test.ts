import { expect } from 'vitest'

import { jsonServer0, jsonServer1 } from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

type Options = MockOptions<Record<string, object[]>>

/** Posts with a configured key of their author, and of their topics. */
function configured(): Omit<Options, 'dialect'> {
  return {
    relations: {
      posts: { writer: 'authors', about: { to: 'topics', as: 'topic' }, editorId: 'authors' },
    },
    fixtures: {
      authors: [
        { id: '1', name: 'Ada' },
        { id: '2', name: 'Bob' },
      ],
      editors: [{ id: '1' }],
      topics: [{ id: '7' }],
      posts: [
        { id: '1', writer: '1', about: '7', editorId: '2' },
        { id: '2', writer: '2', about: null },
      ],
      drafts: [],
    },
  }
}

const [first, second] = configured().fixtures['posts'] as [object, object]

contract(
  'configured relations in json-server-0',
  () => ({ ...configured(), dialect: jsonServer0 }),
  [
    ['lead to children', 'GET /authors/1/posts', { status: 200, body: [first] }],
    ['lead to no children of another parent', 'GET /authors/9/posts', { status: 200, body: [] }],
    ['filter children', 'GET /authors/1/posts?id=2', { status: 200, body: [] }],
    [
      'set the key of a new child',
      { request: 'POST /authors/2/posts', body: {} },
      { status: 201, body: { id: expect.any(String), writer: '2' } },
    ],
    [
      'embed children',
      'GET /authors/1?_embed=posts',
      { status: 200, body: { id: '1', name: 'Ada', posts: [first] } },
    ],
    [
      'expand a parent by the name of its key',
      'GET /posts/2?_expand=writer',
      { status: 200, body: { ...second, writer: { id: '2', name: 'Bob' } } },
    ],
    [
      'expand a parent by its configured name',
      'GET /posts/1?_expand=topic',
      { status: 200, body: { ...first, topic: { id: '7' } } },
    ],
    [
      'delete children with a parent',
      ['DELETE /topics/7', 'GET /posts'],
      { status: 200, body: [second] },
    ],
    [
      'keep records whose key is named after another collection',
      ['DELETE /editors/1', 'GET /posts'],
      { status: 200, body: [first, second] },
    ],
  ],
)

contract(
  'configured relations in json-server-1',
  () => ({ ...configured(), dialect: jsonServer1 }),
  [
    [
      'embed children',
      'GET /authors/1?_embed=posts',
      { status: 200, body: { id: '1', name: 'Ada', posts: [first] } },
    ],
    [
      'embed a parent by its configured name',
      'GET /posts/1?_embed=topic',
      { status: 200, body: { ...first, topic: { id: '7' } } },
    ],
    [
      'become null with a deleted parent',
      ['DELETE /topics/7', 'GET /posts/1'],
      { status: 200, body: { ...first, about: null } },
    ],
    [
      'delete children with _dependent',
      ['DELETE /authors/1?_dependent=posts', 'GET /posts'],
      { status: 200, body: [second] },
    ],
  ],
)

/** Comments with keys of another suffix. */
function suffixed(): Omit<Options, 'dialect'> {
  return {
    foreignKeySuffix: 'Ref',
    fixtures: {
      posts: [{ id: '1' }, { id: '2' }],
      comments: [
        { id: '1', postRef: '1', postId: '2' },
        { id: '2', postRef: '2', postId: '1' },
      ],
    },
  }
}

const comment = { id: '1', postRef: '1', postId: '2' }

contract('foreignKeySuffix in the default dialect', suffixed, [
  ['leads to children', 'GET /posts/1/comments', { status: 200, body: [comment] }],
  [
    'embeds children',
    'GET /posts/1?_embed=comments',
    { status: 200, body: { id: '1', comments: [comment] } },
  ],
  [
    'embeds a parent',
    'GET /comments/1?_embed=post',
    { status: 200, body: { ...comment, post: { id: '1' } } },
  ],
])

contract('foreignKeySuffix in json-server-0', () => ({ ...suffixed(), dialect: jsonServer0 }), [
  ['leads to children', 'GET /posts/1/comments', { status: 200, body: [comment] }],
  [
    'sets the key of a new child',
    { request: 'POST /posts/1/comments', body: { id: '3' } },
    { status: 201, body: { id: '3', postRef: '1' } },
  ],
  [
    'embeds children',
    'GET /posts/1?_embed=comments',
    { status: 200, body: { id: '1', comments: [comment] } },
  ],
  [
    'expands a parent',
    'GET /comments/1?_expand=post',
    { status: 200, body: { ...comment, post: { id: '1' } } },
  ],
  ['deletes children', ['DELETE /posts/2', 'GET /comments'], { status: 200, body: [comment] }],
])

contract('foreignKeySuffix in json-server-1', () => ({ ...suffixed(), dialect: jsonServer1 }), [
  [
    'embeds children',
    'GET /posts/1?_embed=comments',
    { status: 200, body: { id: '1', comments: [comment] } },
  ],
  [
    'embeds a parent',
    'GET /comments/1?_embed=post',
    { status: 200, body: { ...comment, post: { id: '1' } } },
  ],
  [
    'sets the key of a deleted parent to null',
    ['DELETE /posts/1', 'GET /comments/1'],
    { status: 200, body: { ...comment, postRef: null } },
  ],
])

contract(
  'foreignKeySuffix with lists of keys and empty collections',
  () => ({
    foreignKeySuffix: '_ref',
    fixtures: { tags: [{ id: 1 }], posts: [{ id: 1, tag_refs: [1] }], notes: [] },
  }),
  [
    [
      'embeds the records of a list',
      'GET /posts/1?_embed=tags',
      { status: 200, body: { id: 1, tag_refs: [1], tags: [{ id: 1 }] } },
    ],
    [
      'sets the key of the first child',
      { request: 'POST /tags/1/notes', body: {} },
      { status: 201, body: { id: 1, tag_ref: 1 } },
    ],
  ],
)
