import { expect } from 'vitest'

import type { Row } from '../../faces.ts'
import {
  accepting,
  attributes,
  blog,
  contains,
  document,
  error,
  ids,
  one,
  origin,
  send,
  type,
  type Table,
} from './json-api-blog.ts'

const articleReads: Table = [
  'json-api: reads',
  blog,
  [
    ...(
      [
        [
          'parameters other than ext and profile',
          `${type}; charset=utf-8`,
          error(415, { header: 'Content-Type' }),
        ],
        [
          'an unsupported extension',
          `${type}; ext="https://example.com/x"`,
          error(415, { header: 'Content-Type' }),
        ],
        ['a known extension', `${type}; ext="https://jsonapi.org/ext/atomic"`, ids()],
        ['a profile', `${type}; profile="https://example.com/a https://example.com/b"`, ids()],
      ] as const
    ).map(([title, sent, expected]): Row => [
      `Server Responsibilities: Content-Type with ${title}`,
      { request: 'GET /drafts', headers: { 'content-type': sent } },
      expected,
    ]),
    ...(
      [
        ['every instance has other parameters', `${type}; charset=utf-8, ${type};v=2`, 406],
        [
          'every instance has an unsupported extension',
          `${type}; ext="https://example.com/x,y"`,
          406,
        ],
        [
          'instances have either, and others are accepted too',
          `${type};a=b, ${type}; ext="https://x.y", */*`,
          406,
        ],
        ['one instance has none', `${type}; charset=utf-8, ${type}; q=0.5`, 200],
        [
          'an instance has a supported extension',
          `${type}; ext="https://jsonapi.org/ext/atomic"`,
          200,
        ],
        ['an instance has an unknown profile', `${type}; profile="https://example.com/x"`, 200],
        ['the header has no instance', 'application/json', 200],
      ] as const
    ).map(([title, accept, status]): Row => [
      `Server Responsibilities: ${status} if, in Accept, ${title}`,
      accepting(accept),
      status === 406 ? error(406, { header: 'Accept' }) : one('1'),
    ]),
    [
      'Server Responsibilities: Vary has Accept',
      'GET /articles',
      { status: 200, headers: { vary: /\bAccept\b/ } },
    ],
    [
      'Universal Responsibilities: responses have the media type without parameters',
      'GET /articles',
      { status: 200, headers: { 'content-type': type } },
    ],
    [
      'Top Level: a document has an object at the root, without errors beside data',
      'GET /drafts',
      {
        status: 200,
        body: {
          jsonapi: { version: '1.1' },
          links: { self: `${origin}/drafts` },
          data: [],
          meta: { total: 0 },
        },
      },
    ],
    [
      'Top Level: errors exclude data, included and links',
      'GET /articles/99?include=author',
      {
        status: 404,
        headers: { 'content-type': type },
        body: { jsonapi: { version: '1.1' }, errors: [contains({ status: '404' })] },
      },
    ],
    [
      'Top Level: a value without records is meta',
      'GET /colours',
      { status: 200, body: { jsonapi: { version: '1.1' }, meta: { value: ['red', 'blue'] } } },
    ],
    [
      'Top Level: a collection is an array, also with one record',
      'GET /articles?filter[id]=2',
      ids('2'),
    ],
    [
      'Top Level: self has all parameters',
      'GET /articles?include=author&page[size]=1',
      document(200, {
        links: contains({ self: `${origin}/articles?include=author&page[size]=1` }),
      }),
    ],
    [
      'Resource Objects: id and type are texts, keys are relationships, and both share no name with attributes',
      'GET /articles/1?fields[articles]=title,views,status,author,tags',
      document(200, {
        data: {
          type: 'articles',
          id: '1',
          attributes,
          relationships: {
            author: {
              links: {
                self: `${origin}/articles/1/relationships/author`,
                related: `${origin}/articles/1/author`,
              },
              data: { type: 'authors', id: '9' },
            },
            tags: {
              links: {
                self: `${origin}/articles/1/relationships/tags`,
                related: `${origin}/articles/1/tags`,
              },
              data: [
                { type: 'tags', id: '1' },
                { type: 'tags', id: '2' },
              ],
            },
          },
          links: { self: `${origin}/articles/1` },
        },
      }),
    ],
    [
      'Fields: a field named type is another attribute',
      'GET /authors/2',
      document(200, { data: contains({ attributes: { name: 'Zoe', authorType: 'guest' } }) }),
    ],
    [
      'Fields: that attribute filters and sorts',
      'GET /authors?filter[authorType]=guest&sort=authorType',
      ids('2'),
    ],
    ['Resource Links: self of a resource, primary or included', 'GET /authors/9', one('9')],
    ['Resource Links: self of a singleton', 'GET /profile', one('profile')],
    [
      'Related Resource Links: the URLs stay when the relationship changes',
      [
        send('PATCH /articles/1/relationships/author', { data: null }),
        'GET /articles/1?fields[articles]=author',
      ],
      document(200, {
        data: contains({
          relationships: {
            author: {
              links: {
                self: `${origin}/articles/1/relationships/author`,
                related: `${origin}/articles/1/author`,
              },
              data: null,
            },
          },
        }),
      }),
    ],
    [
      'Compound Documents: a relationship that fields leave out is followed too',
      'GET /comments/5?include=author&fields[comments]=body',
      document(200, { included: [contains({ type: 'authors', id: '2' })] }),
    ],
    [
      'Identification: a singleton has an id',
      'GET /profile',
      document(200, {
        data: contains({ type: 'profile', id: 'profile', attributes: { theme: 'dark' } }),
      }),
    ],
    [
      'Resource Linkage: null for an empty to-one relationship',
      'GET /articles/3?fields[articles]=author',
      document(200, { data: contains({ relationships: { author: contains({ data: null }) } }) }),
    ],
    [
      'Resource Linkage: an empty array for an empty to-many relationship',
      'GET /articles/2?fields[articles]=tags,comments',
      document(200, {
        data: contains({
          relationships: { tags: contains({ data: [] }), comments: contains({ data: [] }) },
        }),
      }),
    ],
    [
      'Resource Linkage: through records that join both sides',
      'GET /courses/c1?fields[courses]=students',
      document(200, {
        data: contains({
          relationships: { students: contains({ data: [{ type: 'students', id: 's1' }] }) },
        }),
      }),
    ],
    [
      'Compound Documents: each resource once, linked, and none of the primary data',
      'GET /articles?filter[id]=1,2&include=comments.author,author.articles&fields[articles]=author,comments&fields[comments]=author&fields[authors]=name,articles',
      document(200, {
        data: [contains({ id: '1' }), contains({ id: '2' })],
        included: [
          contains({ type: 'comments', id: '5' }),
          contains({ type: 'comments', id: '12' }),
          contains({ type: 'authors', id: '2', attributes: { name: 'Zoe' } }),
          contains({ type: 'authors', id: '9', attributes: { name: 'Dan' } }),
        ],
      }),
    ],
    [
      'Inclusion: included is an array even if the relationship is empty',
      'GET /articles/2?include=comments',
      document(200, { included: [] }),
    ],
    [
      'Inclusion: an empty value includes nothing',
      'GET /articles/1?include=',
      document(200, { included: [] }),
    ],
    [
      'Inclusion: without include nothing is included',
      'GET /articles/1',
      { status: 200, body: expect.not.objectContaining({ included: expect.anything() }) },
    ],
    [
      'Inclusion: 400 for an unknown path',
      'GET /articles/1?include=author.nope',
      error(400, { parameter: 'include' }),
    ],
    [
      'Inclusion: 400 where a document has no resources',
      'GET /colours?include=author',
      error(400, { parameter: 'include' }),
    ],
    [
      'Inclusion: 400 where no document is returned',
      'DELETE /articles/1?include=author',
      error(400, { parameter: 'include' }),
    ],
    [
      'Inclusion: 400 for an unknown path of an empty list',
      'GET /drafts?include=nope',
      error(400, { parameter: 'include' }),
    ],
    [
      'Sparse Fieldsets: an empty value returns no fields',
      'GET /articles/1?fields[articles]=',
      document(200, {
        data: { type: 'articles', id: '1', links: { self: `${origin}/articles/1` } },
      }),
    ],
    [
      'Sparse Fieldsets: no field besides those named, in included resources too',
      'GET /comments/5?include=author&fields[comments]=author&fields[authors]=name',
      document(200, {
        included: [
          {
            type: 'authors',
            id: '2',
            attributes: { name: 'Zoe' },
            links: { self: `${origin}/authors/2` },
          },
        ],
      }),
    ],
    ['Sorting: ascending', 'GET /articles?sort=views', ids('2', '1', '3')],
    ['Sorting: descending with a minus', 'GET /articles?sort=-views', ids('3', '1', '2')],
    [
      'Sorting: by several fields in their order',
      'GET /articles?sort=status,-views',
      ids('3', '1', '2'),
    ],
    [
      'Sorting: by an attribute of a relationship',
      'GET /articles?sort=-author.name',
      ids('2', '1', '3'),
    ],
    [
      'Sorting: by an attribute of a relationship of a relationship',
      'GET /comments?sort=article.author.name,-id',
      ids('12', '5', '13'),
    ],
    [
      'Sorting: 400 for linkage',
      'GET /articles/1/relationships/comments?sort=id',
      error(400, { parameter: 'sort' }),
    ],
    [
      'Sorting: 400 for an unknown field',
      'GET /articles?sort=nope',
      error(400, { parameter: 'sort' }),
    ],
    [
      'Sorting: 400 for an unknown field of a relationship',
      'GET /articles?sort=author.nope',
      error(400, { parameter: 'sort' }),
    ],
    [
      'Pagination: by number and size',
      'GET /articles?page[number]=2&page[size]=1',
      document(200, {
        data: [contains({ id: '2' })],
        links: {
          self: `${origin}/articles?page[number]=2&page[size]=1`,
          first: `${origin}/articles?page%5Bnumber%5D=1&page%5Bsize%5D=1`,
          prev: `${origin}/articles?page%5Bnumber%5D=1&page%5Bsize%5D=1`,
          next: `${origin}/articles?page%5Bnumber%5D=3&page%5Bsize%5D=1`,
          last: `${origin}/articles?page%5Bnumber%5D=3&page%5Bsize%5D=1`,
        },
        meta: { total: 3 },
      }),
    ],
    [
      'Pagination: a link to no page is null',
      'GET /articles?page[size]=3',
      document(200, { links: contains({ prev: null, next: null }) }),
    ],
    [
      'Pagination: by offset and limit',
      'GET /articles?page[offset]=1&page[limit]=1',
      document(200, {
        data: [contains({ id: '2' })],
        links: contains({ next: `${origin}/articles?page%5Boffset%5D=2&page%5Blimit%5D=1` }),
      }),
    ],
    [
      'Pagination: by cursor, in the order of the sort',
      'GET /articles?sort=-views&page[after]=&page[size]=2',
      document(200, {
        data: [contains({ id: '3' }), contains({ id: '1' })],
        links: contains({ next: expect.stringContaining('page%5Bafter%5D=') }),
      }),
    ],
    [
      'Pagination: 400 for a page that is no number',
      'GET /articles?page[number]=x',
      error(400, { parameter: 'page[number]' }),
    ],
    ['Filtering: by a value', 'GET /articles?filter[status]=draft', ids('1', '3')],
    ['Filtering: by one of several values', 'GET /articles?filter[views]=5,20', ids('2', '3')],
    [
      'Filtering: by a value with a comma',
      'GET /articles?filter[title]=Rails,%20omakase',
      ids('2'),
    ],
    ['Filtering: by an operator', 'GET /articles?filter[views][gt]=5', ids('1', '3')],
    [
      'Filtering: by several parameters',
      'GET /articles?filter[views][gt]=5&filter[status]=draft&filter[title][contains]=tdd',
      ids('3'),
    ],
    ['Filtering: by the id of a relationship', 'GET /articles?filter[author]=9', ids('1')],
    [
      'Filtering: by the id of a to-many relationship',
      'GET /articles?filter[comments]=13',
      ids('3'),
    ],
    [
      'Filtering: by an attribute of a relationship',
      'GET /articles?filter[author.name]=Zoe',
      ids('2'),
    ],
    [
      'Filtering: by an attribute of a relationship in brackets, with an operator',
      'GET /articles?filter[author][name][startsWith]=z',
      ids('2'),
    ],
    [
      'Filtering: 400 for an unknown field',
      'GET /articles?filter[nope]=1',
      error(400, { parameter: 'filter[nope]' }),
    ],
    [
      'Filtering: any field of an empty collection',
      'GET /drafts?filter[title]=x&sort=title',
      ids(),
    ],
    [
      'Parsing: a plus is a space, and percent-encoded characters are decoded',
      'GET /articles?filter[title]=Rails%2C+omakase',
      ids('2'),
    ],
    [
      'Square Brackets: percent-encoded brackets are equivalent',
      'GET /articles?filter%5Bviews%5D%5Bgt%5D=10',
      ids('3'),
    ],
    [
      'Implementation-Specific Query Parameters: 400 for one of a-z alone',
      'GET /articles?foo=1',
      error(400, { parameter: 'foo' }),
    ],
    [
      'Implementation-Specific Query Parameters: 400 for one of a family without meaning here',
      'GET /articles/1?sort=title',
      error(400, { parameter: 'sort' }),
    ],
    [
      'Implementation-Specific Query Parameters: 400 for the namespace of an unknown extension',
      'GET /articles?version:id=1',
      error(400, { parameter: 'version:id' }),
    ],
    [
      'Implementation-Specific Query Parameters: 400 for a name that is no member name',
      'GET /articles?_page=1',
      error(400, { parameter: '_page' }),
    ],
    [
      'Implementation-Specific Query Parameters: another one is ignored',
      'GET /articles?fooBar=1',
      { ...ids('1', '2', '3'), headers: { 'x-mock-ignored': 'fooBar' } },
    ],
    ['Fetching Resources: 404 for a resource that does not exist', 'GET /articles/99', error(404)],
    [
      'Fetching Resources: a related to-many resource',
      'GET /articles/1/comments?sort=-id&include=author',
      ids('12', '5'),
    ],
    [
      'Fetching Resources: a related to-one resource',
      'GET /articles/1/author?include=comments',
      document(200, {
        data: contains({ type: 'authors', id: '9' }),
        included: [contains({ id: '12' }), contains({ id: '13' })],
      }),
    ],
    [
      'Fetching Resources: null for a related resource that does not exist',
      'GET /articles/3/author',
      document(200, { data: null, links: { self: `${origin}/articles/3/author` } }),
    ],
    [
      'Fetching Resources: 404 for a relationship that does not exist',
      'GET /articles/1/nope',
      error(404),
    ],
    [
      'Fetching Resources: 404 for the related resource of none',
      'GET /articles/99/author',
      error(404),
    ],
    [
      'Fetching Relationships: a to-one relationship',
      'GET /articles/1/relationships/author',
      document(200, {
        data: { type: 'authors', id: '9' },
        links: {
          self: `${origin}/articles/1/relationships/author`,
          related: `${origin}/articles/1/author`,
        },
      }),
    ],
    [
      'Fetching Relationships: an empty to-one relationship',
      'GET /articles/3/relationships/author',
      document(200, { data: null }),
    ],
    [
      'Fetching Relationships: a to-many relationship',
      'GET /articles/1/relationships/comments',
      document(200, {
        data: [
          { type: 'comments', id: '5' },
          { type: 'comments', id: '12' },
        ],
      }),
    ],
    [
      'Fetching Relationships: an empty to-many relationship',
      'GET /articles/2/relationships/comments',
      document(200, { data: [] }),
    ],
    [
      'Fetching Relationships: with included resources',
      'GET /articles/1/relationships/comments?include=comments.author',
      document(200, {
        data: [
          { type: 'comments', id: '5' },
          { type: 'comments', id: '12' },
        ],
        included: ['5', '12', '2', '9'].map((id) => contains({ id })),
      }),
    ],
    [
      'Fetching Relationships: 400 for a path that does not start with the relationship',
      'GET /articles/1/relationships/comments?include=author',
      error(400, { parameter: 'include' }),
    ],
    [
      'Fetching Relationships: 404 for an unknown relationship',
      'GET /articles/1/relationships/nope',
      error(404),
    ],
    [
      'Fetching Relationships: 404 for the relationship of no resource',
      'GET /articles/99/relationships/author',
      error(404),
    ],
    [
      'HEAD of a relationship',
      'HEAD /articles/1/relationships/author',
      { status: 200, headers: { 'content-type': type } },
    ],
    [
      'OPTIONS of a relationship',
      'OPTIONS /articles/1/relationships/author',
      { status: 204, headers: { allow: 'GET, HEAD, PATCH, POST, DELETE, OPTIONS' } },
    ],
    [
      '405 for another method of a relationship',
      'PUT /articles/1/relationships/author',
      error(405),
    ],
    [
      '405 for PUT of a member',
      'PUT /articles/1',
      error(405, undefined, { allow: 'GET, HEAD, PATCH, DELETE, OPTIONS' }),
    ],
  ],
]

