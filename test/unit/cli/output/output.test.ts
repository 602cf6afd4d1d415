import { spawn } from 'node:child_process'

import { describe, expect, it, onTestFinished } from 'vitest'

import { isInForeground } from '../../../../src/cli/session/keys.ts'
import type { Io } from '../../../../src/cli/io.ts'
import { addressesOf, homeOf } from '../../../../src/cli/output/addresses.ts'
import { createMock } from '../../../../src/index.ts'
import { describeServer, type ServerFacts } from '../../../../src/cli/output/banner.ts'
import { createLogLines } from '../../../../src/cli/output/log-line.ts'
import { createPaint } from '../../../../src/cli/output/terminal.ts'
import { toPrintable, toPrintableLines } from '../../../../src/cli/output/printable.ts'
import { createTerminal } from '../../../../src/cli/output/terminal.ts'
import type { LogEntry } from '../../../../src/core/log/log.ts'
import { createFakeIo } from '../fake-io.ts'

const plain = createPaint({ write: () => undefined }, {})
const coloured = createPaint({ write: () => undefined, isTTY: true }, {})

describe('createLogLines', () => {
  const entry: LogEntry = {
    time: 0,
    method: 'GET',
    url: '/posts/1',
    headers: {},
    status: 200,
    ms: 3,
    bytes: 24,
    reason: '',
  }
  const describeAll = (columns: number, ...entries: Partial<LogEntry>[]): string[] => {
    const describeRequest = createLogLines({ paint: plain, columns })
    return entries.map((more) => describeRequest({ ...entry, ...more }))
  }

  it('aligns statuses, times and sizes below the longest path so far', () => {
    expect(
      describeAll(
        100,
        {},
        { ms: 1234, bytes: 123_456, reason: 'fault 1' },
        { method: 'DELETE', url: '/posts/1/comments?_sort=author', status: 404, bytes: 1234 },
        { ms: 123, bytes: 1_250_000 },
        { status: 0 },
        { method: 'OPTIONS', url: `/${'a'.repeat(60)}` },
        { url: '/' },
      ),
    ).toEqual([
      'GET    /posts/1                 200    3 ms   24 B',
      'GET    /posts/1                 200   1.2 s 123 kB  fault 1',
      'DELETE /posts/1/comments?_sort=author 404    3 ms 1.2 kB',
      'GET    /posts/1                       200  123 ms 1.3 MB',
      'GET    /posts/1                       dropped 3 ms   24 B',
      `OPTIONS /${'a'.repeat(60)} 200    3 ms   24 B`,
      `GET    /${' '.repeat(47)} 200    3 ms   24 B`,
    ])
  })

  it('fits into 40 columns', () => {
    const reason = 'ignored "titel"'
    expect(describeAll(40, { reason }, { url: '/posts/1?a=1&b=2', reason })).toEqual([
      'GET    /posts/1       200    3 ms   24 B\n       ignored "titel"',
      'GET    /posts/1?a=1&b=2 200    3 ms   24 B\n       ignored "titel"',
    ])
  })

  const rows: [title: string, entry: Partial<LogEntry>, path: string, note?: string][] = [
    ['a long reason', { reason: `${'a'.repeat(499)}🎉` }, '/posts/1', `${'a'.repeat(499)}…`],
    [
      'letters of all scripts',
      {
        url: '/%D0%BA%D0%BB%D1%8E%D1%87/%E4%B8%96?q=%C3%BC%20%26%F0%9F%8E%89',
        reason: '"/%C3%BC"',
      },
      '/ключ/世?q=ü%20%26🎉',
      '"/ü"',
    ],
    [
      'encoded characters that are no letters',
      { url: '/%20%1b%C2%9B%E2%80%AE%FF%D0%D0%BA%2F%3f%C2%A0' },
      '/%20%1b%C2%9B%E2%80%AE%FF%D0%D0%BA%2F%3f%C2%A0',
    ],
    [
      'control characters',
      { url: '/a\u001B[2J\u009B\u202E', reason: 'x\ny\u007F' },
      '/a\\x1b[2J\\x9b\\x202e',
      'x\\x0ay\\x7f',
    ],
  ]

  it.each(rows)('shows %s', (_title, more, path, note = '') => {
    const [line = ''] = describeAll(1000, more)
    expect(line.replaceAll(/ {2,}/g, ' ').trim()).toBe(`GET ${path} 200 3 ms 24 B ${note}`.trim())
  })

  it('escapes control characters of a method', () => {
    expect(describeAll(80, { method: 'G\u0007' })[0]).toMatch(/^G\\x07 {2}\/posts/)
  })

  it.each([
    [200, 32],
    [304, 36],
    [404, 33],
    [500, 31],
    [0, 31],
  ])('colours the status %i', (status, colour) => {
    const line = createLogLines({ paint: coloured, columns: 80 })({ ...entry, status })
    expect(line).toContain(`\u001B[${colour}m${status === 0 ? 'dropped' : status}\u001B[39m`)
  })
})

