import { describe, expect, it } from 'vitest'

import type { JsonRecord } from '../../../../src/core/json/json.ts'
import { jsonApi } from '../../../../src/dialects.ts'
import { createMock } from '../../../../src/index.ts'
import { fc } from '../../../fast-check.ts'

const size = 40_000
const type = 'application/vnd.api+json'
const list = <T>(make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at))

/** A mock whose first article is related to 40,000 records of a collection, and to no others. */
function library(name?: string): ReturnType<typeof createMock> {
  const related = list((at) => ({ id: at + 1, ...(name === 'comments' && { articleId: 1 }) }))
  const tagIds = name === 'tags' ? list((at) => at + 1) : []
  const readings = list((at) => ({ id: at + 1, articleId: 1, readerId: at + 1 }))
  return createMock({
    dialect: jsonApi,
    fixtures: {
      articles: [{ id: 1, title: 'One', tagIds }],
      ...(name !== undefined && { [name]: related }),
      ...(name === 'readers' && { readings }),
    },
  })
}

async function perform(
  mock: ReturnType<typeof createMock>,
  operations: readonly object[],
): Promise<{ status: number; results?: JsonRecord[] }> {
  const response = await mock.fetch('http://mock.test/operations', {
    method: 'POST',
    headers: { 'content-type': `${type};ext="https://jsonapi.org/ext/atomic"` },
    body: JSON.stringify({ 'atomic:operations': operations }),
  })
  const document = (await response.json()) as Record<string, JsonRecord[]>
  const results = document['atomic:results']
  return { status: response.status, ...(results && { results }) }
}

async function idsAt(mock: ReturnType<typeof createMock>, path: string): Promise<string[]> {
  const response = await mock.fetch(`http://mock.test${path}`)
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

describe.each(['comments', 'tags', 'readers'])('1,000 operations on 40,000 %s', (name) => {
  const url = `/articles/1/relationships/${name}`
  const operation = (op: string, data: readonly number[]): object => ({
    op,
    ref: { type: 'articles', id: '1', relationship: name },
    data: data.map((id) => ({ type: name, id: String(id) })),
  })

  it('remove and add members in turn', async () => {
    const mock = library(name)
    const operations = Array.from({ length: 500 }, (_, at) => [
      operation('remove', [at + 1, at + 10_001]),
      operation('add', [at + 10_001]),
    ]).flat()
    expect(await perform(mock, operations)).toMatchObject({ status: 200 })
    const ids = new Set(await idsAt(mock, url))
    expect(ids.size).toBe(size - 500)
    expect([ids.has('1'), ids.has('500'), ids.has('501')]).toEqual([false, false, true])
    expect([ids.has('10001'), ids.has('10500')]).toEqual([true, true])
  })

  it('replace the members', async () => {
    const mock = library(name)
    const operations = Array.from({ length: 1000 }, (_, at) => operation('update', [at + 1, 7]))
    expect(await perform(mock, operations)).toMatchObject({ status: 200 })
    expect((await idsAt(mock, url)).toSorted()).toEqual(['1000', '7'])
  })
})

describe('operations', () => {
  const title = (text: string): object => ({
    op: 'update',
    data: { type: 'articles', id: '1', attributes: { title: text } },
  })

  it('show a record that many of them update in the last result', async () => {
    const mock = library()
    const operations = Array.from({ length: 1000 }, (_, at) => title(String(at)))
    const { status, results = [] } = await perform(mock, operations)
    expect(status).toBe(200)
    expect(results.slice(0, -1).every((result) => !('data' in result))).toBe(true)
    expect(results.at(-1)).toMatchObject({ data: { attributes: { title: '999' } } })
  })

  it('are refused from 1,001 on', async () => {
    const mock = library()
    const operations = Array.from({ length: 1001 }, () => title('x'))
    expect(await perform(mock, operations)).toEqual({ status: 400 })
  })
})

describe('operations on relationships', () => {
  const relationships = [
    ['articles', 'tags', 'tags'],
    ['tags', 'articles', 'articles'],
    ['articles', 'comments', 'comments'],
    ['comments', 'article', 'articles'],
    ['articles', 'readers', 'readers'],
    ['readers', 'articles', 'articles'],
  ] as const
  const records = (count: number, fields: (id: number) => JsonRecord): JsonRecord[] =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, ...fields(at + 1) }))
  const small = (): ReturnType<typeof createMock> =>
    createMock({
      dialect: jsonApi,
      fixtures: {
        articles: records(3, (id) => ({ tagIds: [id] })),
        comments: records(3, (id) => ({ articleId: (id % 2) + 1 })),
        tags: records(3, () => ({})),
        readers: records(3, () => ({})),
        readings: records(2, (id) => ({ articleId: id, readerId: 1 })),
      },
    })
  const id = fc.integer({ min: 1, max: 3 })
  const operation = fc
    .tuple(
      fc.constantFrom(...relationships),
      id,
      fc.constantFrom('add', 'update', 'remove'),
      fc.array(id),
    )
    .map(([[type, relationship, related], own, op, ids]) => {
      const isMany = relationship.endsWith('s')
      const data = ids.map((one) => ({ type: related, id: String(one) }))
      return {
        op: isMany ? op : 'update',
        ref: { type, id: String(own), relationship },
        data: isMany ? data : (data[0] ?? null),
      }
    })

  it('leave in one request the data that they leave one by one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
        const [once, singly] = [small(), small()]
        expect(await perform(once, operations)).toMatchObject({ status: 200 })
        for (const one of operations) await perform(singly, [one])
        for (const [name, relationship] of relationships.filter(([, one]) => one.endsWith('s'))) {
          for (const own of [1, 2, 3]) {
            const path = `/${name}/${own}/relationships/${relationship}`
            const [found, expected] = [await idsAt(once, path), await idsAt(singly, path)]
            expect([path, found.toSorted()]).toEqual([path, expected.toSorted()])
          }
        }
      }),
      { numRuns: 25 },
    )
  })
})
