import { expect } from 'vitest'

import { auth, schema } from '../../../src/behaviours.ts'
import { supabase } from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract, type Row, type TableRequest } from '../../faces.ts'

const posts = [
  { id: 1, title: 'First', views: 10, author_id: 1, tags: ['a', 'b'], meta: { lang: 'en', n: 1 } },
  { id: 2, title: 'Second', views: 20, author_id: 2, tags: ['b'], meta: { lang: 'de' } },
  { id: 3, title: 'Third, last', views: null, author_id: 1, tags: [], meta: null },
]

function blog(): MockOptions<Record<string, unknown>> {
  return {
    dialect: supabase,
    relations: {
      posts: { author_id: 'authors' },
      comments: { post_id: { to: 'posts', dependent: true } },
    },
    fixtures: {
      posts,
      authors: [
        { id: 1, name: 'Ann', joined: '2024-01-01T10:00:00+00:00' },
        { id: 2, name: 'Bob', joined: '2024-06-01T00:00:00.000Z' },
      ],
      comments: [
        { id: 'c1', text: 'Good', post_id: 1 },
        { id: 'c2', text: 'Bad', post_id: 1 },
        { id: 'c3', text: 'Odd', post_id: 2 },
      ],
      post_labels: [
        { post_id: 1, label_id: 1 },
        { post_id: 1, label_id: 2 },
        { post_id: 2, label_id: 1 },
      ],
      labels: [
        { id: 1, label: 'new' },
        { id: 2, label: 'hot' },
      ],
      settings: { theme: 'dark' },
    },
  }
}

/** A row that expects the posts with these ids. */
function finds(query: string, ids: number[]): Row {
  const request = `GET /rest/v1/posts?select=id&${encodeURI(query)}`
  return [
    `${query} finds ${ids.join(', ') || 'none'}`,
    request,
    { status: 200, body: ids.map((id) => ({ id })) },
  ]
}

function refuses(
  title: string,
  request: TableRequest,
  status: number,
  code: string,
  message: string,
): Row {
  return [title, request, { status, body: expect.objectContaining({ code, message }) }]
}

function writes(request: string, body: unknown, prefer = 'return=representation'): TableRequest {
  return { request, headers: { prefer }, body }
}

contract('supabase: filters', blog, [
  finds('id=eq.2', [2]),
  finds('views=neq.10', [2]),
  finds('views=not.eq.10', [2]),
  finds('views=gt.10', [2]),
  finds('views=not.gt.10', [1]),
  finds('views=is.null', [3]),
  finds('views=not.is.null', [1, 2]),
  finds('views=isdistinct.10', [2, 3]),
  finds('id=in.(1,3)', [1, 3]),
  finds('id=in.()', []),
  finds('title=in.("Third, last",First)', [1, 3]),
  finds('title=like.*ir*', [1, 3]),
  finds('title=like.FIRST', []),
  finds('title=ilike.FIRST', [1]),
  finds('title=like(any).{F*,S*}', [1, 2]),
  finds('title=match.^(F|S)', [1, 2]),
  finds('title=imatch.^s', [2]),
  finds('title=wfts.first or second', [1, 2]),
  finds('tags=cs.{b}', [1, 2]),
  finds('tags=cd.{a,b}', [1, 2, 3]),
  finds('tags=ov.{a,x}', [1]),
  finds('meta=cs.{"lang":"en"}', [1]),
  finds('meta->>lang=eq.de', [2]),
  finds('meta->n=eq.1', [1]),
  finds('or=(id.eq.1,and(views.gt.10,title.like.S*))', [1, 2]),
  finds('not.or=(id.eq.1,id.eq.2)', [3]),
  finds('author_id=not.in.(1)', [2]),
  finds('order=views.desc', [3, 2, 1]),
  finds('order=views.desc.nullslast', [2, 1, 3]),
  finds('order=author_id,id.desc', [3, 1, 2]),
  finds('order=meta->>lang.desc.nullslast', [1, 2, 3]),
  finds('limit=1&offset=1', [2]),
  finds('limit=0', []),
])

