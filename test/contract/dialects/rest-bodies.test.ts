import { describe, expect, it } from 'vitest'

import { schema, states } from '../../../src/behaviours.ts'
import { djangoRestFramework, laravel, rest, type RestNames } from '../../../src/dialects.ts'
import { createMock, type MockOptions } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'
import { documentOf } from '../../openapi/document.ts'

const posts = [
  { id: 1, title: 'One', views: 1 },
  { id: 2, title: 'Two', views: 2 },
]

const mockOf =
  (options: Parameters<typeof rest>[0]): (() => MockOptions<Record<string, unknown>>) =>
  () => ({
    dialect: rest(options),
    fixtures: {
      posts,
      blog_tags: [{ id: 1, tagName: 'a' }],
      notes: [{ id: 1, data: { text: 'x' } }],
      profile: { dark: true },
    },
    use: [schema({ posts: { properties: { title: { type: 'string', minLength: 2 } } } })],
  })

const answer = (value: unknown, status = 200): Row[2] => ({ status, body: value })
const refused = (detail: RegExp | string): Row[2] => ({
  status: 400,
  body: expect.objectContaining({
    detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
  }) as never,
})
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const json = { 'Content-Type': 'application/json' }

contract(
  'bodies in the envelope of records',
  mockOf({ record: { data: '$record' }, list: { data: '$items', total: '$total' } }),
  [
    [
      'a POST stores the record inside',
      { request: 'POST /posts', body: { data: { title: 'Three' } } },
      answer({ data: { id: 3, title: 'Three' } }, 201),
    ],
    [
      'a plain POST stores the same',
      { request: 'POST /posts', body: { title: 'Three' } },
      answer({ data: { id: 3, title: 'Three' } }, 201),
    ],
    [
      'a PUT replaces',
      { request: 'PUT /posts/1', body: { data: { title: 'Uno' } } },
      answer({ data: { id: 1, title: 'Uno' } }),
    ],
    [
      'a PATCH changes',
      { request: 'PATCH /posts/1', body: { data: { title: 'Uno' } } },
      answer({ data: { id: 1, title: 'Uno', views: 1 } }),
    ],
    [
      'a merge patch changes',
      {
        request: 'PATCH /posts/1',
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body: { data: { views: null } },
      },
      answer({ data: { id: 1, title: 'One' } }),
    ],
    [
      'a JSON Patch is about the record',
      {
        request: 'PATCH /posts/1',
        headers: { 'Content-Type': 'application/json-patch+json' },
        body: [{ op: 'replace', path: '/title', value: 'Uno' }],
      },
      answer({ data: { id: 1, title: 'Uno', views: 1 } }),
    ],
    [
      'an array has records with and without the envelope',
      { request: 'POST /posts', body: [{ data: { title: 'Three' } }, { title: 'Four' }] },
      answer(
        {
          data: [
            { id: 3, title: 'Three' },
            { id: 4, title: 'Four' },
          ],
          total: 2,
        },
        201,
      ),
    ],
    [
      'an array can be in the envelope of lists',
      { request: 'POST /posts', body: { data: [{ title: 'Three' }, { title: 'Four' }] } },
      answer(
        {
          data: [
            { id: 3, title: 'Three' },
            { id: 4, title: 'Four' },
          ],
          total: 2,
        },
        201,
      ),
    ],
    [
      'a form has no envelope',
      { request: 'POST /posts', headers: form, body: 'data=x&title=Three' },
      answer({ data: { id: 3, data: 'x', title: 'Three' } }, 201),
    ],
    [
      'a singleton',
      { request: 'PUT /profile', body: { data: { dark: false } } },
      answer({ data: { dark: false } }),
    ],
    [
      'a field of that name beside others is a field',
      { request: 'PATCH /notes/1', body: { data: { text: 'y' }, title: 'z' } },
      answer({ data: { id: 1, data: { text: 'y' }, title: 'z' } }),
    ],
    [
      'a value of that name that is no record is a field',
      { request: 'PATCH /notes/1', body: { data: 'text' } },
      answer({ data: { id: 1, data: 'text' } }),
    ],
    [
      'a record in it can have a field of that name',
      { request: 'PATCH /notes/1', body: { data: { data: { text: 'y' } } } },
      answer({ data: { id: 1, data: { text: 'y' } } }),
    ],
    [
      'a fault names the field',
      { request: 'POST /posts', body: { data: { title: 'x' } } },
      {
        status: 422,
        body: expect.objectContaining({ errors: { title: expect.any(String) } }),
      },
    ],
    [
      'a fault in an array names the record and the field',
      { request: 'POST /posts', body: [{ data: { title: 'Three' } }, { data: { title: 'x' } }] },
      {
        status: 422,
        body: expect.objectContaining({ errors: { '1.title': expect.any(String) } }),
      },
    ],
  ],
)

