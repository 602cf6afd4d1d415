import { describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Behaviour } from '../../src/core/http/contract/behaviour.ts'
import { createMock } from '../../src/index.ts'
import { bodyOf, contract, faces, type Row } from '../faces.ts'

const fixtures = { posts: [{ id: 1, title: 'First' }], profile: { name: 'Ada' } }

/** The members that every problem has (RFC 9457 §3.1), with those that admin frameworks read. */
function problem(status: number, title: string, more: Record<string, unknown> = {}): object {
  return expect.objectContaining({
    type: 'about:blank',
    title,
    status,
    detail: expect.stringMatching(/^Failed to .+[.?]$/),
    message: expect.stringMatching(/^Failed to .+[.?]$/),
    ...more,
  })
}

const asProblem = {
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
}

const rows: [request: Row[1], status: number, title: string, more?: Record<string, unknown>][] = [
  ['GET /posts/9', 404, 'Not Found'],
  ['GET /posts/1/likes', 404, 'Not Found'],
  ['GET /posts?_page=x', 400, 'Bad Request', { errors: { _page: expect.any(String) } }],
  ['GET /posts?_embed=x', 400, 'Bad Request', { errors: { _embed: expect.any(String) } }],
  ['PATCH /posts', 405, 'Method Not Allowed'],
  [{ request: 'GET /posts', headers: { accept: 'image/png' } }, 406, 'Not Acceptable'],
  [
    { request: 'POST /posts', body: { id: 1 } },
    409,
    'Conflict',
    { errors: { id: 'is taken' }, issues: [{ pointer: '#/id', detail: 'is taken' }] },
  ],
  [
    { request: 'PUT /posts/1', headers: { 'if-match': '"x"' }, body: {} },
    412,
    'Precondition Failed',
  ],
  [
    { request: 'POST /posts', headers: { 'content-type': 'text/csv' }, body: 'x' },
    415,
    'Unsupported Media Type',
  ],
  [
    { request: 'QUERY /posts', body: { sorted: 'x' } },
    422,
    'Unprocessable Content',
    { errors: { sorted: expect.stringContaining('Did you mean "sort"?') } },
  ],
]

contract(
  'a problem (RFC 9457)',
  () => ({ fixtures }),
  rows.map(([request, status, title, more]): Row => [
    `answers ${typeof request === 'string' ? request : JSON.stringify(request)} with ${status}`,
    request,
    { status, headers: asProblem, body: problem(status, title, more) },
  ]),
)

contract('an unknown name', () => ({ fixtures, base: '/api', strict: true }), [
  [
    'of a resource lists those that there are',
    'GET /api/nope',
    { status: 404, body: problem(404, 'Not Found', { resources: ['/api/posts', '/api/profile'] }) },
  ],
  [
    'is not listed at the base where the query cannot be read',
    'GET /api?_page=%',
    {
      status: 400,
      body: problem(400, 'Bad Request', { errors: { _page: 'has a broken escape' } }),
    },
  ],
  [
    'of a resource finds the nearest',
    'GET /api/post',
    {
      status: 404,
      body: expect.objectContaining({
        detail: expect.stringContaining('Did you mean "/api/posts"?'),
      }),
    },
  ],
  [
    'of a parameter finds the nearest',
    'GET /api/posts?titel=x',
    {
      status: 400,
      body: problem(400, 'Bad Request', { errors: { titel: 'is unknown; known: id, title' } }),
    },
  ],
])

/** Fails as nobody expected, or answers in the place of the mock. */
const odd: Behaviour = {
  name: 'odd',
  create: () => ({
    at: {
      fault({ path }) {
        if (path === '/posts') throw new Error('A secret of the code')
        return path === '/profile' ? { status: 200, headers: [], body: 'instead' } : undefined
      },
    },
  }),
}

describe.each(Object.keys(faces))('a failure that nobody expected (%s)', (name) => {
  it('is a bare 500 with an id that the terminal shows with the stack', async () => {
    const shown = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => shown.mockRestore())
    const connection = await faces[name]?.(createMock({ fixtures, use: [odd] }))
    const answer = await connection?.send('GET /posts')
    const next = await connection?.send('GET /posts/1')
    await connection?.close()
    const body = bodyOf(answer) as { id: string }
    expect([answer?.status, next?.status]).toEqual([500, 200])
    expect(body).toEqual(problem(500, 'Internal Server Error', { id: expect.any(String) }))
    expect(answer?.text).not.toMatch(/secret|\bat /)
    expect(shown).toHaveBeenCalledTimes(1)
    expect(shown.mock.calls[0]?.[0]).toContain(body.id)
    expect(shown.mock.calls[0]?.[1]).toMatchObject({ message: 'A secret of the code' })
  })
})

contract('an answer in the place of the mock', () => ({ fixtures, use: [odd] }), [
  [
    'is never "not modified"',
    { request: 'GET /profile', headers: { 'if-none-match': '*' } },
    { status: 200, body: 'instead', headers: { 'cache-control': 'no-store' } },
  ],
])
