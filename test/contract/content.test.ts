import { expect } from 'vitest'

import type { MockBody, MockResponse } from '../../src/core/http/contract/messages.ts'
import type { MockConfig, MockOptions } from '../../src/index.ts'
import { contract, type TableRequest, type Row } from '../faces.ts'

const problem = /^application\/problem\+json/
const form = 'application/x-www-form-urlencoded'

function shop(config: MockConfig = {}): MockConfig & { fixtures: Record<string, unknown> } {
  return {
    fixtures: {
      posts: [
        { id: 1, title: 'First', views: 10 },
        { id: 2, title: 'Second', views: 20 },
      ],
      profile: { name: 'Ada' },
      colours: ['red'],
    },
    ...config,
  }
}

/** A request with a body of a type; undefined sends none. */
function typed(request: string, type: string, body?: string): TableRequest {
  return { request, headers: { 'content-type': type }, ...(body !== undefined && { body }) }
}

/** A multipart body with one part for each text. */
function multipart(...parts: string[]): string {
  return `${parts.map((part) => `--cut\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--cut--\r\n`
}

const multi = 'multipart/form-data; boundary=cut'

contract('a JSON body', shop, [
  [
    'is read with a charset',
    typed('POST /posts', 'Application/JSON; charset=UTF-8', '{}'),
    { status: 201 },
  ],
  [
    'is read as a relative of JSON',
    typed('POST /posts', 'application/vnd.api+json', '{}'),
    { status: 201 },
  ],
  [
    'may begin with a byte order mark',
    typed('POST /posts', 'application/json', '\uFEFF{"title":"é"}'),
    { status: 201, body: { title: 'é', id: 3 } },
  ],
  [
    'names what is wrong with it',
    typed('POST /posts', 'application/json', '{"a":}'),
    {
      status: 400,
      headers: { 'content-type': problem },
      body: expect.objectContaining({
        status: 400,
        detail: expect.stringContaining('it is not JSON'),
      }),
    },
  ],
  ...(
    [
      [' ', 'the body is empty at line 1, column 2'],
      ['{"a" 1}', 'expected ":" after the key, found "1" at line 1, column 6'],
      ['{\n  "a": 1,\r\n}', 'expected a key in double quotes, found "}" at line 3, column 1'],
      ['{a: 1}', 'expected a key in double quotes or "}", found "a" at line 1, column 2'],
      ['{"a": "b}', 'the string is never closed at line 1, column 7'],
      ['{"a": undefined}', 'expected a value, found "u" at line 1, column 7'],
    ] as const
  ).map(([body, problem]): Row => [
    `has the same error on every engine as ${JSON.stringify(body)}`,
    typed('POST /posts', 'application/json', body),
    {
      status: 400,
      body: expect.objectContaining({
        detail: `Failed to read the body: it is not JSON: ${problem}. Please check its syntax.`,
      }),
    },
  ]),
  ['is no record as a text', typed('POST /posts', 'application/json', '"x"'), { status: 400 }],
  ['is no record as null', typed('PUT /posts/1', 'application/json', 'null'), { status: 400 }],
  [
    'is no record as a list for PUT',
    typed('PUT /posts/1', 'application/json', '[]'),
    { status: 400 },
  ],
  [
    'is no record as a list of lists',
    typed('POST /posts', 'application/json', '[[]]'),
    { status: 400 },
  ],
  [
    'is not nested too deep',
    typed('POST /posts', 'application/json', `{"a":${'['.repeat(99)}${']'.repeat(99)}}`),
    { status: 201 },
  ],
  [
    'is refused when it is nested deeper',
    typed('POST /posts', 'application/json', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`),
    { status: 400 },
  ],
  ...['1e400', '[-1E+999]', '9'.repeat(400)].map((number): Row => [
    `is refused with a number that would be infinite: ${number.slice(0, 9)}`,
    typed('POST /posts', 'application/json', `{"a":${number}}`),
    {
      status: 400,
      body: expect.objectContaining({
        detail: expect.stringContaining('a number is too large'),
      }),
    },
  ]),
  [
    'may have any other number',
    typed('POST /posts', 'application/json', '{"a":[1e-400,1e300,"1e400"],"__proto__":1}'),
    { status: 201, body: JSON.parse('{"id":3,"a":[0,1e300,"1e400"],"__proto__":1}') },
  ],
  [
    'may have brackets in its texts',
    typed('POST /posts', 'application/json', `{"a":"${'[\\"'.repeat(200)}"}`),
    { status: 201 },
  ],
  [
    'is refused when it is nested deeper behind a text that ends with a backslash',
    typed(
      'POST /posts',
      'application/json',
      `{"a":"\\\\","b":${'['.repeat(100)}${']'.repeat(100)}}`,
    ),
    { status: 400, body: expect.objectContaining({ detail: expect.stringContaining('deeper') }) },
  ],
  [
    'is refused when a text does not end',
    typed('POST /posts', 'application/json', '{"a":"\\"}'),
    { status: 400 },
  ],
  [
    'keeps a key named __proto__ as data',
    typed('POST /posts', 'application/json', '{"__proto__":{"x":1}}'),
    { status: 201, body: JSON.parse('{"__proto__":{"x":1},"id":3}') },
  ],
  [
    'may not hold an id that is no id',
    typed('POST /posts', 'application/json', '{"id":{}}'),
    { status: 400, body: expect.objectContaining({ errors: { id: expect.anything() } }) },
  ],
  [
    'may not hold half a character as an id',
    typed('POST /posts', 'application/json', '{"id":"\\ud800"}'),
    { status: 400 },
  ],
  [
    'may not hold an id that is longer than a path',
    typed('POST /posts', 'application/json', `{"id":"${'a'.repeat(2000)}"}`),
    { status: 400, body: expect.objectContaining({ errors: { id: 'cannot stand in a path' } }) },
  ],
  [
    'may not hold an id that a path walks over',
    typed('POST /posts', 'application/json', '{"id":".."}'),
    { status: 400, body: expect.objectContaining({ errors: { id: 'cannot stand in a path' } }) },
  ],
  [
    'may not hold one that a path stays at',
    typed('POST /posts', 'application/json', '{"id":"."}'),
    { status: 400 },
  ],
  [
    'may not hold more records than anybody would wait for',
    typed('POST /posts', 'application/json', `[${'{},'.repeat(10_000)}{}]`),
    { status: 413 },
  ],
  [
    'may not hold more fields than anybody would wait for',
    typed('POST /posts', 'application/json', `{"a":{${'"":0,'.repeat(250_000)}"":0}}`),
    { status: 413 },
  ],
  [
    'may not hold more lists than anybody would wait for',
    typed('POST /posts', 'application/json', `{"a":[${'[],'.repeat(250_000)}[]]}`),
    { status: 413 },
  ],
])

