import { expect } from 'vitest'

import { auth, fields } from '../../../src/behaviours.ts'
import { graphql } from '../../../src/graphql.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract, type Expected, type Row, type TableRequest } from '../../faces.ts'

const names = 'Justin Beltran Sidney Anjela Amii Corny Berti April Ninnetta Lyndsay'.split(' ')
type Article = [string, rating: number, author: number, published: string | null, isPublic: boolean]
/** The articles of Hasura's documentation, as far as its examples show them. */
const articles: Article[] = [
  ['sit amet', 1, 4, '2017-08-09', true],
  ['a nibh', 3, 2, '2018-06-10', true],
  ['amet justo morbi', 4, 4, '2017-05-26', true],
  ['vestibulum ac est', 2, 5, '2017-03-05', true],
  ['ut blandit', 2, 6, null, false],
  ['sapien ut', 1, 3, '2018-01-08', true],
  ['nisl duis ac', 4, 6, '2016-07-09', true],
  ['donec semper sapien', 3, 10, null, false],
  ['sit amet', 3, 2, '2017-05-16', true],
  ['dui proin leo', 3, 10, null, false],
  ['turpis eget', 3, 3, '2016-02-03', true],
  ['volutpat quam pede', 3, 5, '2016-04-05', true],
  ['vulputate elementum', 4, 8, '2018-03-10', true],
  ['congue etiam justo', 4, 3, null, false],
  ['vel dapibus at', 4, 1, '2018-01-02', true],
  ['sem duis aliquam', 1, 1, '2016-10-11', true],
  ['montes nascetur ridiculus', 5, 5, null, true],
  ['ipsum primis in', 2, 7, null, false],
]
const address = {
  city: 'Bengaluru',
  pincode: 560_095,
  phone_numbers: [9_090_909_090, 8_080_808_080],
}
const fixtures = {
  authors: names.map((name, at) => ({
    id: at + 1,
    name,
    address: at === 0 ? address : null,
    emails: at === 1 ? ['b@x.org'] : [],
  })),
  articles: articles.map(([title, rating, author_id, published_on, is_published], at) => ({
    id: at + 1,
    title,
    rating,
    author_id,
    published_on,
    is_published,
    likes: at === 0 ? 1 : null,
    extra_info:
      at === 0 ? { key: 'value', name: { first: 'a', last: 'b' }, list: ['a', 'b', 'c'] } : null,
  })),
  tags: [{ id: 1, label: 'Recipes' }],
  article_tags: [{ id: 1, article_id: 1, tag_id: 1 }],
  employees: [
    { id: 3, name: 'Ramona', department: 'Engineering', salary: 2334 },
    { id: 5, name: 'Kamila', department: 'Engineering', salary: 4325 },
    { id: 4, name: 'Damien', department: 'Product', salary: 3124 },
    { id: 6, name: 'Jeffrey', department: 'Services', salary: 1121 },
    { id: 7, name: 'Rickard', department: 'Services', salary: 2223 },
  ],
  profile: { theme: 'dark' },
}

const mock = (): MockOptions<Record<string, unknown>> => ({
  fixtures,
  use: [graphql({ names: 'hasura' })],
})

const ask = (query: string, variables?: object): TableRequest => ({
  request: 'POST /graphql',
  headers: { 'content-type': 'application/json' },
  body: { query, ...(variables && { variables }) },
})

const data = (value: unknown): Expected => ({ status: 200, body: { data: value } })

/** A query of a table by `where`, and the ids that it finds. */
function finds(
  title: string,
  table: string,
  where: string,
  ids: number[],
  variables?: object,
): Row {
  const declared = variables ? 'query ($value: jsonb)' : ''
  const query = `${declared} { ${table}(where: ${where}) { id } }`
  return [title, ask(query, variables), data({ [table]: ids.map((id) => ({ id })) })]
}

