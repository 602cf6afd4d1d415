import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { configOf, dataOf, learn, type Short } from './exchanges.ts'

const records = [{ id: 1 }, { id: 2 }]

describe('the configuration', () => {
  const rows: [title: string, expected: unknown, ...exchanges: Short[]][] = [
    ['of an API like rest', {}, ['GET /posts', records]],
    ['with a common prefix', { base: '/api/v1' }, ['GET /api/v1/posts', records]],
    [
      'with a prefix that an answer shares',
      { base: '/api' },
      ['GET /api/posts', records],
      ['GET /api/search?q=x', { hits: 1 }],
    ],
    [
      'without a prefix that an answer lacks',
      {},
      ['GET /api/posts', records],
      ['POST /login', { ok: true }],
    ],
    [
      'with another id field',
      { resources: { posts: { id: '_id' } } },
      ['GET /posts', [{ _id: 'a' }]],
    ],
    [
      'with an id field that paths name',
      { resources: { posts: { id: 'slug' } } },
      ['GET /posts', [{ id: 1, slug: 'hi' }]],
      ['GET /posts/hi', { id: 1, slug: 'hi' }],
    ],
    [
      'with an id field after the collection',
      { resources: { categories: { id: 'category_id' } } },
      ['GET /categories', [{ name: 'A', category_id: 4 }]],
    ],
    [
      'with a relation that values show',
      { resources: { posts: { relations: { writer: 'users' } } } },
      ['GET /users', [{ id: 101 }, { id: 232 }, { id: 343 }]],
      ['GET /posts', [101, 232, 343].map((writer, at) => ({ id: at + 1, writer }))],
    ],
    [
      'with a relation that paths show, and a collection that only they show',
      { resources: { posts: { relations: { by: 'users' }, nested: true } } },
      ['GET /users/4/posts', [{ id: 1, by: 4 }]],
      ['GET /users/5/posts', [{ id: 2, by: 5 }]],
      ['GET /users', [{ id: 4 }, { id: 5 }]],
    ],
    [
      'with names of parameters',
      {
        dialect: {
          rest: {
            parameters: { perPage: 'page[size]', page: 'page[number]', sort: 'ordering' },
            filters: ['$field', 'filter[$field]'],
          },
        },
      },
      ['GET /posts?page[number]=1&page[size]=5&ordering=-id', records],
      ['GET /posts?filter[title]=x', [{ id: 1, title: 'x' }]],
    ],
    [
      'with keys in parentheses',
      {
        base: '/v4',
        resources: { Books: { id: 'ID' }, Tags: { id: 'code' } },
        routes: {
          [String.raw`/Books\(ID=:id\)*`]: '/Books/:id$2',
          [String.raw`/Books\(:id\)*`]: '/Books/:id$2',
          [String.raw`/Tags\(':id'\)*`]: '/Tags/:id$2',
        },
      },
      ['GET /v4/Books(7)', { ID: 7 }],
      ['GET /v4/Books(ID=8)?$expand=author', { ID: 8 }],
      ["GET /v4/Tags('a')", { code: 'a' }],
    ],
    [
      'with the notation of a sort',
      { dialect: { rest: { parameters: { sort: 'sort=$field,$order' } } } },
      ['GET /posts?sort=title,desc', records],
    ],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    expect(configOf(learn(exchanges))).toEqual(expected)
  })
})

