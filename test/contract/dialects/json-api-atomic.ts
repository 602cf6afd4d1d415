import { auth, schema } from '../../../src/behaviours.ts'
import type { Expected, TableRequest } from '../../faces.ts'
import { blog, contains, document, error, ids, send, type, type Table } from './json-api-blog.ts'

const atomic = `${type};ext="https://jsonapi.org/ext/atomic"`

function perform(list: unknown, headers: object = {}): TableRequest {
  return send(
    'POST /operations',
    { 'atomic:operations': list },
    { 'content-type': atomic, ...headers },
  )
}

/** A response with these results. */
function results(...list: object[]): Expected {
  return {
    status: 200,
    headers: { 'content-type': atomic },
    body: { jsonapi: { version: '1.1' }, 'atomic:results': list },
  }
}

const result = (members: object): object => ({ data: contains(members) })
const fault = (status: number, pointer: string): Expected => error(status, { pointer })
const author = (name: string, own = {}): object => ({
  op: 'add',
  data: { type: 'authors', attributes: { name }, ...own },
})
const ref = (op: string, own: object, data?: unknown): object => ({
  op,
  ref: { type: 'articles', id: '1', ...own },
  ...(data !== undefined && { data }),
})
const at = '/atomic:operations'
const uuid = '660e8400-e29b-41d4-a716-446655440000'
const title = (text: string): object => ({
  op: 'update',
  data: { type: 'articles', id: '1', attributes: { title: text } },
})

