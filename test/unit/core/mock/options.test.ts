import { describe, expect, it } from 'vitest'

import { createMock, MockError, type MockOptions } from '../../../../src/index.ts'
import { handlers } from '../../../../src/msw.ts'
import { isolate, serve } from '../../../../src/node.ts'
import { mockRoute } from '../../../../src/playwright.ts'

const posts = [
  { id: 1, title: 'b' },
  { id: 2, title: 'a' },
]

/** The message of the error that the function throws. */
function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(MockError)
    return error instanceof Error ? error.message : ''
  }
  throw new Error('It throws nothing.')
}

describe('createMock', () => {
  it.each<[title: string, options: unknown, message: string]>([
    ['nothing', undefined, 'it cannot be undefined. Please give an object.'],
    ['no fixtures', {}, '"fixtures" is missing. Please give an object.'],
    ['data in place of options', { posts }, 'there is no "posts". Known: fixtures, base,'],
    ['a misspelled name', { fixture: {} }, 'Did you mean "fixtures"?'],
    ['a list', { fixtures: [] }, '"fixtures" cannot be [].'],
    ['a text', { fixtures: 'fixtures' }, '"fixtures" cannot be "fixtures".'],
    ['a base that is a URL', { base: 'http://x/api' }, '"base" cannot be "http://x/api".'],
    ['a base with a query', { base: '/a?b' }, 'Please give a path such as /api.'],
    ['a base that needs percent-encoding', { base: '/ä' }, '"base" cannot be "/ä".'],
    ['a base with dot segments', { base: '/a/../b' }, '"base" cannot be "/a/../b".'],
    ['a seed that is not a number', { seed: NaN }, '"seed" cannot be NaN.'],
    ['an infinite number', { maxBody: Infinity }, '"maxBody" cannot be Infinity.'],
    ['a depth above 1000', { maxDepth: 1001 }, 'Please give a whole number from 1 to 1000.'],
    ['a clock without functions', { clock: {} }, '"clock" cannot be {}. Please give a clock'],
    [
      'a Cache-Control with a line break',
      { cacheControl: 'no-store\r\nX-Evil: 1' },
      'Please give a text of one line in Latin-1',
    ],
    [
      'a Cache-Control beyond Latin-1',
      { cacheControl: { posts: 'max-age=1, x="\u2713"' } },
      '"cacheControl" cannot be',
    ],
    ['an empty id field', { id: '' }, '"id" cannot be "".'],
    [
      'the name of a dialect',
      { dialect: 'rest' },
      'Please give a dialect from "fixtura/dialects".',
    ],
    [
      'a dialect without functions',
      { dialect: { name: 'x' } },
      '"dialect" cannot be {"name":"x"}.',
    ],
    [
      'a factory in place of a behaviour',
      { use: [() => 1] },
      'use[0] is a function. Please call it.',
    ],
    [
      'a dialect without a function for errors',
      { dialect: { parseList() {}, render() {} } },
      '"dialect" cannot be',
    ],
  ])('refuses %s', (_, options, message) => {
    const given = typeof options === 'object' && options !== null ? options : undefined
    const isComplete = !given || /fixture|posts"?:\[|^\{\}$/.test(JSON.stringify(given))
    const all = (isComplete ? options : { fixtures: { posts }, ...given }) as MockOptions<object>
    expect(messageOf(() => createMock(all))).toContain(message)
  })

  it.each<[title: string, relation: object]>([
    ['an unknown option', { too: 'b' }],
    ['a misspelled option', { to: 'b', dependant: true }],
    ['a name that is a number', { to: 'b', as: 1 }],
    ['a `dependent` that is a string', { to: 'b', dependent: 'yes' }],
  ])('refuses a relation with %s', (_, relation) => {
    const options = { fixtures: { posts }, relations: { posts: { a: relation } } }
    expect(messageOf(() => createMock(options as MockOptions<object>))).toContain(
      '"relations" cannot be',
    )
  })

  it.each<[title: string, records: unknown[], message: string]>([
    [
      'two records with one id',
      [{ id: 1 }, { id: 2 }, { id: '1' }],
      'Failed to load "posts": records 0 and 2 both have the id "1". Please change one of them.',
    ],
    [
      'an id that is neither a string nor a number',
      [{ id: 1 }, { id: {} }],
      'Failed to load "posts": "id" of record 1 is neither a text nor a number. Please change or remove it.',
    ],
    [
      'a value that JSON cannot represent',
      [{ id: 1n }],
      'Failed to load "posts": it is no JSON (TypeError: Do not know how to serialize a BigInt).',
    ],
  ])('reports the position of %s', (_, records, message) => {
    expect(messageOf(() => createMock({ fixtures: { posts: records } }))).toBe(message)
  })
})

