import { expect, it } from 'vitest'

import { auth, schema, states, webhooks } from '../../../../src/behaviours.ts'
import { type Dialect, jsonServer0, jsonServer1, simpleRest } from '../../../../src/dialects.ts'
import { createMock, type MockConfig } from '../../../../src/index.ts'

const posts = Array.from({ length: 300 }, (_, at) => ({
  id: at + 1,
  title: 'x',
  by: { name: 'A' },
}))

/** As long as a URL may be, and far more than anybody asks. */
const requests: [title: string, path: string, status: number][] = [
  ['one field 5,000 times', `/posts?_fields=${'id,'.repeat(5000)}`, 200],
  ['one inner field 1,500 times', `/posts?_fields=${'by.name,'.repeat(1500)}`, 200],
  ['a field in 7,000 others', `/posts?_fields=${'a.'.repeat(7000)}a`, 200],
  ['a path of 16,000 slashes', '/'.repeat(16_000), 404],
  ['4,000 fields to sort by', `/posts?_sort=${'id,'.repeat(4000)}`, 400],
  ['a path of 1,500 children', `/posts${'/1/comments'.repeat(1450)}`, 404],
]

it.each(requests)('answers %s in the time that its length takes', async (_, path, status) => {
  const mock = createMock({ fixtures: { posts } })
  await mock.fetch('http://mock.test/posts?_fields=id')
  const before = process.cpuUsage()
  const response = await mock.fetch(`http://mock.test${path}`)
  const { user } = process.cpuUsage(before)
  expect(response.status).toBe(status)
  expect(user / 1000).toBeLessThan(300)
})

const nodes = Array.from({ length: 5000 }, (_, at) => ({ id: at + 1, nodeId: 1 }))
const names = Array.from({ length: 4000 }, (_, at) => `z${at}`)

/** The same over more records. */
const walks: [title: string, path: string, status: number][] = [
  ['thousands of fields that there are not', `/nodes?_fields=${names.slice(0, 2700).join()}`, 200],
  ['a path of 1,000 steps over all records', `/nodes${'/1/nodes'.repeat(1000)}`, 404],
]

it.each(walks)('answers %s without a walk for each', async (_, path, status) => {
  const mock = createMock({ fixtures: { nodes } })
  await mock.fetch('http://mock.test/nodes/1/nodes?_limit=1')
  const before = process.cpuUsage()
  const response = await mock.fetch(`http://mock.test${path}`)
  const { user } = process.cpuUsage(before)
  expect(response.status).toBe(status)
  expect(user / 1000).toBeLessThan(200)
})

const either = `{"or":[${Array.from({ length: 500 }, () => '{"nodeId":{"eq":0}}').join()}]}`
const least = `{"nodeId_gte":[${Array.from({ length: 7000 }, () => 0).join()}]}`

/** What other dialects take, as long as it may be. */
const others: [title: string, dialect: Dialect, search: string, status: number][] = [
  ['a path of dots', jsonServer0, `_limit=1&_sort=${'.'.repeat(15_000)}`, 200],
  [
    '500 trees of which one has to hold',
    jsonServer1,
    `_where=${either.replaceAll('"', '%22')}`,
    200,
  ],
  ['7,000 numbers to be above', simpleRest, `filter=${encodeURI(least)}`, 400],
]

it.each(others)('answers %s in another dialect', async (_, dialect, search, status) => {
  const mock = createMock({ fixtures: { nodes }, dialect })
  await mock.fetch('http://mock.test/nodes?_limit=1&filter={}')
  const before = process.cpuUsage()
  const response = await mock.fetch(`http://mock.test/nodes?${search}`)
  const { user } = process.cpuUsage(before)
  expect(response.status).toBe(status)
  expect(user / 1000).toBeLessThan(250)
})