describe('envelopes', () => {
  const rows: [title: string, list: Json, expected: unknown][] = [
    [
      'data and meta',
      { data: records, meta: { total: 2 } },
      { data: '$items', meta: { total: '$total' } },
    ],
    ['items and total', { items: records, total: 2 }, { items: '$items', total: '$total' }],
    [
      'a page with numbers',
      { content: records, page: 1, pageSize: 15, totalPages: 1, totalCount: 2 },
      {
        content: '$items',
        page: '$page',
        pageSize: '$limit',
        totalPages: '$pages',
        totalCount: '$total',
      },
    ],
    [
      'a record count of more than the page',
      { data: records, recordCount: 57 },
      { data: '$items', recordCount: '$total' },
    ],
    [
      'a nested list',
      { status: 'ok', data: { items: records, total: 2 } },
      { status: 'ok', data: { items: '$items', total: '$total' } },
    ],
    [
      'the name of the collection',
      { posts: records, count: 2 },
      { $resource: '$items', count: '$count' },
    ],
    [
      'JSON:API',
      {
        data: [{ type: 'posts', id: '1', attributes: {} }],
        links: { next: null },
        jsonapi: { version: '1.0' },
      },
      { data: '$items', links: { next: '$next' }, jsonapi: { version: '1.0' } },
    ],
    [
      'OData',
      { '@odata.context': '$metadata#Posts', '@odata.count': 2, value: records },
      { '@odata.context': '$$metadata#Posts', '@odata.count': '$total', value: '$items' },
    ],
    [
      'HAL',
      { _embedded: { posts: records }, total: 2 },
      { _embedded: { $resource: '$items' }, total: '$total' },
    ],
  ]

  it.each(rows)('%s', (_title, list, expected) => {
    const learned = learn([['GET /posts', list]])
    expect(Object.keys(dataOf(learned))).toEqual(['posts'])
    expect(configOf(learned)).toMatchObject({ dialect: { rest: { list: expected } } })
  })

  const presets: [preset: string, list: Json][] = [
    [
      'laravel',
      {
        data: records,
        links: { first: `/posts?page=1`, last: `/posts?page=1`, prev: null, next: null },
        meta: {
          current_page: 1,
          from: 1,
          last_page: 1,
          path: '/posts',
          per_page: 15,
          to: 2,
          total: 2,
        },
      },
    ],
    ['django-rest-framework', { count: 2, next: null, previous: null, results: records }],
    [
      'spring-data-rest',
      {
        _embedded: {
          posts: [{ title: 'a', _links: { self: { href: 'https://api.shop.test/posts/1' } } }],
        },
        _links: { self: { href: 'https://api.shop.test/posts' } },
        page: { size: 20, totalElements: 1, totalPages: 1, number: 0 },
      },
    ],
    ['nestjsx-crud', { data: records, count: 2, total: 2, page: 1, pageCount: 1 }],
  ]

  it.each(presets)('of %s', (preset, list) => {
    const learned = learn([['GET /posts', list]])
    expect(Object.keys(dataOf(learned))).toEqual(['posts'])
    expect(configOf(learned)).toEqual({ dialect: { rest: { preset } } })
  })

  it('of a record', () => {
    const learned = learn([['GET /posts/1', { data: { id: 1 } }]])
    expect(configOf(learned)).toEqual({ dialect: { rest: { record: { data: '$record' } } } })
  })

  it('of a record, with a dollar sign in a constant', () => {
    const learned = learn([['GET /posts/1', { data: { id: 1 }, meta: { hint: ['$id'] } }]])
    const record = { data: '$record', meta: { hint: ['$$id'] } }
    expect(configOf(learned)).toEqual({ dialect: { rest: { record } } })
  })

  it('without a body after DELETE', () => {
    const learned = learn([
      ['GET /posts', records],
      ['DELETE /posts/1', undefined, { status: 204 }],
    ])
    expect(configOf(learned)).toEqual({ dialect: { rest: { removed: null } } })
  })

  it('take the id of a record from its link', () => {
    const list = presets.find(([preset]) => preset === 'spring-data-rest')?.[1]
    expect(dataOf(learn([['GET /posts', list ?? null]]))).toEqual({
      posts: [{ id: 1, title: 'a' }],
    })
  })
})

describe('errors', () => {
  const rows: [title: string, expected: object, ...exchanges: Short[]][] = [
    [
      'have one body for each kind',
      {
        errors: {
          403: { hint: '$$id', title: '$title' },
          NOT_FOUND: { error: { code: '$status', text: 'No $singular [$id].' } },
          RESOURCE_UNKNOWN: { error: 'Nothing' },
        },
      },
      ['GET /posts/8', { error: { code: 404, text: 'No post [8].' } }, { status: 404 }],
      ['GET /posts/9', { error: { code: 404, text: 'No post [9].' } }, { status: 404 }],
      ['GET /none', { error: 'Nothing' }, { status: 404 }],
      ['GET /posts/7', { hint: '$id', title: 'Forbidden' }, { status: 403 }],
    ],
    [
      'have one body for missing records and paths alike',
      { errors: { 404: { error: 'Nothing' } } },
      ['GET /posts/8', { error: 'Nothing' }, { status: 404 }],
      ['GET /none', { error: 'Nothing' }, { status: 404 }],
    ],
    [
      'share a body but for their texts',
      {
        error: { error: { text: '$detail', code: '$status' } },
        messages: { 401: 'No $$ left', NOT_FOUND: 'No $singular $id' },
        errors: { 403: { hint: 'No' } },
      },
      ['GET /posts/8', { error: { text: 'No post 8', code: 404 } }, { status: 404 }],
      ['GET /posts/6', { error: { text: 'No $ left', code: 401 } }, { status: 401 }],
      ['GET /posts/7', { hint: 'No' }, { status: 403 }],
    ],
    [
      'of lists name no id',
      { errors: { 405: { error: 'No $resource here' } } },
      ['POST /posts', { error: 'No posts here' }, { status: 405, sent: { title: 'x' } }],
    ],
    [
      'of writes are not learned',
      {},
      ['POST /posts', { title: ['Required.'] }, { status: 422, sent: { title: null } }],
    ],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    const { dialect = { rest: {} } } = configOf(learn([['GET /posts', records], ...exchanges]))
    expect(dialect).toEqual({ rest: expected })
  })
})

describe('questions', () => {
  const rows: [title: string, expected: string, ...exchanges: Short[]][] = [
    [
      'name the records that were not seen',
      'posts has 9 records, of which 2 were seen. Please request the other pages.',
      ['GET /posts', { items: records, total: 9 }],
    ],
    [
      'name an id field that no path confirms',
      'The records of posts are identified by "code", which no path confirms.',
      ['GET /posts', [{ code: 'a' }]],
    ],
    [
      'name records without ids',
      'The records of rates have no id, so that its lists are recorded answers.',
      ['GET /rates', [{ from: 'EUR' }]],
    ],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    expect(learn(exchanges).questions.map(({ text }) => text)).toEqual([expected])
  })
})
