import { describe, expect, it } from 'vitest'

import type { JsonRecord } from '../../../../src/core/json/json.ts'
import { configOf, dataOf, learn, type Short } from './exchanges.ts'

const staff = Array.from({ length: 6 }, (_, at) => ({
  id: at + 11,
  name: `Person ${at}`,
  bossId: at < 2 ? null : 11 + (at % 2),
  isActive: at % 3 !== 0,
}))

const reportsOf = (id: number): JsonRecord[] => staff.filter(({ bossId }) => bossId === id)

const reads: Short[] = [
  ['GET /api/staff', { data: staff }],
  ['GET /api/staff/12', { data: staff[1] ?? {} }],
]

/** The options of resources and the routes, and the names of the fixtures. */
function learned(...more: Short[]): { resources: unknown; routes: unknown; names: string[] } {
  const found = learn([...reads, ...more])
  const { resources, routes } = configOf(found)
  return { resources, routes, names: Object.keys(dataOf(found)) }
}

describe('a list of records of a collection at another path', () => {
  it('is a nested list of the collection, by the key that the records have', () => {
    expect(
      learned(
        ['GET /api/staff/11/reports', { data: reportsOf(11) }],
        ['GET /api/staff/12/reports', { data: reportsOf(12) }],
      ),
    ).toEqual({
      resources: { staff: { relations: { bossId: 'staff' } } },
      routes: { 'GET /staff/:id/reports*': '/staff/:id/staff$2' },
      names: ['staff'],
    })
  })

  it('is a view where a field has one value in its records alone', () => {
    const data = staff.filter(({ isActive }) => isActive)
    expect(learned(['GET /api/staff/active', { data }])).toMatchObject({
      resources: { 'staff/active': { view: 'staff', where: { isActive: true } } },
      names: ['staff'],
    })
  })

  it('is a view of all records where each request searches', () => {
    expect(learned(['GET /api/staff/search?q=person+3', { data: [staff[3] ?? {}] }])).toMatchObject(
      {
        resources: { 'staff/search': { view: 'staff' } },
        names: ['staff'],
      },
    )
  })

  it('is a view with the name of the collection in its envelope', () => {
    const { dialects } = learn([
      ['GET /staff', { staff, total: 6 }],
      ['GET /staff/1', staff[0] ?? {}],
      ['GET /jobs', { jobs: [{ id: 1, title: 'Cook' }], total: 1 }],
      ['GET /staff/search?q=person+3', { staff: [staff[3] ?? {}], total: 1 }],
    ])
    expect(dialects[0]?.value).toMatchObject({
      rest: {
        list: { $resource: '$items', total: '$total' },
        resources: { 'staff/search': { list: { staff: '$items', total: '$total' } } },
      },
    })
  })

  it.each<[title: string, list: Short]>([
    ['nothing explains', ['GET /api/staff/latest', { data: staff.slice(1, 3) }]],
    ['has other fields', ['GET /api/staff/names?q=p', { data: [{ id: 12, name: 'Person 1' }] }]],
    ['has unknown records', ['GET /api/staff/gone?q=p', { data: [{ ...staff[1], id: 99 }] }]],
  ])('is no view where it %s', (_title, list) => {
    expect(JSON.stringify(learned(list))).not.toContain('view')
  })

  it('is a collection of its own at a nested path that has a path at the top, too', () => {
    const { names } = learned(
      ['GET /api/staff/11/reports', { data: reportsOf(11) }],
      ['GET /api/reports', { data: reportsOf(11) }],
    )
    expect(names).toEqual(['reports', 'staff'])
  })
})
