import {
  array,
  email,
  minLength,
  object,
  pipe,
  pipeAsync,
  checkAsync,
  objectAsync,
  string,
} from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { fields, type JsonSchema, schema, type StandardSchema } from '../../../src/behaviours.ts'
import { createMock, type MockOptions } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'

const fixtures = {
  posts: [{ id: 1, title: 'Hello', author: { email: 'ada@x.org' }, tags: ['a'] }],
  profile: { name: 'Ada' },
}

const json: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['id', 'title'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    title: { type: 'string', minLength: 3 },
    author: { $ref: '#/$defs/author' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  $defs: {
    author: {
      type: 'object',
      required: ['email'],
      properties: { email: { type: 'string', format: 'email' } },
    },
  },
}

const zod = z.strictObject({
  id: z.number().int(),
  title: z.string().min(3),
  author: z.object({ email: z.email() }).optional(),
  tags: z.array(z.string()).optional(),
})

const valibot = object({
  title: pipe(string(), minLength(3)),
  author: object({ email: pipe(string(), email()) }),
  tags: array(string()),
})

function mockWith(posts: JsonSchema | StandardSchema): () => MockOptions<Record<string, unknown>> {
  return () => ({ fixtures, use: [schema({ posts })] })
}

const right = { title: 'Well', author: { email: 'bob@x.org' }, tags: ['b'] }

/** What every validator finds, in whatever words. */
const rows: readonly Row[] = [
  [
    'store a right record',
    { request: 'POST /posts', body: right },
    { status: 201, body: { id: 2, ...right } },
  ],
  [
    'name every wrong field, with its pointer',
    { request: 'POST /posts', body: { title: 'x', author: { email: 'x' }, tags: [1, 'a'] } },
    {
      status: 422,
      body: expect.objectContaining({
        errors: {
          title: expect.any(String),
          'author.email': expect.any(String),
          'tags.0': expect.any(String),
        },
        issues: expect.arrayContaining([
          { pointer: '#/title', detail: expect.any(String) },
          { pointer: '#/author/email', detail: expect.any(String) },
          { pointer: '#/tags/0', detail: expect.any(String) },
        ]),
      }),
    },
  ],
  [
    'judge a patch by the whole record',
    { request: 'PATCH /posts/1', body: { tags: [] } },
    { status: 200, body: { ...fixtures.posts[0], tags: [] } },
  ],
  [
    'refuse a patch that makes it wrong, and store nothing',
    [{ request: 'PATCH /posts/1', body: { title: 'x' } }, 'GET /posts/1'],
    { status: 200, body: fixtures.posts[0] },
  ],
  [
    'refuse a replacement that lacks a field',
    { request: 'PUT /posts/1', body: { author: { email: 'a@x.org' }, tags: [] } },
    { status: 422, body: expect.objectContaining({ errors: { title: expect.any(String) } }) },
  ],
  [
    'refuse a whole list for one of it',
    [{ request: 'POST /posts', body: [right, { ...right, title: 'x' }] }, 'GET /posts'],
    { status: 200, body: fixtures.posts },
  ],
  ['let a record be removed', 'DELETE /posts/1', { status: 200 }],
]

contract('records under a JSON Schema', mockWith(json), rows)
contract('records under zod', mockWith(zod), rows)
contract('records under valibot', mockWith(valibot), rows)
contract(
  'records under a validator that is a function',
  mockWith(Object.assign(() => undefined, { '~standard': zod['~standard'] })),
  rows,
)

contract('the words of a JSON Schema', mockWith(json), [
  [
    'go on from the field',
    { request: 'POST /posts', body: { id: 'x', author: {}, extra: 1, tags: 'a' } },
    {
      status: 422,
      body: expect.objectContaining({
        errors: {
          id: 'has to be an integer',
          title: 'is required',
          'author.email': 'is required',
          extra: 'is not allowed',
          tags: 'has to be an array',
        },
      }),
    },
  ],
])

contract(
  'several faults of one field',
  () => ({
    fixtures: { posts: [] },
    use: [schema({ posts: { properties: { slug: { minLength: 3, pattern: '^[a-z]*$' } } } })],
  }),
  [
    [
      'are one text in errors, and an issue each',
      { request: 'POST /posts', body: { slug: 'A' } },
      {
        status: 422,
        body: expect.objectContaining({
          errors: { slug: 'has to have 3 or more characters; has the wrong form' },
          issues: [
            { pointer: '#/slug', detail: 'has to have 3 or more characters' },
            { pointer: '#/slug', detail: 'has the wrong form' },
          ],
        }),
      },
    ],
  ],
)

const wordings: [schema: JsonSchema, value: unknown, message: string][] = [
  [{ type: ['number', 'null'] }, 'x', 'has to be a number or null'],
  [{ enum: ['a', 'b', 1] }, 'x', 'has to be one of "a", "b", 1'],
  [{ const: { a: 1 } }, 'x', 'has to be {"a":1}'],
  [{ minLength: 3 }, 'x', 'has to have 3 or more characters'],
  [{ maxLength: 3 }, 'xxxx', 'has to have 3 or fewer characters'],
  [{ minItems: 1 }, [], 'has to have 1 or more elements'],
  [{ maxItems: 1 }, [1, 2], 'has to have 1 or fewer elements'],
  [{ uniqueItems: true }, [1, 1], 'holds an element twice'],
  [{ minProperties: 1 }, {}, 'has to have 1 or more properties'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'has to have 1 or fewer properties'],
  [{ minimum: 3 }, 1, 'has to be at least 3'],
  [{ maximum: 3 }, 4.5, 'has to be at most 3'],
  [{ exclusiveMinimum: 3 }, 3, 'has to be above 3'],
  [{ exclusiveMaximum: 3 }, 3, 'has to be below 3'],
  [{ multipleOf: 0.5 }, 0.7, 'has to be a multiple of 0.5'],
  [{ pattern: '^a' }, 'b', 'has the wrong form'],
  [{ format: 'date-time' }, 'b', 'has to be in the format "date-time"'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'has none of the allowed forms'],
  [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, 'has to have exactly one of the allowed forms'],
  [{ not: { type: 'string' } }, 'x', 'has a form that is not allowed'],
  [{ contains: { type: 'string' } }, [1], 'lacks an element of the required form'],
  [
    { contains: { type: 'string' }, minContains: 2 },
    ['a', 1],
    'has to have 2 or more elements of the required form',
  ],
  [
    { contains: { type: 'string' }, maxContains: 1 },
    ['a', 'b'],
    'has to have 1 or fewer elements of the required form',
  ],
  [{ allOf: [{ minimum: 3 }] }, 1, 'has to be at least 3'],
  [
    JSON.parse('{"if":{"minimum":1},"then":{"minimum":3}}') as JsonSchema,
    2,
    'has to be at least 3',
  ],
  [false, 1, 'is not allowed'],
]

describe('schema', () => {
  it.each(wordings)('says of %o and %o: %s', async (rule, value, message) => {
    const mock = createMock({ fixtures, use: [schema({ posts: { properties: { field: rule } } })] })
    expect(await errorsOf(mock, { field: value })).toEqual({ field: message })
  })

  it.each([
    [
      '4',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        properties: { n: { maximum: 3, exclusiveMaximum: true } },
      },
    ],
    [
      '7',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { n: { exclusiveMaximum: 3 } },
        properties: { n: { $ref: '#/definitions/n' } },
      },
    ],
    ['2020-12', { properties: { n: { exclusiveMaximum: 3 } } }],
  ])('reads draft %s', async (_, posts) => {
    const mock = createMock({ fixtures, use: [schema({ posts })] })
    expect(await errorsOf(mock, { n: 3 })).toEqual({ n: 'has to be below 3' })
  })

  it('lets one schema refer to another by its file', async () => {
    const use = [
      schema({
        posts: { properties: { owner: { $ref: 'profile.schema.json' } } },
        profile: { required: ['name'] },
      }),
    ]
    expect(await errorsOf(createMock({ fixtures, use }), { owner: {} })).toEqual({
      'owner.name': 'is required',
    })
  })

  it.each([
    [true, undefined],
    [false, { owner: 'is not allowed' }],
  ])('reaches another that is %j', async (profile, errors) => {
    const posts = { properties: { owner: { $ref: 'profile.schema.json' } } }
    const use = [schema({ posts, profile })]
    expect(await errorsOf(createMock({ fixtures, use }), { owner: {} })).toEqual(errors)
  })

  it.each(['dependentRequired', 'dependencies'])(
    'says what %s requires, and by what',
    async (by) => {
      const payment = {
        [by]: { card: ['address', 'name'] },
        properties: { card: { type: 'string' } },
      }
      const mock = createMock({ fixtures, use: [schema({ posts: { properties: { payment } } })] })
      expect(await errorsOf(mock, { payment: { card: 1 } })).toEqual({
        'payment.address': 'is required with card',
        'payment.name': 'is required with card',
        'payment.card': 'has to be a string',
      })
    },
  )

  it('says what is wrong of a list with more wrong elements than can be told', async () => {
    const posts = { properties: { tags: { items: { type: 'string' } } } }
    const mock = createMock({ fixtures, use: [schema({ posts })] })
    expect(await errorsOf(mock, { tags: Array(200_000).fill(0) })).toEqual({
      'tags.0': 'has to be a string',
    })
  })

  it('lets nothing be written where it is false', async () => {
    const mock = createMock({ fixtures, use: [schema({ posts: false, profile: true })] })
    expect(await errorsOf(mock, {})).toEqual({ '': 'is not allowed' })
    const headers = { 'Content-Type': 'application/json' }
    const sent = await mock.fetch('/profile', { method: 'PUT', headers, body: '{}' })
    expect(sent.status).toBe(200)
  })

  it('leaves the schema that it is given as it was', () => {
    const posts = { properties: { title: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }
    const before = Object.getOwnPropertyNames(posts.properties.title)
    schema({ posts })
    expect(Object.getOwnPropertyNames(posts.properties.title)).toEqual(before)
  })

  it('waits for a validator that takes its time', async () => {
    const posts = objectAsync({
      title: pipeAsync(
        string(),
        checkAsync((title) => Promise.resolve(title !== 'taken'), 'is taken'),
      ),
    })
    const mock = createMock({ fixtures, use: [schema({ posts })] })
    expect(await errorsOf(mock, { title: 'taken' })).toEqual({ title: 'is taken' })
    expect(await errorsOf(mock, { title: 'free' })).toBeUndefined()
  })

  it('lets one of two through that hold the same, however long it takes', async () => {
    const posts = objectAsync({
      title: pipeAsync(
        string(),
        checkAsync(() => Promise.resolve(true)),
      ),
    })
    const mock = createMock({
      fixtures: { posts: [{ id: 1, title: '' }] },
      use: [schema({ posts })],
    })
    const path = 'http://mock.test/posts/1'
    const tag = (await mock.fetch(path)).headers.get('etag') ?? ''
    const put = (title: string) =>
      mock.fetch(path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': tag },
        body: JSON.stringify({ title }),
      })
    const answers = await Promise.all([put('one'), put('two')])
    expect(answers.map(({ status }) => status)).toEqual([200, 412])
  })

  it('judges what other behaviours have made of a record, whatever their order', async () => {
    const defaults = fields({ posts: { defaults: { title: 'Untitled' } } })
    const mock = createMock({ fixtures, use: [schema({ posts: json }), defaults] })
    expect(await errorsOf(mock, {})).toBeUndefined()
  })

  const circular: Record<string, unknown> = {}
  circular['not'] = circular

  const wrong: [title: string, schemas: Record<string, unknown>, message: string][] = [
    [
      'a reference that leads nowhere',
      { posts: { properties: { a: { $ref: '#/$defs/b' } } } },
      'Failed to read the schema of "posts" at #/properties/a: the $ref "#/$defs/b" leads nowhere. Please refer to a part of this schema, or to another by its file: posts.schema.json.',
    ],
    [
      'a reference to a file that is spelled otherwise',
      { posts: { $ref: 'profil.schema.json' }, profile: {} },
      'Failed to read the schema of "posts": the $ref "profil.schema.json" leads nowhere. Did you mean "profile.schema.json"?',
    ],
    [
      'a reference to what is no schema',
      { posts: { $ref: '#/required', required: ['title'] } },
      'Failed to read the schema of "posts" at #/required: it is no object. Please give a JSON Schema.',
    ],
    [
      'a mistake in a schema that another refers to',
      { posts: { $ref: 'profile.schema.json' }, profile: { enum: 5 } },
      'Failed to read the schema of "profile": "enum" cannot be 5. Please give a list of values.',
    ],
    [
      'two schemas with one $id',
      { posts: { $id: 'https://x.org/a' }, profile: { $id: 'https://x.org/a' } },
      'Failed to read the schema of "profile": there are two schemas with the $id "https://x.org/a". Please give each its own.',
    ],
    [
      'null',
      { posts: null },
      'Failed to read the schema of "posts": it is no object. Please give a JSON Schema.',
    ],
    [
      'an object that contains itself',
      { posts: circular },
      'Failed to read the schema of "posts": it is nested too deeply. Please give plain JSON.',
    ],
    [
      'what is no schema',
      { posts: 'title' },
      'Failed to read the schema of "posts": it is no object. Please give a JSON Schema.',
    ],
    [
      'what is no schema, beside one',
      { posts: {}, profile: 'title' },
      'Failed to read the schema of "profile": it is no object. Please give a JSON Schema.',
    ],
    [
      'a reference that leads back to itself',
      {
        posts: { $ref: 'profile.schema.json' },
        profile: { allOf: [{ $ref: 'posts.schema.json' }] },
      },
      'Failed to read the schema of "posts": a $ref leads back to itself.',
    ],
    [
      'a reference that leads back to itself below a property',
      { posts: { properties: { a: { anyOf: [{ type: 'null' }, { $ref: '#/properties/a' }] } } } },
      'Failed to read the schema of "posts" at #/properties/a: a $ref leads back to itself. Please refer to the schema from a property or an element.',
    ],
    [
      'an unknown resource',
      { post: {} },
      'Failed to read the options of "schema": there is no resource "post". Did you mean "posts"?',
    ],
  ]

  it.each(wrong)('refuses %s', (_, schemas, message) => {
    const use = (): unknown =>
      createMock({ fixtures, use: [schema(schemas as Record<string, JsonSchema>)] })
    expect(use).toThrow(message)
  })

  const mistakes: [rule: Record<string, unknown>, reason: string][] = [
    [{ enum: 5 }, '"enum" cannot be 5. Please give a list of values.'],
    [{ allOf: {} }, '"allOf" cannot be {}. Please give a list of JSON Schemas, at least one.'],
    [{ anyOf: [] }, '"anyOf" cannot be []. Please give a list of JSON Schemas, at least one.'],
    [
      { type: [] },
      '"type" cannot be []. Please give the name of a type, or a list of at least one.',
    ],
    [{ properties: [] }, '"properties" cannot be []. Please give an object.'],
    [{ required: true }, '"required" cannot be true. Please give a list of (a text).'],
    [{ minLength: -1 }, '"minLength" cannot be -1. Please give a whole number of at least 0.'],
    [{ minimum: '3' }, '"minimum" cannot be "3". Please give a number.'],
    [{ exclusiveMinimum: true }, '"exclusiveMinimum" cannot be true. Please give a number.'],
    [{ multipleOf: 0 }, '"multipleOf" cannot be 0. Please give a number above 0.'],
    [{ uniqueItems: 'yes' }, '"uniqueItems" cannot be "yes". Please give true or false.'],
    [{ dependencies: { a: [1] } }, '"a" cannot be [1]. Please give a list of (a text).'],
    [
      { dependentSchemas: { a: ['b'] } },
      '"dependentSchemas" cannot be {"a":["b"]}. Please give an object that holds JSON Schemas.',
    ],
    [{ $ref: 5 }, '"$ref" cannot be 5. Please give a text.'],
    [
      { pattern: '(' },
      'Invalid regular expression: /(/u: Unterminated group. Please write it for the flag "u".',
    ],
  ]

  it.each(mistakes)('refuses %o and says where', (rule, reason) => {
    const posts = { properties: { a: { items: rule } } }
    const message = `Failed to read the schema of "posts" at #/properties/a/items: ${reason}`
    expect(() => schema({ posts })).toThrow(
      expect.objectContaining({ name: 'MockError', code: 'SCHEMA_INVALID', message }),
    )
  })

  it.each([
    ['not', { not: 5 }],
    ['items', { items: 'a' }],
    ['properties/b', { properties: { b: null } }],
    ['$defs/b', { $defs: { b: 1 } }],
    ['allOf/1', { allOf: [true, []] }],
  ])('refuses a subschema that is no schema at %s', (path, rule) => {
    const message = `Failed to read the schema of "posts" at #/${path}: it is no object. Please give a JSON Schema.`
    expect(() => schema({ posts: rule })).toThrow(message)
  })

  it.each([
    ['without an $id', {}],
    ['with an $id of another host', { $id: 'https://example.com/schemas/profile.json' }],
    ['with a relative $id', { $id: 'profile' }],
  ])('lets a schema refer by file name to another %s', async (_, id) => {
    for (const ownId of [{}, { $id: 'https://example.org/deep/posts' }]) {
      const use = [
        schema({
          posts: { ...ownId, properties: { owner: { $ref: 'profile.schema.json#/$defs/owner' } } },
          profile: { ...id, $defs: { owner: { required: ['name'] } } },
        }),
      ]
      expect(await errorsOf(createMock({ fixtures, use }), { owner: {} })).toEqual({
        'owner.name': 'is required',
      })
    }
  })

  it('lets schemas of different drafts refer to one another by $id', async () => {
    const posts = { properties: { n: { $ref: 'https://example.com/profile#/definitions/n' } } }
    const profile = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'https://example.com/profile',
      definitions: { n: { minimum: 3, exclusiveMinimum: true } },
    }
    const mock = createMock({ fixtures, use: [schema({ posts, profile })] })
    expect(await errorsOf(mock, { n: 3 })).toEqual({ n: 'has to be above 3' })
  })

  it('extends a recursive schema by $dynamicRef', async () => {
    const profile = {
      $id: 'https://example.com/tree',
      $dynamicAnchor: 'node',
      properties: { children: { items: { $dynamicRef: '#node' } } },
    }
    const posts = { $dynamicAnchor: 'node', $ref: 'profile.schema.json', required: ['title'] }
    const mock = createMock({ fixtures, use: [schema({ posts, profile })] })
    expect(await errorsOf(mock, { title: 'a', children: [{ children: [] }] })).toEqual({
      'children.0.title': 'is required',
    })
  })
})

async function errorsOf(
  mock: { fetch(request: Request): Promise<Response> },
  record: unknown,
): Promise<unknown> {
  const response = await mock.fetch(
    new Request('http://mock.test/posts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(record),
    }),
  )
  return ((await response.json()) as { errors?: unknown }).errors
}
