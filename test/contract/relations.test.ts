import { contract, type Row } from '../faces.ts'

/** Names of collections, and keys that name one of their records. */
const keys: [collection: string, key: string, parent: string][] = [
  ['order-items', 'orderItemId', 'orderItem'],
  ['order-items', 'order_item_id', 'order_item'],
  ['order_items', 'orderItemId', 'orderItem'],
  ['OrderItems', 'orderItemId', 'orderItem'],
  ['Order Items', 'orderItemId', 'orderItem'],
]

for (const [collection, key, parent] of keys) {
  contract(`${key} of ${collection}`, () => toData(collection, key), [
    [
      'leads to the parent',
      `GET /notes/1?_embed=${parent}`,
      { status: 200, body: { id: 1, [key]: 7, [parent]: { id: 7 } } },
    ],
    [
      'leads to the children',
      `GET /${encodeURIComponent(collection)}/7/notes`,
      { status: 200, body: [{ id: 1, [key]: 7 }] },
    ],
  ] satisfies Row[])
}

function toData(collection: string, key: string): { fixtures: Record<string, object[]> } {
  return { fixtures: { [collection]: [{ id: 7 }], notes: [{ id: 1, [key]: 7 }] } }
}

contract(
  'a key that fits two collections',
  () => ({
    fixtures: {
      'order-items': [{ id: 7, name: 'other' }],
      orderItems: [{ id: 7, name: 'exact' }],
      notes: [{ id: 1, orderItemId: 7 }],
    },
  }),
  [
    [
      'means the one that is written as it is',
      'GET /notes/1?_embed=orderItem',
      { status: 200, body: { id: 1, orderItemId: 7, orderItem: { id: 7, name: 'exact' } } },
    ],
  ],
)

contract(
  'children of one name in two folders',
  () => ({
    fixtures: {
      'v1/notes': [{ id: 1, userId: 7, adminId: 8 }],
      notes: [{ id: 2, userId: 7, adminId: 8 }],
      users: [{ id: 7 }],
      'v1/admins': [{ id: 8 }],
    },
  }),
  [
    [
      'are those of the folder of the parent',
      'GET /users/7/notes',
      { status: 200, body: [{ id: 2, userId: 7, adminId: 8 }] },
    ],
    [
      'are those of the folder of a parent that is in one',
      'GET /v1/admins/8/notes',
      { status: 200, body: [{ id: 1, userId: 7, adminId: 8 }] },
    ],
    [
      'are those of another folder where its name is given',
      'GET /users/7?_embed=v1/notes',
      { status: 200, body: { id: 7, 'v1/notes': [{ id: 1, userId: 7, adminId: 8 }] } },
    ],
  ],
)

const [ours, theirs] = [
  { id: 1, of: 'v1' },
  { id: 1, of: 'the root' },
]

contract(
  'a key in a folder',
  () => ({ fixtures: { posts: [theirs], 'v1/posts': [ours], 'v1/notes': [{ id: 1, postId: 1 }] } }),
  [
    [
      'means a record of the same folder',
      'GET /v1/notes/1?_embed=post',
      { status: 200, body: { id: 1, postId: 1, post: ours } },
    ],
    [
      'is followed from there',
      'GET /v1/posts/1/notes',
      { status: 200, body: [{ id: 1, postId: 1 }] },
    ],
  ],
)

contract(
  'a key in a folder without its parent',
  () => ({ fixtures: { posts: [theirs], 'v1/notes': [{ id: 1, postId: 1 }] } }),
  [
    [
      'means a record elsewhere',
      'GET /v1/notes/1?_embed=post',
      { status: 200, body: { id: 1, postId: 1, post: theirs } },
    ],
  ],
)

const notes = [
  { id: 1, post_id: 7 },
  { id: 2, postId: 7 },
  { id: 3, postId: 8 },
  { id: 4, post_id: '7', postId: 7 },
]

contract('keys that are written in two ways', () => ({ fixtures: { posts: [{ id: 7 }], notes } }), [
  [
    'lead to the parent',
    'GET /notes?_embed=post',
    {
      status: 200,
      body: notes.map((note) => ({ ...note, post: note.id === 3 ? null : { id: 7 } })),
    },
  ],
  [
    'lead to all children in their order, each once',
    'GET /posts/7/notes',
    { status: 200, body: [notes[0], notes[1], notes[3]] },
  ],
  ['lead to each child', 'GET /posts/7/notes/2', { status: 200, body: notes[1] }],
  [
    'are embedded',
    'GET /posts/7?_embed=notes',
    { status: 200, body: { id: 7, notes: [notes[0], notes[1], notes[3]] } },
  ],
  [
    'go with the parent',
    ['DELETE /posts/7?_dependent=notes', 'GET /notes'],
    { status: 200, body: [notes[2]] },
  ],
  [
    'are set in the way of the first',
    { request: 'POST /posts/7/notes', body: {} },
    { status: 201, body: { id: 5, post_id: 7 } },
  ],
])