contract('supabase: select', blog, [
  [
    'columns have aliases, casts and paths',
    'GET /rest/v1/posts?select=no:id::text,meta-%3Elang,tags-%3E0&id=eq.1',
    { status: 200, body: [{ no: '1', lang: 'en', tags: 'a' }] },
  ],
  [
    'a parent, its children and a many-to-many relationship are embedded',
    'GET /rest/v1/posts?select=title,authors(name),comments(text),labels(label)&id=eq.1',
    {
      status: 200,
      body: [
        {
          title: 'First',
          authors: { name: 'Ann' },
          comments: [{ text: 'Good' }, { text: 'Bad' }],
          labels: [{ label: 'new' }, { label: 'hot' }],
        },
      ],
    },
  ],
  [
    'embeds have filters, orders and limits of their own',
    'GET /rest/v1/authors?select=name,written:posts(id)&written.order=id.desc&written.limit=1&written.id=lt.3',
    {
      status: 200,
      body: [
        { name: 'Ann', written: [{ id: 1 }] },
        { name: 'Bob', written: [{ id: 2 }] },
      ],
    },
  ],
  [
    'an inner embed keeps the rows that have one',
    'GET /rest/v1/posts?select=id,comments!inner(text)&comments.text=eq.Odd',
    { status: 200, body: [{ id: 2, comments: [{ text: 'Odd' }] }] },
  ],
  [
    'a filter of an embed keeps the rows without one',
    'GET /rest/v1/posts?select=id,comments()&comments=is.null',
    { status: 200, body: [{ id: 3 }] },
  ],
  [
    'a spread makes the columns of a parent columns of the row',
    'GET /rest/v1/posts?select=id,...authors(author:name)&order=authors(name).desc,id',
    {
      status: 200,
      body: [
        { id: 2, author: 'Bob' },
        { id: 1, author: 'Ann' },
        { id: 3, author: 'Ann' },
      ],
    },
  ],
  [
    'a spread makes lists of the columns of children',
    'GET /rest/v1/authors?select=...posts(id)',
    { status: 200, body: [{ id: [1, 3] }, { id: [2] }] },
  ],
  [
    'a singleton is a table of one row',
    'GET /rest/v1/settings',
    { status: 200, body: [{ theme: 'dark' }] },
  ],
])

