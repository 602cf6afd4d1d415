import type { Random } from '../../src/core/time/random.ts'

/** One attack: bytes for a connection, and how the one who sends them behaves. */
export interface Attack {
  /** Which kind it is, for the message when something breaks. */
  kind: string
  bytes: Buffer
  /** Goes after that many bytes, without an answer. */
  leavesAfter?: number
  /** Sends its bytes in that many pieces. */
  pieces?: number
  /** Must not have what it asks for. */
  isRefused?: boolean
}

/** Draws attacks, the same ones for the same chance. */
export function createAttacks(random: Random): () => Attack {
  const draw = createDraw(random)
  return () => {
    const [kind, make] = draw.of(kinds)
    return { kind, ...make(draw) }
  }
}

interface Draw {
  of<T>(list: readonly T[]): T
  below(limit: number): number
  chance(probability: number): boolean
}

function createDraw(random: Random): Draw {
  const below = (limit: number): number => Math.floor(random() * limit)
  return {
    below,
    chance: (probability) => random() < probability,
    of<T>(list: readonly T[]): T {
      return list[below(list.length)] as T
    },
  }
}

interface Parts {
  method?: string
  target?: string
  headers?: readonly (readonly [name: string, value: string])[]
  body?: string | Buffer
}

const poison = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'valueOf',
]

const names = ['posts', 'comments', 'profile', 'colours', 'v1/notes']

/** Texts that have broken parsers before. */
const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'undefined',
  '[object Object]',
  '%',
  '%2',
  '%zz',
  '%00',
  '%c0%ae',
  '%ed%a0%80',
  '%F0%9F%92%A9',
  '%0d%0aX-Injected:%20yes',
  '%0d%0a%0d%0a<script>',
  '\u2028',
  '../'.repeat(8) + 'etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '..\\..\\windows\\win.ini',
  '%252e%252e%252fetc%252fpasswd',
  "' OR 1=1 --",
  '{{7*7}}${7*7}',
  '<img src=x onerror=alert(1)>',
  '[]',
  '{}',
  '{"a":',
  '*',
  'a'.repeat(3000),
  'a,'.repeat(700),
  '.'.repeat(2000),
  '%25'.repeat(700),
  `${'a'.repeat(1500)}!`,
  '((((((((((a*)*)*)*)*)*)*)*)*)*',
  `^(${'a+'.repeat(200)})+$`,
  `${'%'.repeat(60)}x${'_'.repeat(60)}`,
  '(?<=a)(?=b)[[:alpha:]]{1,99999}',
  '9'.repeat(400),
  '-'.repeat(500),
  'eyJ2IjpbMV19',
]

const parameters = [
  'q',
  '_sort',
  '_order',
  '_page',
  '_limit',
  '_per_page',
  '_start',
  '_end',
  '_cursor',
  '_embed',
  '_expand',
  '_fields',
  '_where',
  '_dependent',
  'id',
  'ids[]',
  'title',
  'title_like',
  'title:like',
  'title:contains',
  'title:in',
  'author.name',
  'author.name_like',
  'tags',
  'views:gte',
  'views:between',
  'views_ne',
  'missing:exists',
]

