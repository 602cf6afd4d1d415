import { describe, expect, it } from 'vitest'

import { formats } from '../../../../../src/core/behaviours/schema/formats/formats.ts'

const rows: [format: string, valid: string[], invalid: string[]][] = [
  ['date', ['2024-02-29', '1999-12-31'], ['2023-02-29', '2024-13-01', '2024-1-1', '2024-01-00']],
  [
    'time',
    ['12:30:00Z', '12:30:00.5+01:00', '23:59:60Z', '00:59:60+01:00'],
    ['24:00:00Z', '12:30:00', '12:30:60Z', '12:30Z', '12:30:00+24:00'],
  ],
  [
    'date-time',
    ['2024-02-29T12:30:00Z', '2024-02-29 12:30:00-08:00', '1998-12-31t15:59:60.1-08:00'],
    ['2024-02-29', '2024-02-30T12:30:00Z', '2024-02-29_12:30:00Z', '2024-02-29TT12:30:00Z'],
  ],
  [
    'duration',
    ['P4DT12H30M5S', 'P4W', 'PT1S', 'P1Y2M'],
    ['P', 'PT', '4D', 'P1D2H', 'P1W2D', 'P1Y2D'],
  ],
  [
    'email',
    ['ada@x.org', 'a.b+c@x.org', '"a b@c"@x.org', 'a@[127.0.0.1]', 'a@[IPv6:::1]', 'a@localhost'],
    [
      'ada',
      '@x.org',
      'a@',
      '.a@x.org',
      'a.@x.org',
      'a..b@x.org',
      'a@x_y',
      `${'a'.repeat(65)}@x.org`,
    ],
  ],
  [
    'hostname',
    ['example.com', 'a', '1.2', `${'a'.repeat(63)}.org`],
    ['', '.', 'a.', '-a', 'a-', 'a_b', `${'a'.repeat(64)}.org`, 'a.'.repeat(127) + 'a'],
  ],
  ['ipv4', ['127.0.0.1', '255.255.255.255'], ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '']],
  [
    'ipv6',
    [
      '::',
      '::1',
      '1::',
      '1:2:3:4:5:6:7:8',
      '1::3:4:5:6:7:8',
      '::ffff:127.0.0.1',
      '1:2:3:4:5:6:7::',
    ],
    [
      '',
      ':',
      ':::',
      '1',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '12345::',
      '127.0.0.1::',
      '::g',
    ],
  ],
  [
    'uri',
    [
      'https://a:b@x.org:80/p/%20?q=1#f',
      'urn:isbn:1',
      'mailto:a@x.org',
      'http://[::1]/',
      'http://[v1.a]/',
    ],
    [
      '/a',
      'a',
      '',
      '1a://x',
      'http://x y',
      'http://x/%2',
      'http://x/"',
      'http://[::1',
      'http://x:a/',
      'http://é/',
    ],
  ],
  ['uri-reference', ['', '/a', '../a?b#c', '//x.org', 'a:b'], ['\\a', '#a#b', 'a b', ':a', '%']],
  [
    'uri-template',
    ['http://x/{id}', '{+a,b*}', '{/a:3}{?x.y}', 'a%20', 'é'],
    ['{', '}', '{}', '{a', 'a}', '{{a}}', '{a b}', '{a:0}', '{a..b}', 'a b', '%2', '{a%}'],
  ],
  [
    'url',
    [
      'http://x.org',
      'https://a:b@x-y.org:8080/a b'.replace(' ', '%20'),
      'ftp://8.8.8.8/',
      'http://é.org/?a#b',
    ],
    [
      'x.org',
      'http://x',
      'http://localhost:3000',
      'http://10.0.0.1',
      'http://x.org:1',
      'http://-x.org',
      'http://x.org/a b',
      'http://@x.org',
      'file:///a',
    ],
  ],
  [
    'uuid',
    ['2eb8aa08-AA98-11ea-b4aa-73b441d16380'],
    ['2eb8aa08aa9811eab4aa73b441d16380', '2eb8aa08-aa98-11ea-b4aa-73b441d1638'],
  ],
  ['regex', ['^a+$', '\\p{L}'], ['(', 'a\\Z', '\\p{No}x{']],
  ['json-pointer', ['', '/', '/a/~0~1', '/ä b'], ['a', '/~', '/~2', '#/a']],
  ['json-pointer-uri-fragment', ['#', '#/a%20b', '#/~1'], ['', '/a', '#a', '#/~', '#/a b']],
  [
    'relative-json-pointer',
    ['0', '1/a', '12#', '0/~0'],
    ['', '/a', '01', '1a', '1#/a', '-1', '1/~'],
  ],
]

/** Texts that take a backtracking expression time that grows with the square of their length, or more. */
const hostile = [
  'a',
  'a.',
  '/',
  'a-',
  '1',
  '1:',
  ':',
  '.',
  '@',
  'a@',
  '%41',
  '{a',
  '{a,',
  '~0/',
  '"',
  '\\"',
  'http://a',
  '[',
  ' ',
]

describe('a format', () => {
  it.each(rows)('%s allows and refuses', (format, valid, invalid) => {
    const isFormat = formats[format] ?? (() => undefined)
    expect([...valid, ...invalid].filter(isFormat)).toEqual(valid)
  })

  it('has a row here', () => {
    expect(rows.map(([format]) => format).toSorted()).toEqual(Object.keys(formats).toSorted())
  })

  // A format that takes quadratic time runs into the time-out of the test.
  it.each(rows)('%s reads a long text in linear time', (format, [start = '']) => {
    const isFormat = formats[format]
    for (const prefix of ['', start, 'http://', 'a@', '#/', '0/', '{']) {
      for (const part of hostile) {
        expect(isFormat?.(`${prefix}${part.repeat(30_000)}\n `)).toBeTypeOf('boolean')
      }
    }
  })
})
