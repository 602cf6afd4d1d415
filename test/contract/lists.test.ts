import { expect } from 'vitest'

import { writeCursor } from '../../src/core/query/cursor.ts'
import { contract, type Row } from '../faces.ts'

const mixed = [
  { id: 1, value: 'b', by: { name: 'Bo' } },
  { id: 2, by: { name: 'Al' } },
  { id: 3, value: 10, by: { name: 'Bo' } },
  { id: 4, value: null, by: { name: 'Cy' } },
  { id: 5, value: 'B', by: { name: 'Al' } },
  { id: 6, value: 9, by: { name: 'Bo' } },
  { id: 7, value: 'a', by: { name: 'Al' } },
]

const numbered = Array.from({ length: 23 }, (_, at) => ({ id: at + 1, text: `Text ${at % 3}` }))

const given = (): { fixtures: Record<string, unknown> } => ({ fixtures: { mixed, numbered } })

/** Rows of requests, and the ids that they answer, in their order. */
function orders(rows: [title: string, search: string, ids: number[]][]): Row[] {
  return rows.map(([title, search, ids]) => [
    title,
    `GET /mixed?${search}`,
    {
      status: 200,
      headers: { 'x-total-count': String(mixed.length), 'content-range': null, link: null },
      body: ids.map((id) => mixed.find((record) => record.id === id)),
    },
  ])
}

contract(
  'an order',
  given,
  orders([
    [
      'puts numbers before texts by code unit, and nothing last',
      '_sort=value',
      [6, 3, 5, 7, 1, 2, 4],
    ],
    ['falls with a minus, nothing still last', '_sort=-value', [1, 7, 5, 3, 6, 2, 4]],
    ['falls with an order in capitals', '_sort=value&_order=DESC', [1, 7, 5, 3, 6, 2, 4]],
    ['has spaces behind its commas', '_sort=by.name,%20-id', [7, 5, 2, 6, 3, 1, 4]],
    ['falls with an order beside it', '_sort=value&_order=desc', [1, 7, 5, 3, 6, 2, 4]],
    ['is by several fields', '_sort=by.name,-id', [7, 5, 2, 6, 3, 1, 4]],
    ['has an order for each field', '_sort=by.name,id&_order=desc,asc', [4, 1, 3, 6, 2, 5, 7]],
    ['rises where an order is left out', '_sort=by.name,id&_order=desc', [4, 1, 3, 6, 2, 5, 7]],
    ['leaves equals in their order', '_sort=by.name', [2, 5, 7, 1, 3, 6, 4]],
    ['leaves equals in their order when it falls', '_sort=-by.name', [4, 1, 3, 6, 2, 5, 7]],
    ['may be repeated', '_sort=by.name&_sort=-id', [7, 5, 2, 6, 3, 1, 4]],
    ['is that of the file where none is asked for', '', [1, 2, 3, 4, 5, 6, 7]],
  ]),
)

const albums = [
  { id: 1, tracks: [{ length: 3 }, { length: 1 }, { length: 1 }] },
  { id: 2, tracks: [{ length: 5 }] },
  { id: 3, tracks: [[{ length: 1 }], []] },
]

/** Rows of paths to sort by, and the ids in their order. */
function sortsAlbums(rows: [title: string, path: string, ids: number[]][]): Row[] {
  return rows.map(([title, path, ids]) => [
    title,
    `GET /albums?_sort=${path}&_fields=id`,
    { status: 200, body: ids.map((id) => ({ id })) },
  ])
}

contract(
  'an order by a field inside lists',
  () => ({ fixtures: { albums } }),
  sortsAlbums([
    ['is that of the first element', 'tracks.length', [3, 1, 2]],
    ['is that of the element at an index', 'tracks.1.length', [1, 2, 3]],
  ]),
)

contract('an order by what there is not', given, [
  [
    'is none where nothing is named',
    'GET /mixed?_sort=,&_fields=,&_embed=',
    { status: 200, headers: { 'x-mock-ignored': null }, body: mixed },
  ],
  [
    'is ignored, and told',
    'GET /mixed?_sort=nope',
    { status: 200, headers: { 'x-mock-ignored': '_sort' }, body: mixed },
  ],
  ['is no order', 'GET /mixed?_sort=id&_order=up', refused('_order', 'has to be asc or desc')],
])

/** Rows of requests for a page of 23 records: what is in it, its range, and its links by relation. */
function pages(
  rows: [title: string, search: string, ids: number[], range: string, links: string][],
): Row[] {
  return rows.map(([title, search, ids, range, links]) => [
    title,
    `GET /numbered?${search}`,
    {
      status: 200,
      headers: {
        'x-total-count': '23',
        'content-range': `numbered ${range}/23`,
        link: toLink(links),
      },
      body: numbered.filter(({ id }) => ids.includes(id)),
    },
  ])
}

/** `next: _page=2&_limit=5` a line, as the header has it. */
function toLink(links: string): string {
  return links
    .split(', ')
    .map((link) => link.split(': '))
    .map(([relation, search]) => `<http://mock.test/numbered?${search}>; rel="${relation}"`)
    .join(', ')
}