const atomicOperations: Table = [
  'json-api: Atomic Operations',
  blog,
  [
    [
      'Creating Resources: the result has the resource',
      perform([author('Eve')]),
      results(result({ type: 'authors', id: '10', attributes: { name: 'Eve' } })),
    ],
    [
      'Creating Resources: by href of a collection',
      perform([{ ...author('Eve'), href: '/authors' }]),
      results(result({ id: '10' })),
    ],
    [
      'Creating Resources: with an id of the client',
      perform([{ op: 'add', data: { type: 'photos', id: uuid } }]),
      results(result({ id: uuid })),
    ],
    [
      'Updating Resources: by the id in data',
      [perform([title('x')]), 'GET /articles?filter[title]=x'],
      ids('1'),
    ],
    [
      'Updating Resources: by ref',
      perform([{ ...title('x'), ref: { type: 'articles', id: '1' } }]),
      results(result({ id: '1', attributes: contains({ title: 'x', views: 10 }) })),
    ],
    [
      'Updating Resources: by href',
      perform([{ ...title('x'), href: 'http://mock.test/articles/1' }]),
      results(result({ id: '1' })),
    ],
    ['Deleting Resources: the result has no data', perform([ref('remove', {})]), results({})],
    [
      'Deleting Resources: by href, and it is gone',
      [perform([{ op: 'remove', href: '/articles/1' }]), 'GET /articles'],
      ids('2', '3'),
    ],
    [
      'Updating To-One Relationships: another resource',
      [
        perform([ref('update', { relationship: 'author' }, { type: 'authors', id: '2' })]),
        'GET /articles/1/author',
      ],
      document(200, { data: contains({ id: '2' }) }),
    ],
    [
      'Updating To-One Relationships: null',
      [perform([ref('update', { relationship: 'author' }, null)]), 'GET /articles/1/author'],
      document(200, { data: null }),
    ],
    [
      'Updating To-Many Relationships: add',
      [
        perform([ref('add', { relationship: 'tags' }, [{ type: 'tags', id: '3' }])]),
        'GET /articles/1/tags',
      ],
      ids('1', '2', '3'),
    ],
    [
      'Updating To-Many Relationships: update replaces',
      [
        perform([ref('update', { relationship: 'comments' }, [{ type: 'comments', id: '13' }])]),
        'GET /articles/1/comments',
      ],
      ids('13'),
    ],
    [
      'Updating To-Many Relationships: remove, by href',
      [
        perform([
          {
            op: 'remove',
            href: '/articles/1/relationships/tags',
            data: [{ type: 'tags', id: '1' }],
          },
        ]),
        'GET /articles/1/tags',
      ],
      ids('2'),
    ],
    [
      'Processing Multiple Operations: a local id names a resource of an operation before',
      [
        perform([
          author('Eve', { lid: 'eve' }),
          {
            op: 'add',
            data: {
              type: 'articles',
              lid: 'a',
              attributes: { title: 'New' },
              relationships: { author: { data: { type: 'authors', lid: 'eve' } } },
            },
          },
          { op: 'update', data: { type: 'authors', lid: 'eve', attributes: { name: 'Eva' } } },
          {
            op: 'add',
            ref: { type: 'articles', lid: 'a', relationship: 'comments' },
            data: [{ type: 'comments', id: '13' }],
          },
        ]),
        'GET /articles/4?include=author,comments&fields[authors]=name&fields[comments]=body',
      ],
      document(200, {
        included: [contains({ id: '10', attributes: { name: 'Eva' } }), contains({ id: '13' })],
      }),
    ],
    [
      'Processing: the results are in the order of the operations',
      perform([
        ref('remove', {}),
        author('Eve'),
        ref('update', { id: '2', relationship: 'author' }, null),
        author('Flo'),
      ]),
      results({}, result({ id: '10' }), {}, result({ id: '11' })),
    ],
    [
      'Processing: operations are performed in their order',
      [perform([title('x'), title('y')]), 'GET /articles?filter[title]=y'],
      ids('1'),
    ],
    [
      'Processing: a record that is added and removed',
      [
        perform([
          author('Eve', { lid: 'e' }),
          { op: 'remove', ref: { type: 'authors', lid: 'e' } },
        ]),
        'GET /authors',
      ],
      ids('2', '9'),
    ],
    [
      'Processing: a failure invalidates the operations before',
      [
        perform([
          author('Eve'),
          title('x'),
          ref('update', { id: '99' }, { type: 'articles', id: '99' }),
        ]),
        'GET /authors',
      ],
      ids('2', '9'),
    ],
    [
      'Processing Errors: 404 with the pointer of the operation',
      perform([author('Eve'), ref('remove', { id: '99' })]),
      fault(404, `${at}/1`),
    ],
    [
      'Processing Errors: an operation on a record that one before removes',
      perform([ref('remove', {}), title('x')]),
      fault(404, `${at}/0`),
    ],
    [
      'Processing Errors: 404 for an unknown local id',
      perform([ref('remove', { id: undefined, lid: 'x' })]),
      fault(404, `${at}/0/ref/lid`),
    ],
    [
      'Processing Errors: 404 for an unknown type',
      perform([ref('remove', { type: 'nope' })]),
      fault(404, `${at}/0/ref/type`),
    ],
    [
      'Processing Errors: 404 for an href outside',
      perform([{ op: 'remove', href: 'http://example.com/articles/1' }]),
      fault(404, `${at}/0/href`),
    ],
    [
      'Processing Errors: 404 for a related resource',
      perform([ref('update', { relationship: 'author' }, { type: 'authors', id: '99' })]),
      fault(404, `${at}/0/data`),
    ],
    [
      'Processing Errors: 409 for an id that exists',
      perform([
        { op: 'add', data: { type: 'photos', id: uuid } },
        { op: 'add', data: { type: 'photos', id: uuid } },
      ]),
      fault(409, `${at}/1/data/id`),
    ],
    [
      'Processing Errors: 403 for members of a to-one relationship',
      perform([ref('add', { relationship: 'author' }, [])]),
      fault(403, `${at}/0`),
    ],
    ...(
      [
        ['no object', 7],
        ['an unknown op', { op: 'nope' }],
        ['ref and href', { op: 'remove', ref: { type: 'articles', id: '1' }, href: '/articles/1' }],
        ['add without data', { op: 'add' }],
        ['remove without a target', { op: 'remove' }],
        ['remove of a collection', { op: 'remove', href: '/articles' }],
        ['a relationship without data', ref('update', { relationship: 'author' })],
      ] as const
    ).map(([what, operation]): [string, TableRequest, Expected] => [
      `Processing Errors: 400 for ${what}`,
      perform([author('x'), operation]),
      fault(400, `${at}/1`),
    ]),
    [
      'Operation Objects: ref needs an id or a local id',
      perform([{ op: 'remove', ref: { type: 'articles' } }]),
      fault(400, `${at}/0/ref`),
    ],
    [
      'Operation Objects: ref of a relationship by a local id',
      [
        perform([
          { op: 'add', data: { type: 'articles', lid: 'a' } },
          {
            op: 'update',
            ref: { type: 'articles', lid: 'a', relationship: 'author' },
            data: { type: 'authors', id: '2' },
          },
        ]),
        'GET /articles/4/author',
      ],
      document(200, { data: contains({ id: '2' }) }),
    ],
    [
      'Operation Objects: ref needs a type',
      perform([{ op: 'remove', ref: { id: '1' } }]),
      fault(400, `${at}/0/ref`),
    ],
    ['Document Structure: 400 without operations', perform([]), fault(400, '')],
    [
      'Document Structure: 400 with data',
      send(
        'POST /operations',
        { 'atomic:operations': [title('x')], data: null },
        { 'content-type': atomic },
      ),
      fault(400, ''),
    ],
    [
      'Processing Errors: a document of errors has no results',
      perform([{ op: 'nope' }]),
      {
        status: 400,
        headers: { 'content-type': type },
        body: { jsonapi: { version: '1.1' }, errors: [contains({ status: '400' })] },
      },
    ],
    [
      'JSON:API Object: its ext negotiates nothing',
      send('POST /operations', {
        jsonapi: { ext: ['https://jsonapi.org/ext/atomic'] },
        'atomic:operations': [title('x')],
      }),
      error(415, { header: 'Content-Type' }),
    ],
    [
      'Inclusion: 400 for results',
      send(
        'POST /operations?include=author',
        { 'atomic:operations': [title('x')] },
        { 'content-type': atomic },
      ),
      error(400, { parameter: 'include' }),
    ],
    [
      'URI: 415 without the extension',
      send('POST /operations', { 'atomic:operations': [title('x')] }),
      error(415, { header: 'Content-Type' }),
    ],
    ['Processing: 405 for another method', 'GET /operations', error(405)],
    [
      'an extension that Accept demands',
      perform([title('x')], { accept: atomic }),
      results(result({ id: '1' })),
    ],
  ],
]

