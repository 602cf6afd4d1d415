import { describe, expect, it } from 'vitest'

import type { HeaderList } from '../../../../src/core/http/contract/messages.ts'
import { toUpstreamHeaders, toClientHeaders } from '../../../../src/core/proxy/headers.ts'

const ends = { own: 'http://localhost:3000', upstream: 'https://api.example.com' }

describe('the headers of a request behind a proxy', () => {
  const rows: [title: string, sent: string[], received: string[]][] = [
    ['name the server', ['Host: localhost:3000'], []],
    [
      'name the server where they named the proxy',
      ['Origin: http://localhost:3000', 'Referer: http://localhost:3000/login?a=1'],
      ['Origin: https://api.example.com', 'Referer: https://api.example.com/login?a=1'],
    ],
    [
      'keep another origin',
      ['Origin: http://localhost:5173', 'Referer: http://localhost:30001/x'],
      ['Origin: http://localhost:5173', 'Referer: http://localhost:30001/x'],
    ],
    [
      'leave out those of the connection',
      [
        'Connection: keep-alive, X-Hop',
        'X-Hop: 1',
        'Keep-Alive: timeout=5',
        'TE: trailers',
        'Trailer: X-Sum',
        'Upgrade: h2c',
        'Transfer-Encoding: chunked',
        'Proxy-Connection: keep-alive',
        'Proxy-Authorization: Basic x',
        'X-End: 1',
      ],
      ['X-End: 1'],
    ],
    [
      'accept only codings that can be read',
      ['Accept-Encoding: gzip, deflate, br;q=0.8, zstd, *;q=0'],
      ['Accept-Encoding: gzip, br;q=0.8, *;q=0'],
    ],
    [
      'keep the order, the spelling and repeated lines',
      ['x-B: 1', 'X-a: 2', 'x-B: 3'],
      ['x-B: 1', 'X-a: 2', 'x-B: 3'],
    ],
  ]

  it.each(rows)('%s', (_title, sent, received) => {
    const list = sent.map((line): [string, string] => {
      const [name = '', value = ''] = line.split(/: (.*)/)
      return [name, value]
    })
    const headers = toUpstreamHeaders(list, { ...ends, codings: ['gzip', 'br'] })
    const lines = headers.map(([name, value]) => `${name}: ${value}`)
    expect(lines).toEqual(['Host: api.example.com', ...received])
  })

  it('have the added headers in place of those of the client', () => {
    const added = { Authorization: 'Bearer real' }
    expect(toUpstreamHeaders([['authorization', 'Bearer own']], { ...ends, added })).toEqual([
      ['Host', 'api.example.com'],
      ['Authorization', 'Bearer real'],
    ])
  })
})

describe('the headers of a response behind a proxy', () => {
  /** What is received is what was sent, unless the row says otherwise; null leaves the line out. */
  const rows: [title: string, name: string, sent: string, received?: string | null][] = [
    ['URL of the server', 'Location', 'https://api.example.com/a?b', 'http://localhost:3000/a?b'],
    ['origin alone', 'Location', 'https://API.example.com', 'http://localhost:3000'],
    ['URL without a scheme', 'Location', '//api.example.com/a', '//localhost:3000/a'],
    ['path', 'Location', '/a'],
    ['host that begins alike', 'Location', 'https://api.example.com.evil/'],
    ['other port', 'Location', 'https://api.example.com:8443/'],
    [
      'links',
      'Link',
      '<https://api.example.com/a?page=2>; rel="next", </b>; rel="first"',
      '<http://localhost:3000/a?page=2>; rel="next", </b>; rel="first"',
    ],
    ['refresh', 'Refresh', '5; url=https://api.example.com/a', '5; url=http://localhost:3000/a'],
    ['other address', 'Alt-Svc', 'h3=":443"', null],
    [
      'allowed origin of the server',
      'Access-Control-Allow-Origin',
      'https://api.example.com',
      'http://localhost:3000',
    ],
    ['any allowed origin', 'Access-Control-Allow-Origin', '*'],
    ['connection', 'Keep-Alive', 'timeout=5', null],
    ['plain cookie', 'Set-Cookie', 'a=b; Path=/; HttpOnly'],
    ['cookie of the domain', 'Set-Cookie', 'a=b; Domain=.example.com; Path=/', 'a=b; Path=/'],
    ['cookie of another domain', 'Set-Cookie', 'a=b; Domain=other.test'],
    [
      'cookie for https',
      'Set-Cookie',
      'a=b; Secure; HttpOnly; SameSite=None; Partitioned',
      'a=b; HttpOnly; SameSite=Lax',
    ],
    ['strict cookie', 'Set-Cookie', 'a=b; Secure; SameSite=Strict', 'a=b; SameSite=Strict'],
    ['cookie whose name needs https', 'Set-Cookie', '__Host-a=b; Secure; Path=/; SameSite=None'],
    ['expiry', 'Set-Cookie', 'a=b; Expires=Wed, 01 Jan 2031 00:00:00 GMT'],
  ]

  it.each(rows)('rewrite or keep: %s', (_title, name, sent, received = sent) => {
    const expected = received === null ? [] : [[name, received]]
    expect(toClientHeaders([[name, sent]], ends)).toEqual(expected)
  })

  it('keep a cookie for https where the proxy has it', () => {
    const secure = { ...ends, own: 'https://localhost:3000' }
    const cookie: HeaderList = [['Set-Cookie', 'a=b; Secure; SameSite=None']]
    expect(toClientHeaders(cookie, secure)).toEqual(cookie)
  })
})
