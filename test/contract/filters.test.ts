import { expect } from 'vitest'

import { contract, type Row } from '../faces.ts'

const films = [
  { id: 1, title: 'Alien', year: 1979, tags: ['space', 'fear'], cast: { lead: { age: 29 } } },
  { id: 2, title: 'Brazil', year: 1985, tags: ['Dystopia'], rating: null, isOld: true },
  {
    id: 3,
    title: 'alien 3',
    year: 1992,
    tags: [],
    rating: 6.5,
    reviews: [{ by: 'ann' }, { by: 'bo' }],
  },
  { id: 4, title: '100%_pure', year: '1985', rating: 'null', isOld: false },
  { id: 5, title: '', year: -1, rating: 0, reviews: [{ by: 'cy' }], 'cast.lead': 'dotted' },
]

/** Rows of requests to the films, and the ids of those that they find. */
function finds(rows: [title: string, search: string, ids: number[]][]): Row[] {
  return rows.map(([title, search, ids]) => [
    title,
    `GET /films?${search}`,
    {
      status: 200,
      headers: { 'x-total-count': String(ids.length), 'x-mock-ignored': null },
      body: films.filter(({ id }) => ids.includes(id)),
    },
  ])
}

/** Rows of requests that are refused, and what is said of which parameter. */
function refuses(rows: [title: string, search: string, parameter: string, words: RegExp][]): Row[] {
  return rows.map(([title, search, parameter, words]) => [
    title,
    `GET /films?${search}`,
    {
      status: 400,
      headers: { 'content-type': /^application\/problem\+json/ },
      body: expect.objectContaining({
        detail: expect.stringMatching(new RegExp(`^Failed to read "${parameter}": `)),
        errors: { [parameter]: expect.stringMatching(words) },
      }),
    },
  ])
}

const given = (): { fixtures: object } => ({ fixtures: { films } })
const tree = (where: unknown): string => `_where=${encodeURIComponent(JSON.stringify(where))}`

contract(
  'a field and its value',
  given as () => { fixtures: Record<string, unknown> },
  finds([
    ['finds equal texts, of which the case counts', 'title=Alien', [1]],
    ['finds a number by how it is written', 'year=1979', [1]],
    ['finds numbers and texts of one spelling', 'year=1985', [2, 4]],
    ['finds numbers by their value', 'year=1979.0', [1]],
    ['finds any of several values', 'title=Alien&title=Brazil', [1, 2]],
    ['finds the empty text', 'title=', [5]],
    ['finds booleans', 'isOld=false', [4]],
    ['finds null, also as a text, and not what is missing', 'rating=null', [2, 4]],
    ['reaches inside', 'cast.lead.age=29', [1]],
    ['reaches through lists', 'reviews.by=bo', [3]],
    ['finds an element of a list by its index', 'reviews.0.by=bo', []],
    ['finds any element of a list', 'tags=fear', [1]],
    ['finds a key that contains dots', 'cast.lead=dotted', [5]],
    ['ignores values that are not numbers', 'year=abc', []],
    ['goes with others, all of which have to hold', 'isOld=true&year=1985', [2]],
    ['reads a plus as a space, and escapes', 'title=alien+3&title=%42razil', [2, 3]],
    ['finds ids as exact texts', 'id=1&id=02', [1]],
    ['matches a comma literally', 'title=Alien,Brazil', []],
    ['may be longer than a pattern', `title=${'a'.repeat(1001)}`, []],
    ['accepts brackets after the name', 'title[]=Alien&title[1]=Brazil', [1, 2]],
  ]),
)