const kinds: [kind: string, make: (draw: Draw) => Omit<Attack, 'kind'>][] = [
  ['query', (draw) => http(draw, { target: `/${draw.of(names)}${search(draw)}` })],
  [
    'member query',
    (draw) =>
      http(draw, { method: draw.of(methods), target: `/posts/${draw.of(ids)}${search(draw)}` }),
  ],
  ['path', (draw) => http(draw, { method: draw.of(methods), target: path(draw) })],
  ['tree', (draw) => http(draw, { target: `/posts?_where=${encodeURIComponent(tree(draw))}` })],
  [
    'question',
    (draw) =>
      http(draw, {
        method: 'QUERY',
        target: '/posts',
        headers: [['Content-Type', draw.of(types)]],
        body: question(draw),
      }),
  ],
  [
    'write',
    (draw) =>
      http(draw, {
        method: draw.of(['POST', 'PUT', 'PATCH']),
        target: `/${draw.of(['posts', 'posts/1', 'profile', 'posts/1/comments', 'comments/1'])}`,
        headers: [['Content-Type', draw.of(types)]],
        body: body(draw),
      }),
  ],
  [
    'patch',
    (draw) =>
      http(draw, {
        method: 'PATCH',
        target: draw.of(['/posts/1', '/profile']),
        headers: [['Content-Type', 'application/json-patch+json']],
        body: patch(draw),
      }),
  ],
  [
    'multipart',
    (draw) =>
      http(draw, {
        method: 'POST',
        target: '/posts',
        headers: [
          [
            'Content-Type',
            draw.of([
              'multipart/form-data; boundary=cut',
              'multipart/form-data',
              'multipart/form-data; boundary=""',
              `multipart/form-data; boundary=${'-'.repeat(90)}`,
            ]),
          ],
        ],
        body: multipart(draw),
      }),
  ],
  [
    'headers',
    (draw) =>
      http(draw, {
        method: draw.of(methods),
        target: `/${draw.of(names)}`,
        headers: headers(draw),
        ...(draw.chance(0.5) && { body: body(draw) }),
      }),
  ],
  [
    'splitting',
    (draw) =>
      http(draw, {
        method: 'POST',
        target: '/posts',
        headers: [['Content-Type', 'application/json']],
        body: JSON.stringify({
          id: draw.of([
            'a\r\nX-Injected: yes',
            '\r\n\r\n<html>',
            '\u0000',
            'é\n',
            '\ud800',
            '..',
            '/',
            '?a=b#c',
            ' ',
            '%0d%0aX-Injected: yes',
          ]),
          title: 'x',
        }),
      }),
  ],
  [
    'pipeline',
    (draw) => ({
      bytes: Buffer.concat(
        Array.from(
          { length: 1 + draw.below(8) },
          () =>
            http(
              draw,
              { method: draw.of(['GET', 'HEAD', 'DELETE', 'OPTIONS']), target: path(draw) },
              'keep-alive',
            ).bytes,
        ).concat(http(draw, { target: '/colours' }).bytes),
      ),
    }),
  ],
  [
    'control',
    (draw) => ({
      ...http(draw, {
        method: draw.of(methods),
        target: `/__mock${draw.of(['', '/', '/reset', '/log', '/state', '/rules', '/snapshots/x', '/../posts', '/__proto__', `/${escape(draw.of(texts))}`])}`,
        headers: [
          ['Origin', draw.of(['https://evil.example', 'null', 'http://localhost:1'])],
          ['Content-Type', draw.of(types)],
        ],
        body: body(draw),
      }),
      isRefused: true,
    }),
  ],
  ['junk', (draw) => ({ bytes: junk(draw) })],
  ['framing', (draw) => ({ bytes: Buffer.from(framing(draw)) })],
  [
    'pieces',
    (draw) => ({
      ...http(draw, {
        method: 'POST',
        target: '/posts',
        headers: [['Content-Type', 'application/json']],
        body: body(draw),
      }),
      pieces: 2 + draw.below(6),
    }),
  ],
  [
    'abort',
    (draw) => {
      const { bytes } = http(draw, {
        method: 'POST',
        target: '/posts',
        headers: [['Content-Type', 'application/json']],
        body: body(draw),
      })
      return { bytes, leavesAfter: draw.below(bytes.length) }
    },
  ],
  [
    'abort an answer',
    (draw) => {
      const { bytes } = http(draw, { target: '/posts?_embed=comments' })
      return { bytes, leavesAfter: bytes.length }
    },
  ],
]

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'QUERY',
  'TRACE',
  'PROPFIND',
  'LOCK',
  'M-SEARCH',
  'PURGE',
  'MKCOL',
  'SUBSCRIBE',
]

const ids = [
  '1',
  '2',
  '01',
  '1.0',
  '+1',
  '-0',
  '1e0',
  'a',
  '__proto__',
  'constructor',
  '%2e%2e',
  '1%00',
  '1/comments',
  '1/comments/1',
  '1/__proto__/1',
  '1/comments/1/posts/1/comments',
  'null',
  '',
]

const types = [
  'application/json',
  'application/json',
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/vnd.api+json',
  '',
  ';;;',
  'application/json; charset=utf-16',
  `${'a/'.repeat(500)}b`,
  `${' '.repeat(2000)}application/json`,
]

function http(draw: Draw, parts: Parts, connection = 'close'): { bytes: Buffer } {
  const { method = 'GET', target = '/', headers = [], body } = parts
  const content = body === undefined ? undefined : Buffer.from(body)
  const lines: (readonly [string, string])[] = [
    ['Host', 'localhost'],
    ['Connection', connection],
    ...headers,
  ]
  if (content) lines.push(['Content-Length', String(content.length)])
  if (draw.chance(0.1))
    lines.push(['Accept-Encoding', draw.of(['br', 'gzip', '*', 'br;q=0', ',,,'])])
  if (draw.chance(0.1))
    lines.push([
      'Origin',
      draw.of([
        'null',
        'http://localhost:1',
        'https://evil.example',
        `http://${'a.'.repeat(900)}localhost`,
      ]),
    ])
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return { bytes: Buffer.concat([Buffer.from(head, 'latin1'), content ?? Buffer.alloc(0)]) }
}