describe('fixtures', () => {
  const data = 'Please give plain data'
  const list = 'Please give an array, such as [...values]'
  class Money {
    readonly #amount: number
    constructor(amount: number) {
      this.#amount = amount
    }
    get amount(): number {
      return this.#amount
    }
  }
  function* generate(): Generator<object> {
    yield { id: 1 }
  }

  it.each<[title: string, posts: unknown, reason: string]>([
    ['a promise', Promise.resolve([{ id: 1 }]), 'it is a promise|Please await it'],
    [
      'a promise in a record',
      [{ id: 1, by: Promise.resolve(1) }],
      '"/0/by" is a promise|Please await it',
    ],
    ['a map', new Map([['a', 1]]), `it is a Map|${list}`],
    [
      'a set in a record',
      [{ id: 1 }, { id: 2, 'a/b': new Set([1]) }],
      `"/1/a~1b" is a Set|${list}`,
    ],
    ['a generator', generate(), `it is a Generator|${list}`],
    ['a regular expression', [{ id: 1, like: /a/ }], `"/0/like" is a RegExp|${data}`],
    ['an error', [{ id: 1, why: new Error('no') }], `"/0/why" is an Error|${data}`],
    ['bytes', [{ id: 1, file: Uint8Array.of(1) }], `"/0/file" is a Uint8Array|${list}`],
    [
      'an object with private fields alone',
      [{ id: 1, price: new Money(1) }],
      `"/0/price" is an instance of Money without public fields|${data}`,
    ],
    [
      'an object of a class without a name',
      new (class {
        #x = 1
        get x(): number {
          return this.#x
        }
      })(),
      `it is an instance of a class without public fields|${data}`,
    ],
    [
      'a function',
      [{ id: 1, at: () => 1 }],
      '"/0/at" is a function|Please give its result, or leave it out',
    ],
    [
      'no number',
      [{ id: 1, price: NaN }],
      '"/0/price" is NaN|Please give a finite number, or null',
    ],
    [
      'an infinite number',
      { max: Infinity },
      '"/max" is Infinity|Please give a finite number, or null',
    ],
  ])('are refused if a resource is or holds %s', (_, posts, reason) => {
    const [what = '', advice = ''] = reason.split('|')
    expect(messageOf(() => createMock({ fixtures: { posts } }))).toBe(
      `Failed to load "posts": ${what}, which JSON cannot represent. ${advice}.`,
    )
  })

  it('may hold dates, objects of classes, and what says itself how it is written', () => {
    class Post {
      id = 1
      title = 'a'
    }
    const posts = [
      new Post(),
      { id: 3, map: Object.create(null) as object, none: {} },
      { id: 2, at: new Date(0), gone: undefined, bytes: Buffer.of(1) },
    ]
    expect(createMock({ fixtures: { posts } }).db.posts.all()).toEqual(
      JSON.parse(JSON.stringify(posts)),
    )
  })

  it.each<[title: string, fixtures: object, reason: string]>([
    [
      'a promise',
      Promise.resolve({ posts: [] }),
      'a promise, which JSON cannot represent. Please await it',
    ],
    ['a map', new Map([['posts', []]]), `a Map, which JSON cannot represent. ${list}`],
  ])('are refused if they are %s', (_, fixtures, reason) => {
    expect(messageOf(() => createMock({ fixtures }))).toBe(
      `Failed to load "fixtures": it is ${reason}.`,
    )
  })

  it('are refused if they refer to themselves', () => {
    const one: Record<string, unknown> = { id: 1 }
    Object.assign(one, { first: one, next: one })
    expect(messageOf(() => createMock({ fixtures: { posts: [one] } }))).toContain(
      'Failed to load "posts": it is no JSON (TypeError: Converting circular structure',
    )
  })

  it('are required', () => {
    const options = { fixtures: undefined } as unknown as MockOptions<object>
    expect(messageOf(() => createMock(options))).toContain('"fixtures" is missing')
  })

  it('are copied: neither side sees later changes of the other', async () => {
    const own = [{ id: 1, title: 'b', author: { name: 'Ada' } }]
    const mock = createMock({ fixtures: { posts: own } })
    mock.db.posts.update(1, { title: 'c' })
    own.push({ id: 2, title: 'd', author: { name: 'Bob' } })
    for (const one of own) one.author.name = 'changed'
    mock.reset()
    expect(mock.db.posts.all()).toEqual([{ id: 1, title: 'b', author: { name: 'Ada' } }])
  })

  it('are converted to JSON', async () => {
    const at = (year: number): Date => new Date(Date.UTC(year, 0))
    const mock = createMock({
      fixtures: {
        posts: [
          { id: 1, at: at(2024), gone: undefined },
          { id: 2, at: at(2023) },
        ],
      },
    })
    const get = async (search: string): Promise<unknown> => {
      const found = (await (await mock.fetch(`/posts?${search}`)).json()) as { id: number }[]
      return found.map(({ id }) => id)
    }
    expect(await get('_sort=at')).toEqual([2, 1])
    expect(await get('at:gt=2023-06')).toEqual([1])
    expect(await get('gone:exists=true')).toEqual([1, 2])
    expect(mock.db.posts.get(1)).toEqual({ id: 1, at: '2024-01-01T00:00:00.000Z' })
  })
})