contract(
  'an operator',
  given as () => { fixtures: Record<string, unknown> },
  finds([
    ['compares as equal', 'title:eq=Alien', [1]],
    ['is taken behind an underscore', 'title_eq=Alien', [1]],
    ['finds what is not equal, missing fields included', 'rating:ne=null', [1, 3, 5]],
    ['finds what is not equal to any of several', 'title:ne=Alien&title:ne=Brazil', [3, 4, 5]],
    ['finds what no element of a list is equal to', 'tags:ne=space', [2, 3, 4, 5]],
    ['finds what is less', 'year:lt=1985', [1, 5]],
    ['finds what is less or equal', 'year:lte=1985', [1, 2, 4, 5]],
    ['finds what is greater', 'year:gt=1979', [2, 3, 4]],
    ['finds what is greater or equal', 'year_gte=1985', [2, 3, 4]],
    ['finds what lies between', 'year:gte=1980&year:lt=1990', [2, 4]],
    ['wants all of repeated bounds', 'year:gt=0&year:gt=1980', [2, 3, 4]],
    ['compares texts by code unit', 'title:gt=Brazil', [3]],
    ['finds no number for a word', 'year:lt=abc', [4]],
    ['finds no number for nothing', 'year:lte=', []],
    ['finds no part in null', 'rating:contains=null', [4]],
    ['finds no part of a missing field', 'year=1979&rating:contains=undefined', []],
    ['finds any of a list with commas', 'year:in=1979,1992', [1, 3]],
    ['trims the values between commas', 'year:in=1979,%201992', [1, 3]],
    ['finds any of repeated values', 'year:in=1979&year:in=1992', [1, 3]],
    ['finds none of a list, missing fields included', 'rating:nin=null,0', [1, 3]],
    ['finds a part of a text, whatever its case', 'title:contains=ALIEN', [1, 3]],
    ['matches a comma in the pattern literally', 'title:contains=Alien,Brazil', []],
    ['finds a part of a number', 'year:contains=98', [2, 4]],
    ['finds any of several parts', 'title:contains=bra&title:contains=pure', [2, 4]],
    ['finds a beginning', 'title:startsWith=ali', [1, 3]],
    ['finds an end', 'title:endsWith=N', [1]],
    ['finds parts in elements of a list', 'tags:contains=topi', [2]],
    ['finds text without a wildcard anywhere in the value', 'title:like=lie', [1, 3]],
    ['matches any text with %', 'title:like=%25n', [1]],
    ['matches an empty text with %', 'title:like=alien%25', [1, 3]],
    ['matches one character with _', 'title:like=_razil', [2]],
    ['accepts a pattern of 1000 characters', `title:like=${'%25'.repeat(999)}n`, [1]],
    ['matches at most one character with _', 'title:like=_azil', []],
    ['finds records with the field, even if it is null', 'rating:exists=true', [2, 3, 4, 5]],
    ['finds records without the field', 'rating:exists=false', [1]],
    ['finds a field inside of one', 'cast.lead.age:exists=true', [1]],
    ['finds an empty list that is there', 'tags:exists=true', [1, 2, 3]],
    ['finds a list that has an element', 'tags.0:exists=true', [1, 2]],
    ['finds a list that has a second one', 'reviews.1:exists=true', [3]],
    ['finds null with an empty list of values never', 'rating:in=', []],
    ['compares ids as exact texts', 'id:in=1,02,3', [1, 3]],
    ['matches a comma in an id literally', 'id:ne=1,2', [1, 2, 3, 4, 5]],
    ['finds the complement for ids as well', 'id:nin=1,2', [3, 4, 5]],
  ]),
)

contract('ids', () => ({ fixtures: { films, places: [{ id: 'Rome, Italy' }, { id: 'Paris' }] } }), [
  [
    'are found by a list that goes by their plural',
    'GET /films?ids[0]=1&ids[1]=2',
    { status: 200, body: films.slice(0, 2) },
  ],
  [
    'are found by a list with commas',
    'GET /films?ids=1,2',
    { status: 200, body: films.slice(0, 2) },
  ],
  [
    'are found where they hold a comma themselves',
    'GET /places?ids[0]=Rome,%20Italy',
    { status: 200, body: [{ id: 'Rome, Italy' }] },
  ],
])

const nothing = { status: 200, headers: { 'x-mock-ignored': null }, body: [] }

contract(
  'a field that no record has any more',
  () => ({
    fixtures: { films: [{ id: 1, cast: { lead: { age: 29 } }, reviews: [{ by: 'ann' }] }] },
  }),
  [
    [
      'is known where its record is deleted',
      ['DELETE /films/1', { request: 'POST /films', body: {} }, 'GET /films?cast.lead.age=29'],
      nothing,
    ],
    [
      'is known where it was inside of a list',
      ['DELETE /films/1', { request: 'POST /films', body: {} }, 'GET /films?reviews.by=ann'],
      nothing,
    ],
    [
      'is known where a PUT has taken it away',
      [{ request: 'PUT /films/1', body: {} }, 'GET /films?cast.lead.age=29'],
      nothing,
    ],
    [
      'is known where a PATCH has put another value over it',
      [{ request: 'PATCH /films/1', body: { cast: { lead: 1 } } }, 'GET /films?cast.lead.age=29'],
      nothing,
    ],
  ],
)