contract(
  'bodies in an envelope with the name of the resource',
  mockOf({
    record: { $singular: '$record', meta: { at: '$url' } },
    key: 'snake_case',
    invalid: { faults: '$faults', first: '$fault' },
    fault: { at: '$field', was: '$value' },
  }),
  [
    [
      'the name and the keys are those of the wire',
      { request: 'POST /blog_tags', body: { blogTag: { tag_name: 'b' } } },
      answer(
        { blogTag: { id: 2, tag_name: 'b' }, meta: { at: 'http://mock.test/blog_tags/2' } },
        201,
      ),
    ],
    [
      'other members of the envelope count for nothing',
      { request: 'PATCH /posts/1', body: { post: { title: 'Uno' }, meta: { at: 'x' } } },
      answer({
        post: { id: 1, title: 'Uno', views: 1 },
        meta: { at: expect.any(String) },
      }),
    ],
    [
      'the envelope of another resource is none',
      { request: 'PATCH /posts/1', body: { blogTag: { title: 'Uno' } } },
      answer({
        post: { id: 1, title: 'One', views: 1, blog_tag: { title: 'Uno' } },
        meta: { at: expect.any(String) },
      }),
    ],
    [
      'a fault has the value of the field',
      { request: 'POST /posts', body: { post: { title: 'x' } } },
      answer(
        {
          faults: [{ at: 'title', was: 'x' }],
          first: 'has to have 2 or more characters',
        },
        422,
      ),
    ],
  ],
)

contract('the option body with an envelope', mockOf({ body: { data: { $singular: '$record' } } }), [
  [
    'takes what is in it',
    { request: 'POST /posts', body: { data: { post: { title: 'Three' } } } },
    answer({ id: 3, title: 'Three' }, 201),
  ],
  [
    'refuses plain records',
    { request: 'POST /posts', body: { title: 'Three' } },
    refused('Failed to read the body: it has no envelope. Please send {"data":{"post":{ … }}}.'),
  ],
  [
    'refuses half an envelope',
    { request: 'PATCH /posts/1', body: { data: { title: 'Three' } } },
    refused(/no envelope/),
  ],
  [
    'refuses a plain record in an array',
    { request: 'POST /posts', body: [{ title: 'Three' }] },
    refused(/no envelope/),
  ],
  ['refuses null', { request: 'POST /posts', headers: json, body: 'null' }, refused(/envelope/)],
  [
    'takes a form',
    { request: 'POST /posts', headers: form, body: 'title=Three' },
    answer({ id: 3, title: 'Three' }, 201),
  ],
])