contract('queries of Hasura', mock, [
  [
    'fetch a list of objects',
    ask('{ authors { id name } }'),
    data({ authors: names.map((name, at) => ({ id: at + 1, name })) }),
  ],
  [
    'fetch an object by its primary key',
    ask('{ authors_by_pk(id: 1) { id name } missing: authors_by_pk(id: 99) { id } }'),
    data({ authors_by_pk: { id: 1, name: 'Justin' }, missing: null }),
  ],
  [
    'fetch a value at a path of a JSON column',
    ask(
      '{ authors_by_pk(id: 1) { address city: address(path: "$.city") phone: address(path: "$.phone_numbers.[0]") } }',
    ),
    data({ authors_by_pk: { address, city: 'Bengaluru', phone: 9_090_909_090 } }),
  ],
  [
    'fetch a nested object by an object relationship',
    ask('{ articles(limit: 2) { id author { name } } }'),
    data({
      articles: [
        { id: 1, author: { name: 'Anjela' } },
        { id: 2, author: { name: 'Beltran' } },
      ],
    }),
  ],
  [
    'fetch nested objects by an array relationship',
    ask('{ authors(limit: 1) { articles { id title } } }'),
    data({
      authors: [
        {
          articles: [
            { id: 15, title: 'vel dapibus at' },
            { id: 16, title: 'sem duis aliquam' },
          ],
        },
      ],
    }),
  ],
  [
    'aggregate a table',
    ask(
      '{ articles_aggregate(where: { id: { _lte: 10 } }) { aggregate { count sum { rating } avg { rating } max { rating } min { title } } nodes { id } } }',
    ),
    data({
      articles_aggregate: {
        aggregate: {
          count: 10,
          sum: { rating: 26 },
          avg: { rating: 2.6 },
          max: { rating: 4 },
          min: { title: 'a nibh' },
        },
        nodes: Array.from({ length: 10 }, (_, at) => ({ id: at + 1 })),
      },
    }),
  ],
  [
    'aggregate nested objects',
    ask(
      '{ authors(where: { id: { _eq: 1 } }) { articles_aggregate { aggregate { count avg { rating } max { rating } } nodes { rating } } } }',
    ),
    data({
      authors: [
        {
          articles_aggregate: {
            aggregate: { count: 2, avg: { rating: 2.5 }, max: { rating: 4 } },
            nodes: [{ rating: 4 }, { rating: 1 }],
          },
        },
      ],
    }),
  ],
  [
    'count values other than null, and distinct ones',
    ask(
      '{ articles_aggregate { aggregate { a: count(columns: published_on) b: count(columns: rating, distinct: true) } } }',
    ),
    data({ articles_aggregate: { aggregate: { a: 12, b: 5 } } }),
  ],
  [
    'have null for aggregates of no rows',
    ask(
      '{ articles_aggregate(where: { id: { _eq: 0 } }) { aggregate { count sum { rating } max { title } } } }',
    ),
    data({
      articles_aggregate: { aggregate: { count: 0, sum: { rating: null }, max: { title: null } } },
    }),
  ],
  [
    'sort objects',
    ask('{ authors(order_by: { name: asc }, limit: 3) { name } }'),
    data({ authors: [{ name: 'Amii' }, { name: 'Anjela' }, { name: 'April' }] }),
  ],
  [
    'sort nested objects',
    ask('{ authors(where: { id: { _eq: 5 } }) { articles(order_by: { rating: desc }) { id } } }'),
    data({ authors: [{ articles: [{ id: 17 }, { id: 12 }, { id: 4 }] }] }),
  ],
  [
    'sort by the columns of an object relationship',
    ask('{ articles(order_by: { author: { id: desc } }, limit: 3) { author { id } } }'),
    data({ articles: [{ author: { id: 10 } }, { author: { id: 10 } }, { author: { id: 8 } }] }),
  ],
  [
    'sort by the count of an array relationship',
    ask(
      '{ authors(order_by: [{ articles_aggregate: { count: desc } }, { id: asc }], limit: 3) { id } }',
    ),
    data({ authors: [{ id: 3 }, { id: 5 }, { id: 1 }] }),
  ],
  [
    'sort by an aggregate of an array relationship',
    ask(
      '{ authors(order_by: { articles_aggregate: { max: { rating: asc_nulls_last } } }) { id articles_aggregate { aggregate { max { rating } } } } }',
    ),
    data({
      authors: [
        [7, 2],
        [2, 3],
        [10, 3],
        [1, 4],
        [3, 4],
        [4, 4],
        [6, 4],
        [8, 4],
        [5, 5],
        [9, null],
      ].map(([id, rating]) => ({ id, articles_aggregate: { aggregate: { max: { rating } } } })),
    }),
  ],
  [
    'sort by several fields, nulls first',
    ask(
      '{ articles(order_by: [{ rating: desc }, { published_on: asc_nulls_first }], limit: 4) { id } }',
    ),
    data({ articles: [{ id: 17 }, { id: 14 }, { id: 7 }, { id: 3 }] }),
  ],
  [
    'have nulls first in descending order',
    ask('{ articles(order_by: { published_on: desc }, limit: 6, offset: 5) { id } }'),
    data({ articles: [{ id: 18 }, { id: 2 }, { id: 13 }, { id: 6 }, { id: 15 }, { id: 1 }] }),
  ],
  [
    'fetch results with distinct values',
    ask(
      '{ employees(distinct_on: [department], order_by: [{ department: asc }, { salary: desc }]) { id department } }',
    ),
    data({
      employees: [
        { id: 5, department: 'Engineering' },
        { id: 4, department: 'Product' },
        { id: 7, department: 'Services' },
      ],
    }),
  ],
  [
    'limit results from an offset',
    ask('{ authors(limit: 2, offset: 5) { id } }'),
    data({ authors: [{ id: 6 }, { id: 7 }] }),
  ],
  [
    'limit results in a nested object',
    ask('{ authors(where: { id: { _eq: 3 } }) { articles(limit: 2, offset: 1) { id } } }'),
    data({ authors: [{ articles: [{ id: 11 }, { id: 14 }] }] }),
  ],
  [
    'fetch limited results with a total',
    ask(
      'query ($where: articles_bool_exp!) { articles_aggregate(where: $where) { aggregate { totalCount: count } } articles(where: $where, limit: 1) { id } }',
      { where: { title: { _like: '%amet%' } } },
    ),
    data({ articles_aggregate: { aggregate: { totalCount: 3 } }, articles: [{ id: 1 }] }),
  ],
  [
    'take fragments, aliases and directives',
    ask(
      'query ($with: Boolean!) { one: authors_by_pk(id: 1) { ...own } } fragment own on authors { name id @include(if: $with) }',
      { with: false },
    ),
    data({ one: { name: 'Justin' } }),
  ],
  [
    'read a singleton as a row',
    ask('{ profile { theme } }'),
    data({ profile: [{ theme: 'dark' }] }),
  ],
])