const sold = { id: 1, 2025: 'sold', seen: { 2024: { times: 3 } } }

contract('a key that is a number', () => ({ fixtures: { films: [sold] } }), [
  [
    'is a step of a path as any other key',
    'GET /films?seen.2024.times=3',
    { status: 200, headers: { 'x-mock-ignored': null }, body: [sold] },
  ],
  [
    'is known where its record is deleted',
    [
      'DELETE /films/1',
      { request: 'POST /films', body: {} },
      'GET /films?seen.2024.times=3&2025=sold',
    ],
    nothing,
  ],
])

contract(
  'a field that ends like an operator',
  () => ({ fixtures: { cars: [{ id: 1, km_gt: 7 }] } }),
  [
    ['is a field before all', 'GET /cars?km_gt=7', { status: 200, body: [{ id: 1, km_gt: 7 }] }],
    ['takes an operator itself', 'GET /cars?km_gt_gt=7', { status: 200, body: [] }],
  ],
)

contract(
  'a tree of conditions',
  given as () => { fixtures: Record<string, unknown> },
  finds([
    ['finds by a field', tree({ title: 'Brazil' }), [2]],
    ['finds by an operator', tree({ year: { gt: 1985 } }), [3]],
    ['wants all members of an object', tree({ year: { gte: 1979, lt: 1992 }, isOld: true }), [2]],
    ['finds by either', tree({ or: [{ title: 'Alien' }, { year: { lt: 0 } }] }), [1, 5]],
    ['finds by both', tree({ and: [{ isOld: false }, { year: '1985' }] }), [4]],
    ['finds nothing by an empty "or"', tree({ or: [] }), []],
    ['finds all where nothing is asked', tree({ and: [] }), [1, 2, 3, 4, 5]],
    [
      'finds records that do not match the condition',
      tree({ not: { rating: { exists: true } } }),
      [1],
    ],
    ['finds inside', tree({ 'cast.lead.age': 29 }), [1]],
    ['finds any of a list of values', tree({ title: ['Alien', 'Brazil'] }), [1, 2]],
    ['takes texts with commas whole in a list', tree({ title: { in: ['Alien,Brazil'] } }), []],
    ['takes ids with commas whole in a list', tree({ id: ['1,2'] }), []],
    ['is nested', tree({ or: [{ and: [{ not: { id: 1 } }, { year: { lt: 1985 } }] }] }), [5]],
    ['finds null and no text of it', tree({ rating: null }), [2]],
    ['is added to the other filters', `${tree({ year: { gt: 0 } })}&title:contains=alien`, [1, 3]],
  ]),
)

contract(
  'a filter that cannot be',
  given as () => { fixtures: Record<string, unknown> },
  refuses([
    ['has an unknown operator', 'year:gtt=1', 'year:gtt', /unknown operator "gtt"; known: eq, ne,/],
    [
      'has an unknown operator of two words',
      'title:starts_with=a',
      'title:starts_with',
      /unknown operator "starts_with"/,
    ],
    ['asks whether there is anything else', 'year:exists=maybe', 'year:exists', /true or false/],
    ['asks so among others', 'year:exists=true&year:exists=untrue', 'year:exists', /true or false/],
    [
      'has a pattern that is too long among others',
      `title:like=a&title:like=${'a_'.repeat(501)}`,
      'title:like',
      /more than 1000 characters/,
    ],
    [
      'has a pattern that is too long',
      `title:like=${'a_'.repeat(501)}`,
      'title:like',
      /more than 1000 characters/,
    ],
    [
      'is a tree with such a pattern',
      tree({ title: { like: 'a_'.repeat(501) } }),
      '_where',
      /more than 1000 characters/,
    ],
    ['is a tree that is no JSON', '_where={', '_where', /JSON/],
    ['is a tree that is a list', tree([]), '_where', /has to be an object/],
    [
      'is a tree with an unknown operator',
      tree({ year: { gtt: 1 } }),
      '_where',
      /unknown operator/,
    ],
    ['is a tree whose branches are no list', tree({ or: {} }), '_where', /"or" takes a list/],
    ['compares with an object', tree({ year: { eq: {} } }), '_where', /plain values/],
  ]),
)