function upTo(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

contract(
  'a page',
  given,
  pages([
    [
      'has ten records',
      '_page=1',
      upTo(1, 10),
      '0-9',
      'first: _page=1, next: _page=2, last: _page=3',
    ],
    [
      'is of a size',
      '_page=2&_limit=5',
      upTo(6, 10),
      '5-9',
      'first: _page=1&_limit=5, prev: _page=1&_limit=5, next: _page=3&_limit=5, last: _page=5&_limit=5',
    ],
    [
      'is shorter at the end',
      '_page=3',
      upTo(21, 23),
      '20-22',
      'first: _page=1, prev: _page=2, last: _page=3',
    ],
    ['is empty past the end', '_page=9', [], '*', 'first: _page=1, prev: _page=3, last: _page=3'],
    [
      'keeps a parameter that is called as every object has something',
      'constructor=x&_page=9',
      [],
      '*',
      'first: constructor=x&_page=1, prev: constructor=x&_page=3, last: constructor=x&_page=3',
    ],
    [
      'is a part from a start to an end',
      '_start=5&_end=8',
      upTo(6, 8),
      '5-7',
      'first: _start=0&_end=3, prev: _start=2&_end=5, next: _start=8&_end=11, last: _start=21&_end=24',
    ],
    [
      'is a part from a start with a size',
      '_start=20&_limit=5',
      upTo(21, 23),
      '20-22',
      'first: _start=0&_limit=5, prev: _start=15&_limit=5, last: _start=20&_limit=5',
    ],
    [
      'is a part from the second record on',
      '_start=1&_limit=2',
      [2, 3],
      '1-2',
      'first: _start=0&_limit=2, prev: _start=0&_limit=2, next: _start=3&_limit=2, last: _start=22&_limit=2',
    ],
    [
      'is a part up to the end',
      '_start=18&_limit=5',
      upTo(19, 23),
      '18-22',
      'first: _start=0&_limit=5, prev: _start=13&_limit=5, last: _start=20&_limit=5',
    ],
    [
      'is a part past the end',
      '_start=90&_limit=5',
      [],
      '*',
      'first: _start=0&_limit=5, prev: _start=20&_limit=5, last: _start=20&_limit=5',
    ],
    [
      'is the first part of a size',
      '_limit=2',
      [1, 2],
      '0-1',
      'first: _limit=2&_start=0, next: _limit=2&_start=2, last: _limit=2&_start=22',
    ],
  ]),
)

contract('a list from a start', given, [
  [
    'goes on to the end',
    'GET /numbered?_start=20',
    {
      status: 200,
      headers: { 'x-total-count': '23', 'content-range': null, link: null },
      body: numbered.slice(20),
    },
  ],
])

contract(
  'a page of children',
  () => ({ fixtures: { posts: [{ id: 1 }], comments: [{ id: 1, postId: 1 }] } }),
  [
    [
      'is counted in their name',
      'GET /posts/1/comments/?_limit=1',
      { status: 200, headers: { 'content-range': 'comments 0-0/1' } },
    ],
  ],
)

contract('a page of no records', given, [
  [
    'leads nowhere',
    'GET /numbered?_limit=0',
    {
      status: 200,
      headers: { 'x-total-count': '23', 'content-range': 'numbered */23', link: null },
      body: [],
    },
  ],
])

contract('a page of json-server 1', given, [
  [
    'is an envelope',
    'GET /numbered?_page=2&_per_page=10',
    {
      status: 200,
      body: {
        first: 1,
        prev: 1,
        next: 3,
        last: 3,
        pages: 3,
        items: 23,
        data: numbered.slice(10, 20),
      },
    },
  ],
  [
    'is empty past the end',
    'GET /numbered?_page=4&_per_page=10',
    {
      status: 200,
      body: { first: 1, prev: 3, next: null, last: 3, pages: 3, items: 23, data: [] },
    },
  ],
  [
    'is the only one of no records',
    'GET /numbered?_page=1&_per_page=10&text=nope',
    {
      status: 200,
      body: { first: 1, prev: null, next: null, last: 1, pages: 1, items: 0, data: [] },
    },
  ],
])

contract('a page that there cannot be', given, [
  ['is the one before the first', 'GET /numbered?_page=0', refused('_page', whole(1))],
  ['is no number', 'GET /numbered?_page=x', refused('_page', whole(1))],
  ['is a number in other words', 'GET /numbered?_page=1e0', refused('_page', whole(1))],
  ['is too far away', `GET /numbered?_start=${'9'.repeat(20)}`, refused('_start', whole(0))],
  ['is half a page', 'GET /numbered?_page=1.5', refused('_page', whole(1))],
  ['is less than nothing', 'GET /numbered?_limit=-1', refused('_limit', whole(0))],
  ['begins nowhere', 'GET /numbered?_start=', refused('_start', whole(0))],
  ['ends nowhere', 'GET /numbered?_start=1&_end=z', refused('_end', whole(0))],
  ['has no records', 'GET /numbered?_page=1&_per_page=0', refused('_per_page', whole(1))],
  [
    'has a cursor of another order',
    `GET /numbered?_sort=text&_cursor=${writeCursor({ values: [], ordinal: 1 })}`,
    refused('_cursor', expect.stringMatching(/^is not a cursor for this sort order/)),
  ],
  ...['5', '["x"]', 'null'].map((text): Row => [
    `has a cursor that holds ${text}`,
    `GET /numbered?_cursor=${text.replaceAll(/\W/g, (sign) => `-${sign.charCodeAt(0).toString(36)}-`)}`,
    refused('_cursor', expect.stringMatching(/^is not a cursor for this sort order/)),
  ]),
])

function whole(least: number): string {
  return `has to be a whole number of at least ${least}`
}

function refused(parameter: string, reason: unknown): Row[2] {
  return { status: 400, body: expect.objectContaining({ errors: { [parameter]: reason } }) }
}

contract('a page of a page', given, [
  [
    'counts what the filters leave',
    'GET /numbered?text=Text+1&_page=2&_limit=3',
    {
      status: 200,
      headers: { 'x-total-count': '8', 'content-range': 'numbered 3-5/8' },
      body: [11, 14, 17].map((id) => ({ id, text: 'Text 1' })),
    },
  ],
  [
    'is taken from the order',
    'GET /mixed?_sort=-value&_limit=2',
    { status: 200, body: [mixed[0], mixed[6]] },
  ],
])

contract('a cursor', given, [
  [
    'begins the list',
    'GET /numbered?_cursor=&_limit=2',
    {
      status: 200,
      headers: {
        'content-range': null,
        'x-total-count': '23',
        link: /^<http:\/\/mock\.test\/numbered\?_cursor=&_limit=2>; rel="first", <http:\/\/mock\.test\/numbered\?_cursor=[\w-]+&_limit=2>; rel="next"$/,
      },
      body: numbered.slice(0, 2),
    },
  ],
  ['hands out ten records', 'GET /numbered?_cursor=', { status: 200, body: numbered.slice(0, 10) }],
  [
    'goes on with as many',
    `GET /numbered?_cursor=${writeCursor({ values: [], ordinal: 1 })}&_limit=2`,
    { status: 200, headers: { link: /rel="next"/ }, body: numbered.slice(2, 4) },
  ],
  [
    'ends it without another',
    'GET /numbered?_cursor=&_limit=23',
    {
      status: 200,
      headers: { link: '<http://mock.test/numbered?_cursor=&_limit=23>; rel="first"' },
      body: numbered,
    },
  ],
])

const notes = [
  { id: 1, title: 'Rain', tags: ['Wet', { deep: ['SNOW'] }] },
  { id: 20, title: 'Sun', isWarm: true, size: 3.5 },
  { id: 3, title: null, rain: 'no' },
]

contract(
  'a search',
  () => ({ fixtures: { notes } }),
  (
    [
      ['finds a text, whatever its case', 'q=rAIN', [1]],
      ['finds at any depth', 'q=snow', [1]],
      ['finds in numbers', 'q=3.5', [20]],
      ['finds in ids', 'q=20', [20]],
      ['finds in booleans', 'q=true', [20]],
      ['finds no names of fields', 'q=title', []],
      ['finds all with nothing', 'q=', [1, 20, 3]],
      ['goes with filters', 'q=n&id=20', [20]],
    ] satisfies [string, string, number[]][]
  ).map(([title, search, ids]): Row => [
    title,
    `GET /notes?${search}`,
    { status: 200, body: notes.filter(({ id }) => ids.includes(id)) },
  ]),
)

const nested = {
  posts: [
    { id: 1, title: 'a', by: { name: 'Bo', age: 3 }, list: [{ x: 1, y: 2 }, { y: 3 }, 4] },
    { id: 2, 'by.name': 'dotted', by: null },
  ],
}

contract('chosen fields', () => ({ fixtures: nested }), [
  [
    'are all that a list has',
    'GET /posts?_fields=id,title',
    { status: 200, body: [{ id: 1, title: 'a' }, { id: 2 }] },
  ],
  [
    'are all that a member has',
    'GET /posts/1?_fields=title',
    { status: 200, body: { title: 'a' } },
  ],
  [
    'are repeated',
    'GET /posts/1?_fields=title&_fields=id',
    { status: 200, body: { id: 1, title: 'a' } },
  ],
  [
    'are several inside of one',
    'GET /posts/1?_fields=list.y,list.x',
    { status: 200, body: { list: [{ x: 1, y: 2 }, { y: 3 }, 4] } },
  ],
  [
    'are inside of others',
    'GET /posts/1?_fields=by.age,list.y',
    { status: 200, body: { by: { age: 3 }, list: [{ y: 2 }, { y: 3 }, 4] } },
  ],
  [
    'have dots in their names',
    'GET /posts?_fields=by.name',
    { status: 200, body: [{}, { 'by.name': 'dotted' }] },
  ],
])
