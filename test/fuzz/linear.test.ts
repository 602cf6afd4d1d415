import { expect, it } from 'vitest'

import { auth, schema } from '../../src/behaviours.ts'
import { readJson } from '../../src/core/http/resource/body.ts'
import { jsonServer0 } from '../../src/dialects.ts'
import { parseMultipart } from '../../src/faces/web/multipart.ts'
import { createMock, type MockOptions } from '../../src/index.ts'

/** Makes work of a size, which is measured apart from the making. */
type Prepare = (size: number) => Promise<() => unknown>

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

/**
 * `test/steps.ts` can't count the steps of the engine's own functions and regular expressions, so these
 * rows compare CPU time. Eight times the size takes 8 times as long where the time is linear, and 64 times
 * as long where the time is quadratic. A busy machine may disturb a comparison, which is then repeated.
 */
it.each(rows)('takes linear time for %s', { retry: 4 }, async (_, short, long, prepare) => {
  const most = 16 * Math.max(await timeOf(prepare, short), shortest)
  expect(await timeOf(prepare, long)).toBeLessThan(most)
})

/** Shorter times, in milliseconds, depend more on the engine's compilers than on the size. */
const shortest = 10

/** The CPU time of some work, in milliseconds. */
async function timeOf(prepare: Prepare, size: number): Promise<number> {
  const work = await prepare(size)
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