describe('createPaint', () => {
  const rows: [title: string, isTTY: boolean, env: Record<string, string>, isColoured: boolean][] =
    [
      ['a terminal', true, {}, true],
      ['no terminal', false, {}, false],
      ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
      ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
      ['a dumb terminal', true, { TERM: 'dumb' }, false],
    ]

  it.each(rows)('is right for %s', (_title, isTTY, env, isColoured) => {
    const { bold } = createPaint({ write: () => undefined, isTTY }, env)
    expect(bold('x')).toBe(isColoured ? '\u001B[1mx\u001B[22m' : 'x')
  })
})

describe('toPrintable', () => {
  it('keeps letters of all languages', () => {
    expect(toPrintable('Grüße, 世界 🎉')).toBe('Grüße, 世界 🎉')
  })

  it('keeps line feeds and tabs of a text', () => {
    expect(toPrintableLines('a\n\tb\r\u001B')).toBe('a\n\tb\\x0d\\x1b')
  })
})

describe('addressesOf', () => {
  it('lists the URL for this machine first where a server listens on all addresses', () => {
    const [first, ...others] = addressesOf('http://0.0.0.0:3000/api')
    expect(first).toBe('http://localhost:3000/api')
    for (const other of others) expect(other).toMatch(/^http:\/\/[\d.]+:3000\/api$/)
    expect(addressesOf('http://[::]:3000')[0]).toBe('http://localhost:3000')
  })

  it('keeps any other address', () => {
    expect(addressesOf('http://localhost:3000/api')).toEqual(['http://localhost:3000/api'])
  })
})

describe('homeOf', () => {
  const rows: [title: string, url: string, token: string | undefined, expected: string][] = [
    ['the root', 'http://localhost:3000', undefined, 'http://localhost:3000/'],
    ['the root whatever the base', 'http://[::1]:3000/api', undefined, 'http://[::1]:3000/'],
    [
      'this machine and the token',
      'https://0.0.0.0:3000',
      'a&b',
      'https://localhost:3000/?token=a%26b',
    ],
  ]

  it.each(rows)('names %s', (_title, url, token, expected) => {
    expect(homeOf(url, token)).toBe(expected)
  })
})

