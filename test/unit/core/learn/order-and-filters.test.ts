import { expect, it } from 'vitest'

import { createLearner } from '../../../../src/core/learn/learner.ts'
import type { Learned } from '../../../../src/core/learn/learned.ts'

/** Learns from requests with the status and the JSON of their responses. */
function learn(...all: [request: string, value: unknown, status?: number][]): Learned {
  const learner = createLearner()
  for (const [at, [request, value, status = 200]] of all.entries()) {
    const [method = '', path = ''] = request.split(' ')
    learner.add({
      startedAt: 1000 * (at + 1),
      method,
      url: `https://api.test${path}`,
      requestHeaders: [],
      requestBody: undefined,
      status,
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify(value),
    })
  }
  return learner.learned()
}

const page = (items: readonly unknown[]): unknown => ({ items, total: items.length })

it('learns filters whose names have words of fields and of operators', () => {
  const days = ['2026-01-05', '2026-03-01', '2026-05-09', '2026-08-30']
  const rows = days.map((starts_on, at) => ({ id: at + 1, name: `Tower ${'abcd'[at]}`, starts_on }))
  const { options } = learn(
    ['GET /projects', page(rows)],
    ['GET /projects?q[starts_on_gteq]=2026-05-01', page(rows.slice(2))],
    ['GET /projects?q[starts_on_lteq]=2026-04-01', page(rows.slice(0, 2))],
    ['GET /projects?q[name_cont]=tower+b', page(rows.slice(1, 2))],
  )
  expect(options).toContainEqual(
    expect.objectContaining({
      path: ['resources', 'projects', 'filters'],
      value: {
        'q[starts_on_gteq]': 'starts_on:gte',
        'q[starts_on_lteq]': 'starts_on:lte',
        'q[name_cont]': 'name:contains',
      },
    }),
  )
})

it('learns the order of top-level lists, by ids rather than by other times', () => {
  const row = (id: number): object => ({ id, room_id: 7, birth_date: `19${50 + id}-01-01` })
  const rows = [4, 3, 2, 1].map(row)
  const { options } = learn(
    ['GET /patients', page(rows)],
    ['GET /rooms', page([{ id: 7 }])],
    ['GET /rooms/7/patients', page(rows.toReversed())],
  )
  expect(options).toContainEqual(
    expect.objectContaining({ path: ['resources', 'patients', 'sort'], value: '-id' }),
  )
})

it('learns that an action sets a number if the API refuses to do it again', () => {
  const { proposals } = learn(
    ['GET /visits', page([{ id: 5, status: 1 }])],
    ['POST /visits/5/complete', { id: 5, status: 2 }],
    ['GET /visits/5', { id: 5, status: 2 }],
    ['POST /visits/5/complete', { message: 'is completed' }, 409],
  )
  expect(proposals).toContainEqual(
    expect.objectContaining({
      path: ['resources', 'visits', 'actions', 'POST complete'],
      value: expect.objectContaining({ set: { status: 2 }, when: { status: 1 } }),
    }),
  )
})