contract('a body that a member contradicts', shop, [
  [
    'is refused by PUT',
    { request: 'PUT /posts/1', body: { id: 2 } },
    { status: 400, body: expect.objectContaining({ errors: { id: 'has to be 1' } }) },
  ],
  ['is refused by PATCH', { request: 'PATCH /posts/1', body: { id: 2 } }, { status: 400 }],
  [
    'is refused with the id in a list',
    { request: 'PATCH /posts/1', body: { id: [1] } },
    { status: 400 },
  ],
  [
    'is not read where there is no such member',
    typed('PUT /posts/9', 'application/json', '{'),
    { status: 404 },
  ],
  [
    'is refused by a merge patch that removes the id of another type',
    typed('PATCH /posts/1', 'application/merge-patch+json', '{"id":"x"}'),
    { status: 400 },
  ],
  [
    'is taken with the id as a text',
    { request: 'PUT /posts/1', body: { id: '1', title: 'x' } },
    { status: 200, body: { id: 1, title: 'x' } },
  ],
])

contract('no body', shop, [
  ['is refused by POST', 'POST /posts', { status: 400 }],
  ['is refused by PUT', typed('PUT /posts/1', 'text/plain'), { status: 400 }],
  ['is refused by PATCH', 'PATCH /profile', { status: 400 }],
  [
    'is no reason to refuse the type of DELETE',
    typed('DELETE /posts/1', 'text/plain'),
    { status: 200 },
  ],
  [
    'is no reason to refuse the JSON type of DELETE',
    typed('DELETE /posts/1', 'application/json'),
    { status: 200 },
  ],
  [
    'is no reason to refuse the type of GET',
    typed('GET /posts/1', 'application/json'),
    { status: 200 },
  ],
])