describe('describeServer', () => {
  const facts = {
    version: '1.2.3',
    readyMs: 213.7,
    routes: [],
    keys: [],
    urls: ['http://localhost:3000'],
    base: '',
  }

  it('lists resources, not their records and children', async () => {
    const mock = createMock({
      fixtures: { posts: [{ id: 1 }], comments: [{ id: 1, postId: 1 }] },
    })
    const banner = await describeServer(
      { ...facts, routes: mock.routes },
      createTerminal(createFakeIo()),
    )
    expect(banner.match(/\/(?:posts|comments)\S*/g)).toEqual(['/posts', '/comments'])
  })

  it('shows letters of all scripts, and encodes what would end a URL', async () => {
    const names = ['ключ', '世界', 'a b', 'ü?#%', 'a\u202Eb', 'a\uD800']
    const routes = names.map((name) => ({
      path: `/${name}`,
      methods: ['GET'],
      resource: name,
      kind: 'collection' as const,
      count: 1,
    }))
    const banner = await describeServer({ ...facts, routes }, createTerminal(createFakeIo()))
    const paths = banner.matchAll(/^ {2}http:\/\/localhost:3000\/(\S+) +1 record$/gm)
    expect(Array.from(paths, ([, path]) => path)).toEqual([
      'ключ',
      '世界',
      'a%20b',
      'ü%3F%23%25',
      'a%E2%80%AEb',
      'a\uFFFD',
    ])
  })

  it('aligns what wide characters and emoji of a path take two columns for', async () => {
    const routes = ['posts', '世界', 'é', '🎉'].map((name) => ({
      path: `/${name}`,
      methods: ['GET'],
      resource: name,
      kind: 'collection' as const,
      count: 1,
    }))
    const banner = await describeServer({ ...facts, routes }, createTerminal(createFakeIo()))
    expect(banner.match(/\/[^/]+1 record$/gm)).toEqual([
      '/posts  1 record',
      '/世界   1 record',
      '/é      1 record',
      '/🎉     1 record',
    ])
  })

  const toRoute = (resource: string): ServerFacts['routes'][number] => ({
    path: `/${resource}`,
    methods: ['GET'],
    resource,
    kind: 'collection',
    count: 2,
  })
  const describeNames = (
    names: readonly string[],
    more: Partial<ServerFacts> = {},
    columns?: number,
  ): Promise<string> => {
    const io = createFakeIo(columns === undefined ? {} : { columns, env: { NO_COLOR: '1' } })
    return describeServer({ ...facts, routes: names.map(toRoute), ...more }, createTerminal(io))
  }
  const numbered = (count: number, folder = ''): string[] =>
    Array.from({ length: count }, (_, at) => `${folder}r${at}`)

  it('shows each of twelve resources', async () => {
    expect((await describeNames(numbered(12))).match(/2 records$/gm)).toHaveLength(12)
  })

  it('shows a line for each folder of more than twelve resources', async () => {
    const banner = await describeNames([...numbered(190), ...numbered(9, 'v1/'), 'v1/a/b'])
    expect(banner.split('\n').slice(4)).toEqual([
      '  http://localhost:3000/*       190 resources, 380 records',
      '  http://localhost:3000/v1/*    9 resources, 18 records',
      '  http://localhost:3000/v1/a/*  1 resource, 2 records',
      '',
    ])
  })

  it('shows at most twenty folders', async () => {
    const banner = await describeNames(numbered(10_000).map((name) => `${name}/posts`))
    expect(banner.match(/1 resource, 2 records$/gm)).toHaveLength(20)
    expect(banner).toContain('\n  and 9,980 more\n')
  })

  it('shows the routes of behaviours as they were typed, and each path once', async () => {
    const custom = (path: string, ...methods: string[]): ServerFacts['routes'][number] => ({
      ...toRoute('mine'),
      path,
      methods,
      kind: 'custom',
    })
    const routes = [
      { ...toRoute('articles'), path: '/api/articles' },
      custom('/api/articles/feed\\?*', '*'),
      custom('/api/articles', '*'),
      custom('/api/:slug/ü', 'POST'),
      custom('/api/:slug/ü', 'DELETE'),
    ]
    const urls = ['http://localhost:3000/api']
    const banner = await describeNames([], { routes, urls, base: '/api' })
    expect(banner.split('\n').slice(4, -1)).toEqual([
      '  http://localhost:3000/api/articles         2 records',
      '  http://localhost:3000/api/articles/feed?*  any method',
      '  http://localhost:3000/api/:slug/ü          POST DELETE',
    ])
  })

  it('fits into 40 columns, without colours', async () => {
    const keys = [
      ['r', 'reset'],
      ['b', 'back to snapshot'],
      ['q', 'quit'],
    ] as const
    expect((await describeNames(['posts', 'comments'], { keys }, 40)).split('\n')).toEqual([
      '',
      '  Fixtura 1.2.3  http://localhost:3000',
      '  Studio         http://localhost:3000/',
      '  ready in 214 ms',
      '',
      '  /posts     2 records',
      '  /comments  2 records',
      '',
      '  r reset  b back to snapshot  q quit',
      '',
    ])
  })

  const rows: [title: string, facts: Partial<ServerFacts>, expected: string][] = [
    ['the page at the URL of the API', {}, 'http://localhost:3000/'],
    [
      'the page where there is a base',
      { urls: ['http://localhost:3000/api'], base: '/api' },
      'http://localhost:3000/',
    ],
    ['the page with its token', { token: 'abc' }, 'http://localhost:3000/?token=abc'],
  ]

  it.each(rows)('names %s', async (_title, more, expected) => {
    const banner = await describeNames([], more)
    expect(banner).toMatch(/^ {2}Fixtura 1\.2\.3 {2}http\S+ {2}ready in 214 ms$/m)
    expect(banner).toContain(`\n  Studio         ${expected}\n`)
  })

  it.each([
    [undefined, 'http://localhost:3000/%41/a%20b%3F%23%25'],
    [50, '/%41/a%20b%3F%23%25'],
  ])('encodes every route below the base (%s columns)', async (columns, path) => {
    const place = { path: '/%41/a b?#%', resource: 'a b?#%' }
    const route = { ...place, kind: 'document' as const, count: 1, methods: [] }
    const base = '/%41'
    const terminal = createTerminal(createFakeIo(columns === undefined ? {} : { columns }))
    const urls = [`http://localhost:3000${base}`]
    const banner = await describeServer({ ...facts, urls, base, routes: [route] }, terminal)
    expect(banner).toContain(`\n  ${path}  `)
  })
})

