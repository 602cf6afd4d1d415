import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { schema, sessions } from '../../../../src/behaviours.ts'
import { withControl } from '../../../../src/core/control/control.ts'
import type { AnyMock } from '../../../../src/core/http/contract/any-mock.ts'
import { internalsOf } from '../../../../src/core/http/contract/internals.ts'
import { createMock } from '../../../../src/index.ts'

const fixtures = {
  posts: [{ id: 1, title: 'Hello there', at: '2026-01-01' }],
  profile: { theme: 'dark mode' },
  colours: ['dark red'],
  'v1/order items': [{ id: 'a', note: 'no' }],
}

/** Sends a GET to the control API of a mock. */
async function get(mock: AnyMock, path: string, headers: Record<string, string> = {}) {
  const request = {
    method: 'GET',
    path: `/__mock/${path}`,
    search: '',
    origin: 'http://localhost:3000',
    headers: { host: 'localhost:3000', ...headers },
    text: () => '',
  }
  const response = await withControl(internalsOf(mock)).handle(request as never, {
    origins: () => false,
  })
  const type = response.headers.find(([name]) => name === 'Content-Type')?.[1]
  return { status: response.status, type, text: response.body as string }
}

async function getJson(...args: Parameters<typeof get>): Promise<Record<string, unknown>> {
  return JSON.parse((await get(...args)).text) as Record<string, unknown>
}

describe('the control of relations', () => {
  it('lists the fields that hold ids of other records', async () => {
    const mock = createMock({
      fixtures: {
        posts: [{ id: 1, userId: 7, tagIds: [3], items: [{ productId: 5 }] }],
        users: [{ id: 7 }],
        tags: [{ id: 3 }],
        products: [{ id: 5 }],
      },
    })
    expect(await getJson(mock, 'relations')).toEqual([
      { from: 'posts', field: 'userId', to: 'users', isList: false },
      { from: 'posts', field: 'tagIds', to: 'tags', isList: true },
      { from: 'posts', field: 'items.productId', to: 'products', isList: true },
    ])
  })
})