const address560 = { value: { pincode: 560_095 } }
contract('filters of Hasura', mock, [
  finds('_eq of an integer', 'authors', '{ id: { _eq: 3 } }', [3]),
  finds('_eq of a text', 'authors', '{ name: { _eq: "Sidney" } }', [3]),
  finds('_eq of a boolean', 'articles', '{ is_published: { _eq: false } }', [5, 8, 10, 14, 18]),
  finds('_eq of a date', 'articles', '{ published_on: { _eq: "2017-05-26" } }', [3]),
  finds('_neq, which null does not pass', 'articles', '{ likes: { _neq: 2 } }', [1]),
  finds(
    '_eq or null',
    'articles',
    '{ _or: [{ id: { _eq: 1 } }, { published_on: { _is_null: true } }] }',
    [1, 5, 8, 10, 14, 17, 18],
  ),
  finds('_gte of an integer', 'articles', '{ rating: { _gte: 4 } }', [3, 7, 13, 14, 15, 17]),
  finds('_gt of a text', 'authors', '{ name: { _gt: "M" } }', [3, 9]),
  finds('_gte of a date', 'articles', '{ published_on: { _gte: "2018-01-01" } }', [2, 6, 13, 15]),
  finds('_lt and _gt', 'articles', '{ rating: { _gt: 1, _lt: 3 } }', [4, 5, 18]),
  finds('_in', 'articles', '{ rating: { _in: [1, 5] } }', [1, 6, 16, 17]),
  finds(
    '_nin',
    'authors',
    '{ name: { _nin: ["Justin", "Sidney", "April"] } }',
    [2, 4, 5, 6, 7, 9, 10],
  ),
  finds('_like', 'articles', '{ title: { _like: "%amet%" } }', [1, 3, 9]),
  finds(
    '_like, which minds case and takes an asterisk as it is',
    'authors',
    '{ name: { _like: "a*" } }',
    [],
  ),
  finds('_ilike', 'authors', '{ name: { _ilike: "a%" } }', [4, 5, 8]),
  finds('_nilike', 'authors', '{ name: { _nilike: "%N%" } }', [5, 7, 8]),
  finds('_similar', 'authors', '{ name: { _similar: "(A|C)%" } }', [4, 5, 6, 8]),
  finds('_nsimilar', 'authors', '{ name: { _nsimilar: "(A|C)%" } }', [1, 2, 3, 7, 9, 10]),
  finds('_regex', 'articles', '{ title: { _regex: "[ae]met" } }', [1, 3, 9]),
  finds('_iregex', 'authors', '{ name: { _iregex: "^a.+a$" } }', [4]),
  finds('_nregex', 'authors', '{ name: { _nregex: "[aeo]" } }', [1, 5, 8]),
  finds('_contains', 'authors', '{ address: { _contains: $value } }', [1], address560),
  finds('_has_key', 'authors', '{ address: { _has_key: "city" } }', [1]),
  finds('_has_keys_any', 'authors', '{ address: { _has_keys_any: ["x", "city"] } }', [1]),
  finds('_has_keys_all', 'authors', '{ address: { _has_keys_all: ["x", "city"] } }', []),
  finds('_is_null', 'articles', '{ likes: { _is_null: false } }', [1]),
  finds(
    '_not, of any nested object',
    'authors',
    '{ _not: { articles: { is_published: { _eq: true } } } }',
    [7, 9, 10],
  ),
  finds('_not, which null does not pass', 'articles', '{ _not: { likes: { _eq: 2 } } }', [1]),
  finds(
    '_and',
    'articles',
    '{ _and: [{ published_on: { _gte: "2017-01-01" } }, { published_on: { _lte: "2017-12-31" } }] }',
    [1, 3, 4, 9],
  ),
  finds(
    '_or',
    'articles',
    '{ _or: [{ rating: { _gt: 4 } }, { published_on: { _gte: "2018-06-01" } }] }',
    [2, 17],
  ),
  finds(
    '_or with an object, which is _and',
    'articles',
    '{ _or: { rating: { _eq: 4 }, id: { _lt: 7 } } }',
    [3],
  ),
  finds('an empty _or', 'authors', '{ _or: [] }', []),
  finds(
    'the field of an object relationship',
    'articles',
    '{ author: { name: { _similar: "A%" } } }',
    [1, 3, 4, 12, 13, 17],
  ),
  finds(
    'any of an array relationship',
    'authors',
    '{ articles: { rating: { _eq: 1 } } }',
    [1, 3, 4],
  ),
  finds(
    'all of an array relationship',
    'authors',
    '{ articles: {}, _not: { articles: { is_published: { _neq: true } } } }',
    [1, 2, 4, 5, 8],
  ),
  finds('nested objects that exist', 'authors', '{ articles: {} }', [1, 2, 3, 4, 5, 6, 7, 8, 10]),
  finds('nested objects that do not exist', 'authors', '{ _not: { articles: {} } }', [9]),
  finds('an empty filter', 'tags', '{}', [1]),
])