describe('createTerminal', () => {
  const rows: [title: string, stdout: Partial<Io['stdout']>, expected: number][] = [
    ['as wide as it says', { isTTY: true, columns: 40 }, 40],
    ['80 columns wide where it says nothing', { isTTY: true }, 80],
    ['80 columns wide where it reports 0, as in a container', { isTTY: true, columns: 0 }, 80],
    ['without a limit where there is none', { columns: 40 }, Infinity],
  ]

  it.each(rows)('makes a terminal %s', (_title, stdout, expected) => {
    const io = createFakeIo()
    const terminal = createTerminal({ ...io, stdout: { ...io.stdout, ...stdout } })
    expect(terminal.columns).toBe(expected)
  })
})

describe('help', () => {
  const taken = 'Failed to listen on "localhost:3000": the port is in use.'
  const link = 'See https://fixtura.dev/it-does-not-work#port-in-use\n'

  it('is printed on a terminal, once for each place', () => {
    const io = createFakeIo({ columns: 80, env: { NO_COLOR: '1' } })
    const { printError, help } = createTerminal(io)
    printError(taken)
    printError(taken)
    expect(io.err()).toBe(`${taken}\n${link}${taken}\n`)
    expect(help(`${taken}\nTwo: the id "1" is used twice, first at 1:8.`, io.stdout)).toBe(
      '\nSee https://fixtura.dev/it-does-not-work#id-twice',
    )
  })

  it('is not printed into a file or a pipe', () => {
    const io = createFakeIo()
    createTerminal(io).printError(taken)
    expect(io.err()).toBe(`${taken}\n`)
  })
})

describe('isInForeground', () => {
  // Windows has no job control.
  it.skipIf(process.platform === 'win32')('is false for a process without a terminal', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
    onTestFinished(() => void child.kill('SIGKILL'))
    expect(await isInForeground(child.pid)).toBe(false)
  })

  it('is true where the system does not tell', async () => {
    expect(await isInForeground(undefined)).toBe(true)
  })
})