describe('mock.db', () => {
  const mock = createMock({ fixtures: { posts } })

  it.each<[title: string, run: () => unknown, message: string]>([
    [
      'an unknown option of find',
      () => mock.db.posts.find({ sorted: 'title' } as object),
      'there is no "sorted". Did you mean "sort"?',
    ],
    ['a negative limit', () => mock.db.posts.find({ limit: -1 }), '"limit" cannot be -1.'],
    [
      'an offset that is a string',
      () => mock.db.posts.find({ offset: '1', limit: 1 } as object),
      '"offset" cannot be "1".',
    ],
  ])('refuses %s', (_, run, message) => {
    expect(messageOf(run)).toContain(message)
  })

  it.each<[title: string, record: object]>([
    ['an array', []],
    ['a value that JSON cannot represent', { title: 1n }],
    ['a promise', Promise.resolve({})],
  ])('refuses a record that is or holds %s', (_, record) => {
    expect(messageOf(() => mock.db.posts.insert(record))).toContain('it is not a JSON object.')
  })

  it('throws errors with a status and a code', () => {
    const error: unknown = expect.objectContaining({ status: 400, code: 'RECORD_INVALID' })
    expect(() => mock.db.posts.insert([] as object)).toThrow(error)
  })

  it('can be printed and compared', () => {
    expect(JSON.stringify(mock.db)).toBe('{"posts":{}}')
    expect(mock.db).toBe(mock.db)
  })
})

describe('a rule', () => {
  const mock = createMock({ fixtures: { posts }, base: '/api' })

  it.each<[title: string, run: () => unknown, message: string]>([
    [
      'a path that is a regular expression',
      () => mock.on('GET', /x/ as never),
      'Please write on("GET"',
    ],
    [
      'an unknown option',
      () => mock.on('GET', '/posts').fail(500, { tims: 1 } as object),
      'there is no "tims". Did you mean "times"?',
    ],
    ['a count of zero', () => mock.on('GET', '/posts').times(0), '"times" cannot be 0.'],
    [
      'a URL',
      () => mock.on('GET', 'http://localhost/api/posts'),
      'the path of a pattern: it cannot be "http://localhost/api/posts". Please give "/posts", which matches requests to every host.',
    ],
    ['a URL without a path', () => mock.on('GET', 'https://a.test'), 'Please give "/", which'],
    ['a path of any host', () => mock.on('GET', '*/posts/:id'), 'Please give "/posts/:id", which'],
    ['a part of a segment', () => mock.on('GET', '/po*'), 'Please give * for a whole segment'],
    ['a parameter in braces', () => mock.on('GET', '/posts/{id}'), 'Please give :name for a'],
    ['a fragment', () => mock.on('GET', '/posts#top'), 'Please give one without a fragment.'],
    ['a method with a slash', () => mock.on('/posts', 'GET'), 'it cannot be "/POSTS". Please give'],
  ])('refuses %s', (_, run, message) => {
    expect(messageOf(run)).toContain(message)
  })
})

