import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { documentsOf } from '../../../src/core/documents/documents.ts'
import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { jsonServer0, jsonServer1, rest, simpleRest } from '../../../src/dialects.ts'
import { createMock } from '../../../src/faces/fetch/create-mock.ts'
import { databases } from '../../openapi/databases.ts'
import { createFolder } from '../loader/folder.ts'
import { startBackend } from '../proxy/backend.ts'
import { createData } from './back-end.ts'
import { compare, linesOf } from './compare.ts'

type Schema = Record<string, unknown>

/** An OpenAPI document of which a test changes parts. */
interface Document {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, { get: { responses: Record<string, unknown> } }>
  components: { schemas: Record<'Post' | 'Author' | 'User', ObjectSchema> }
}

interface ObjectSchema extends Schema {
  required: string[]
  properties: Record<string, Schema>
}

const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } })
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** A document as people write them, of the back end. */
function createDocument(): Document {
  const text = { type: 'string' }
  const notFound = { description: 'Not found' }
  const list = (name: string): Document['paths'][string] => ({
    get: { responses: { 200: json({ type: 'array', items: ref(name) }) } },
  })
  const member = (name: string): Document['paths'][string] => ({
    get: { responses: { 200: json(ref(name)), 404: notFound } },
  })
  return {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example.com/v1/' }],
    paths: {
      '/posts': list('Post'),
      '/posts/{postId}': member('Post'),
      '/users': list('User'),
      '/users/{id}': member('User'),
      '/pets': list('User'),
    },
    components: {
      schemas: {
        Post: {
          type: 'object',
          required: ['id', 'title', 'slug', 'views', 'rating', 'status', 'author', 'tags'],
          properties: {
            id: { type: 'integer' },
            title: text,
            slug: { ...text, example: 'a-slug' },
            views: { type: 'integer' },
            rating: { type: 'number' },
            isOpen: { type: 'boolean' },
            status: { ...text, enum: ['draft', 'published', 'archived'] },
            publishedAt: { ...text, format: 'date-time' },
            subtitle: { ...text, nullable: true },
            tags: { type: 'array', items: text },
            author: { allOf: [ref('Author')] },
            userId: { type: 'integer' },
            note: text,
          },
        },
        Author: {
          type: 'object',
          required: [],
          properties: {
            name: text,
            address: { type: 'object', properties: { city: text, zip: text } },
          },
        },
        User: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            name: text,
            email: { ...text, format: 'email' },
            password: { ...text, writeOnly: true },
          },
        },
      },
    },
  }
}

const { posts, users } = createData('mine')
const fixtures = { posts: posts.map((post, at) => (at % 2 ? { ...post, note: 'n' } : post)), users }

/** A copy without shared parts. */
function copyOf(document: Document): Document {
  return JSON.parse(JSON.stringify(document)) as Document
}

function write(document: unknown, name = 'openapi.json'): string {
  return join(createFolder({ [name]: document }), name)
}

type Schemas = Document['components']['schemas']
type Plant = (schemas: Schemas, document: Document) => unknown

