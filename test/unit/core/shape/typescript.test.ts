import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../src/core/json/json.ts'
import { createShapes, type ShapeRules } from '../../../../src/core/shape/shapes.ts'
import { toSources } from '../../../../src/core/shape/sources.ts'
import { nameTypes, toTypeName } from '../../../../src/core/shape/typescript/syntax.ts'
import { toTypescript } from '../../../../src/core/shape/typescript/to-typescript.ts'
import type { JsonSchema } from '../../../../src/core/types/json-schema.ts'
import type { RecordDescription } from '../../../../src/core/types/record-description.ts'

function typesOf(data: Record<string, Json>, rules?: ShapeRules): string {
  return toTypescript(createShapes()(toSources(data), rules))
}

/** The rules that describe the records of `posts`. */
function describing(...descriptions: RecordDescription[]): ShapeRules {
  return { describe: (name) => (name === 'posts' ? descriptions : []) }
}

/** The type of a field that is described by a schema. */
function typeOf(schema: JsonSchema): string {
  const text = typesOf({ posts: [] }, describing({ schema: { properties: { field: schema } } }))
  return /\n {2}field\?: (.*?)\n(?: {2}\w|\})/s.exec(text)?.[1] ?? text
}

describe('the types of fixtures', () => {
  it('are an interface for each resource, one for each POST, and one for all', () => {
    const data = {
      users: [{ id: 1, name: 'Ada L', email: 'ada@mail.example' }],
      posts: [
        { id: 1, userId: 1, tags: ['a b'], author: { name: 'Ada L', age: 36 }, reply: null },
        {
          id: 2,
          userId: 1,
          tags: [],
          author: { name: 'Bob M' },
          at: '2024-02-29',
          reply: { text: 'x y' },
        },
      ],
      profile: { theme: 'dark', sizes: [[1, 2.5]] },
      colours: ['red', 'green'],
    }
    expect(typesOf(data)).toBe(`/** The document \`colours\`. */
export type Colours = string[]

/** A record of \`posts\`. */
export interface Post {
  id: number
  /** The id of a record of \`users\`. */
  userId: number
  tags: string[]
  author: {
    name: string
    age?: number
  }
  reply: {
    text: string
  } | null
  /** Format: date. */
  at?: string
}

/** The body of a POST to \`posts\`. */
export interface PostInput {
  id?: number
  userId: number
  tags: string[]
  author: Post['author']
  reply: Post['reply']
  at?: string
}

/** The singleton \`profile\`. */
export interface Profile {
  theme: string
  sizes: number[][]
}

/** A record of \`users\`. */
export interface User {
  id: number
  name: string
  /** Format: email. */
  email: string
}

/** The body of a POST to \`users\`. */
export interface UserInput {
  id?: number
  name: string
  email: string
}

/** All fixtures by name, for \`createMock<Fixtures>()\`. */
export interface Fixtures {
  colours: Colours
  posts: Post[]
  profile: Profile
  users: User[]
}
`)
  })

  it('leave out of the body what requests cannot set, and do not require what the mock sets', () => {
    const fields = {
      role: { schema: { readOnly: true } },
      at: { schema: { type: 'string', format: 'date-time', readOnly: true }, isFilled: true },
      status: { schema: { type: 'string', enum: ['a', "b'c"], default: 'a' }, isFilled: true },
      title: { isRequired: true },
    }
    const posts = [
      { id: 'x y', role: 'admin', status: 'a', title: 'A b', parts: { a: 1 } },
      { id: 'z w', status: 'a', role: 'x' },
    ]
    expect(typesOf({ posts }, describing({ fields }))).toContain(`export interface Post {
  id: string
  /** Requests cannot set it. */
  role: string
  /** @default 'a' */
  status: 'a' | 'b\\'c'
  title: string
  parts?: {
    a: number
  }
  /**
   * Format: date-time.
   * Requests cannot set it.
   */
  at?: string
}

/** The body of a POST to \`posts\`. */
export interface PostInput {
  id?: string
  status?: 'a' | 'b\\'c'
  title: string
  parts?: Exclude<Post['parts'], undefined>
}
`)
  })

  it('allow any fields of a collection that is empty', () => {
    expect(typesOf({ posts: [] })).toContain(`export interface Post {
  id: string | number
  [key: string]: unknown
}
`)
  })

  it('are indented', () => {
    const shapes = createShapes()(toSources({ posts: [{ id: 1, a: { b: 'x y' } }] }))
    const lines = toTypescript(shapes, '  ').split('\n')
    expect(lines.filter((line) => line !== '' && !line.startsWith('  '))).toEqual([])
    expect(lines).toContain('      b: string')
  })

  it('have aliases where a schema is no list of fields', () => {
    const schema = {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { $ref: 'users.schema.json' },
      ],
    }
    const text = typesOf({ posts: [], users: [] }, describing({ schema }))
    expect(text).toContain('export type PostInput = Partial<Post>\n')
    expect(text).toMatch(/export type Post = [^]* \| User\n/)
  })

  it('name the definitions of a schema, also recursive ones', () => {
    const schema = {
      $defs: {
        'tree-node': {
          type: 'object',
          properties: { inner: { type: 'array', items: { $ref: '#/$defs/tree-node' } } },
        },
        'a/b': { enum: ['x', 'y'] },
      },
      properties: {
        tree: { $ref: '#/$defs/tree-node' },
        kind: { $ref: '#/$defs/a~1b' },
        self: { $ref: '#' },
      },
      required: ['tree'],
    }
    expect(typesOf({ posts: [] }, describing({ schema }))).toContain(`  tree: PostTreeNode
  kind?: PostAB
  self?: Post
}

export interface PostTreeNode {
  inner?: PostTreeNode[]
}

export type PostAB = 'x' | 'y'
`)
  })

  it('write comments that end where they should', () => {
    const schema = {
      properties: { a: { type: 'string', description: 'One.\n*/ Two.', deprecated: true } },
    }
    expect(typesOf({ posts: [] }, describing({ schema }))).toContain(`  /**
   * One.
   * *\\/ Two.
   * @deprecated
   */
  a?: string
`)
  })
})

