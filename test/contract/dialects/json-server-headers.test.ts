import { jsonServer0, jsonServer1 } from '../../../src/dialects.ts'
import { contract, type Row, type TableRequest } from '../../faces.ts'

const post = { id: '1', title: 'a' }
const untouched = { 'preference-applied': null }

function read(headers: Record<string, string>): TableRequest {
  return { request: 'GET /posts/1', headers }
}

function patch(headers: Record<string, string>): TableRequest {
  return { request: 'PATCH /posts/1', headers, body: { title: 'b' } }
}

const rows: readonly Row[] = [
  [
    'ignores Prefer: return=minimal',
    patch({ prefer: 'return=minimal' }),
    { status: 200, headers: untouched, body: { ...post, title: 'b' } },
  ],
  [
    'ignores Prefer: return=representation',
    patch({ prefer: 'return=representation' }),
    { status: 200, headers: untouched, body: { ...post, title: 'b' } },
  ],
  [
    'ignores If-Match of a write',
    patch({ 'if-match': '"other"' }),
    { status: 200, body: { ...post, title: 'b' } },
  ],
  [
    'ignores If-None-Match of a write',
    patch({ 'if-none-match': '*' }),
    { status: 200, body: { ...post, title: 'b' } },
  ],
  ['ignores If-Match of a read', read({ 'if-match': '"other"' }), { status: 200, body: post }],
  [
    'ignores If-Unmodified-Since',
    read({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    { status: 200, body: post },
  ],
]

contract(
  'the headers of a request in json-server-0',
  () => ({ dialect: jsonServer0, fixtures: { posts: [post] } }),
  [
    ...rows,
    [
      'answers If-None-Match: * with 304',
      // Without a Cache-Control, `fetch` adds `no-cache` to a request with a condition.
      read({ 'if-none-match': '*', 'cache-control': 'max-age=0' }),
      { status: 304 },
    ],
    [
      'ignores If-None-Match of a reload',
      read({ 'if-none-match': '*', 'cache-control': 'max-age=0, no-cache' }),
      { status: 200, body: post },
    ],
  ],
)

contract(
  'the headers of a request in json-server-1',
  () => ({ dialect: jsonServer1, fixtures: { posts: [post] } }),
  [
    ...rows,
    [
      'ignores If-None-Match of a read',
      read({ 'if-none-match': '*' }),
      { status: 200, body: post },
    ],
  ],
)