const planted: readonly (readonly [string, Plant, line: string])[] = [
  [
    'a field is removed',
    ({ Post }) => delete Post.properties['userId'],
    'posts.userId: missing there, integer here, such as 2',
  ],
  [
    'a field is added',
    ({ Post }) => (Post.properties['likes'] = { type: 'integer', example: 5 }),
    'posts.likes: missing here, integer there, such as 5',
  ],
  [
    'a field is renamed',
    ({ Post: { properties } }) => (
      (properties['open'] = { type: 'boolean' }),
      delete properties['isOpen']
    ),
    'posts.isOpen: named open there, isOpen here',
  ],
  [
    'a nested object is removed',
    ({ Author }) => delete Author.properties['address'],
    'posts.author.address: missing there, object here, such as {"city":"mine town 1","zip":"z1"}',
  ],
  [
    'a nested field is added',
    ({ Author }) => (Author.properties['nick'] = { type: 'string', enum: ['n'] }),
    'posts.author.nick: missing here, string there, such as "n"',
  ],
  [
    'an integer becomes a text',
    ({ Post }) => (Post.properties['views'] = { type: 'string' }),
    'posts.views: string there, integer here',
  ],
  [
    'a number becomes an integer',
    ({ Post }) => (Post.properties['rating'] = { type: 'integer' }),
    'posts.rating: integer there, number here, such as 1.5',
  ],
  [
    'a text becomes an object',
    ({ Post }) => (Post.properties['title'] = ref('Author')),
    'posts.title: object there, string here',
  ],
  [
    'elements of lists have another type',
    ({ Post }) => (Post.properties['tags'] = { type: 'array', items: { type: 'integer' } }),
    'posts.tags[]: integer there, string here',
  ],
  [
    'a field can be null',
    ({ Post }) => Object.assign(Post.properties['title'] ?? {}, { nullable: true }),
    'posts.title: null allowed there, never null here',
  ],
  [
    'a reference can be null',
    ({ Post }) => (Post.properties['author'] = { allOf: [ref('Author')], nullable: true }),
    'posts.author: null allowed there, never null here',
  ],
  [
    'a field is never null',
    ({ Post }) => (Post.properties['subtitle'] = { type: 'string' }),
    'posts.subtitle: never null there, null in 30 of 60 here',
  ],
  [
    'a field is required',
    ({ Post }) => Post.required.push('note'),
    'posts.note: required there, missing in 30 of 60 here',
  ],
  [
    'a format changes',
    ({ Post }) => (Post.properties['publishedAt'] = { type: 'string', format: 'date' }),
    'posts.publishedAt: date there, date-time here',
  ],
  [
    'an enum has a new value',
    ({ Post }) =>
      (Post.properties['status'] = { enum: ['draft', 'published', 'archived', 'gone'] }),
    'posts.status: "gone" there, no "gone" here',
  ],
  [
    'an enum has lost a value',
    ({ Post }) => (Post.properties['status'] = { enum: ['draft', 'published'] }),
    'posts.status: no "archived" there, "archived" here, such as "archived"',
  ],
  [
    'lists have an envelope',
    (_, { paths }) =>
      (paths['/posts'] = {
        get: {
          responses: {
            200: json({
              type: 'object',
              properties: { items: { type: 'array', items: ref('Post') } },
            }),
          },
        },
      }),
    'GET /posts: records in "items" there, an array here',
  ],
  [
    'an unknown id has another status',
    (_, { paths }) => {
      const { responses } = paths['/posts/{postId}']?.get ?? { responses: {} }
      delete responses['404']
      responses['410'] = {}
    },
    'GET /posts/:id: status 410 for an unknown id there, status 404 for an unknown id here',
  ],
  [
    'a collection is gone',
    (_, { paths }) => {
      delete paths['/users']
      delete paths['/users/{id}']
    },
    'GET /users: not in the document there, status 200 here',
  ],
]