contract('supabase: formats and pages', blog, [
  [
    'a page with the count is partial',
    { request: 'GET /rest/v1/posts?select=id&limit=2', headers: { prefer: 'count=exact' } },
    { status: 206, headers: { 'content-range': '0-1/3', 'preference-applied': 'count=exact' } },
  ],
  [
    'the header Range selects rows',
    { request: 'GET /rest/v1/posts?select=id', headers: { range: '1-2', 'range-unit': 'items' } },
    { status: 200, headers: { 'content-range': '1-2/*' }, body: [{ id: 2 }, { id: 3 }] },
  ],
  [
    'HEAD has the count',
    { request: 'HEAD /rest/v1/posts', headers: { prefer: 'count=exact' } },
    { status: 200, headers: { 'content-range': '0-2/3' } },
  ],
  refuses(
    'a page past the end is refused',
    { request: 'GET /rest/v1/posts?offset=9', headers: { prefer: 'count=exact' } },
    416,
    'PGRST103',
    'Requested range not satisfiable',
  ),
  [
    'one row is an object',
    {
      request: 'GET /rest/v1/authors?id=eq.1&select=name',
      headers: { accept: 'application/vnd.pgrst.object+json' },
    },
    {
      status: 200,
      headers: { 'content-type': 'application/vnd.pgrst.object+json; charset=utf-8' },
      body: { name: 'Ann' },
    },
  ],
  refuses(
    'one row is refused for several',
    { request: 'GET /rest/v1/posts', headers: { accept: 'application/vnd.pgrst.object+json' } },
    406,
    'PGRST116',
    'Cannot coerce the result to a single JSON object',
  ),
  [
    'nulls are left out on request',
    {
      request: 'GET /rest/v1/posts?select=id,views&id=eq.3',
      headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    },
    { status: 200, body: [{ id: 3 }] },
  ],
  [
    'rows are CSV on request',
    { request: 'GET /rest/v1/posts?select=id,title,tags&id=gt.1', headers: { accept: 'text/csv' } },
    {
      status: 200,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      body: 'id,title,tags\n2,Second,"[""b""]"\n3,"Third, last",[]',
    },
  ],
  [
    'OPTIONS lists the methods',
    'OPTIONS /rest/v1/posts',
    { status: 200, headers: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' } },
  ],
])

contract('supabase: writes', blog, [
  [
    'an inserted row has an id and its parents',
    writes('POST /rest/v1/posts?select=id,title,authors(name)', { title: 'New', author_id: 2 }),
    { status: 201, body: [{ id: 4, title: 'New', authors: { name: 'Bob' } }] },
  ],
  [
    'an insert answers nothing unless it is asked',
    writes('POST /rest/v1/posts', [{ title: 'A' }, { title: 'B' }], 'count=exact'),
    { status: 201, headers: { 'content-range': '*/2' }, body: '' },
  ],
  [
    'an insert names the new row on request',
    writes('POST /rest/v1/posts', { id: 9 }, 'return=headers-only'),
    { status: 201, headers: { location: /\/rest\/v1\/posts\?id=eq\.9$/ }, body: '' },
  ],
  [
    'an upsert merges and inserts',
    writes(
      'POST /rest/v1/posts?select=id,title,views',
      [
        { id: 2, title: 'Changed' },
        { id: 7, title: 'Seventh' },
      ],
      'return=representation,resolution=merge-duplicates',
    ),
    {
      status: 201,
      body: [
        { id: 2, title: 'Changed', views: 20 },
        { id: 7, title: 'Seventh', views: null },
      ],
    },
  ],
  [
    'duplicates are ignored on request',
    writes(
      'POST /rest/v1/authors',
      { id: 1, name: 'X' },
      'return=representation,resolution=ignore-duplicates',
    ),
    { status: 201, body: [] },
  ],
  [
    'an update changes the rows that it finds',
    writes('PATCH /rest/v1/posts?author_id=eq.1&select=id,views&order=id.desc', { views: 5 }),
    {
      status: 200,
      headers: { 'content-range': '0-1/*' },
      body: [
        { id: 3, views: 5 },
        { id: 1, views: 5 },
      ],
    },
  ],
  [
    'references follow a changed key',
    [
      writes('PATCH /rest/v1/posts?id=eq.1', { id: 11 }),
      'GET /rest/v1/comments?select=post_id&id=eq.c1',
    ],
    { status: 200, body: [{ post_id: 11 }] },
  ],
  [
    'PUT inserts the row of its key',
    writes('PUT /rest/v1/authors?id=eq.5', { id: 5, name: 'Eve' }),
    { status: 201, body: [{ id: 5, name: 'Eve', joined: null }] },
  ],
  [
    'rows of a join table have no id',
    [
      writes('POST /rest/v1/post_labels', { post_id: 3, label_id: 2 }),
      'GET /rest/v1/post_labels?post_id=eq.3',
    ],
    { status: 200, body: [{ post_id: 3, label_id: 2 }] },
  ],
  [
    'a row of a join table is removed',
    [
      { request: 'DELETE /rest/v1/post_labels?post_id=eq.1&label_id=eq.2' },
      'GET /rest/v1/post_labels?select=label_id&post_id=eq.1',
    ],
    { status: 200, body: [{ label_id: 1 }] },
  ],
  [
    'dependent rows are removed with a row',
    [
      writes('DELETE /rest/v1/posts?id=eq.1&select=id,comments(id)', undefined),
      'GET /rest/v1/comments?select=id',
    ],
    { status: 200, body: [{ id: 'c3' }] },
  ],
  [
    'a removed row is answered with its related rows',
    writes('DELETE /rest/v1/posts?id=eq.1&select=id,comments(id)', undefined),
    { status: 200, body: [{ id: 1, comments: [{ id: 'c1' }, { id: 'c2' }] }] },
  ],
  [
    'CSV is inserted',
    {
      request: 'POST /rest/v1/authors?select=id,name',
      headers: { 'content-type': 'text/csv', prefer: 'return=representation' },
      body: 'id,name\n8,"Doe, J."\n9,NULL',
    },
    {
      status: 201,
      body: [
        { id: 8, name: 'Doe, J.' },
        { id: 9, name: null },
      ],
    },
  ],
  [
    'a rolled back write changes nothing',
    [writes('DELETE /rest/v1/posts', undefined, 'tx=rollback'), 'HEAD /rest/v1/posts'],
    { status: 200, headers: { 'content-range': '0-2/*' } },
  ],
  [
    'a singleton is updated',
    [writes('PATCH /rest/v1/settings', { theme: 'light' }), 'GET /rest/v1/settings'],
    { status: 200, body: [{ theme: 'light' }] },
  ],
])

contract('supabase: errors', blog, [
  ...(['GET accept-profile', 'POST content-profile'] as const).map((one): Row => {
    const [method = '', header = ''] = one.split(' ')
    const request = { request: `${method} /rest/v1/posts`, headers: { [header]: 'nope' } }
    const hint = 'Only the following schemas are exposed: public'
    const body = { code: 'PGRST106', details: null, hint, message: 'Invalid schema: nope' }
    return [`an unknown schema in ${header}`, request, { status: 406, body }]
  }),
  [
    'the schema public',
    { request: 'GET /rest/v1/posts?select=id&id=eq.1', headers: { 'accept-profile': 'public' } },
    { status: 200, body: [{ id: 1 }] },
  ],
  refuses(
    'an unknown table',
    'GET /rest/v1/post',
    404,
    'PGRST205',
    "Could not find the table 'public.post' in the schema cache",
  ),
  refuses(
    'an unknown column',
    'GET /rest/v1/posts?nope=eq.1',
    400,
    '42703',
    'column posts.nope does not exist',
  ),
  refuses(
    'a malformed value',
    'GET /rest/v1/posts?id=eq.x',
    400,
    '22P02',
    'invalid input syntax for type integer: "x"',
  ),
  refuses(
    'an unknown operator',
    'GET /rest/v1/posts?id=is.big',
    400,
    'PGRST100',
    '"failed to parse filter (is.big)" (line 1, column 4)',
  ),
  refuses(
    'an unknown relationship',
    'GET /rest/v1/posts?select=settings(*)',
    400,
    'PGRST200',
    "Could not find a relationship between 'posts' and 'settings' in the schema cache",
  ),
  refuses(
    'an aggregate',
    'GET /rest/v1/posts?select=views.sum()',
    400,
    'PGRST123',
    'Use of aggregate functions is not allowed',
  ),
  refuses(
    'an expression that could take exponential time',
    'GET /rest/v1/posts?title=match.(a)%5C1',
    400,
    '2201B',
    'invalid regular expression: it has a backreference',
  ),
  refuses(
    'an unknown column of a body',
    writes('POST /rest/v1/posts', { nope: 1 }),
    400,
    'PGRST204',
    "Could not find the 'nope' column of 'posts' in the schema cache",
  ),
  refuses(
    'a taken key',
    writes('POST /rest/v1/posts', { id: 1 }),
    409,
    '23505',
    'duplicate key value violates unique constraint "posts_pkey"',
  ),
  refuses(
    'a missing parent',
    writes('POST /rest/v1/posts', { author_id: 99 }),
    409,
    '23503',
    'insert or update on table "posts" violates foreign key constraint "posts_author_id_fkey"',
  ),
  refuses(
    'a malformed body',
    writes('POST /rest/v1/posts', '}{'),
    400,
    'PGRST102',
    'Empty or invalid json',
  ),
  refuses(
    'more rows than allowed',
    writes('DELETE /rest/v1/posts', undefined, 'handling=strict, max-affected=1'),
    400,
    'PGRST124',
    'Query result exceeds max-affected preference constraint',
  ),
])

const declared: Row[] = [
  [
    'a table without rows has the declared columns',
    writes('POST /rest/v1/tasks', { title: 'Do' }),
    { status: 201, body: [{ id: 1, title: 'Do', done: false, due: null }] },
  ],
  refuses(
    'a required column',
    writes('POST /rest/v1/tasks', { done: true }),
    400,
    '23502',
    'null value in column "title" of relation "tasks" violates not-null constraint',
  ),
  refuses(
    'a value that the schema forbids',
    writes('POST /rest/v1/tasks', { title: '' }),
    400,
    '23514',
    'Failed to write to "tasks": title has to have 1 or more characters.',
  ),
  refuses(
    'a malformed date',
    'GET /rest/v1/tasks?due=gt.soon',
    400,
    '22007',
    'invalid input syntax for type timestamp with time zone: "soon"',
  ),
  [
    'a taken unique value is refused',
    [
      writes('POST /rest/v1/tasks', { title: 'Do' }),
      writes('POST /rest/v1/tasks', { title: 'Do' }),
    ],
    {
      status: 409,
      body: {
        code: '23505',
        message: 'duplicate key value violates unique constraint "tasks_title_key"',
        details: 'Key (title)=(Do) already exists.',
        hint: null,
      },
    },
  ],
]

contract(
  'supabase: declared tables',
  () => ({
    dialect: supabase,
    fixtures: { tasks: [] },
    resources: { tasks: { unique: ['title'] } },
    use: [
      schema({
        tasks: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            title: { type: 'string', minLength: 1 },
            done: { type: 'boolean', default: false },
            due: { type: ['string', 'null'], format: 'date-time' },
          },
          required: ['id', 'title'],
          additionalProperties: false,
        },
      }),
    ],
  }),
  declared,
)

