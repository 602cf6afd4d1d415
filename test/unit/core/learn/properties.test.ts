import { describe, expect, it } from 'vitest'

import type { Learned } from '../../../../src/core/learn/learned.ts'
import { createLearner } from '../../../../src/core/learn/learner.ts'
import type { JsonRecord } from '../../../../src/core/json/json.ts'
import { fc } from '../../../fast-check.ts'
import { dataOf, learn, type Short, toExchanges } from './exchanges.ts'

const record = fc.record(
  {
    id: fc.integer({ min: 1, max: 6 }),
    title: fc.constantFrom('a', 'b', 'c'),
    views: fc.integer({ min: 0, max: 9 }),
    author: fc.record({ id: fc.integer({ min: 1, max: 3 }), nick: fc.constantFrom('x', 'y') }),
  },
  { requiredKeys: ['id'] },
) as fc.Arbitrary<JsonRecord>

const short: fc.Arbitrary<Short> = fc.oneof(
  fc
    .uniqueArray(record, { selector: ({ id }) => id, maxLength: 4 })
    .map((all): Short => ['GET /posts', all]),
  record.map((one): Short => [`GET /posts/${one['id'] as number}`, one]),
  record.map((one): Short => [`PATCH /posts/${one['id'] as number}`, one, { sent: one }]),
  fc
    .integer({ min: 1, max: 6 })
    .map((id): Short => [`DELETE /posts/${id}`, undefined, { status: 204 }]),
  fc.constantFrom('a', 'b').map((q): Short => [`GET /search?q=${q}`, { hits: q.length }]),
)

const shorts = fc.array(short, { maxLength: 12 })

describe('what is learned', () => {
  it('does not depend on the order in which exchanges are added', () => {
    const cases = shorts.chain((all) => {
      const exchanges = toExchanges(all)
      return fc.tuple(
        fc.constant(exchanges),
        fc.shuffledSubarray(exchanges, { minLength: exchanges.length }),
      )
    })
    fc.assert(
      fc.property(cases, ([exchanges, shuffled]) => {
        const [one, other] = [exchanges, shuffled].map((all) => {
          const learner = createLearner({ origin: 'https://api.shop.test' })
          for (const exchange of all) learner.add(exchange)
          return learner.learned()
        })
        expect(other).toEqual(one)
      }),
      { numRuns: 100 },
    )
  })

  it('does not depend on when it is read', () => {
    // Each request has one of few responses, so that responses return after others.
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 11 }), { maxLength: 20 }), shorts, (order, all) => {
        const exchanges = order.flatMap((at, step) => {
          const [one] = toExchanges(all.slice(at, at + 1))
          return one ? [{ ...one, startedAt: step * 1000 }] : []
        })
        const [step, whole] = [createLearner(), createLearner()]
        for (const exchange of exchanges) {
          step.add(exchange)
          step.learned()
          whole.add(exchange)
        }
        const withoutTimes = ({ reads, answers, ...rest }: Learned) => ({
          ...rest,
          reads: reads.map((read) => ({ ...read, at: 0 })),
          answers: answers.map((answer) => ({ ...answer, at: 0 })),
        })
        expect(withoutTimes(step.learned())).toEqual(withoutTimes(whole.learned()))
      }),
      { numRuns: 200 },
    )
  })

  it('is the same object while a response is repeated', () => {
    const learner = createLearner()
    const [posts, others, removal] = toExchanges([
      ['GET /posts', [{ id: 1 }]],
      ['GET /posts', [{ id: 2 }]],
      ['DELETE /posts/2', undefined, { status: 204 }],
    ])
    const isNew = [posts, posts, posts, others, posts, posts, posts, removal, posts, posts].map(
      (exchange, at) => {
        const before = learner.learned()
        if (exchange) learner.add({ ...exchange, startedAt: at })
        return learner.learned() !== before
      },
    )
    expect(isNew).toEqual([true, false, false, true, true, false, false, true, true, false])
  })

  it('is the same when exchanges are repeated', () => {
    fc.assert(
      fc.property(shorts, (all) => {
        const learner = createLearner()
        for (const exchange of toExchanges(all)) learner.add(exchange)
        const before = learner.learned()
        for (const exchange of toExchanges(all)) learner.add(exchange)
        expect(learner.learned()).toEqual(before)
      }),
      { numRuns: 100 },
    )
  })

  it('keeps every field of a detail when a list shows a part of the record', () => {
    fc.assert(
      fc.property(record, fc.boolean(), (one, isListFirst) => {
        const detail: Short = [`GET /posts/${one['id'] as number}`, one]
        const list: Short = ['GET /posts', [{ id: one['id'] ?? 0 }]]
        const { posts } = dataOf(learn(isListFirst ? [list, detail] : [detail, list]))
        expect(posts).toEqual([one])
      }),
      { numRuns: 50 },
    )
  })
})