const guide = 'Guide on making the best fajitas in the world'
const onLabel = 'on_conflict: { constraint: tags_label_key, update_columns: [label] }'
contract('inserts of Hasura', mock, [
  [
    'a single object',
    ask(
      'mutation ($object: articles_insert_input!) { insert_articles_one(object: $object) { id title author { name } } }',
      { object: { title: 'Article 1', author_id: 3 } },
    ),
    data({ insert_articles_one: { id: 19, title: 'Article 1', author: { name: 'Sidney' } } }),
  ],
  [
    'multiple objects',
    ask(
      'mutation { insert_articles(objects: [{ title: "a", author_id: 4 }, { title: "b" }]) { affected_rows returning { id title } } }',
    ),
    data({
      insert_articles: {
        affected_rows: 2,
        returning: [
          { id: 19, title: 'a' },
          { id: 20, title: 'b' },
        ],
      },
    }),
  ],
  [
    'an object along with those that reference it',
    ask(
      'mutation { insert_authors(objects: [{ name: "John", articles: { data: [{ title: "c" }, { title: "d" }] } }]) { affected_rows returning { id articles { id author_id } } } }',
    ),
    data({
      insert_authors: {
        affected_rows: 3,
        returning: [
          {
            id: 11,
            articles: [
              { id: 19, author_id: 11 },
              { id: 20, author_id: 11 },
            ],
          },
        ],
      },
    }),
  ],
  [
    'an object and the object that it references',
    ask(
      'mutation { insert_articles(objects: [{ title: "Article 1", author: { data: { name: "Cory" } } }]) { affected_rows returning { id author { id name } } } }',
    ),
    data({
      insert_articles: {
        affected_rows: 2,
        returning: [{ id: 19, author: { id: 11, name: 'Cory' } }],
      },
    }),
  ],
  [
    'an object along with many-to-many related objects, some of which exist',
    ask(
      `mutation { insert_articles(objects: [{ title: "How to make fajitas", author_id: 3, extra_info: "${guide}",
        article_tags: { data: [{ tag: { data: { label: "Recipes" }, ${onLabel} } }, { tag: { data: { label: "Cooking" }, ${onLabel} } }] }
      }]) { affected_rows returning { id extra_info article_tags { tag { id label } } } } }`,
    ),
    data({
      insert_articles: {
        affected_rows: 5,
        returning: [
          {
            id: 19,
            extra_info: guide,
            article_tags: [
              { tag: { id: 1, label: 'Recipes' } },
              { tag: { id: 2, label: 'Cooking' } },
            ],
          },
        ],
      },
    }),
  ],
  [
    'an object with a JSON field, and an array as a literal',
    ask(
      'mutation ($address: jsonb, $emails: _text) { insert_authors_one(object: { name: "Ash", address: $address, emails: $emails }) { address emails } }',
      { address: { city: 'Bengaluru' }, emails: '{ash@ash.com, ash123@ash.com}' },
    ),
    data({
      insert_authors_one: {
        address: { city: 'Bengaluru' },
        emails: ['ash@ash.com', 'ash123@ash.com'],
      },
    }),
  ],
  [
    'null for fields that are left out',
    ask('mutation { insert_authors_one(object: { name: "Jeff" }) { id address } }'),
    data({ insert_authors_one: { id: 11, address: null } }),
  ],
  [
    'an upsert of selected columns',
    ask(
      'mutation { insert_articles(objects: [{ title: "a nibh", rating: 5, likes: 9 }], on_conflict: { constraint: articles_title_key, update_columns: [likes] }) { returning { id rating likes } } }',
    ),
    data({ insert_articles: { returning: [{ id: 2, rating: 3, likes: 9 }] } }),
  ],
  [
    'an upsert by the primary key',
    ask(
      'mutation { insert_authors_one(object: { id: 2, name: "Bel" }, on_conflict: { constraint: authors_pkey, update_columns: [name] }) { id name } }',
    ),
    data({ insert_authors_one: { id: 2, name: 'Bel' } }),
  ],
  [
    'an upsert whose filter does not match',
    ask(
      'mutation { insert_articles(objects: [{ title: "a nibh", likes: 9 }], on_conflict: { constraint: articles_title_key, update_columns: [likes], where: { published_on: { _lt: "2018-01-01" } } }) { affected_rows } }',
    ),
    data({ insert_articles: { affected_rows: 0 } }),
  ],
  [
    'an upsert that ignores a conflict',
    ask(
      'mutation { insert_authors(objects: [{ name: "Justin" }], on_conflict: { constraint: authors_name_key, update_columns: [] }) { affected_rows returning { id } } }',
    ),
    data({ insert_authors: { affected_rows: 0, returning: [] } }),
  ],
  [
    'an upsert in a nested object',
    ask(
      'mutation { insert_authors(objects: [{ name: "John", articles: { data: [{ title: "a nibh", likes: 4 }], on_conflict: { constraint: articles_title_key, update_columns: [likes, author_id] } } }]) { affected_rows returning { articles { id likes } } } }',
    ),
    data({
      insert_authors: { affected_rows: 2, returning: [{ articles: [{ id: 2, likes: 4 }] }] },
    }),
  ],
  [
    'a row that an earlier object of the request has',
    ask(
      `mutation { insert_tags(objects: [{ label: "New" }, { label: "New" }], ${onLabel}) { returning { id label } } }`,
    ),
    data({
      insert_tags: {
        returning: [
          { id: 2, label: 'New' },
          { id: 2, label: 'New' },
        ],
      },
    }),
  ],
])