contract('a body that is not asked for', shop, [
  [
    'is left alone by DELETE',
    { request: 'DELETE /posts/1', body: { reason: 'old' } },
    { status: 200 },
  ],
  [
    'is left alone by DELETE whatever its type',
    typed('DELETE /posts/1', 'text/csv', 'a,b'),
    { status: 200 },
  ],
])

contract('a type that cannot be read (RFC 9110 §15.5.16)', shop, [
  [
    'is refused by POST with what can',
    typed('POST /posts', 'text/csv', 'a,b'),
    { status: 415, headers: { accept: `application/json, ${form}, multipart/form-data` } },
  ],
  [
    'is refused by PUT with what can',
    typed('PUT /posts/1', 'text/plain;charset=UTF-8', '{}'),
    { status: 415, headers: { accept: /application\/json/ } },
  ],
  [
    'is refused by PATCH with what can (RFC 5789 §3.1)',
    typed('PATCH /posts/1', 'text/csv', 'a'),
    {
      status: 415,
      headers: {
        'accept-patch':
          /^application\/json, application\/merge-patch\+json, application\/json-patch\+json/,
        accept: null,
      },
    },
  ],
  [
    'is refused by QUERY with what can (RFC 10008 §3)',
    typed('QUERY /posts', 'application/sql', 'x'),
    { status: 415, headers: { 'accept-query': 'application/json', accept: null } },
  ],
  [
    'is refused by QUERY as a form',
    typed('QUERY /posts', multi, multipart('name="where"\r\n\r\n{}')),
    { status: 415, headers: { 'accept-query': 'application/json' } },
  ],
  [
    'is refused where a patch is none',
    typed('POST /posts', 'application/json-patch+json', '[]'),
    { status: 415 },
  ],
  [
    'is refused where a merge patch is none',
    typed('PUT /posts/1', 'application/merge-patch+json', '{}'),
    { status: 415 },
  ],
  [
    'is refused where it is compressed',
    {
      request: 'POST /posts',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: '{}',
    },
    { status: 415, headers: { 'accept-encoding': 'identity' } },
  ],
])

contract('a form', shop, [
  [
    'becomes a record of texts',
    typed('POST /posts', form, 'title=a+b&views=1&empty='),
    { status: 201, body: { title: 'a b', views: '1', empty: '', id: 3 } },
  ],
  [
    'makes a list of what is repeated',
    typed('POST /posts', form, 'id=x&tag=a&tag=b&one%5B%5D=c'),
    { status: 201, body: { id: 'x', tag: ['a', 'b'], one: ['c'] } },
  ],
  [
    'patches',
    typed('PATCH /posts/1', form, 'title=x'),
    { status: 200, body: { id: 1, title: 'x', views: 10 } },
  ],
  [
    'replaces',
    typed('PUT /posts/1', form, 'title=x'),
    { status: 200, body: { id: 1, title: 'x' } },
  ],
  [
    'is refused when it is plainly JSON',
    typed('POST /posts', form, '{"title":"x"}'),
    {
      status: 400,
      body: expect.objectContaining({
        detail: expect.stringContaining('Content-Type: application/json'),
      }),
    },
  ],
  ['is refused with a broken escape', typed('POST /posts', form, 'a=%'), { status: 400 }],
  [
    'keeps a field named __proto__ as data',
    typed('POST /posts', form, 'id=x&__proto__=y'),
    { status: 201, body: JSON.parse('{"id":"x","__proto__":"y"}') },
  ],
  [
    'is refused with too many fields',
    typed('POST /posts', form, 'a&'.repeat(1001)),
    { status: 400 },
  ],
])