contract('a field that no record has', given as () => { fixtures: Record<string, unknown> }, [
  [
    'is ignored, and told',
    'GET /films?colour=red&size:gt=1&title=Alien',
    { status: 200, headers: { 'x-mock-ignored': 'colour, size:gt' }, body: [films[0]] },
  ],
  [
    'is ignored however short it is',
    'GET /films?x',
    { status: 200, headers: { 'x-mock-ignored': 'x' }, body: films },
  ],
  ...(
    [
      ['inside of null', { 'rating.x': { exists: true } }],
      ['inside of a text', { 'title.length': { exists: true } }],
      ['that every object has', { toString: { contains: 'native' } }],
    ] as const
  ).map(([title, where]): Row => [
    `is ignored in a tree, and told, ${title}`,
    `GET /films?${tree(where)}`,
    { status: 200, headers: { 'x-mock-ignored': '_where' }, body: films },
  ]),
  [
    'is not ignored if a removed record had it',
    ['DELETE /films/1', 'GET /films?cast=x'],
    { status: 200, headers: { 'x-mock-ignored': null }, body: [] },
  ],
  [
    'is not ignored if a PUT has removed it',
    [
      { request: 'PUT /films/2', body: { title: 'x' } },
      { request: 'PUT /films/4', body: {} },
      'GET /films?isOld=true',
    ],
    { status: 200, headers: { 'x-mock-ignored': null }, body: [] },
  ],
])

contract(
  'a field with a name of the trees',
  () => ({
    fixtures: {
      gates: [
        { id: 1, and: 'x', or: 1 },
        { id: 2, and: 'y', not: true },
      ],
    },
  }),
  [
    [
      'takes operators beside the lists of groups',
      `GET /gates?${tree({ or: [{ and: { contains: 'y' } }, { or: { eq: 1 } }] })}&_fields=id`,
      { status: 200, body: [{ id: 1 }, { id: 2 }] },
    ],
    [
      'hides the negation',
      `GET /gates?${tree({ not: { eq: true } })}&_fields=id`,
      { status: 200, body: [{ id: 2 }] },
    ],
  ],
)

contract(
  'a strict mock',
  () => ({ fixtures: { films }, strict: true }),
  refuses([
    ['refuses a field that no record has', 'colour=red', 'colour', /is unknown; known: id, title,/],
    [
      'refuses it with an operator as well',
      'colour:gt=1',
      'colour:gt',
      /is unknown; known: id, title,/,
    ],
    [
      'refuses it in a tree',
      '_where={"or":[{"year":1},{"not":{"colour":"red"}}]}',
      '_where',
      /is unknown; known: id, title,/,
    ],
    [
      'refuses it among those that are shown',
      '_fields=title,colour',
      '_fields',
      /is unknown; known: id, title,/,
    ],
  ]),
)

contract(
  'a strict mock that knows them',
  () => ({ fixtures: { films, users: [], scenes: [{ id: 1, filmId: 1, no: 1 }] }, strict: true }),
  [
    [
      'takes what records have, wherever it is',
      'GET /films?_where={"cast.lead.age":29}&_fields=id,tags,reviews.by&_sort=-year',
      { status: 200, body: [{ id: 1, tags: ['space', 'fear'] }] },
    ],
    [
      'takes what is embedded',
      'GET /films?_embed=scenes&_fields=id,scenes.no&id=1',
      { status: 200, body: [{ id: 1, scenes: [{ no: 1 }] }] },
    ],
    [
      'takes the id of records to come',
      'GET /users?_sort=id&_fields=id',
      { status: 200, body: [] },
    ],
    [
      'names the members of a question',
      { request: 'QUERY /films', body: { where: { colour: 'red' } } },
      { status: 422, body: expect.objectContaining({ errors: { where: expect.any(String) } }) },
    ],
  ],
)