const info = (fieldsOf: unknown): Expected =>
  data({ update_articles: { affected_rows: 1, returning: [{ extra_info: fieldsOf }] } })
const changeInfo = (change: string, variables?: object): TableRequest =>
  ask(
    `mutation ${variables ? '($value: jsonb)' : ''} { update_articles(where: { id: { _eq: 1 } }, ${change}) { affected_rows returning { extra_info } } }`,
    variables,
  )
const list = ['a', 'b', 'c']
const person = { first: 'a', last: 'b' }
contract('updates and deletes of Hasura', mock, [
  [
    'update an object by its primary key',
    ask(
      'mutation { update_articles_by_pk(pk_columns: { id: 5 }, _set: { is_published: true }) { id is_published } }',
    ),
    data({ update_articles_by_pk: { id: 5, is_published: true } }),
  ],
  [
    'return null for an object that does not exist',
    ask(
      'mutation { update_articles_by_pk(pk_columns: { id: 100 }, _set: { likes: 1 }) { id } delete_articles_by_pk(id: 100) { id } }',
    ),
    data({ update_articles_by_pk: null, delete_articles_by_pk: null }),
  ],
  [
    'update objects by their fields',
    ask(
      'mutation ($changes: articles_set_input) { update_articles(where: { rating: { _lte: 1 } }, _set: $changes) { affected_rows returning { id rating is_published } } }',
      { changes: { rating: 2, is_published: false } },
    ),
    data({
      update_articles: {
        affected_rows: 3,
        returning: [1, 6, 16].map((id) => ({ id, rating: 2, is_published: false })),
      },
    }),
  ],
  [
    "update objects by nested objects' fields",
    ask(
      'mutation { update_articles(where: { author: { name: { _eq: "Sidney" } } }, _set: { rating: null }) { affected_rows } }',
    ),
    data({ update_articles: { affected_rows: 3 } }),
  ],
  [
    'update all objects',
    ask('mutation { update_articles(where: {}, _set: { rating: null }) { affected_rows } }'),
    data({ update_articles: { affected_rows: 18 } }),
  ],
  [
    'run several updates',
    ask(
      'mutation { update_articles_many(updates: [{ where: { rating: { _lte: 1 } }, _set: { rating: 4 } }, { where: { rating: { _gte: 4 } }, _set: { likes: 1 } }]) { affected_rows } }',
    ),
    data({ update_articles_many: [{ affected_rows: 3 }, { affected_rows: 9 }] }),
  ],
  [
    'increment and decrement numbers',
    ask(
      'mutation { a: update_articles_by_pk(pk_columns: { id: 1 }, _inc: { likes: 2 }) { likes } b: update_articles_by_pk(pk_columns: { id: 1 }, _inc: { likes: -2 }) { likes } }',
    ),
    data({ a: { likes: 3 }, b: { likes: 1 } }),
  ],
  [
    'append to JSON',
    changeInfo('_append: { extra_info: $value }', { value: { key1: 1 } }),
    info({ key: 'value', name: person, list, key1: 1 }),
  ],
  [
    'prepend to JSON',
    changeInfo('_prepend: { extra_info: $value }', { value: { key: 0, key0: 0 } }),
    info({ key: 'value', key0: 0, name: person, list }),
  ],
  [
    'delete a key of JSON',
    changeInfo('_delete_key: { extra_info: "key" }'),
    info({ name: person, list }),
  ],
  [
    'delete an element of JSON at a path',
    changeInfo('_delete_at_path: { extra_info: ["list", "2"] }'),
    info({ key: 'value', name: person, list: ['a', 'b'] }),
  ],
  [
    'delete a member of JSON at a path',
    changeInfo('_delete_at_path: { extra_info: ["name", "first"] }'),
    info({ key: 'value', name: { last: 'b' }, list }),
  ],
  [
    'delete an element of JSON',
    [
      changeInfo('_set: { extra_info: $value }', { value: list }),
      changeInfo('_delete_elem: { extra_info: 2 }'),
    ],
    info(['a', 'b']),
  ],
  [
    'delete an object by its primary key',
    ask('mutation { delete_articles_by_pk(id: 1) { id title } }'),
    data({ delete_articles_by_pk: { id: 1, title: 'sit amet' } }),
  ],
  [
    'delete objects by their fields',
    ask('mutation { delete_articles(where: { rating: { _lt: 3 } }) { affected_rows } }'),
    data({ delete_articles: { affected_rows: 6 } }),
  ],
  [
    "delete objects by nested objects' fields",
    ask(
      'mutation { delete_articles(where: { author: { name: { _eq: "Corny" } } }) { affected_rows } }',
    ),
    data({ delete_articles: { affected_rows: 2 } }),
  ],
  [
    'delete all objects',
    ask('mutation { delete_articles(where: {}) { affected_rows } }'),
    data({ delete_articles: { affected_rows: 18 } }),
  ],
  [
    'run several mutations in a request',
    ask(
      'mutation { delete_articles(where: { author_id: { _eq: 6 } }) { affected_rows } update_authors(where: { id: { _eq: 6 } }, _set: { name: "Cory" }) { returning { name articles { id } } } }',
    ),
    data({
      delete_articles: { affected_rows: 2 },
      update_authors: { returning: [{ name: 'Cory', articles: [] }] },
    }),
  ],
  [
    'update a singleton',
    ask('mutation { update_profile(where: {}, _set: { theme: "light" }) { returning { theme } } }'),
    data({ update_profile: { returning: [{ theme: 'light' }] } }),
  ],
])