contract('a multipart form (RFC 7578)', shop, [
  [
    'is 400 without a field',
    typed('POST /posts', multi, multipart()),
    {
      status: 400,
      body: expect.objectContaining({
        detail: 'Failed to read the body: it is empty. Please send a form with fields.',
      }),
    },
  ],
  [
    'becomes a record of texts',
    typed('POST /posts', multi, multipart('name="id"\r\n\r\nx', 'name="title"\r\n\r\né')),
    { status: 201, body: { id: 'x', title: 'é' } },
  ],
  [
    'holds a file with its content',
    typed(
      'POST /posts',
      multi,
      multipart(
        'name="id"\r\n\r\nx',
        'name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nHi',
      ),
    ),
    {
      status: 201,
      body: {
        id: 'x',
        file: { name: 'a.txt', type: 'text/plain', size: 2, url: 'data:text/plain;base64,SGk=' },
      },
    },
  ],
  [
    'leaves out a file input without a file',
    typed(
      'POST /posts',
      multi,
      multipart(
        'name="id"\r\n\r\nx',
        'name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n',
      ),
    ),
    { status: 201, body: { id: 'x' } },
  ],
  [
    'leaves out a file input without a file that Node sends',
    typed(
      'POST /posts',
      multi,
      multipart(
        'name="id"\r\n\r\nx',
        'name="file"\r\nContent-Type: application/octet-stream\r\n\r\n',
      ),
    ),
    { status: 201, body: { id: 'x' } },
  ],
  [
    'keeps the stored file where the file input has no file',
    [
      typed(
        'POST /posts',
        multi,
        multipart('name="id"\r\n\r\nx', 'name="file"; filename="a.txt"\r\n\r\nHi'),
      ),
      typed(
        'PATCH /posts/x',
        multi,
        multipart('name="title"\r\n\r\nNew', 'name="file"; filename=""\r\n\r\n'),
      ),
    ],
    {
      status: 200,
      body: { id: 'x', title: 'New', file: expect.objectContaining({ name: 'a.txt' }) },
    },
  ],
  [
    'makes a list of several files',
    typed(
      'POST /posts',
      multi,
      multipart(
        'name="id"\r\n\r\nx',
        'name="f"; filename="a"\r\n\r\n1',
        'name="f"; filename="b"\r\n\r\n2',
      ),
    ),
    {
      status: 201,
      body: {
        id: 'x',
        f: [expect.objectContaining({ name: 'a' }), expect.objectContaining({ name: 'b' })],
      },
    },
  ],
  [
    'serves the file again',
    [
      typed(
        'POST /posts',
        multi,
        multipart(
          'name="id"\r\n\r\nx',
          'name="f"; filename="a"\r\nContent-Type: image/png\r\n\r\n1',
        ),
      ),
      'GET /posts/x',
    ],
    {
      status: 200,
      body: {
        id: 'x',
        f: { name: 'a', type: 'image/png', size: 1, url: 'data:image/png;base64,MQ==' },
      },
    },
  ],
  [
    'may name the file before the field, with a text in front of all',
    typed(
      'POST /posts',
      multi,
      `A text.\r\n${multipart('name="id"\r\n\r\nx', 'filename="a"; name="f"\r\n\r\n1')}`,
    ),
    {
      status: 201,
      body: {
        id: 'x',
        f: { name: 'a', type: 'text/plain', size: 1, url: 'data:text/plain;base64,MQ==' },
      },
    },
  ],
  [
    'is refused with too many fields',
    typed('POST /posts', multi, multipart(...Array<string>(1001).fill('name="a"\r\n\r\n1'))),
    { status: 413 },
  ],
  [
    'is refused with another boundary',
    typed('POST /posts', 'multipart/form-data; boundary=other', multipart('name="a"\r\n\r\n1')),
    { status: 400 },
  ],
  [
    'is refused without a boundary',
    typed('POST /posts', 'multipart/form-data', multipart('name="a"\r\n\r\n1')),
    { status: 400 },
  ],
])