it('forgets a list of 1,000,000 numbers in no time', () => {
  const mock = createMock({
    fixtures: { posts: [{ id: 1, list: Array.from({ length: 1_000_000 }, () => 0) }] },
  })
  const before = process.cpuUsage()
  mock.db.posts.update(1, { list: [] })
  const { user } = process.cpuUsage(before)
  expect(user / 1000).toBeLessThan(300)
})

const bodies: [title: string, body: string, status: number][] = [
  ['a list of numbers of 308 digits', `[${`${'1'.repeat(308)},`.repeat(6000)}1]`, 400],
  ['a text of as many', `{"title":"${`${'1'.repeat(308)} `.repeat(6000)}"}`, 201],
]

it.each(bodies)('reads %s in the time that its length takes', async (_, body, status) => {
  const mock = createMock({ fixtures: { posts } })
  const headers = { 'content-type': 'application/json' }
  const send = (text: string) =>
    mock.fetch('http://mock.test/posts', { method: 'POST', headers, body: text })
  await send('{}')
  const before = process.cpuUsage()
  const response = await send(body)
  const { user } = process.cpuUsage(before)
  expect(response.status).toBe(status)
  expect(user / 1000).toBeLessThan(300)
})

const moves: [title: string, from: string, to: string, status: number][] = [
  ['to and fro', '/list', '/other', 200],
  ['in and out', '/list', '/in/list', 413],
]

it.each(moves)('moves a long list %s 1,000 times in no time', async (_, here, there, status) => {
  const list = Array.from({ length: 50_000 }, () => [0])
  const mock = createMock({ fixtures: { posts: [{ id: 1, list, in: {} }] } })
  const patch = Array.from({ length: 1000 }, (_, at) => {
    const [from, path] = at % 2 === 0 ? [here, there] : [there, here]
    return { op: 'move', from, path }
  })
  const headers = { 'content-type': 'application/json-patch+json' }
  const send = (body: string) =>
    mock.fetch('http://mock.test/posts/1', { method: 'PATCH', headers, body })
  await send('[]')
  const before = process.cpuUsage()
  const response = await send(JSON.stringify(patch))
  const { user } = process.cpuUsage(before)
  expect(response.status).toBe(status)
  expect(user / 1000).toBeLessThan(1000)
})

it('deletes a chain of 10,000 records in the time that its length takes', async () => {
  const parts = Array.from({ length: 10_000 }, (_, at) => ({ id: at + 1, partId: at }))
  const mock = createMock({ fixtures: { parts, posts } })
  await mock.fetch('http://mock.test/posts/1?_dependent=posts', { method: 'DELETE' })
  const before = process.cpuUsage()
  const response = await mock.fetch('http://mock.test/parts/1?_dependent=parts', {
    method: 'DELETE',
  })
  const { user } = process.cpuUsage(before)
  expect(response.status).toBe(200)
  expect(mock.db.parts.all()).toEqual([])
  expect(user / 1000).toBeLessThan(1000)
})

const values = Array.from({ length: 2000 }, (_, at) => `z${at}`)
const conditions = values.map((title) => ({ title: { ne: title } }))
const questions: [title: string, question: object, status: number, text: string][] = [
  ['2,000 parts of a text', { where: { title: { contains: values } } }, 422, 'where'],
  ['2,000 conditions', { where: { and: conditions } }, 422, 'where'],
  [
    'as many conditions below others',
    { where: { not: { or: [{ and: conditions }] } } },
    422,
    '1000',
  ],
  ['2,000 values, any of which may be held', { where: { title: { in: values } } }, 200, '[]'],
  [
    '2,000 values, none of which is held',
    { where: { title: { nin: values } }, limit: 1 },
    200,
    'x',
  ],
  ['101 fields to sort by', { sort: values.slice(0, 101) }, 422, '100 fields'],
  ['100 fields to sort by', { sort: values.slice(0, 100), limit: 1 }, 200, 'x'],
  ['thousands of fields', { fields: names }, 422, '16384 characters'],
]

