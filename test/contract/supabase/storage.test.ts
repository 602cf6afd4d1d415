import { expect } from 'vitest'

import { supabase } from '../../../src/dialects.ts'
import { createManualClock, createMock, type Mock } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'

const open = (): Mock =>
  createMock({
    fixtures: {
      'storage/buckets': [
        { id: 'public', name: 'public', public: true, file_size_limit: 4 },
        { id: 'private', name: 'private', public: false },
      ],
    },
    dialect: supabase(),
    clock: createManualClock('2026-01-01T00:00:00Z'),
    seed: 1,
  })

const put = (path: string, body = 'abc', headers = {}) => ({
  request: `POST /storage/v1/object/${path}`,
  headers: {
    apikey: 'any',
    'content-type': 'text/plain',
    'cache-control': 'max-age=60',
    ...headers,
  },
  body,
})
const json = (request: string, body: unknown) => ({
  request: request.replace(' ', ' /storage/v1/'),
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const refused = (statusCode: string, error: string) => ({
  status: 400,
  body: { statusCode, error, message: expect.any(String), code: expect.any(String) },
})
const missing = refused('404', 'not_found')

const rows: Row[] = [
  [
    'an upload',
    put('private/a/b.txt'),
    { status: 200, body: { Id: expect.any(String), Key: 'private/a/b.txt' } },
  ],
  [
    'a download with its type and lifetime',
    [put('private/b.txt'), 'GET /storage/v1/object/private/b.txt'],
    {
      status: 200,
      headers: { 'content-type': /^text.plain/, 'cache-control': 'max-age=60', etag: /^"/ },
      body: 'abc',
    },
  ],
  [
    'HEAD of a file',
    [put('private/b.txt'), 'HEAD /storage/v1/object/private/b.txt'],
    { status: 200, headers: { 'content-length': '3' } },
  ],
  [
    'a public file',
    [put('public/ü .txt'.replace('ü ', '%24')), 'GET /storage/v1/object/public/public/%24.txt'],
    { status: 200, body: 'abc' },
  ],
  [
    'a page is sandboxed',
    [
      put('private/x.html', '<script>', { 'content-type': 'text/html' }),
      'GET /storage/v1/object/private/x.html',
    ],
    { status: 200, headers: { 'content-security-policy': 'sandbox' } },
  ],
  ['no file', 'GET /storage/v1/object/private/nope', missing],
  ['no bucket', put('nope/a'), refused('404', 'Bucket not found')],
  ['no endpoint', 'GET /storage/v1/nope', missing],
  ['a name in use', [put('private/a'), put('private/a')], refused('409', 'Duplicate')],
  [
    'a name in use with x-upsert',
    [
      put('private/a'),
      put('private/a', 'new', { 'x-upsert': 'true' }),
      'GET /storage/v1/object/private/a',
    ],
    { status: 200, body: 'new' },
  ],
  ['a name that no object can have', put('private/%E2%82%AC'), refused('400', 'InvalidKey')],
  ['a broken escape', put('private/%E2'), { status: 400 }],
  [
    'a file above the limit of its bucket',
    put('public/a', 'abcde'),
    refused('413', 'Payload too large'),
  ],
  [
    'a token that is none',
    [put('private/a'), 'GET /storage/v1/object/sign/private/a?token=x'],
    refused('400', 'InvalidJWT'),
  ],
  [
    'a list with wrong values',
    [
      put('private/a'),
      json('POST object/list/private', {
        prefix: 7,
        limit: 'x',
        offset: {},
        sortBy: [],
        search: null,
      }),
    ],
    { status: 200, body: [] },
  ],
  ['a list that is no object', json('POST object/list/private', [1]), { status: 400 }],
  [
    'names that are none',
    json('DELETE object/private', { prefixes: { a: 1 } }),
    { status: 200, body: [] },
  ],
  ['a bucket without a name', json('POST bucket', {}), { status: 400 }],
  [
    'a bucket that is not empty',
    [put('private/a'), 'DELETE /storage/v1/bucket/private'],
    refused('409', 'InvalidRequest'),
  ],
]

contract('Storage of Supabase', open, rows)