const refused = (message: unknown, code: string, path: string): Expected => ({
  status: 200,
  body: { errors: [{ message, extensions: { path, code } }] },
})
contract(
  'errors of Hasura',
  () => ({
    fixtures: { ...fixtures, users: [{ id: 1, email: 'a', password: 'b' }], secrets: [{ id: 1 }] },
    use: [
      graphql({ names: 'hasura' }),
      auth({ users: 'users', protect: ['secrets'] }),
      fields({ tags: { required: ['label'] } }),
    ],
  }),
  [
    [
      'an unknown field',
      ask('{ authors { nope } }'),
      refused(
        "field 'nope' not found in type: 'authors'",
        'validation-failed',
        '$.selectionSet.authors.selectionSet.nope',
      ),
    ],
    [
      'a comparison with null',
      ask('{ authors(where: { name: { _eq: null } }) { id } }'),
      refused(
        "unexpected null value for type 'String'",
        'validation-failed',
        '$.selectionSet.authors',
      ),
    ],
    [
      'a negative limit',
      ask('{ authors(limit: -1) { id } }'),
      refused('unexpected negative value', 'validation-failed', '$.selectionSet.authors'),
    ],
    [
      'a regular expression that is none',
      ask('{ authors(where: { name: { _regex: "(" } }) { id } }'),
      refused(
        expect.stringContaining('regular expression'),
        'data-exception',
        '$.selectionSet.authors',
      ),
    ],
    [
      'a date that is none',
      ask('{ articles(where: { published_on: { _gt: "soon" } }) { id } }'),
      refused(
        'invalid input syntax for type date: "soon"',
        'data-exception',
        '$.selectionSet.articles',
      ),
    ],
    [
      'a taken id, after which no row of the insert is stored',
      [
        ask(
          'mutation { insert_authors(objects: [{ name: "x" }, { id: 1, name: "y" }]) { affected_rows } }',
        ),
        ask('{ authors_aggregate { aggregate { count } } }'),
      ],
      data({ authors_aggregate: { aggregate: { count: 10 } } }),
    ],
    [
      'a taken id, after which no later mutation runs',
      ask(
        'mutation { insert_authors_one(object: { id: 1 }) { id } delete_authors(where: {}) { affected_rows } }',
      ),
      refused(
        'Uniqueness violation. duplicate key value violates unique constraint "authors_pkey"',
        'constraint-violation',
        '$.selectionSet.insert_authors_one.args.objects',
      ),
    ],
    [
      'a nested insert below an ignored row',
      ask(
        'mutation { insert_authors_one(object: { name: "Justin", articles: { data: [{ title: "x" }] } }, on_conflict: { constraint: authors_name_key }) { id } }',
      ),
      refused(
        'cannot proceed to insert array relation since insert to table "authors" affects zero rows',
        'validation-failed',
        '$.selectionSet.insert_authors_one.args.objects',
      ),
    ],
    [
      'an update without an operator',
      ask('mutation { update_authors(where: {}) { affected_rows } }'),
      refused(
        'at least any one of _set, _inc, _append and other operators is expected',
        'validation-failed',
        '$.selectionSet.update_authors',
      ),
    ],
    [
      'a missing field in a nested insert, of which nothing is stored',
      [
        ask(
          'mutation { insert_articles_one(object: { title: "x", article_tags: { data: [{ tag: { data: { id: 9 } } }] } }) { id } }',
        ),
        ask('{ articles_aggregate { aggregate { count } } }'),
      ],
      data({ articles_aggregate: { aggregate: { count: 18 } } }),
    ],
    [
      'a table that needs a login',
      ask('{ secrets { id } }'),
      refused(expect.any(String), 'access-denied', '$.selectionSet.secrets'),
    ],
  ],
)
