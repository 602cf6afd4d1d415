import { expect } from 'vitest'

import { rest } from '../../src/dialects.ts'
import { contract } from '../faces.ts'

const fixtures = {
  posts: [{ id: 1 }, { id: 2 }],
  comments: [
    { id: 1, postId: 1 },
    { id: 2, postId: 2 },
  ],
  replies: [
    { id: 1, commentId: 1 },
    { id: 2, commentId: 2 },
  ],
}
/** Notes that answer one another, and one that answers itself. */
const rings = {
  notes: [
    { id: 1, noteId: 2 },
    { id: 2, noteId: 1 },
    { id: 3, noteIds: [2, 3] },
    { id: 4, noteId: null },
  ],
}
const families = {
  'v1/posts': [{ id: 1 }],
  'v1/comments': [
    { id: 1, postId: 1 },
    { id: 2, postId: 1 },
  ],
  'v1/replies': [
    { id: 1, commentId: 1 },
    { id: 2, commentId: 2 },
  ],
}
const relations = {
  comments: { postId: { to: 'posts', dependent: true } },
  replies: { commentId: { to: 'comments', dependent: true } },
}

contract('what goes with a record', () => ({ fixtures }), [
  [
    'is what _dependent names, at every level',
    ['DELETE /posts/1?_dependent=comments,replies', 'GET /replies'],
    { status: 200, body: [{ id: 2, commentId: 2 }] },
  ],
  [
    'is nothing further than what _dependent names',
    ['DELETE /posts/1?_dependent=comments', 'GET /replies'],
    { status: 200, body: fixtures.replies },
  ],
  [
    'has to be known, else nothing goes',
    'DELETE /posts/1?_dependent=coments',
    {
      status: 400,
      body: expect.objectContaining({
        message: expect.stringContaining('Did you mean "comments"?'),
        errors: { _dependent: 'known: posts, comments, replies' },
      }),
    },
  ],
  [
    'is all there when the request was wrong',
    ['DELETE /posts/1?_dependent=coments', 'GET /posts'],
    { status: 200, body: fixtures.posts },
  ],
])

const renamed = rest({ parameters: { dependent: 'cascade' } })

contract('a parameter with another name', () => ({ fixtures, dialect: renamed }), [
  [
    'deletes what it names',
    ['DELETE /posts/1?cascade=comments', 'GET /comments'],
    { status: 200, body: [{ id: 2, postId: 2 }] },
  ],
  [
    'has its own name in the error for an unknown collection',
    'DELETE /posts/1?cascade=comments,repies',
    {
      status: 400,
      body: expect.objectContaining({
        message: expect.stringContaining('Did you mean "replies"?'),
        errors: { cascade: 'known: posts, comments, replies' },
      }),
    },
  ],
])

contract('what leads back to a record', () => ({ fixtures: rings }), [
  [
    'goes once, and the record with it',
    ['DELETE /notes/1?_dependent=notes', 'GET /notes'],
    { status: 200, body: [{ id: 4, noteId: null }] },
  ],
  [
    'is handed out as it was',
    'DELETE /notes/1?_dependent=notes',
    { status: 200, body: rings.notes[0] },
  ],
])

contract('what goes with several records', () => ({ fixtures: families }), [
  [
    'goes with each of them',
    ['DELETE /v1/posts/1?_dependent=comments,replies', 'GET /v1/replies'],
    { status: 200, body: [] },
  ],
])

contract('dependent relations', () => ({ fixtures, relations }), [
  [
    'lead on to the children of children',
    ['DELETE /posts/1', 'GET /replies'],
    { status: 200, body: [{ id: 2, commentId: 2 }] },
  ],
])

contract('a child', () => ({ fixtures }), [
  [
    'that there is not is answered with those that there are',
    'GET /posts/1/coments',
    {
      status: 404,
      body: expect.objectContaining({
        message: expect.stringContaining('Did you mean "comments"?'),
      }),
    },
  ],
])

const joined = {
  students: [{ id: 1 }],
  courses: [{ id: 1 }],
  enrollments: [{ id: 1, studentId: 1, courseId: 1 }],
}

contract('many to many', () => ({ fixtures: joined }), [
  [
    'offers no POST, as there is no key to set',
    'OPTIONS /students/1/courses',
    { status: 204, headers: { allow: 'GET, HEAD, QUERY, OPTIONS' } },
  ],
  [
    'says so to a POST of no record',
    { request: 'POST /students/1/courses', body: [] },
    { status: 405, headers: { allow: 'GET, HEAD, QUERY, OPTIONS' } },
  ],
  [
    'says so to a POST',
    { request: 'POST /students/1/courses', body: {} },
    { status: 405, headers: { allow: 'GET, HEAD, QUERY, OPTIONS' } },
  ],
])