it.each(questions)('answers a QUERY with %s', async (_, question, status, text) => {
  const mock = createMock({ fixtures: { posts } })
  const response = await mock.fetch('http://mock.test/posts', {
    method: 'QUERY',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(text)
})

it('reads what is almost a long number at once', async () => {
  const mock = createMock({ fixtures: { posts } })
  const started = performance.now()
  const response = await mock.fetch('http://mock.test/posts', {
    method: 'QUERY',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ where: { title: `${'1'.repeat(200_000)}!` } }),
  })
  expect(await response.json()).toEqual([])
  expect(performance.now() - started).toBeLessThan(3000)
})

it('does not embed without end', async () => {
  const comments = Array.from({ length: 1100 }, (_, at) => ({ id: at + 1, postId: 1 }))
  const mock = createMock({ fixtures: { posts: [{ id: 1 }], comments } })
  const ask = (embed: string) => mock.fetch(`http://mock.test/posts?_embed=${embed}`)
  expect((await ask('comments.post')).status).toBe(200)
  const response = await ask('comments.post.comments')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    errors: { _embed: ['more than 1000000 related records would be in the answer'] },
  })
})

const sent = { method: 'POST', headers: { 'content-type': 'application/json' } }
const held: Parameters<typeof schema>[0] = {
  posts: { properties: { url: { format: 'url' }, title: { format: 'uri-reference' } } },
}

/** Far more than the behaviours expect. */
const behaved: [title: string, use: MockConfig['use'], init: RequestInit, status: number][] = [
  [
    'credentials that are all padding',
    [auth({ scheme: 'basic' })],
    { headers: { authorization: `Basic ${'='.repeat(120_000)}a` } },
    401,
  ],
  [
    'the address of a long host in a schema',
    [schema(held)],
    { ...sent, body: JSON.stringify({ url: `http://${'a'.repeat(30_000)} ` }) },
    422,
  ],
  [
    'a long reference in a schema',
    [schema(held)],
    { ...sent, body: JSON.stringify({ title: 'a'.repeat(9_000_000) }) },
    201,
  ],
  [
    'a long reference with a space at its end in a schema',
    [schema(held)],
    { ...sent, body: JSON.stringify({ title: `${'a'.repeat(9_000_000)} ` }) },
    422,
  ],
]

it.each(behaved)('answers %s in the time that its length takes', async (_, use, init, status) => {
  const mock = createMock({ fixtures: { posts, users: [] }, ...(use && { use }) })
  await mock.fetch('http://mock.test/posts?_limit=1')
  const before = process.cpuUsage()
  const response = await mock.fetch('http://mock.test/posts', init)
  const { user } = process.cpuUsage(before)
  expect(response.status).toBe(status)
  expect(user / 1000).toBeLessThan(1500)
})

it('knows the fields of what is seen otherwise without a look at all records for each', async () => {
  const many = Array.from({ length: 3000 }, (_, at) => ({ id: at + 1, title: 'x' }))
  const use = [states({ posts: { softDelete: true } })]
  const mock = createMock({ fixtures: { posts: many }, use })
  const search = Array.from({ length: 900 }, (_, at) => `x${at}=1`).join('&')
  await mock.fetch('http://mock.test/posts?_limit=1')
  const before = process.cpuUsage()
  const response = await mock.fetch(`http://mock.test/posts?_limit=1&${search}`)
  const { user } = process.cpuUsage(before)
  expect(response.status).toBe(200)
  expect(user / 1000).toBeLessThan(300)
})

it('tells an endpoint of each of 30,000 changes in the same time', () => {
  const endpoints = [{ url: 'http://mock.test/hook', secret: 'whsec_c2VjcmV0' }]
  const hooks = webhooks({ endpoints, send: () => new Promise(() => undefined) })
  const mock = createMock({ fixtures: { posts: [] as object[] }, use: [hooks] })
  const before = process.cpuUsage()
  for (let at = 0; at < 30_000; at++) mock.db.posts.insert({})
  const { user } = process.cpuUsage(before)
  expect(user / 1000).toBeLessThan(3000)
})
