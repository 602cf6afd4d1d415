import { expect, it } from 'vitest'

import { auth, schema } from '../../src/behaviours.ts'
import { formats } from '../../src/core/formats/formats.ts'
import { readJson } from '../../src/core/http/resource/body.ts'
import { jsonServer0 } from '../../src/dialects.ts'
import { parseMultipart } from '../../src/faces/web/multipart.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { formatRows } from '../unit/core/formats/format-rows.ts'

/** Makes work of a size, or several pieces of work; the making is not measured. */
type Prepare = (size: number) => Promise<Work | Work[]>

type Work = () => unknown

/** A request of a size to a new mock, and the status of the response. */
function answers(
  status: number,
  toRequest: (size: number) => [path: string, init?: RequestInit],
  options: Partial<MockOptions<object>> = {},
): Prepare {
  return async (size) => {
    const posts = Array.from({ length: 300 }, (_, at) => ({ id: at + 1, title: 'x' }))
    const mock = createMock({ fixtures: { posts, users: [] }, ...options })
    const ask = (path: string, init?: RequestInit): Promise<Response> =>
      mock.fetch(`http://mock.test${path}`, init)
    // The first request compiles the code.
    await ask('/posts?_limit=1&_fields=id')
    const [path, init] = toRequest(size)
    return async () => expect((await ask(path, init)).status).toBe(status)
  }
}

function json(method: string, body: string): [path: string, init: RequestInit] {
  return ['/posts', { method, headers: { 'content-type': 'application/json' }, body }]
}

const url = [schema({ posts: { properties: { url: { format: 'url' } } } })]

const head = 'Content-Disposition: form-data; name=a; filename=b\r\nContent-Type: a'

/** The long size is at least eight times the short size. */
const rows: [title: string, short: number, long: number, prepare: Prepare][] = [
  ['a path of slashes', 2000, 16_000, answers(404, (size) => ['/'.repeat(size)])],
  [
    'a path of dots',
    1875,
    15_000,
    answers(200, (size) => [`/posts?_sort=${'.'.repeat(size)}`], { dialect: jsonServer0 }),
  ],
  [
    'a text of long numbers',
    4,
    308,
    async (size) => {
      const text = `["${`${'1'.repeat(size)} `.repeat(2_000_000 / size)}"]`
      return () => expect(readJson(text, { maxDepth: 1 })).toHaveLength(1)
    },
  ],
  [
    'a text that is almost a number',
    2500,
    20_000,
    answers(200, (size) => json('QUERY', `{"where":{"title":"${'1'.repeat(size)}!"}}`)),
  ],
  [
    'credentials that are all padding',
    2500,
    20_000,
    answers(
      401,
      (size) => ['/posts', { headers: { authorization: `Basic ${'='.repeat(size)}a` } }],
      { use: [auth({ scheme: 'basic' })] },
    ),
  ],
  [
    'an address with a long host',
    3750,
    30_000,
    answers(422, (size) => json('POST', `{"url":"http://${'a'.repeat(size)} "}`), { use: url }),
  ],
  [
    'a multipart head of spaces',
    2500,
    20_000,
    async (size) => {
      const body = Buffer.from(`--x\r\n${head}${' '.repeat(size)}b\r\n\r\n1\r\n--x--`)
      return () => expect(parseMultipart(body, 'multipart/form-data; boundary=x')).toHaveLength(1)
    },
  ],
]

/** Parts of texts whose repetition takes a backtracking expression quadratic time or more. */
const repeated = [...'a a. / a- 1 1: : . @ a@ %41 {a {a, ~0/ " \\" http://a ['.split(' '), ' ']

const formatted = formatRows.map(([format, [start = '']]): (typeof rows)[number] => [
  `long texts of the format ${format}`,
  1875,
  15_000,
  async (size) => {
    const prefixes = ['', start, 'http://', 'a@', '#/', '0/', '{']
    const texts = prefixes.flatMap((prefix) =>
      repeated.map((part) => `${prefix}${part.repeat(size)}\n `),
    )
    return texts.map((text) => () => expect(formats[format]?.(text)).toBeTypeOf('boolean'))
  },
])

/**
 * `test/steps.ts` can't count the steps of the engine's own functions and regular expressions, so these
 * rows compare CPU time. Eight times the size takes 8 times as long where the time is linear, and 64 times
 * as long where the time is quadratic. A busy machine may disturb a comparison, which is then repeated.
 */
it.each([...rows, ...formatted])(
  'takes linear time for %s',
  { retry: 4 },
  async (_, short, long, prepare) => {
    const times = [await timeOf(prepare, short), await timeOf(prepare, short)]
    const most = 16 * Math.max(Math.min(...times), shortest)
    expect(await timeOf(prepare, long)).toBeLessThan(most)
  },
)

/** Shorter times, in milliseconds, depend more on the engine's compilers than on the size. */
const shortest = 5

/** The CPU time of the longest piece of work, in milliseconds. */
async function timeOf(prepare: Prepare, size: number): Promise<number> {
  const times: number[] = []
  for (const work of [await prepare(size)].flat()) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return Math.max(...times)
}