describe('the type of a schema', () => {
  const rows: [type: string, schema: JsonSchema][] = [
    ['unknown', true],
    ['unknown', {}],
    ['never', false],
    ['string', { type: 'string' }],
    ['number', { type: 'integer' }],
    ['string | null', { type: ['string', 'null'] }],
    ['number', { type: ['integer', 'number'] }],
    ["'a' | 1 | null | true", { enum: ['a', 1, null, true] }],
    ["'a'", { const: 'a' }],
    ['{ a: [1, null] }', { const: { a: [1, null] } }],
    ['unknown[]', { type: 'array' }],
    ['(string | null)[]', { type: 'array', items: { type: ['string', 'null'] } }],
    ['[string?, ...unknown[]]', { type: 'array', prefixItems: [{ type: 'string' }] }],
    [
      '[string?, (string | number)?]',
      {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: ['string', 'number'] }],
        items: false,
      },
    ],
    ['Record<string, unknown>', { type: 'object' }],
    ['Record<string, number>', { type: 'object', additionalProperties: { type: 'number' } }],
    [
      'Record<string, number | string>',
      { patternProperties: { a: { type: 'number' } }, additionalProperties: { type: 'string' } },
    ],
    ['string | number', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      'string | null',
      { oneOf: [{ type: 'string' }, { type: 'string', maxLength: 3 }, { type: 'null' }] },
    ],
    [
      'Record<string, number> & Record<string, string>',
      {
        allOf: [
          { additionalProperties: { type: 'number' } },
          { additionalProperties: { type: 'string' } },
        ],
      },
    ],
    [
      "(string | number) & ('a' | 1)",
      { anyOf: [{ type: 'string' }, { type: 'number' }], allOf: [{ enum: ['a', 1] }] },
    ],
    ['string', { format: 'email' }],
    ['number', { minimum: 1 }],
    ['unknown', { $ref: 'https://elsewhere.example/schema' }],
    ['unknown', { type: 'nothing' }],
    ['unknown', { not: { type: 'string' } }],
  ]

  it.each(rows)('is %s', (type, schema) => {
    expect(typeOf(schema)).toBe(type)
  })
})

describe('the name of a type', () => {
  it.each([
    ['posts', 'Post'],
    ['people', 'Person'],
    ['movies', 'Movie'],
    ['order-items', 'OrderItem'],
    ['orderItems', 'OrderItem'],
    ['order_items', 'OrderItem'],
    ['v1/order-items', 'V1OrderItem'],
    ['news', 'News'],
    ['größen', 'Größen'],
    ['用户', '用户'],
    ['2024/reports', '_2024Report'],
    ['dates', 'DateItem'],
    ['records', 'RecordItem'],
    ['fixtures', 'Fixture'],
    ['"quoted" names', 'QuotedName'],
    ['🎉', 'Resource'],
  ])('of the collection %s is %s', (name, type) => {
    expect(nameTypes([{ name, kind: 'collection' }]).get(name)?.type).toBe(type)
  })

  it('keeps the plural of a singleton and of a document', () => {
    const names = nameTypes([
      { name: 'settings', kind: 'singleton' },
      { name: 'v1/colours', kind: 'document' },
    ])
    expect(Array.from(names.values(), ({ type }) => type)).toEqual(['Settings', 'V1Colours'])
  })

  it('is no other type', () => {
    const shapes = ['post', 'posts', 'post-inputs', 'Post2'].map((name) => ({
      name,
      kind: 'collection' as const,
    }))
    const types = Array.from(nameTypes(shapes).values(), ({ type, input }) => [type, input]).flat()
    expect(types).toEqual([
      'Post',
      'PostInput',
      'Post2',
      'Post2Input',
      'PostInput2',
      'PostInput2Input',
      'Post22',
      'Post22Input',
    ])
  })

  it.each([
    ['a b', 'AB'],
    ['', 'Resource'],
    ['--', 'Resource'],
    ['$x', 'X'],
  ])('of "%s" is an identifier', (text, name) => {
    expect(toTypeName(text)).toBe(name)
  })
})
