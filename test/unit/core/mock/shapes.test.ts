import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { internalsOf } from '../../../../src/core/http/contract/internals.ts'
import { fields, scenarios, schema, states } from '../../../../src/behaviours.ts'
import { createFixtureShapes } from '../../../../src/core/mock/shapes.ts'
import type { Shape } from '../../../../src/core/shape/shapes.ts'
import { createMock, type MockConfig } from '../../../../src/index.ts'

const posts = [
  { id: 1, title: 'Hello', status: 'draft', views: 3 },
  { id: 2, title: 'World', status: 'published' },
]

/** The shape of the posts of a mock. */
function shapeOf(use: MockConfig['use']): Shape | undefined {
  return createFixtureShapes(internalsOf(createMock({ fixtures: { posts }, use: use ?? [] })))()[0]
}

/** The schema of each field of the posts. */
function fieldsOf(shape: Shape | undefined): unknown {
  return shape?.schema['properties']
}

describe('the shapes of a mock', () => {
  it('have the schema of a resource', () => {
    const declared = {
      properties: { title: { type: 'string', minLength: 3 } },
      required: ['title'],
    }
    const shape = shapeOf([schema({ posts: declared })])
    expect(shape?.schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        title: { type: 'string', minLength: 3 },
        status: { type: 'string' },
        views: { type: 'integer' },
      },
      required: ['id', 'status', 'title'],
    })
  })

  it('have the schema of a validator that describes itself', () => {
    const validator = z.object({
      title: z.string().min(3),
      views: z.int().nonnegative().default(0),
    })
    const shape = shapeOf([schema({ posts: validator })])
    expect(fieldsOf(shape)).toMatchObject({
      id: { type: 'integer' },
      title: { type: 'string', minLength: 3 },
      status: { type: 'string' },
      views: { type: 'integer', minimum: 0, default: 0 },
    })
    expect(shape?.schema['required']).toEqual(['id', 'status', 'title'])
  })

  it.each([
    ['has no JSON Schema', v.object({ title: v.string() })],
    [
      'cannot be written as JSON Schema',
      z
        .object({
          title: z
            .string()
            .transform(() => new Date())
            .pipe(z.date()),
        })
        .and(z.object({ at: z.date() })),
    ],
  ])('are inferred where a validator %s', (_title, validator) => {
    expect(fieldsOf(shapeOf([schema({ posts: validator })]))).toEqual(fieldsOf(shapeOf([])))
  })

  it('have required, read-only and unique fields, defaults and timestamps', () => {
    const shape = shapeOf([
      fields({
        posts: {
          required: ['views'],
          readOnly: ['status'],
          unique: ['title', ['views', 'status']],
          defaults: { views: 0, slug: ({ title }) => title ?? '' },
          timestamps: { updatedAt: 'changed', as: 'seconds' },
        },
      }),
    ])
    expect(shape?.schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        title: { type: 'string' },
        status: { type: 'string', readOnly: true },
        views: { type: 'integer', default: 0 },
        slug: {},
        createdAt: { type: 'integer', readOnly: true },
        changed: { type: 'integer', readOnly: true },
      },
      required: ['id', 'title', 'status', 'views'],
    })
    expect(shape?.filled).toEqual(['views', 'slug', 'createdAt', 'changed'])
    expect(shape?.unique).toEqual([['title'], ['views', 'status']])
  })

  const machines: [string, Parameters<typeof states>[0][string], object][] = [
    [
      'texts, in the order of the table',
      { initial: 'draft', transitions: { draft: ['review'], review: ['published', 'draft'] } },
      { status: { type: 'string', enum: ['draft', 'review', 'published'], default: 'draft' } },
    ],
    [
      'numbers',
      { transitions: { 1: [2], 2: [3] } },
      { status: { type: 'number', enum: [1, 2, 3] } },
    ],
    [
      'flags',
      { field: 'done', initial: false, transitions: { false: [true] } },
      { done: { type: 'boolean', enum: [false, true], default: false } },
    ],
    [
      'none but deleted',
      { softDelete: true },
      { deletedAt: { type: ['string', 'null'], format: 'date-time' } },
    ],
  ]

  it.each(machines)('have states that are %s', (_title, options, expected) => {
    expect(fieldsOf(shapeOf([states({ posts: options })]))).toMatchObject(expected)
  })

  it('do not change with requests', async () => {
    const mock = createMock({ fixtures: { posts } })
    const infer = createFixtureShapes(internalsOf(mock))
    const before = infer()
    await mock.fetch('/posts', { method: 'POST', body: '{"other":1}' })
    mock.db.posts.update(1, { title: 'Other' })
    expect(infer()).toEqual(before)
  })

  it('do not change with the data of a scenario', () => {
    const sets = { other: { fixtures: { posts: [{ id: 'x' }], more: [] } } }
    expect(shapeOf([scenarios({ sets, active: 'other' })])).toEqual(shapeOf([]))
  })

  it('change with the fixtures', () => {
    const mock = createMock({ fixtures: { posts } })
    const infer = createFixtureShapes(internalsOf(mock))
    infer()
    internalsOf(mock).store.reload('posts', [{ id: 1, body: 'x y' }])
    expect(fieldsOf(infer()[0])).toEqual({ id: { type: 'integer' }, body: { type: 'string' } })
  })

  it('have relations by name, as the mock has', () => {
    const data = { users: [{ id: 1 }], posts: [{ id: 1, user_ref: 1, editor: 1 }] }
    const mock = createMock({
      fixtures: data,
      foreignKeySuffix: '_ref',
      relations: { posts: { editor: 'users' } },
    })
    expect(createFixtureShapes(internalsOf(mock))()[1]?.relations).toEqual([
      { place: ['user_ref'], to: 'users', by: 'name' },
      { place: ['editor'], to: 'users', by: 'configuration' },
    ])
  })
})