contract('a limit', () => shop({ maxBody: 40, maxUrl: 60, maxParams: 3 }), [
  [
    'takes a body of its size',
    typed('POST /posts', 'application/json', `{"a":"${'x'.repeat(32)}"}`),
    { status: 201 },
  ],
  [
    'refuses a larger body',
    typed('POST /posts', 'application/json', `{"a":"${'x'.repeat(33)}"}`),
    { status: 413, headers: { 'content-type': problem } },
  ],
  [
    'counts bytes',
    typed('POST /posts', 'application/json', `{"a":"${'é'.repeat(17)}"}`),
    { status: 413 },
  ],
  [
    'refuses a larger form',
    typed('POST /posts', multi, multipart('name="a"\r\n\r\n1')),
    { status: 413 },
  ],
  ['takes a URL of its length', `GET /posts?a=${'x'.repeat(51)}`, { status: 200 }],
  [
    'refuses a longer URL',
    `GET /posts?a=${'x'.repeat(52)}`,
    { status: 414, headers: { 'content-type': problem } },
  ],
  ['takes so many parameters', 'GET /posts?a=1&b=2&c=3', { status: 200 }],
  ['takes so many fields of a form', typed('POST /posts', form, 'a=1&b=2&c=3'), { status: 201 }],
  ['refuses more parameters', 'GET /posts?a=1&b=2&c=3&d=4', { status: 400 }],
])

contract('Accept (RFC 9110 §12.5.1)', shop, [
  ...[
    undefined,
    '*/*',
    'application/json',
    'application/*',
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json, text/plain, */*',
    'application/vnd.api+json',
    'text/csv, application/json;q=0.1',
    'text/csv,*/*;q=0.01',
    'application/json;charset=utf-8',
    'application/json;q=1, */*;q=0',
    'text/html, image/png',
    'image/png, */*;q=0.001',
    '*/*;q=0, application/*',
    'application/*;q=0, application/json',
    'application/json;Q=0.5',
    'application/json;q=2',
    'application/json;q=x',
    '',
  ].map(
    (accept) =>
      [
        `lets "${accept}" have JSON`,
        { request: 'GET /posts', headers: accept === undefined ? {} : { accept } },
        { status: 200 },
      ] as const,
  ),
  ...[
    'application/xml',
    'text/csv',
    'image/*',
    'application/json;q=0',
    '*/*;q=0',
    'application/json;q=0.0, */*',
    'text/event-stream',
    'text/html;q=0, image/png',
    'text/html, application/json;q=0',
    'application/*;q=0, */*',
    'application/json;Q=0, */*',
    'application/json; q=0.000 , */*;q=1',
  ].map(
    (accept) =>
      [
        `refuses "${accept}"`,
        { request: 'GET /posts', headers: { accept } },
        { status: 406, headers: { 'content-type': problem } },
      ] as const,
  ),
  [
    'refuses before anything is written',
    [{ request: 'POST /posts', headers: { accept: 'text/csv' }, body: {} }, 'GET /posts'],
    { status: 200, headers: { 'x-total-count': '2' } },
  ],
  [
    'does not hide what is missing',
    { request: 'GET /posts/9', headers: { accept: 'text/csv' } },
    { status: 404 },
  ],
  [
    'does not hide a wrong method',
    { request: 'PUT /posts', headers: { accept: 'text/csv' } },
    { status: 405 },
  ],
  [
    'has a person read indented JSON',
    { request: 'GET /posts/1', headers: { accept: 'text/html,*/*' } },
    {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { id: 1, title: 'First', views: 10 },
    },
  ],
])

