import { expect, it } from 'vitest'

import { schema } from '../../../../src/behaviours.ts'
import { createMock } from '../../../../src/index.ts'

const posts = Array.from({ length: 300 }, (_, at) => ({ id: at + 1, title: 'x' }))
const names = Array.from({ length: 4000 }, (_, at) => `z${at}`)
const json = { 'content-type': 'application/json' }

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
  ['a text that is almost a number', { where: { title: `${'1'.repeat(200_000)}!` } }, 200, '[]'],
  ['101 fields to sort by', { sort: values.slice(0, 101) }, 422, '100 fields'],
  ['100 fields to sort by', { sort: values.slice(0, 100), limit: 1 }, 200, 'x'],
  ['thousands of fields', { fields: names }, 422, '16384 characters'],
]

it.each(questions)('answers a QUERY with %s', async (_, question, status, text) => {
  const mock = createMock({ fixtures: { posts } })
  const response = await mock.fetch('http://mock.test/posts', {
    method: 'QUERY',
    headers: json,
    body: JSON.stringify(question),
  })
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(text)
})

const bodies: [title: string, body: string, status: number][] = [
  ['a list of numbers of 308 digits', `[${`${'1'.repeat(308)},`.repeat(6000)}1]`, 400],
  ['a text of as many', `{"title":"${`${'1'.repeat(308)} `.repeat(6000)}"}`, 201],
]

it.each(bodies)('answers a POST of %s', async (_, body, status) => {
  const mock = createMock({ fixtures: { posts } })
  const response = await mock.fetch('http://mock.test/posts', {
    method: 'POST',
    headers: json,
    body,
  })
  expect(response.status).toBe(status)
})

it('deletes a chain of 10,000 records', async () => {
  const parts = Array.from({ length: 10_000 }, (_, at) => ({ id: at + 1, partId: at }))
  const mock = createMock({ fixtures: { parts } })
  const response = await mock.fetch('http://mock.test/parts/1?_dependent=parts', {
    method: 'DELETE',
  })
  expect(response.status).toBe(200)
  expect(mock.db.parts.all()).toEqual([])
})

it('does not embed without end', async () => {
  const comments = Array.from({ length: 1100 }, (_, at) => ({ id: at + 1, postId: 1 }))
  const mock = createMock({ fixtures: { posts: [{ id: 1 }], comments } })
  const ask = (embed: string) => mock.fetch(`http://mock.test/posts?_embed=${embed}`)
  expect((await ask('comments.post')).status).toBe(200)
  const response = await ask('comments.post.comments')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    errors: { _embed: 'more than 1000000 related records would be in the answer' },
  })
})

const references: [title: string, reference: string, status: number][] = [
  ['a long reference', 'a'.repeat(9_000_000), 201],
  ['a long reference with a space at its end', `${'a'.repeat(9_000_000)} `, 422],
]

it.each(references)('answers a POST of %s to a schema', async (_, title, status) => {
  const use = [schema({ posts: { properties: { title: { format: 'uri-reference' } } } })]
  const mock = createMock({ fixtures: { posts }, use })
  const body = JSON.stringify({ title })
  const response = await mock.fetch('http://mock.test/posts', {
    method: 'POST',
    headers: json,
    body,
  })
  expect(response.status).toBe(status)
})