const strict = (): ReturnType<typeof blog> => ({
  ...blog(),
  use: [
    schema({ authors: { type: 'object', properties: { name: { type: 'string', minLength: 2 } } } }),
  ],
})

const operationFaults: Table = [
  'json-api: faults of operations',
  strict,
  [
    [
      'Processing Errors: the pointer of the attribute',
      perform([author('Eve'), author('x')]),
      { ...fault(422, `${at}/1/data/attributes/name`) },
    ],
    [
      'Processing Errors: nothing is stored',
      [perform([author('Eve'), author('x')]), 'GET /authors'],
      ids('2', '9'),
    ],
  ],
]

const guarded = (): ReturnType<typeof blog> => ({
  ...blog(),
  use: [auth({ scheme: 'basic', protect: ['PATCH comments', 'POST authors'], users: 'users' })],
  fixtures: { ...blog().fixtures, users: [{ id: 1, username: 'ann', password: 'secret' }] },
})

const operationPermissions: Table = [
  'json-api: permissions of operations',
  guarded,
  [
    ['a new record', perform([author('Eve')]), error(401)],
    [
      'records that hold a relationship',
      send('PATCH /articles/1/relationships/comments', { data: [] }),
      error(401),
    ],
    ['what anyone may do', perform([title('x')]), results(result({ id: '1' }))],
  ],
]

const hiding = (): ReturnType<typeof blog> => ({
  ...blog(),
  resources: { authors: { hidden: ['name'] } },
})

const hiddenFields: Table = [
  'json-api: hidden fields of results',
  hiding,
  [
    [
      'a new record',
      perform([author('Eve', { attributes: { name: 'Eve', age: 7 } })]),
      results(result({ attributes: { age: 7 } })),
    ],
  ],
]

/** The tables of Atomic Operations. */
export const operations: readonly Table[] = [
  atomicOperations,
  operationFaults,
  operationPermissions,
  hiddenFields,
]
