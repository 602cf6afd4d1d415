import { expect } from 'vitest'

import { jsonApi } from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import type { Expected, Row, TableRequest } from '../../faces.ts'

/** Fixtures with every kind of relation: by key, by a list of keys, through a join collection, and to a parent alike. */
export function blog(): MockOptions<Record<string, unknown>> {
  return {
    dialect: jsonApi,
    fixtures: {
      articles: [
        {
          id: 1,
          title: 'JSON:API paints',
          views: 10,
          status: 'draft',
          authorId: 9,
          tagIds: [1, 2],
        },
        { id: 2, title: 'Rails, omakase', views: 5, status: 'published', authorId: 2, tagIds: [] },
        { id: 3, title: 'To TDD', views: 20, status: 'draft', authorId: null, tagIds: [2] },
      ],
      authors: [
        { id: 2, name: 'Zoe', type: 'guest' },
        { id: 9, name: 'Dan', type: 'staff' },
      ],
      comments: [
        { id: 5, body: 'First!', articleId: 1, authorId: 2 },
        { id: 12, body: 'I like XML', articleId: 1, authorId: 9 },
        { id: 13, body: 'Late', articleId: 3, authorId: 9 },
      ],
      tags: [
        { id: 1, label: 'api' },
        { id: 2, label: 'json' },
        { id: 3, label: 'web' },
      ],
      courses: [
        { id: 'c1', name: 'Maths' },
        { id: 'c2', name: 'Art' },
      ],
      students: [{ id: 's1', name: 'Ann' }],
      enrolments: [{ id: 'e1', courseId: 'c1', studentId: 's1' }],
      photos: [{ id: '550e8400-e29b-41d4-a716-446655440000', title: 'Hamster' }],
      nodes: [{ id: 1, nodeId: null }],
      drafts: [],
      profile: { theme: 'dark', authorId: 9 },
      colours: ['red', 'blue'],
    },
  }
}

/** A table of requests and the mock that answers them. */
export type Table = [
  title: string,
  create: () => MockOptions<Record<string, unknown>>,
  rows: readonly Row[],
]

/** The media type of JSON:API. */
export const type = 'application/vnd.api+json'
/** Matches an object with these members and any others. */
export const contains = (body: unknown): unknown => expect.objectContaining(body)

/** A response whose document has some members. */
export function document(status: number, members: object, headers = {}): Expected {
  return { status, headers: { 'content-type': type, ...headers }, body: contains(members) }
}

/** A response with primary data that are records with these ids, in this order. */
export function ids(...list: string[]): Expected {
  return document(200, { data: list.map((id) => contains({ id })) })
}

/** A response with one error and its source. */
export function error(status: number, source?: object, headers = {}): Expected {
  const own = source === undefined ? {} : { source }
  return document(status, { errors: [contains({ status: String(status), ...own })] }, headers)
}

/** A response with one record of that id. */
export function one(id: string): Expected {
  return document(200, { data: contains({ id }) })
}

/** A GET with the header Accept. */
export function accepting(accept: string, request = 'GET /articles/1'): TableRequest {
  return { request, headers: { accept } }
}

/** A request with a document. */
export function send(request: string, body: unknown, headers = {}): TableRequest {
  return { request, headers: { 'content-type': type, ...headers }, body }
}

/** The attributes of the first article. */
export const attributes: object = { title: 'JSON:API paints', views: 10, status: 'draft' }
/** The origin of all requests. */
export const origin = 'http://mock.test'
