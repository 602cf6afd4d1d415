import { expect, it } from 'vitest'

import { type Asked, firstPage, queryFor } from '../../../src/studio/query.ts'

const fields = ['title', 'a.b']
const sorted = { sort: 'title', isFalling: true, page: 2 }
const filter = ['userId', '7'] as const

const rows: [dialect: string, asked: Partial<Asked>, expected: Record<string, string>][] = [
  ['rest', {}, { _page: '1', _limit: '20' }],
  ['rest', sorted, { _page: '2', _limit: '20', _sort: 'title', _order: 'desc' }],
  ['rest', { sort: 'title' }, { _page: '1', _limit: '20', _sort: 'title', _order: 'asc' }],
  ['rest', { search: 'x', size: 5 }, { _page: '1', _limit: '5', q: 'x' }],
  ['rest', { search: 'x', field: 'a.b' }, { _page: '1', _limit: '20', 'a.b:contains': 'x' }],
  ['rest', { filter }, { _page: '1', _limit: '20', userId: '7' }],
  ['of my own', { search: 'x' }, { _page: '1', _limit: '20', q: 'x' }],
  ['constructor', { search: 'x' }, { _page: '1', _limit: '20', q: 'x' }],
  ['json-server-0', { search: '(x' }, { _page: '1', _limit: '20', q: '(x' }],
  [
    'json-server-0',
    { search: 'a.(b', field: 'title', filter },
    { _page: '1', _limit: '20', title_like: String.raw`a\.\(b`, userId: '7' },
  ],
  ['json-server-1', {}, { _page: '1', _per_page: '20' }],
  ['json-server-1', sorted, { _page: '2', _per_page: '20', _sort: '-title' }],
  [
    'json-server-1',
    { search: 'x', fields },
    {
      _page: '1',
      _per_page: '20',
      _where: '{"or":[{"title":{"contains":"x"}},{"a.b":{"contains":"x"}}]}',
    },
  ],
  [
    'json-server-1',
    { search: 'x', field: 'title', fields, filter, sort: 'title' },
    {
      _page: '1',
      _per_page: '20',
      _sort: 'title',
      _where: '{"userId":{"eq":"7"},"or":[{"title":{"contains":"x"}}]}',
    },
  ],
  ['simple-rest', {}, { range: '[0,19]', filter: '{}' }],
  ['simple-rest', sorted, { range: '[20,39]', sort: '["title","DESC"]', filter: '{}' }],
  ['simple-rest', { sort: 'title' }, { range: '[0,19]', sort: '["title","ASC"]', filter: '{}' }],
  ['simple-rest', { search: 'x', filter }, { range: '[0,19]', filter: '{"q":"x","userId":"7"}' }],
  [
    'simple-rest',
    { search: 'x', field: 'title' },
    { range: '[0,19]', filter: '{"title_contains":"x"}' },
  ],
]

it.each(rows)('the page asks %s for %j', (dialect, asked, expected) => {
  const query = queryFor(dialect, { ...firstPage, ...asked })
  expect(query[0]).toBe('?')
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual(expected)
})
