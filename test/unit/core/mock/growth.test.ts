import { growthOf, linear } from '../../../steps.ts'

import { expect, it, onTestFinished, vi } from 'vitest'

import { states, webhooks } from '../../../../src/behaviours.ts'
import { jsonServer0, jsonServer1, simpleRest } from '../../../../src/dialects.ts'
import { createMock, type MockOptions } from '../../../../src/index.ts'

type Options = MockOptions<object>

function list<T>(length: number, item: (at: number) => T): T[] {
  return Array.from({ length }, (_, at) => item(at))
}

const posts = (size: number): Options => ({
  fixtures: { posts: list(size / 10, (at) => ({ id: at + 1, title: 'x', by: { name: 'A' } })) },
})
const nodes = (size: number): Options => ({
  fixtures: { nodes: list(size, (at) => ({ id: at + 1, nodeId: 1 })) },
})
const withDots = (size: number): Options => ({ ...nodes(size), dialect: jsonServer0 })
const withTrees = (size: number): Options => ({ ...nodes(size), dialect: simpleRest })
const softlyDeleted = (size: number): Options => ({
  ...nodes(size),
  use: [states({ nodes: { softDelete: true } })],
})

const names = (size: number): string => list(size, (at) => `z${at}`).join()
const unknown = (size: number): string => list(size, (at) => `x${at}=1`).join('&')
const least = (size: number): string => `{"nodeId_gte":[${names(size).replaceAll('z', '')}]}`

/** Twice the size is a URL twice as long, over twice as many records; the longest has 16,000 characters. */
const requests: [string, (size: number) => Options, number, (size: number) => string, number][] = [
  ['one field many times', posts, 2500, (size) => `/posts?_fields=${'id,'.repeat(size)}`, 200],
  ['one inner field', posts, 750, (size) => `/posts?_fields=${'by.name,'.repeat(size)}`, 200],
  ['a field in many others', posts, 3500, (size) => `/posts?_fields=${'a.'.repeat(size)}a`, 200],
  ['many fields to sort by', posts, 2000, (size) => `/posts?_sort=${'id,'.repeat(size)}`, 400],
  ['a path of slashes', posts, 8000, (size) => '/'.repeat(size), 404],
  ['a path of children', posts, 725, (size) => `/posts${'/1/comments'.repeat(size)}`, 404],
  ['a path over all records', nodes, 500, (size) => `/nodes${'/1/nodes'.repeat(size)}`, 404],
  ['many unknown fields', nodes, 1350, (size) => `/nodes?_fields=${names(size)}`, 200],
  ['many parameters', softlyDeleted, 450, (size) => `/nodes?_limit=1&${unknown(size)}`, 200],
  ['a path of dots', withDots, 3750, (size) => `/nodes?_limit=1&_sort=${'.'.repeat(size)}`, 200],
  // Each search continues to index the texts, until all records are indexed.
  ['a long text to search', nodes, 4096, (size) => `/nodes?q=${names(size / 4)}`, 200],
  ['many numbers', withTrees, 1500, (size) => `/nodes?filter=${encodeURI(least(size))}`, 400],
]

it.each(requests)('answers %s in linear steps', async (_, config, size, path, status) => {
  const growth = await growthOf(size, async (size) => {
    const mock = createMock(config(size))
    // The first request makes the indexes.
    await mock.fetch('http://mock.test/nodes?_limit=1&_fields=id&filter={}')
    return async () => {
      const response = await mock.fetch(`http://mock.test${path(size)}`)
      expect(response.status).toBe(status)
    }
  })
  expect(growth).toBeLessThan(linear)
})

it('reads a tree of conditions once, and not for each record', async () => {
  const reads = vi.spyOn(Object, 'entries')
  onTestFinished(() => reads.mockRestore())
  const either = `{"or":[${list(100, () => '{"nodeId":{"eq":0}}').join()}]}`
  const readsOver = async (size: number): Promise<number> => {
    const mock = createMock({ ...nodes(size), dialect: jsonServer1 })
    await mock.fetch('http://mock.test/nodes?_limit=1')
    reads.mockClear()
    const response = await mock.fetch(`http://mock.test/nodes?_where=${encodeURI(either)}`)
    expect(response.status).toBe(200)
    return reads.mock.calls.length
  }
  expect(await readsOver(200)).toBe(await readsOver(100))
})

it('does not list the elements of a list that is removed', () => {
  const mock = createMock({ fixtures: { posts: [{ id: 1, list: list(1000, () => 0) }] } })
  const lists = vi.spyOn(Object, 'entries')
  onTestFinished(() => lists.mockRestore())
  mock.db.posts.update(1, { list: [] })
  expect(lists).toHaveBeenCalled()
  expect(lists.mock.calls.filter(([value]) => Array.isArray(value))).toEqual([])
})

const moves: [title: string, from: string, to: string, status: number][] = [
  ['to and fro', '/list', '/other', 200],
  ['in and out', '/list', '/in/list', 413],
]

it.each(moves)('moves a long list %s in linear steps', async (_, here, there, status) => {
  const headers = { 'content-type': 'application/json-patch+json' }
  const growth = await growthOf(500, async (size) => {
    const record = { id: 1, list: list(size * 10, () => [0]), in: {} }
    const mock = createMock({ fixtures: { posts: [record] } })
    const patch = list(size, (at) => {
      const [from, path] = at % 2 === 0 ? [here, there] : [there, here]
      return { op: 'move', from, path }
    })
    const send = (body: string): Promise<Response> =>
      mock.fetch('http://mock.test/posts/1', { method: 'PATCH', headers, body })
    await send('[]')
    return async () => expect((await send(JSON.stringify(patch))).status).toBe(status)
  })
  expect(growth).toBeLessThan(linear)
})

it('deletes a chain of records in linear steps', async () => {
  const growth = await growthOf(1000, async (size) => {
    const parts = list(size, (at) => ({ id: at + 1, partId: at }))
    const mock = createMock({ fixtures: { parts, posts: [{ id: 1 }] } })
    await mock.fetch('http://mock.test/posts/1?_dependent=posts', { method: 'DELETE' })
    return async () => {
      const url = 'http://mock.test/parts/1?_dependent=parts'
      const response = await mock.fetch(url, { method: 'DELETE' })
      expect(response.status).toBe(200)
      expect(mock.db.parts.all()).toEqual([])
    }
  })
  expect(growth).toBeLessThan(linear)
})

it('notifies an endpoint of many changes in linear steps', async () => {
  const growth = await growthOf(500, (size) => {
    const endpoints = [{ url: 'http://mock.test/hook', secret: 'whsec_c2VjcmV0' }]
    const hooks = webhooks({ endpoints, send: () => new Promise(() => undefined) })
    const mock = createMock({ fixtures: { posts: [] as object[] }, use: [hooks] })
    return () => {
      for (let at = 0; at < size; at++) mock.db.posts.insert({})
    }
  })
  expect(growth).toBeLessThan(linear)
})
