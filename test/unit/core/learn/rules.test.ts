import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { ruleOf } from '../../../../src/core/learn/writes/learn-rules.ts'
import { configOf, learn, type Short } from './exchanges.ts'

const words = ['open', 'open', 'done', 'done', 'open']

describe('the rule that a refused value breaks', () => {
  const rows: [refused: Json, message: string, accepted: Json[], rule: Json | undefined][] = [
    [-1, 'must be greater than or equal to 0', [0, 3], ['minimum', 0]],
    [0, 'must be greater than 0', [1, 3], ['exclusiveMinimum', 0]],
    [-2, 'must not be negative', [0, 3], ['minimum', 0]],
    [9, 'must be 1 to 5', [1, 5], ['maximum', 5]],
    [0, 'must be 1 to 5', [1, 5], ['minimum', 1]],
    [100, 'must be less than 100', [1, 99], ['exclusiveMaximum', 100]],
    [5, 'is too large', [1, 7], undefined],
    ['much', 'Invalid value', [1, 2.5], ['type', 'number']],
    ['x', 'is invalid', [1, 'a'], undefined],
    ['ab', 'is too short (minimum is 3 characters)', ['abc'], ['minLength', 3]],
    ['abcdef', 'must be at most 4 characters', ['abcd'], ['maxLength', 4]],
    ['ada', 'must be an email', ['a@example.org'], ['format', 'email']],
    ['gone', 'must be one of: open, done, late', words, ['enum', ['open', 'done', 'late']]],
    ['gone', 'is not included in the list', words, ['enum', ['done', 'open']]],
    ['gone', 'is not known', ['open', 'done', 'late'], undefined],
    ['open', 'is not possible', words, undefined],
    ['x', 'is refused', [], undefined],
  ]

  it.each(rows)('%j: %s', (refused, message, accepted, rule) => {
    expect(ruleOf(refused, message, accepted)).toEqual(rule)
  })
})

describe('refused writes', () => {
  const posts = [1, 2].map((id) => ({ id, title: `Post ${id}`, stars: id }))
  const reads: Short[] = [['GET /posts', posts]]

  /** The schema that is proposed for posts, and the options of errors. */
  function learned(...writes: Short[]): Record<string, unknown> {
    const found = learn([...reads, ...writes])
    const { rest } = configOf(found)['dialect'] as { rest: Record<string, unknown> }
    const { invalid, reasons } = rest
    const schema = found.proposals.find(({ path }) => path[2] === 'schema')?.value
    return { invalid, reasons, schema }
  }

  it('are learned as a schema, with the texts of its keywords', () => {
    const errors = { title: ['is empty'], stars: ['must be at least 1'] }
    const sent = { title: '', stars: 0 }
    expect(learned(['POST /posts', { errors }, { status: 422, sent }])).toEqual({
      invalid: { errors: '$errorLists' },
      reasons: {
        required: 'is empty',
        minimum: 'must be at least $limit',
        'minLength:1': 'is empty',
      },
      schema: {
        required: ['title'],
        properties: { title: { minLength: 1 }, stars: { minimum: 1 } },
      },
    })
  })

  it('can name the field in a single text', () => {
    const more = { status: 400, sent: { title: 'x', stars: 9 } }
    expect(learned(['POST /posts', { error: 'stars must be at most 5' }, more])).toEqual({
      invalid: { error: '$fault' },
      reasons: { maximum: '$field must be at most $limit' },
      schema: { properties: { stars: { maximum: 5 } } },
    })
  })

  it('require no field that recorded records lack', () => {
    const errors = { body: ['is empty'], stars: ['must be at least 1'] }
    const sent = { title: 'x', stars: 0 }
    const { schema } = learned(
      ['POST /posts', { errors }, { status: 422, sent }],
      [
        'POST /posts',
        { id: 3, title: 'y', body: 'z', stars: 1 },
        { status: 201, sent: { body: 'z' } },
      ],
    )
    expect(schema).toEqual({ properties: { stars: { minimum: 1 } } })
  })
})
