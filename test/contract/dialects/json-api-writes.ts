import { expect } from 'vitest'

import { schema } from '../../../src/behaviours.ts'
import type { Expected, Row, TableRequest } from '../../faces.ts'
import {
  accepting,
  attributes,
  blog,
  contains,
  document,
  error,
  ids,
  origin,
  send,
  type,
  type Table,
} from './json-api-blog.ts'

const article = (members: object): object => ({ data: { type: 'articles', ...members } })
const to = (name: string, ...list: string[]): object[] => list.map((id) => ({ type: name, id }))
const uuid = '660e8400-e29b-41d4-a716-446655440000'
const taken = '550e8400-e29b-41d4-a716-446655440000'
const none: Expected = { status: 204, body: '' }
const relation = (name: string): string => `/articles/1/relationships/${name}`
const linked = (name: string, ...list: string[]): Expected =>
  document(200, { data: to(name, ...list) })

const articleWrites: Table = [
  'json-api: writes',
  blog,
  [
    [
      'Creating Resources: 201 with the resource, and Location equals self',
      send(
        'POST /articles',
        article({
          attributes: { title: 'New' },
          relationships: { author: { data: { type: 'authors', id: '9' } } },
        }),
      ),
      document(
        201,
        {
          links: { self: `${origin}/articles/4` },
          data: contains({
            id: '4',
            attributes: { title: 'New' },
            links: { self: `${origin}/articles/4` },
          }),
        },
        { location: `${origin}/articles/4` },
      ),
    ],
    [
      'Creating Resources: a relationship is stored as a key of the type of the id',
      [
        send(
          'POST /articles',
          article({ relationships: { author: { data: { type: 'authors', id: '9' } } } }),
        ),
        'GET /articles?filter[author]=9',
      ],
      ids('1', '4'),
    ],
    [
      'Creating Resources: to-many relationships in keys, related records and join records',
      [
        send(
          'POST /articles',
          article({
            relationships: {
              tags: { data: to('tags', '2') },
              comments: { data: to('comments', '13', '5') },
            },
          }),
        ),
        'GET /articles/4?fields[articles]=tags,comments',
      ],
      document(200, {
        data: contains({
          relationships: {
            tags: contains({ data: to('tags', '2') }),
            comments: contains({ data: to('comments', '5', '13') }),
          },
        }),
      }),
    ],
    [
      'Creating Resources: with included resources and fields',
      send(
        'POST /articles?include=author&fields[articles]=author',
        article({
          attributes: { title: 'x' },
          relationships: { author: { data: { type: 'authors', id: '9' } } },
        }),
      ),
      document(201, { included: [contains({ id: '9' })] }),
    ],
    [
      'Creating Resources: an unknown path of include stores nothing',
      [send('POST /articles?include=nope', article({})), 'GET /articles/4'],
      error(404),
    ],
    [
      'Creating Resources: 400 without data',
      send('POST /articles', { meta: {} }),
      error(400, { pointer: '' }),
    ],
    [
      'Creating Resources: 400 for several resources',
      send('POST /articles', { data: [] }),
      error(400, { pointer: '/data' }),
    ],
    [
      'Creating Resources: 400 without a type',
      send('POST /articles', { data: { attributes: {} } }),
      error(400, { pointer: '/data' }),
    ],
    [
      'Creating Resources: 400 for attributes that are no object',
      send('POST /articles', article({ attributes: [] })),
      error(400, { pointer: '/data/attributes' }),
    ],
    [
      'Creating Resources: 400 for an attribute named id',
      send('POST /articles', article({ attributes: { id: 7 } })),
      error(400, { pointer: '/data/attributes/id' }),
    ],
    [
      'Creating Resources: 400 for relationships that are no object',
      send('POST /articles', article({ relationships: [] })),
      error(400, { pointer: '/data/relationships' }),
    ],
    [
      'Creating Resources: 400 for a relationship that is no object',
      send('POST /articles', article({ relationships: { author: 9 } })),
      error(400, { pointer: '/data/relationships/author' }),
    ],
    [
      'Creating Resources: 400 for a relationship without data',
      send('POST /articles', article({ relationships: { author: {} } })),
      error(400, { pointer: '/data/relationships/author' }),
    ],
    [
      'Creating Resources: 400 for an array in a to-one relationship',
      send('POST /articles', article({ relationships: { author: { data: [] } } })),
      error(400, { pointer: '/data/relationships/author/data' }),
    ],
    [
      'Creating Resources: 404 for a related resource that does not exist',
      send(
        'POST /articles',
        article({ relationships: { author: { data: { type: 'authors', id: '99' } } } }),
      ),
      error(404, { pointer: '/data/relationships/author/data' }),
    ],
    [
      'Creating Resources: 404 for an unknown relationship',
      send('POST /articles', article({ relationships: { nope: { data: null } } })),
      error(404, { pointer: '/data/relationships/nope' }),
    ],
    [
      'Creating Resources: 409 for a related resource of another type',
      send(
        'POST /articles',
        article({ relationships: { author: { data: { type: 'tags', id: '1' } } } }),
      ),
      error(409, { pointer: '/data/relationships/author/data/type' }),
    ],
    [
      'Creating Resources: 409 for another type',
      send('POST /articles', { data: { type: 'people' } }),
      error(409, { pointer: '/data/type' }),
    ],
    [
      'Client-Generated IDs: 201',
      send('POST /photos', { data: { type: 'photos', id: uuid, attributes: { title: 'x' } } }),
      document(201, { data: contains({ id: uuid }) }),
    ],
    [
      'Client-Generated IDs: 409 for an id that exists',
      send('POST /photos', { data: { type: 'photos', id: taken } }),
      error(409, { pointer: '/data/id' }),
    ],
    [
      'Client-Generated IDs: 409 for an id that exists as a number',
      send('POST /articles', article({ id: '1' })),
      error(409, { pointer: '/data/id' }),
    ],
    [
      'Client-Generated IDs: 403 where the server draws numbers',
      send('POST /articles', article({ id: '77' })),
      error(403, { pointer: '/data/id' }),
    ],
    [
      'Client-Generated IDs: any in an empty collection',
      send('POST /drafts', { data: { type: 'drafts', id: 'first' } }),
      document(201, { data: contains({ id: 'first' }) }),
    ],
    [
      'Client-Generated IDs: 400 for an id that is no text',
      send('POST /photos', { data: { type: 'photos', id: 7 } }),
      error(400, { pointer: '/data/id' }),
    ],
    [
      'Identification: a local id names the new resource in its relationships',
      send('POST /nodes', {
        data: {
          type: 'nodes',
          lid: 'a',
          relationships: { node: { data: { type: 'nodes', lid: 'a' } } },
        },
      }),
      document(201, {
        data: contains({
          id: '2',
          relationships: contains({ node: contains({ data: { type: 'nodes', id: '2' } }) }),
        }),
      }),
    ],
    ...(
      [
        ['no object', 9],
        ['a type that is no text', { type: 7, id: '9' }],
        ['no type', { id: '9' }],
        ['an id that is no text', { type: 'authors', id: 9 }],
        ['neither id nor lid', { type: 'authors' }],
      ] as const
    ).map(([title, data]): Row => [
      `Resource Identifier Objects: 400 for ${title}`,
      send(`PATCH ${relation('author')}`, { data }),
      error(400, { pointer: '/data' }),
    ]),
    [
      'Identification: 400 for a local id that is no text',
      send('POST /articles', article({ lid: 7 })),
      error(400, { pointer: '/data/lid' }),
    ],
    [
      'Identification: 404 for an unknown local id',
      send(
        'POST /articles',
        article({ relationships: { author: { data: { type: 'authors', lid: 'x' } } } }),
      ),
      error(404, { pointer: '/data/relationships/author/data/lid' }),
    ],
    [
      '@-Members: they are no attributes',
      send('POST /drafts', {
        data: { type: 'drafts', '@context': 'x', attributes: { '@id': 'x', title: 'y' } },
      }),
      document(201, { data: contains({ attributes: { title: 'y' } }) }),
    ],
    [
      '@-Members: they are no relationships and no members of identifiers',
      [
        send('POST /articles', {
          '@context': 'x',
          data: {
            type: 'articles',
            relationships: {
              '@type': 'x',
              author: { '@id': 'x', data: { type: 'authors', id: '9', '@id': 'x' } },
            },
          },
        }),
        'GET /articles/4/relationships/author',
      ],
      document(200, { data: { type: 'authors', id: '9' } }),
    ],
    [
      'Document Structure: unknown members are ignored',
      send('POST /drafts', {
        data: { type: 'drafts', colour: 'red', attributes: { title: 'y' } },
        colour: 'red',
      }),
      document(201, { data: contains({ attributes: { title: 'y' } }) }),
    ],
    [
      'Member Names: attributes are case-sensitive',
      send('POST /drafts', { data: { type: 'drafts', attributes: { title: 'x', Title: 'y' } } }),
      document(201, { data: contains({ attributes: { title: 'x', Title: 'y' } }) }),
    ],
    [
      'Member Names: names are case-sensitive',
      send('POST /articles', { data: { Type: 'articles' } }),
      error(400, { pointer: '/data' }),
    ],
    ...(
      [
        ['JSON', 'application/json'],
        ['a form', 'application/x-www-form-urlencoded'],
        ['the media type with another parameter', `${type}; charset=utf-8`],
        ['the media type with an unsupported extension', `${type}; ext="https://example.com/x"`],
      ] as const
    ).map(([title, sent]): Row => [
      `Server Responsibilities: 415 for ${title}`,
      send('POST /articles', article({}), { 'content-type': sent }),
      error(415, { header: 'Content-Type' }),
    ]),
    ['a body that is no JSON', send('POST /articles', '{'), error(400)],
    ['a body that is no object', send('POST /articles', '[]'), error(400, { pointer: '' })],
    [
      'a new record of a related URL',
      send('POST /articles/2/comments', { data: { type: 'comments', attributes: { body: 'x' } } }),
      document(
        201,
        {
          data: contains({
            id: '14',
            relationships: contains({ article: contains({ data: { type: 'articles', id: '2' } }) }),
          }),
        },
        { location: `${origin}/comments/14` },
      ),
    ],
    [
      'Updating Resources: missing attributes and relationships stay',
      send('PATCH /articles/1', article({ id: '1', attributes: { title: 'x' } })),
      document(200, {
        data: contains({
          attributes: { ...attributes, title: 'x' },
          relationships: contains({ author: contains({ data: { type: 'authors', id: '9' } }) }),
        }),
      }),
    ],
    [
      'Updating Resources: a to-one relationship is replaced',
      send('PATCH /articles/1', article({ id: '1', relationships: { author: { data: null } } })),
      document(200, {
        data: contains({ relationships: contains({ author: contains({ data: null }) }) }),
      }),
    ],
    [
      'Updating Resources: to-many relationships are replaced',
      [
        send(
          'PATCH /articles/1',
          article({
            id: '1',
            relationships: { tags: { data: [] }, comments: { data: to('comments', '13') } },
          }),
        ),
        'GET /articles/1?fields[articles]=tags,comments',
      ],
      document(200, {
        data: contains({
          relationships: {
            tags: contains({ data: [] }),
            comments: contains({ data: to('comments', '13') }),
          },
        }),
      }),
    ],
    [
      'Updating Resources: 400 for several resources',
      send('PATCH /articles/1', { data: [] }),
      error(400, { pointer: '/data' }),
    ],
    [
      'Updating Resources: 400 without data',
      send('PATCH /articles/1', { meta: {} }),
      error(400, { pointer: '' }),
    ],
    [
      'Updating Resources: 400 without a type',
      send('PATCH /articles/1', { data: { id: '1' } }),
      error(400, { pointer: '/data' }),
    ],
    [
      'Updating Resources: 400 for a relationship without data',
      send('PATCH /articles/1', article({ id: '1', relationships: { author: { meta: {} } } })),
      error(400, { pointer: '/data/relationships/author' }),
    ],
    [
      'Updating Resources: 400 without an id',
      send('PATCH /articles/1', article({})),
      error(400, { pointer: '/data' }),
    ],
    [
      'Updating Resources: 404 for a resource that does not exist',
      send('PATCH /articles/99', article({ id: '99' })),
      error(404),
    ],
    [
      'Updating Resources: 404 for a related resource that does not exist',
      send(
        'PATCH /articles/1',
        article({ id: '1', relationships: { author: { data: { type: 'authors', id: '99' } } } }),
      ),
      error(404, { pointer: '/data/relationships/author/data' }),
    ],
    [
      'Updating Resources: 409 for another type',
      send('PATCH /articles/1', { data: { type: 'people', id: '1' } }),
      error(409, { pointer: '/data/type' }),
    ],
    [
      'Updating Resources: 409 for another id',
      send('PATCH /articles/1', article({ id: '2' })),
      error(409, { pointer: '/data/id' }),
    ],
    [
      'Creating, Updating and Deleting: a request that fails changes nothing',
      [
        send(
          'PATCH /articles/1',
          article({
            id: '1',
            attributes: { title: 'x' },
            relationships: { comments: { data: to('comments', '13', '99') } },
          }),
        ),
        'GET /articles/1',
      ],
      document(200, { data: contains({ attributes }) }),
    ],
    [
      'a singleton is updated',
      send('PATCH /profile', {
        data: { type: 'profile', id: 'profile', attributes: { theme: 'light' } },
      }),
      document(200, { data: contains({ attributes: { theme: 'light' } }) }),
    ],
    [
      'Updating To-One Relationships: another resource',
      [
        send(`PATCH ${relation('author')}`, { data: { type: 'authors', id: '2' } }),
        `GET ${relation('author')}`,
      ],
      document(200, { data: { type: 'authors', id: '2' } }),
    ],
    [
      'Updating To-One Relationships: null clears',
      [send(`PATCH ${relation('author')}`, { data: null }), `GET ${relation('author')}`],
      document(200, { data: null }),
    ],
    [
      'Updating To-One Relationships: 204',
      send(`PATCH ${relation('author')}`, { data: null }),
      none,
    ],
    [
      'Updating To-One Relationships: 400 for an array',
      send(`PATCH ${relation('author')}`, { data: to('authors', '9') }),
      error(400, { pointer: '/data' }),
    ],
    [
      'Updating To-One Relationships: 404 for a resource that does not exist',
      send(`PATCH ${relation('author')}`, { data: { type: 'authors', id: '99' } }),
      error(404, { pointer: '/data' }),
    ],
    [
      'Updating Relationships: 404 for the relationship of no resource',
      send('PATCH /articles/99/relationships/author', { data: null }),
      error(404),
    ],
    [
      'Updating Relationships: 403 for DELETE of a to-one relationship',
      send(`DELETE ${relation('author')}`, { data: { type: 'authors', id: '9' } }),
      error(403),
    ],
    [
      'Updating To-One Relationships: 400 without data',
      send(`PATCH ${relation('author')}`, {}),
      error(400, { pointer: '' }),
    ],
    [
      'Updating Relationships: 403 for POST of a to-one relationship',
      send(`POST ${relation('author')}`, { data: { type: 'authors', id: '2' } }),
      error(403),
    ],
    [
      'Updating Relationships: 415 for another media type',
      send(`PATCH ${relation('author')}`, { data: null }, { 'content-type': 'application/json' }),
      error(415, { header: 'Content-Type' }),
    ],
    ...(['tags', 'comments'] as const).flatMap((name): Row[] => {
      const [one, two, other] = name === 'tags' ? ['1', '2', '3'] : ['5', '12', '13']
      const url = relation(name)
      const after = (request: TableRequest, ...list: string[]): [TableRequest[], Expected] => [
        [request, `GET ${url}`],
        linked(name, ...list),
      ]
      return [
        [
          `Updating To-Many Relationships: PATCH replaces ${name}`,
          ...after(send(`PATCH ${url}`, { data: to(name, other) }), other),
        ],
        [
          `Updating To-Many Relationships: PATCH clears ${name}`,
          ...after(send(`PATCH ${url}`, { data: [] })),
        ],
        [
          `Updating To-Many Relationships: POST adds ${name}, each once`,
          ...after(send(`POST ${url}`, { data: to(name, two, other, other) }), one, two, other),
        ],
        [
          `Updating To-Many Relationships: POST of present ${name} succeeds`,
          send(`POST ${url}`, { data: to(name, one) }),
          none,
        ],
        [
          `Updating To-Many Relationships: DELETE removes ${name}`,
          ...after(send(`DELETE ${url}`, { data: to(name, one) }), two),
        ],
        [
          `Updating To-Many Relationships: DELETE of missing ${name} succeeds`,
          send(`DELETE ${url}`, { data: to(name, other) }),
          none,
        ],
        [
          `Updating To-Many Relationships: 404 for missing ${name}`,
          send(`PATCH ${url}`, { data: to(name, one, '99') }),
          error(404, { pointer: '/data/1' }),
        ],
        [
          `Updating To-Many Relationships: 400 for ${name} that are no array`,
          send(`PATCH ${url}`, { data: { type: name, id: one } }),
          error(400, { pointer: '/data' }),
        ],
      ]
    }),
    [
      'Updating To-Many Relationships: records that join both sides are added',
      [
        send('POST /courses/c2/relationships/students', { data: to('students', 's1') }),
        'GET /courses/c2/students',
      ],
      ids('s1'),
    ],
    [
      'Updating To-Many Relationships: and removed',
      [
        send('DELETE /courses/c1/relationships/students', { data: to('students', 's1') }),
        'GET /enrolments',
      ],
      ids(),
    ],
    [
      'Updating To-Many Relationships: and kept',
      [
        send('PATCH /courses/c1/relationships/students', { data: to('students', 's1') }),
        'GET /enrolments',
      ],
      ids('e1'),
    ],
    [
      'Updating To-Many Relationships: lists of keys of the related records',
      [
        send('POST /tags/1/relationships/articles', { data: to('articles', '3') }),
        'GET /articles/3/relationships/tags',
      ],
      linked('tags', '2', '1'),
    ],
    [
      'Updating Relationships: 404 for an unknown relationship',
      send('PATCH /articles/1/relationships/nope', { data: null }),
      error(404),
    ],
    ['Deleting Resources: 204 without a document', 'DELETE /articles/1', none],
    [
      'Deleting Resources: 404 for a resource that does not exist',
      'DELETE /articles/99',
      error(404),
    ],
    [
      'Deleting Resources: the resource is gone, and linkage to it',
      ['DELETE /authors/9', 'GET /articles/1/relationships/author'],
      document(200, { data: null }),
    ],
    [
      'If-Match of a resource',
      send('PATCH /articles/1', article({ id: '1' }), { 'if-match': '"x"' }),
      error(412, { header: 'If-Match' }),
    ],
    [
      'If-Match of a relationship',
      send(`PATCH ${relation('author')}`, { data: null }, { 'if-match': '"x"' }),
      error(412, { header: 'If-Match' }),
    ],
    [
      'If-None-Match of a relationship',
      accepting('*/*', `GET ${relation('author')}`),
      { status: 200, headers: { etag: /^"/ } },
    ],
  ],
]

const rules = {
  type: 'object',
  required: ['title', 'authorId'],
  properties: {
    title: { type: 'string', minLength: 3 },
    authorId: { type: 'integer' },
    meta: { type: 'object', properties: { size: { type: 'integer' } } },
  },
}
const checked = (): ReturnType<typeof blog> => ({
  ...blog(),
  use: [schema({ articles: rules })],
})
const faults = (...list: [pointer: string, detail: string][]): Expected =>
  document(422, {
    errors: list.map(([pointer, detail]) =>
      contains({ status: '422', title: 'Unprocessable Content', detail, source: { pointer } }),
    ),
  })

const errors: Table = [
  'json-api: errors',
  checked,
  [
    [
      'Error Objects: one for each fault, with the pointer of the attribute',
      send(
        'POST /articles',
        article({
          attributes: { title: 'x', meta: { size: 'y' } },
          relationships: { author: { data: { type: 'authors', id: '9' } } },
        }),
      ),
      faults(
        ['/data/attributes/title', expect.stringMatching(/^title /)],
        ['/data/attributes/meta/size', expect.stringMatching(/^meta.size /)],
      ),
    ],
    [
      'Error Objects: a pointer names a value that exists',
      send('POST /articles', article({ attributes: {} })),
      faults(
        ['/data/attributes', expect.stringMatching(/^title /)],
        ['/data', expect.stringMatching(/^authorId /)],
      ),
    ],
    [
      'Error Objects: the pointer of a relationship',
      send(
        'POST /articles',
        article({ attributes: { title: 'xyz' }, relationships: { author: { data: null } } }),
      ),
      faults(['/data/relationships/author/data', expect.stringMatching(/^authorId /)]),
    ],
  ],
]

/** The tables of writes. */
export const writes: readonly Table[] = [articleWrites, errors]