const forPeople: [accept: string, isIndented: boolean][] = [
  ['text/html', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/xhtml+xml, text/html', true],
  ['application/json;q=0.5, text/html', true],
  ['Text/HTML;q=0.9, */*;q=0.8', true],
  ['text/html, application/json', false],
  ['application/json, text/html', false],
  ['text/html;q=0.5, application/json', false],
  ['text/html;q=0.5, */*', false],
  ['text/html;q=0, */*', false],
  ['text/html-x, */*', false],
  ['text/*, */*', false],
]

contract(
  'a preference for HTML',
  shop,
  forPeople.map(([accept, isIndented]): Row => [
    `${isIndented ? 'indents' : 'does not indent'} JSON for "${accept}"`,
    // The length is that of the body.
    { request: 'HEAD /posts/1', headers: { accept } },
    { status: 200, headers: { 'content-length': isIndented ? '48' : '35' } },
  ]),
)

contract('Prefer (RFC 7240 §4.2)', shop, [
  [
    'leaves the body of PATCH out',
    { request: 'PATCH /posts/1', headers: { prefer: 'return=minimal' }, body: {} },
    {
      status: 204,
      body: '',
      headers: { 'preference-applied': 'return=minimal', etag: /^"/, 'content-type': null },
    },
  ],
  [
    'leaves the body of PUT out',
    { request: 'PUT /posts/1', headers: { prefer: 'return=minimal' }, body: {} },
    { status: 204 },
  ],
  [
    'leaves the body of DELETE out',
    { request: 'DELETE /posts/1', headers: { prefer: 'return=minimal' } },
    { status: 204 },
  ],
  [
    'leaves the body of POST out',
    { request: 'POST /posts', headers: { prefer: 'return=minimal' }, body: {} },
    { status: 204, headers: { location: 'http://mock.test/posts/3' } },
  ],
  [
    'is read whatever its case',
    { request: 'PATCH /posts/1', headers: { prefer: 'Return=Minimal' }, body: {} },
    { status: 204, headers: { 'preference-applied': 'return=minimal' } },
  ],
  [
    'says that it shows what it does anyway',
    { request: 'PATCH /posts/1', headers: { prefer: 'return=representation' }, body: {} },
    { status: 200, headers: { 'preference-applied': 'return=representation' } },
  ],
  [
    'takes the first of several',
    {
      request: 'PATCH /posts/1',
      headers: { prefer: 'handling=strict, return="representation", return=minimal' },
      body: {},
    },
    { status: 200 },
  ],
  [
    'is none of ours inside of a quoted string',
    {
      request: 'PATCH /posts/1',
      headers: { prefer: 'foo="a, return=minimal", bar="\\", return=minimal"' },
      body: {},
    },
    { status: 200, headers: { 'preference-applied': null } },
  ],
  [
    'is none of ours as a parameter of another',
    {
      request: 'PATCH /posts/1',
      headers: { prefer: 'foo; return=minimal, bar=1; x="," ;return=minimal' },
      body: {},
    },
    { status: 200, headers: { 'preference-applied': null } },
  ],
  [
    'is not applied when the first of several is unknown',
    {
      request: 'PATCH /posts/1',
      headers: { prefer: 'return=nothing, return=minimal' },
      body: {},
    },
    { status: 200, headers: { 'preference-applied': null } },
  ],
  [
    'is read behind a preference that is malformed, and with parameters',
    {
      request: 'PATCH /posts/1',
      headers: { prefer: 'foo bar, =x, RETURN = "min\\imal" ; foo="some parameter"' },
      body: {},
    },
    { status: 204, headers: { 'preference-applied': 'return=minimal' } },
  ],
  [
    'is nothing to GET',
    { request: 'GET /posts/1', headers: { prefer: 'return=minimal' } },
    { status: 200, headers: { 'preference-applied': null } },
  ],
  [
    'is nothing to an error',
    { request: 'PATCH /posts/9', headers: { prefer: 'return=minimal' }, body: {} },
    { status: 404 },
  ],
  [
    'may be something else',
    { request: 'PATCH /posts/1', headers: { prefer: 'respond-async' }, body: {} },
    { status: 200, headers: { 'preference-applied': null } },
  ],
])

contract('QUERY (RFC 10008)', shop, [
  [
    'asks with its body',
    { request: 'QUERY /posts', body: { where: { views: { gt: 10 } } } },
    { status: 200, body: [{ id: 2, title: 'Second', views: 20 }] },
  ],
  [
    'needs a type',
    { request: 'QUERY /posts', headers: { 'content-type': '' }, body: '{}' },
    { status: 400 },
  ],
  ['needs a body', typed('QUERY /posts', 'application/json'), { status: 400 }],
  [
    'needs a body of its type',
    typed('QUERY /posts', 'application/json', 'views=1'),
    { status: 400 },
  ],
  [
    'refuses what it cannot process',
    { request: 'QUERY /posts', body: { page: 'x' } },
    { status: 422, headers: { 'content-type': problem } },
  ],
  [
    'is not for members',
    { request: 'QUERY /posts/1', body: {} },
    { status: 405, headers: { allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS' } },
  ],
])

contract('OPTIONS (RFC 9110 §9.3.7)', shop, [
  [
    'tells of a collection',
    'OPTIONS /posts',
    {
      status: 204,
      body: '',
      headers: {
        allow: 'GET, HEAD, QUERY, POST, OPTIONS',
        'accept-query': 'application/json',
        'accept-patch': null,
      },
    },
  ],
  [
    'tells of a member',
    'OPTIONS /posts/1',
    {
      status: 204,
      headers: {
        allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
        'accept-patch': /application\/merge-patch\+json/,
      },
    },
  ],
  [
    'tells of a singleton',
    'OPTIONS /profile',
    {
      status: 204,
      headers: { allow: 'GET, HEAD, PUT, PATCH, OPTIONS', 'accept-patch': /json-patch/ },
    },
  ],
  [
    'tells of a document',
    'OPTIONS /colours',
    { status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } },
  ],
])

contract('a method that nothing has', shop, [
  ...['PROPFIND', 'LOCK', 'PURGE', 'SEARCH'].flatMap((method) =>
    ['/posts', '/posts/1', '/profile', '/colours'].map(
      (path) =>
        [
          `is refused: ${method} ${path}`,
          `${method} ${path}`,
          { status: 405, headers: { allow: /^GET, HEAD, .*OPTIONS$/, 'content-type': problem } },
        ] as const,
    ),
  ),
  ['is not refused before what is missing', 'PURGE /posts/1/nope', { status: 404 }],
])

/** Answers by hooks, with bodies of every kind. */
function kinds(): MockOptions<Record<string, unknown>> {
  async function* stream(): AsyncGenerator<string> {
    yield 'a'
    yield 'b'
  }
  const bodies: Record<string, MockBody> = {
    '/api/text': 'é',
    '/api/bytes': new Uint8Array(3),
    '/api/nothing': null,
    '/api/stream': stream(),
  }
  const entry = ({ path }: { path: string }): MockResponse | undefined =>
    path in bodies ? { status: 200, headers: [], body: bodies[path] ?? null } : undefined
  return { ...shop(), base: '/api', use: [{ name: 'kinds', create: () => ({ at: { entry } }) }] }
}

const sized = (request: Row[1], status: number, length: string | null): Row => [
  `${typeof request === 'string' ? request : JSON.stringify(request)} has it with ${status}`,
  request,
  { status, headers: { 'content-length': length } },
]

contract('the length of a body (RFC 9110 §8.6)', kinds, [
  sized('GET /api/posts/1', 200, '35'),
  sized(['GET /api/posts/1', 'GET /api/posts/1'], 200, '35'),
  sized([{ request: 'PUT /api/posts/1', body: { title: 'é' } }, 'GET /api/posts/1'], 200, '21'),
  sized({ request: 'PUT /api/posts/1', body: { title: 'é' } }, 200, '21'),
  sized('GET /api/posts/9', 404, '148'),
  sized('GET /api/text', 200, '2'),
  sized('GET /api/bytes', 200, '3'),
  sized('GET /api/nothing', 200, '0'),
  sized('GET /api/stream', 200, null),
  sized('OPTIONS /api/posts', 204, null),
  sized({ request: 'POST /api/posts', headers: { prefer: 'return=minimal' }, body: {} }, 204, null),
  sized({ request: 'GET /api/posts/1', headers: { 'if-none-match': '*' } }, 304, null),
  sized('HEAD /api/text', 200, '2'),
  sized('HEAD /api/nothing', 200, null),
])

contract('HEAD (RFC 9110 §9.3.2)', shop, [
  [
    'has the length of GET',
    'HEAD /posts/1',
    {
      status: 200,
      body: '',
      headers: { 'content-length': '35', 'content-type': 'application/json; charset=utf-8' },
    },
  ],
  [
    'has the length that GET has for a person',
    { request: 'HEAD /posts/1', headers: { accept: 'text/html,*/*' } },
    { status: 200, headers: { 'content-length': '48' } },
  ],
  [
    'has the length of GET where a precondition fails',
    { request: 'HEAD /posts/1', headers: { 'if-match': '"x"' } },
    { status: 412, headers: { 'content-length': '304' } },
  ],
  [
    'counts bytes',
    [{ request: 'PUT /posts/1', body: { id: 1, title: 'é' } }, 'HEAD /posts/1'],
    { status: 200, headers: { 'content-length': '21' } },
  ],
])