describe('drift from a document', () => {
  it('is none where the document describes the fixtures', async () => {
    expect(linesOf(await compare(write(createDocument()), fixtures))).toEqual([])
  })

  it.each(planted)('is one line where %s', async (_title, plant, line) => {
    const document = copyOf(createDocument())
    plant(document.components.schemas, document)
    expect(linesOf(await compare(write(document), fixtures))).toEqual([line])
  })

  it('says where a difference is in the document', async () => {
    const document = copyOf(createDocument())
    document.components.schemas.Post.properties['views'] = { type: 'boolean' }
    const path = write(document)
    const { differences } = await compare(path, fixtures)
    expect(differences[0]?.seen).toBe(`${path}#/components/schemas/Post/properties/views`)
  })

  it('reads YAML and files that a document refers to', async () => {
    const folder = createFolder({
      'api/openapi.yaml': `openapi: 3.1.0
paths:
  /posts: { $ref: 'paths.yaml#/posts' }
`,
      'api/paths.yaml': `posts:
  get: { responses: { '200': { content: { application/json: { schema: { $ref: '#/list' } } } } } }
list: { type: array, items: { $ref: '../post.json' } }
`,
      'post.json': { type: 'object', properties: { id: { type: ['string', 'null'] } } },
    })
    const drift = await compare(join(folder, 'api/openapi.yaml'), { posts: [{ id: 1 }] })
    expect(linesOf(drift)).toEqual(['posts.id: string there, integer here'])
    expect(drift.differences[0]?.seen).toMatch(/post\.json#\/properties\/id$/)
  })

  it('says where a document is broken', async () => {
    const folder = createFolder({ 'api.yaml': 'openapi: 3.1.0\npaths:\n  /a: [1\n' })
    await expect(compare(join(folder, 'api.yaml'), fixtures)).rejects.toThrow(
      /api\.yaml": Flow sequence [^\n]* at line 4, column 1\.\n[^]*\n\^$/,
    )
  })

  it('leaves out references that are no URLs', async () => {
    const document = copyOf(createDocument())
    Object.assign(document.components, { 'x-odd': { $ref: 'http://[' } })
    expect(linesOf(await compare(write(document), fixtures))).toEqual([])
  })

  it('waits for a server no longer than the timeout', async () => {
    const { origin } = await startBackend(() => undefined)
    await expect(
      compare(`${origin}/openapi.json`, fixtures, { timeout: 50 }),
    ).rejects.toMatchObject({
      code: 'NOT_COMPARED',
      message: expect.stringMatching(/in time\..*--timeout\.$/) as string,
    })
  })

  it('reads OpenAPI 2.0', async () => {
    const schema = { type: 'array', items: { $ref: '#/definitions/Post' } }
    const document = {
      swagger: '2.0',
      basePath: '/v2',
      paths: { '/posts': { get: { responses: { 200: { schema } } } } },
      definitions: { Post: { properties: { id: { type: 'string', 'x-nullable': true } } } },
    }
    const drift = await compare(write(document), { posts: [{ id: 1 }] })
    expect(linesOf(drift)).toEqual(['posts.id: string there, integer here'])
  })

  it('takes bodies where no response has a schema', async () => {
    const schema = { type: 'object', properties: { title: { type: 'integer' } } }
    const document = {
      openapi: '3.0.0',
      paths: { '/posts': { get: { responses: { 200: {} } }, post: { requestBody: json(schema) } } },
    }
    const drift = await compare(write(document), { posts: [{ id: 1, title: 'One' }] })
    expect(linesOf(drift)).toEqual(['posts.title: integer there, string here'])
  })

  it('follows recursive schemas', async () => {
    const Node = {
      type: 'object',
      properties: { id: { type: 'integer' }, children: { type: 'array', items: ref('Node') } },
    }
    const document = {
      openapi: '3.0.0',
      paths: {
        '/nodes': { get: { responses: { 200: json({ type: 'array', items: ref('Node') }) } } },
      },
      components: { schemas: { Node, Loop: ref('Loop') } },
    }
    const nodes = [{ id: 1, children: [{ id: 2, children: [{ id: 'x', children: [] }] }] }]
    expect(linesOf(await compare(write(document), { nodes }))).toEqual([
      'nodes.children[].children[].id: integer there, string here',
    ])
  })
})

describe('the document of a mock', () => {
  const dialects = { rest, jsonServer0, jsonServer1, simpleRest }
  const rows = Object.keys(databases).flatMap((database) =>
    Object.entries(dialects).map(([name, dialect]) => [database, name, dialect] as const),
  )

  // Where a parent is removed, json-server sets the keys of its children to null.
  const cleared = ['*Id', '*Ids']

  it.each(rows)('of %s with %s is no drift', async (database, name, dialect) => {
    const data = databases[database] ?? {}
    const options = { dialect }
    const mock = createMock({ fixtures: data, ...options })
    const document = documentsOf(internalsOf(mock)).openApi()
    expect(
      linesOf(
        await compare(
          write(document),
          data,
          { ignore: name.startsWith('json') ? cleared : [] },
          options,
        ),
      ),
    ).toEqual([])
  })
})