describe('mock.fetch', () => {
  const mock = createMock({ fixtures: { posts }, base: '/api' })

  it.each<[title: string, run: () => Promise<Response>]>([
    ['a URL', () => mock.fetch(new URL('http://localhost/api/posts/1'))],
    ['a URL as a string', () => mock.fetch('http://localhost/api/posts/1')],
    ['a path', () => mock.fetch('/api/posts/1')],
    ['a request', () => mock.fetch(new Request('http://localhost/api/posts/1'))],
    [
      'a request with other headers',
      () => mock.fetch(new Request('http://localhost/api/posts/1'), { headers: { a: 'b' } }),
    ],
  ])('takes %s', async (_, run) => {
    expect(await (await run()).json()).toEqual({ id: 1, title: 'b' })
  })

  it('takes a RequestInit with a URL', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await mock.fetch('/api/posts', { method: 'POST', headers, body: '{"a":1}' })
    expect(response.status).toBe(201)
  })
})

describe('serve', () => {
  it.each<[title: string, options: object, message: string]>([
    ['an unknown option', { prot: 1 }, 'there is no "prot". Did you mean "port"?'],
    ['an invalid port', { port: 'x' }, 'Please give a port from 0 to 65535.'],
    ['an empty host', { host: '', port: 0 }, '"host" cannot be "". Please give a text'],
    ['an empty folder', { static: '', port: 0 }, '"static" cannot be "". Please give a path'],
    ['a token with a space', { token: 'a b' }, 'Please give visible ASCII characters.'],
    ['a timer that would fire at once', { grace: 2 ** 31 }, 'Please give milliseconds from 0 to'],
    ['a limit that Node cuts', { requestTimeout: 2 ** 31 }, 'Please give a whole number from 1'],
    [
      'a certificate without a key',
      { https: { cert: 'x' } },
      'Please give true or false, or a cert',
    ],
  ])('refuses %s', async (_, options, message) => {
    await expect(serve(createMock({ fixtures: { posts } }), options)).rejects.toThrow(message)
  })
})

describe('what is no mock', () => {
  const calls: [name: string, call: (mock: never) => unknown][] = [
    ['handlers', (mock) => handlers(mock)],
    ['serve', (mock) => serve(mock, { port: 0 })],
    ['mockRoute', (mock) => mockRoute({ route: () => Promise.resolve() }, mock)],
    ['isolate', (mock) => isolate(mock, () => 1)],
  ]
  const values: [title: string, value: unknown, shown: string][] = [
    ['nothing', undefined, 'undefined'],
    ['an object', {}, '{}'],
    ['a promise', Promise.resolve(createMock({ fixtures: {} })), 'a Promise'],
  ]
  const rows = calls.flatMap(([name, call]) =>
    values.map(([title, value, shown]) => [name, title, call, value, shown] as const),
  )

  it.each(rows)('is refused by %s: %s', async (name, _title, call, value, shown) => {
    const called = async (): Promise<unknown> => call(value as never)
    await expect(called()).rejects.toThrow(
      `Failed to read the mock of ${name}: it cannot be ${shown}. Please give a mock from createMock or loadMock.`,
    )
  })
})

describe('handlers', () => {
  it.each<[title: string, options: object, message: string]>([
    ['an unknown option', { orign: 'x' }, 'there is no "orign". Did you mean "origin"?'],
    [
      'an origin without a scheme and host',
      { origin: 'api' },
      'an origin such as https://api.example.com.',
    ],
    ['a host as an origin', { origin: 'localhost:3000' }, '"origin" cannot be "localhost:3000".'],
    ['a malformed origin', { origin: 'http://a b' }, '"origin" cannot be "http://a b".'],
  ])('refuse %s', (_, options, message) => {
    const mock = createMock({ fixtures: { posts } })
    expect(messageOf(() => handlers(mock, options))).toContain(message)
  })
})