describe('the controls of documents', () => {
  it('lists the schemas', async () => {
    const mock = createMock({ fixtures })
    expect(await getJson(mock, 'schema')).toEqual({
      posts: 'http://localhost:3000/__mock/schema/posts.json',
      profile: 'http://localhost:3000/__mock/schema/profile.json',
      colours: 'http://localhost:3000/__mock/schema/colours.json',
      'v1/order items': 'http://localhost:3000/__mock/schema/v1/order%20items.json',
    })
  })

  it('returns the JSON Schema of a resource', async () => {
    const mock = createMock({ fixtures, base: '/api' })
    const found = await get(mock, 'schema/posts.json')
    expect([found.status, found.type]).toEqual([200, 'application/schema+json; charset=utf-8'])
    expect(JSON.parse(found.text)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'http://localhost:3000/__mock/schema/posts.json',
      title: 'posts',
      type: 'object',
      properties: {
        id: { type: 'integer' },
        title: { type: 'string' },
        at: { type: 'string', format: 'date' },
      },
      required: ['id', 'title', 'at'],
    })
  })

  const all: [path: string, title: string, value: unknown][] = [
    ['schema/posts.json', 'posts', fixtures.posts[0]],
    ['schema/profile.json', 'profile', fixtures.profile],
    ['schema/colours.json', 'colours', fixtures.colours],
    ['schema/v1/order%20items.json', 'v1/order items', fixtures['v1/order items'][0]],
    ['schema/v1%2Forder%20items.json', 'v1/order items', fixtures['v1/order items'][0]],
  ]

  it.each(all)('returns a schema at %s that validates its data', async (path, title, value) => {
    const found = await getJson(createMock({ fixtures }), path)
    expect(found['title']).toBe(title)
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    addFormats.default(ajv)
    expect(ajv.compile(found)(value)).toBe(true)
  })

  it('follows changes of the fixtures, and knows the behaviours', async () => {
    const source = { posts: [{ id: 1, title: 'One' }] as object[] }
    let publish = (_changed: Record<string, unknown>): void => {}
    const mock = createMock({
      fixtures: {
        data: source,
        subscribe(listener: (changed: Record<string, unknown>) => void) {
          publish = listener
          return () => {}
        },
      },
      use: [schema({ posts: { properties: { title: { maxLength: 9 } } } })],
    })
    const before = await getJson(mock, 'schema/posts.json')
    expect(before['properties']).toEqual({
      id: { type: 'integer' },
      title: { type: 'string', maxLength: 9 },
    })
    publish({ posts: [{ id: 'a', title: 'One' }] })
    const after = await getJson(mock, 'schema/posts.json')
    expect(after['properties']).toMatchObject({ id: { type: 'string' } })
  })

  it('makes references between the schemas of resources absolute', async () => {
    const mock = createMock({
      fixtures: { 'v1/posts': [{ id: 1 }], 'v1/users': [{ id: 1 }], tags: [{ id: 1 }] },
      use: [
        schema({
          'v1/posts': {
            $id: 'post.schema.json',
            properties: {
              user: { $ref: 'users.schema.json' },
              tags: { items: { $ref: '../tags.schema.json#/properties/name' } },
              parent: { $ref: 'post.schema.json' },
              mood: { $ref: 'https://example.com/tag' },
              kind: { $ref: '#/$defs/kind' },
            },
            $defs: { kind: { type: 'string' } },
          },
          'v1/users': { $id: 'users.schema.json', type: 'object' },
          tags: { $id: 'https://example.com/tag', properties: { name: { type: 'string' } } },
        }),
      ],
    })
    const schemas = 'http://localhost:3000/__mock/schema'
    expect((await getJson(mock, 'schema/v1/posts.json'))['properties']).toMatchObject({
      user: { $ref: `${schemas}/v1/users.json#` },
      tags: { items: { $ref: `${schemas}/tags.json#/properties/name` } },
      parent: { $ref: '#' },
      mood: { $ref: `${schemas}/tags.json#` },
      kind: { $ref: '#/$defs/kind' },
    })
  })

  const unknown: [path: string, detail: string][] = [
    ['schema/pots.json', 'Failed to find the schema "pots.json". Did you mean "posts.json"?'],
    ['schema/posts', 'Failed to find the schema "posts". Did you mean "posts.json"?'],
    ['schema/v1/x.json', 'Failed to find the schema "v1/x.json". Known: posts.json, '],
    ['schema/constructor.json', 'Failed to find the schema "constructor.json". Known: '],
    ['openapi.yml', 'Failed to find the control "openapi.yml". Did you mean "openapi.yaml"?'],
  ]

  it.each(unknown)('finds no %s', async (path, detail) => {
    const { status, type, text } = await get(createMock({ fixtures }), path)
    expect([status, type]).toEqual([404, 'application/problem+json; charset=utf-8'])
    expect((JSON.parse(text) as { detail: string }).detail).toContain(detail)
  })

  it('returns the OpenAPI document as JSON and as YAML', async () => {
    const mock = createMock({ fixtures, base: '/api' })
    const json = await get(mock, 'openapi.json')
    expect([json.status, json.type]).toEqual([200, 'application/json; charset=utf-8'])
    const document = JSON.parse(json.text) as { paths: object }
    expect(document).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/api' }] })
    expect(Object.keys(document.paths)).not.toEqual([])
    const yaml = await get(mock, 'openapi.yaml')
    expect([yaml.status, yaml.type]).toEqual([200, 'application/yaml; charset=utf-8'])
    expect(yaml.text).toMatch(/^openapi: 3\.1\.1\n/)
    // As a parser of YAML 1.1 reads the text, in which dates and words such as `no` are no strings.
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(yaml.text, { version })).toEqual(document)
  })

  it('describes the mock of a session', async () => {
    const mock = createMock({ fixtures, use: [sessions()] })
    const headers = { 'x-mock-session': 'a' }
    expect(await getJson(mock, 'schema/posts.json', headers)).toMatchObject({ title: 'posts' })
    expect(await getJson(mock, 'openapi.json', headers)).toMatchObject({ openapi: '3.1.1' })
  })
})