const viewed = (): ReturnType<typeof blog> => ({
  ...blog(),
  resources: {
    essays: { view: 'articles', id: 'title', where: { status: 'draft' } },
    authors: { hidden: ['name'] },
  },
})

const views: Table = [
  'json-api: views',
  viewed,
  [
    [
      'Identification: a resource has one type, at every path',
      'GET /essays?sort=-views&fields[articles]=title',
      document(200, {
        data: [
          {
            type: 'articles',
            id: '3',
            attributes: { title: 'To TDD' },
            links: { self: `${origin}/articles/3` },
          },
          contains({ type: 'articles', id: '1' }),
        ],
      }),
    ],
    [
      'hidden fields of included resources',
      'GET /comments/5?include=author&fields[comments]=author&fields[authors]=name,authorType',
      document(200, {
        included: [
          {
            type: 'authors',
            id: '2',
            attributes: { authorType: 'guest' },
            links: { self: `${origin}/authors/2` },
          },
        ],
      }),
    ],
    [
      'hidden fields of related resources',
      'GET /comments/5/author?fields[authors]=name,authorType',
      document(200, { data: contains({ attributes: { authorType: 'guest' } }) }),
    ],
  ],
]

/** The tables of reads. */
export const reads: readonly Table[] = [articleReads, views]