contract(
  'the option body without an envelope',
  mockOf({
    record: { data: '$record' },
    body: '$record',
    resources: {
      profile: { body: { data: '$record' } },
      blog_tags: { record: { tag: '$record' } },
    },
  }),
  [
    [
      'takes plain records',
      { request: 'POST /posts', body: { title: 'Three' } },
      answer({ data: { id: 3, title: 'Three' } }, 201),
    ],
    [
      'refuses records in the envelope of answers',
      { request: 'POST /posts', body: { data: { title: 'Three' } } },
      refused(
        'Failed to read the body: the record is in an envelope. Please send it without {"data":{ … }}.',
      ),
    ],
    [
      'takes a field of that name if records have it',
      { request: 'PATCH /notes/1', body: { data: { text: 'y' } } },
      answer({ data: { id: 1, data: { text: 'y' } } }),
    ],
    [
      'a resource can have its own',
      { request: 'PUT /profile', body: { data: { dark: false } } },
      answer({ data: { dark: false } }),
    ],
    [
      'and then refuses plain records',
      { request: 'PUT /profile', body: { dark: false } },
      refused(/no envelope/),
    ],
    [
      'a resource with another envelope has the body of all',
      { request: 'POST /blog_tags', body: { tag: { tagName: 'b' } } },
      refused(/without \{"tag"/),
    ],
  ],
)

contract(
  'a resource with an envelope of its own',
  mockOf({ resources: { posts: { record: { post: '$record' } } } }),
  [
    [
      'admits it',
      { request: 'POST /posts', body: { post: { title: 'Three' } } },
      answer({ post: { id: 3, title: 'Three' } }, 201),
    ],
    [
      'others do not',
      { request: 'PUT /profile', body: { profile: { dark: false } } },
      answer({ profile: { dark: false } }),
    ],
  ],
)

contract(
  'a body in the option resources',
  () => ({
    fixtures: { posts },
    dialect: rest({ record: { data: '$record' } }),
    resources: { posts: { body: { $singular: '$record' } } },
  }),
  [
    [
      'is that of the resource',
      { request: 'POST /posts', body: { post: { title: 'Three' } } },
      answer({ data: { id: 3, title: 'Three' } }, 201),
    ],
    [
      'and no other',
      { request: 'POST /posts', body: { data: { title: 'Three' } } },
      refused(/no envelope/),
    ],
  ],
)

contract(
  'an action of states',
  () => ({
    fixtures: { orders: [{ id: 1, status: 'paid' }] },
    dialect: rest({ record: { data: '$record' } }),
    use: [
      states({
        orders: {
          field: 'status',
          transitions: { paid: ['shipped'] },
          actions: { ship: { to: 'shipped', fields: ['carrier'] } },
        },
      }),
    ],
  }),
  [
    [
      'takes its fields in the envelope',
      { request: 'POST /orders/1/ship', body: { data: { carrier: 'DHL' } } },
      answer({ data: { id: 1, status: 'shipped', carrier: 'DHL' } }),
    ],
    [
      'takes plain fields',
      { request: 'POST /orders/1/ship', body: { carrier: 'DHL' } },
      answer({ data: { id: 1, status: 'shipped', carrier: 'DHL' } }),
    ],
  ],
)

for (const preset of [laravel, djangoRestFramework]) {
  contract(`bodies of ${preset.name}`, () => ({ ...mockOf({})(), dialect: preset }), [
    [
      'are plain, as in the framework',
      [
        { request: 'POST /posts', body: { title: 'Three' } },
        { request: 'PATCH /notes/1', body: { data: { text: 'y' } } },
        'GET /notes/1',
      ],
      {
        status: 200,
        body:
          preset === laravel
            ? { data: { id: 1, data: { text: 'y' } } }
            : { id: 1, data: { text: 'y' } },
      },
    ],
  ])
}

describe('the option body', () => {
  const wrong: [title: string, options: RestNames, message: RegExp][] = [
    ['no record', { body: { data: '$items' } }, /"body" has the unknown variable "\$items"/],
    ['nothing', { body: { data: 1 } }, /"body" has no "\$record"/],
    ['two records', { body: { a: '$record', b: '$record' } }, /"body" has "\$record" twice/],
    ['text around it', { body: { a: 'x$record' } }, /"body" has no "\$record"/],
    [
      'a resource',
      { resources: { posts: { body: { data: '$recrod' } } } },
      /"resources.posts.body" has the unknown variable "\$recrod".*\$record/,
    ],
  ]
  it.each(wrong)('cannot have %s', (_, options, message) => {
    expect(() => rest(options)).toThrow(message)
  })

  it('is in the OpenAPI document', () => {
    const bodiesOf = (options: RestNames): Record<string, { schema: unknown }> => {
      const document = documentOf(createMock({ ...mockOf(options)(), use: [] }))
      const { requestBody } = document.paths['/posts/{id}']?.patch ?? {}
      return requestBody?.content as Record<string, { schema: unknown }>
    }
    const plain = bodiesOf({})
    const patch = plain['application/json']?.schema
    const mergePatch = plain['application/merge-patch+json']?.schema
    expect([patch, mergePatch]).not.toContain(undefined)
    const inEnvelope = (schema: unknown): unknown => ({
      type: 'object',
      required: ['post'],
      properties: { post: schema },
    })
    const record = { $singular: '$record' }
    expect(bodiesOf({ record })).toEqual({
      ...plain,
      'application/json': { schema: { anyOf: [inEnvelope(patch), patch] } },
      'application/merge-patch+json': { schema: { anyOf: [inEnvelope(mergePatch), mergePatch] } },
    })
    expect(bodiesOf({ record, body: '$record' })).toEqual(plain)
    expect(bodiesOf({ body: record })['application/json']?.schema).toEqual(inEnvelope(patch))
  })
})
