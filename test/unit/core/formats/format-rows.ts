/** Each format with texts that it allows and texts that it refuses. */
export const formatRows: [format: string, valid: string[], invalid: string[]][] = [
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
    [...words('ada @x.org a@ .a@x.org a.@x.org a..b@x.org a@x_y'), `${'a'.repeat(65)}@x.org`],
  ],
  [
    'hostname',
    ['example.com', 'a', '1.2', `${'a'.repeat(63)}.org`],
    ['', '.', 'a.', '-a', 'a-', 'a_b', `${'a'.repeat(64)}.org`, 'a.'.repeat(127) + 'a'],
  ],
  ['ipv4', ['127.0.0.1', '255.255.255.255'], ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '']],
  [
    'ipv6',
    words(':: ::1 1:: 1:2:3:4:5:6:7:8 1::3:4:5:6:7:8 ::ffff:127.0.0.1 1:2:3:4:5:6:7::'),
    ['', ...words(': ::: 1 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 12345:: 127.0.0.1:: ::g')],
  ],
  [
    'uri',
    words(
      'https://a:b@x.org:80/p/%20?q=1#f urn:isbn:1 mailto:a@x.org http://[::1]/ http://[v1.a]/',
    ),
    [
      ...words('/a a 1a://x http://x/%2 http://x/" http://[::1 http://x:a/ http://é/'),
      '',
      'http://x y',
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
      ...words('http://x.org ftp://8.8.8.8/ http://é.org/?a#b'),
      'https://a:b@x-y.org:8080/a b'.replace(' ', '%20'),
    ],
    [
      ...words(
        'x.org http://x http://localhost:3000 http://10.0.0.1 http://x.org:1 http://-x.org http://@x.org file:///a',
      ),
      'http://x.org/a b',
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

/** The parts of a text between its spaces. */
function words(text: string): string[] {
  return text.split(' ')
}