const basic = (name: string) => ({ authorization: `Basic ${btoa(`${name}:x`)}` })

contract(
  'supabase: owners',
  () => ({
    dialect: supabase,
    fixtures: {
      notes: [
        { id: 1, text: 'of Ada', user_id: 1 },
        { id: 2, text: 'of Bo', user_id: 2 },
      ],
      users: [
        { id: 1, name: 'ada', password: 'x', nick: null },
        { id: 2, name: 'bo', password: 'x' },
      ],
    },
    use: [auth({ scheme: 'basic', users: 'users', by: ['name'], owners: { notes: 'user_id' } })],
  }),
  [
    [
      'a user reads own rows',
      { request: 'GET /rest/v1/notes?select=text', headers: basic('ada') },
      { status: 200, body: [{ text: 'of Ada' }] },
    ],
    [
      'a user reads own rows below a parent, without the password',
      { request: 'GET /rest/v1/users?select=*,notes(id)&id=eq.2', headers: basic('ada') },
      { status: 200, body: [{ id: 2, name: 'bo', nick: null, notes: [] }] },
    ],
    [
      'a user changes own rows alone',
      {
        request: 'PATCH /rest/v1/notes?select=id',
        headers: { ...basic('bo'), prefer: 'return=representation' },
        body: { text: 'changed' },
      },
      { status: 200, body: [{ id: 2 }] },
    ],
    [
      'an update keeps the password, which no response has',
      [
        {
          request: 'PATCH /rest/v1/users?id=eq.1',
          headers: basic('ada'),
          body: { nick: 'a' },
        },
        { request: 'GET /rest/v1/users?id=eq.1', headers: basic('ada') },
      ],
      { status: 200, body: [{ id: 1, name: 'ada', nick: 'a' }] },
    ],
    refuses(
      'a row of another user is not inserted',
      {
        request: 'POST /rest/v1/notes',
        headers: basic('bo'),
        body: { text: 'x', user_id: 1 },
      },
      403,
      '42501',
      'Failed to access the record in "notes": it belongs to another user.',
    ),
  ],
)