/** What a path or a query may have in it as it is; the rest goes as escapes. */
function escape(text: string): string {
  return text.replaceAll(/[^!$%&'()*+,\-./\w:;=?@[\]^`{|}~]/g, (sign) => encodeURIComponent(sign))
}

function search(draw: Draw): string {
  const parts = Array.from({ length: 1 + draw.below(5) }, () => {
    const name = draw.chance(0.7)
      ? draw.of(parameters)
      : draw.of([
          `${draw.of(poison)}[x]`,
          `${draw.of(poison)}.x`,
          `x[${draw.of(poison)}]`,
          draw.of(poison),
          'constructor[prototype][x]',
          draw.of(texts).slice(0, 200),
        ])
    const value = draw.of([
      draw.of(texts),
      draw.of(poison),
      `${draw.of(poison)}.${draw.of(poison)}`,
      String(draw.below(100)),
      tree(draw),
    ])
    return `${escape(name)}=${escape(value)}`
  })
  return `?${draw.of(['', '', '&', '='])}${parts.join(draw.of(['&', '&', '&', ';', '&&', '?']))}`
}

function path(draw: Draw): string {
  const parts = Array.from({ length: 1 + draw.below(6) }, () =>
    draw.of([draw.of(names), draw.of(ids), draw.of(poison), escape(draw.of(texts))]),
  )
  return `/${parts.join(draw.of(['/', '/', '//', '%2f', '/./', '/../']))}`
}

/** A JSON value as text, which need not be one. */
function json(draw: Draw, depth = 0): string {
  const kind = draw.below(depth > 4 ? 5 : 8)
  if (kind === 0) return JSON.stringify(draw.of(texts))
  if (kind === 1) return draw.of(['0', '-1', '1e999', '9007199254740993', '-0', '1E-400'])
  if (kind === 2) return draw.of(['true', 'false', 'null'])
  if (kind === 3) return JSON.stringify(draw.of(poison))
  if (kind === 4) return draw.of(['"\\ud800"', '"\\u0000"', '"\\u2028"', '""'])
  const inner = Array.from({ length: draw.below(4) }, () => json(draw, depth + 1))
  if (kind === 5) return `[${inner.join(',')}]`
  return `{${inner.map((value) => `${JSON.stringify(draw.of([...poison, ...fields]))}:${value}`).join(',')}}`
}

const fields = ['id', 'title', 'views', 'author', 'tags', 'postId', 'a', '', 'x.y', 'updatedAt']

function body(draw: Draw): string {
  const size = 10 ** draw.below(5)
  return draw.of([
    () => json(draw),
    () => json(draw),
    () => `{"__proto__":${json(draw)},"title":"x"}`,
    () => `{"constructor":{"prototype":{"polluted":true}},"id":${json(draw)}}`,
    () => '['.repeat(size),
    () => `${'['.repeat(size)}${']'.repeat(size)}`,
    () => `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`,
    () => `[${'{},'.repeat(size / 10)}{}]`,
    () => `{"a":"${'\\u0061'.repeat(size)}"}`,
    () => `{${Array.from({ length: size / 100 }, (_, at) => `"k${at % 50}":1`).join(',')}}`,
    () => '\uFEFF{}',
    () => `a=1&${draw.of(poison)}[x]=1&${draw.of(poison)}=2&b[]=3&=4&%=5`,
    () => '&'.repeat(size),
    () => '',
    () => 'null',
    () => '{"a":1}{"b":2}',
    () => `"${'\\'.repeat(size)}"`,
  ])()
}

function tree(draw: Draw): string {
  return draw.of([
    () => json(draw),
    () => '{"and":'.repeat(draw.below(60)) + '{}' + '}'.repeat(draw.below(60)),
    () => `${'{"not":'.repeat(40)}{"a":1}${'}'.repeat(40)}`,
    () => `{"or":[${Array.from({ length: 200 }, () => '{"views":{"gt":1}}').join(',')}]}`,
    () => `{${JSON.stringify(draw.of(poison))}:{"eq":1}}`,
    () =>
      `{"title":{${JSON.stringify(draw.of([...poison, 'like', 'in', 'regex', 'eq']))}:${json(draw)}}}`,
    () => `{"title":{"like":"${'%a'.repeat(400)}"}}`,
  ])()
}

function question(draw: Draw): string {
  return draw.of([
    () => json(draw),
    () => `{"where":${tree(draw)}}`,
    () =>
      `{"where":${tree(draw)},"sort":${json(draw)},"limit":${json(draw)},"embed":${json(draw)}}`,
    () => `{${JSON.stringify(draw.of(poison))}:${json(draw)}}`,
  ])()
}

function patch(draw: Draw): string {
  const pointers = [
    '',
    '/',
    '/id',
    '/title',
    '/tags/-',
    '/tags/0',
    '/__proto__/polluted',
    '/constructor/prototype/polluted',
    '/~2',
    '/a~1b',
    '/a'.repeat(500),
    'title',
    '/tags/99999999999',
  ]
  const operations = Array.from({ length: draw.of([1, 2, 5, 60, 1200]) }, () => ({
    op: draw.of(['add', 'remove', 'replace', 'move', 'copy', 'test', '__proto__', 'toString']),
    path: draw.of(pointers),
    from: draw.of(pointers),
    value: draw.of([1, null, {}, [[]], 'x', { __proto__: 1 }]),
  }))
  const copies = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/tags', path: '/tags/-' }))
  return draw.chance(0.03)
    ? JSON.stringify(copies)
    : draw.of([JSON.stringify(operations), json(draw)])
}

function multipart(draw: Draw): string {
  const parts = Array.from({ length: draw.below(6) }, () => {
    const name = draw.of([...poison, ...fields, 'a"; filename="x', '\\"', 'é'])
    const file = draw.chance(0.4)
      ? `; filename="${draw.of(['a.txt', '../../etc/passwd', '', 'a\\"b', 'C:\\x'])}"\r\nContent-Type: ${draw.of(['text/html', 'x', '', 'image/png; a=b'])}`
      : ''
    return `--cut\r\nContent-Disposition: ${draw.of(['form-data', 'attachment', ''])}; name="${name}"${file}\r\n\r\n${draw.of(texts)}\r\n`
  })
  return parts.join('') + draw.of(['--cut--\r\n', '--cut--', '', '--cut', '--cut\r\n'])
}

function headers(draw: Draw): [name: string, value: string][] {
  const long = draw.of(texts).replaceAll(/[^\x20-\x7e]/g, '?')
  const values = [
    long,
    '*',
    '""',
    'W/"x"',
    '"x", "y"',
    ','.repeat(500),
    `"${'a'.repeat(2000)}`,
    `${' '.repeat(1000)}x`,
    'bytes=0-,0-,0-',
    'return=minimal',
    'q=1;q=2',
    '*/*;q=abc',
    'a/b;'.repeat(400),
  ]
  const all = [
    'Accept',
    'If-None-Match',
    'If-Match',
    'If-Modified-Since',
    'If-Unmodified-Since',
    'Range',
    'Prefer',
    'Content-Type',
    'Content-Encoding',
    'Cookie',
    'Authorization',
    'X-Forwarded-For',
    'X-HTTP-Method-Override',
    'Access-Control-Request-Method',
    'Access-Control-Request-Headers',
    'Access-Control-Request-Private-Network',
    'Sec-Fetch-Site',
    'Referer',
    '__proto__',
    'constructor',
    'Upgrade',
    'TE',
    'Last-Event-ID',
    'Idempotency-Key',
    'X-Mock-Session',
    'Forwarded',
    'Via',
    'Expect',
  ]
  return Array.from({ length: 1 + draw.below(6) }, () => [draw.of(all), draw.of(values)])
}

function framing(draw: Draw): string {
  const start =
    'POST /posts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n'
  return (
    start +
    draw.of([
      'Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
      'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Injected: yes\r\n\r\n',
      `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(30_000)}\r\n{}\r\n0\r\n\r\n`,
      'Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n',
      'Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      'Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}GET /admin HTTP/1.1\r\n\r\n',
      'Content-Length: +2\r\n\r\n{}',
      'Content-Length: 2\r\n\r\n{}DELETE /posts/1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'Content-Length: 99999999999999999999\r\n\r\n{}',
      'Content-Length: 20000000\r\n\r\n{',
      'Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}',
      'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
      `${'X: y\r\n'.repeat(3000)}\r\n`,
      `Cookie: ${'a=b; '.repeat(20_000)}\r\n\r\n`,
      'Host: evil.example\r\n\r\n',
      'Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n',
      'Bad Header\r\n\r\n',
      ' folded: x\r\n\r\n',
    ])
  )
}

function junk(draw: Draw): Buffer {
  return draw.of([
    () => Buffer.from(Array.from({ length: 1 + draw.below(400) }, () => draw.below(256))),
    () =>
      Buffer.from(
        `${draw.of(['BREW', 'get', 'GE T', '', 'G\u0000ET', 'PRI * HTTP/2.0\r\n\r\nSM'])} /posts HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      ),
    () => Buffer.from(`GET ${'/a'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    () => Buffer.from(`GET /posts HTTP/${draw.of(['0.9', '1.0', '2.0', '9.9', 'x'])}\r\n\r\n`),
    () =>
      Buffer.from(
        `CONNECT ${draw.of(['localhost:80', '*', '/posts'])} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      ),
    () =>
      Buffer.from(
        `GET ${draw.of(['http://evil.example/posts', 'file:///etc/passwd', '*', '//evil.example/posts', '?', '#'])} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      ),
    () => Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc]),
    () => Buffer.from('\r\n'.repeat(draw.below(500))),
  ])()
}
