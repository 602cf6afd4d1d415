import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'

import { auth, oidc, routes, schema, states, versions } from '../../../../src/behaviours.ts'
import { rest, simpleRest, supabase } from '../../../../src/dialects.ts'
import { createMock, type Mock } from '../../../../src/index.ts'
import { documentOf, operationsOf, responseOf } from '../../../openapi/document.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'Hello', userId: 1 },
    { id: 2, title: 'World', userId: 1 },
  ],
  users: [{ id: 1, name: 'Ada', password: 'secret' }],
  profile: { theme: 'dark' },
}

function idsOf(mock: Mock): string[] {
  return operationsOf(documentOf(mock))
    .filter(({ method }) => method !== 'head' && method !== 'options')
    .map(({ operation }) => operation.operationId)
}

describe('toOpenApi', () => {
  it('names operations and components as a person would', () => {
    const mock = createMock({ fixtures })
    expect(idsOf(mock)).toEqual(
      `listPosts createPost getPost replacePost updatePost deletePost listUsers createUser getUser replaceUser
      updateUser deleteUser listUserPosts createUserPost getUserPost replaceUserPost updateUserPost
      deleteUserPost getProfile replaceProfile updateProfile`.split(/\s+/),
    )
    const { schemas } = documentOf(mock).components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Post', 'PostInput', 'Problem', 'User', 'Profile']),
    )
  })

  it('describes tables of Supabase', () => {
    const { posts, users } = fixtures
    const mock = createMock({ fixtures: { posts, users }, dialect: supabase })
    const operations = operationsOf(documentOf(mock)).filter(({ path }) =>
      path.startsWith('/rest/v1/posts'),
    )
    expect(operations.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['get', 'post', 'put', 'patch', 'delete']),
    )
  })

  it('says which collection a key leads to, and a list of keys', () => {
    const fixtures = {
      users: [{ id: 1 }],
      tags: [{ id: 'a' }],
      posts: [{ id: 1, userId: 1, tagIds: ['a'], title: 'Hello' }],
    }
    const { schemas } = documentOf(createMock({ fixtures })).components
    const { userId, tagIds, title } = (schemas['Post'] as { properties: Record<string, object> })
      .properties
    expect(userId).toEqual({
      type: 'integer',
      description: 'The id of a record of `users`.',
      'x-references': 'users',
    })
    expect(tagIds).toMatchObject({ items: { 'x-references': 'tags' } })
    expect(title).toEqual({ type: 'string' })
  })

  it('describes the children of a record, and each of them', () => {
    const mock = createMock({ fixtures: { users: [{ id: 1 }], posts: [{ id: 'p', userId: 1 }] } })
    const { paths } = documentOf(mock)
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/users/{id}/posts', '/users/{userId}/posts/{id}']),
    )
    const { components } = documentOf(mock)
    const parameters = paths['/users/{userId}/posts/{id}']?.get?.parameters?.slice(0, 2)
    const names = parameters?.map((one) => ('$ref' in one ? one.$ref : '').split('/').at(-1) ?? '')
    expect(names?.map((name) => components.parameters?.[name])).toEqual([
      expect.objectContaining({ name: 'userId', schema: { type: 'integer' } }),
      expect.objectContaining({ name: 'id', schema: { type: 'string', minLength: 1 } }),
    ])
  })

  it('names resources whose names are not Latin', () => {
    const all = { größen: [{ id: 1 }], книги: [{ id: 1 }], 用户: [{ id: 1 }], 商品: [{ id: 1 }] }
    const use = [schema({ 商品: { title: 'Product' } })]
    const { components } = documentOf(createMock({ fixtures: all, use }))
    expect(
      Object.keys(components.schemas).filter((name) => !/(?:Input|Patch|Part|Form)$/.test(name)),
    ).toEqual(['Grossen', 'Knigi', 'U7528U6237', 'Product', 'Problem'])
    expect(idsOf(createMock({ fixtures: { 商品: all.商品 }, use }))).toContain('listProductList')
  })

  it('writes summaries in English', () => {
    const { paths } = documentOf(
      createMock({ fixtures: { authors: [], users: [], orderItems: [] } }),
    )
    expect(Object.values(paths).map(({ post, get }) => (post ?? get)?.summary)).toEqual([
      'Create an author',
      'Get an author',
      'Create a user',
      'Get a user',
      'Create an order item',
      'Get an order item',
    ])
  })

  it('names shared parameters and responses after what they belong to', () => {
    const all = {
      ...fixtures,
      tags: [{ id: 'a', name: 'A' }],
      posts: [{ id: 1, title: 'Hello', userId: 1, tagIds: ['a'] }],
    }
    const { parameters = {}, responses = {} } = documentOf(createMock({ fixtures: all })).components
    const names = [...Object.keys(parameters), ...Object.keys(responses)]
    expect(names).toEqual(
      expect.arrayContaining(
        'Id TagId PostIfNoneMatch IdInPath TagIdInPath Embed UserEmbed TagEmbed ListPostsResponse NotFound OK'.split(
          ' ',
        ),
      ),
    )
    expect(names.filter((name) => /\d$/.test(name))).toEqual([])
  })

  it('has real records as examples, without the fields that nobody reads', () => {
    const mock = createMock({ fixtures, use: [auth()] })
    const { schemas } = documentOf(mock).components
    expect(schemas['Post']).toMatchObject({ examples: [fixtures.posts[0]] })
    expect(schemas['User']).toMatchObject({ examples: [{ id: 1, name: 'Ada' }] })
    expect(JSON.stringify(documentOf(mock))).not.toContain('"secret"')
  })

  it('describes each place of an API key', () => {
    const mock = createMock({ fixtures, use: [auth({ scheme: 'apiKey' })] })
    const { components, paths } = documentOf(mock)
    expect(components.securitySchemes).toEqual({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      apiKeyInQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
      apiKeyInAuthorization: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The word `ApiKey`, a space and the key.',
      },
    })
    expect(paths['/posts']?.get?.security).toContainEqual({ apiKeyInAuthorization: [] })
  })

  it.each([
    ['its own address', {}, '/api/oidc/.well-known/openid-configuration'],
    [
      'another',
      { issuer: 'https://login.x.org' },
      'https://login.x.org/.well-known/openid-configuration',
    ],
  ])('describes a provider of OpenID Connect at %s', (_, options, openIdConnectUrl) => {
    const mock = createMock({ base: '/api', fixtures, use: [auth(), oidc(options)] })
    const { components, paths } = documentOf(mock)
    const oidcScheme = { type: 'openIdConnect', openIdConnectUrl }
    expect(components.securitySchemes).toMatchObject({ bearer: {}, oidc: oidcScheme })
    expect(paths['/posts']?.get?.security).toEqual([{ bearer: [] }, { oidc: [] }])
    expect(paths['/oidc/token']?.post?.security).toBe(undefined)
  })

  it('describes an optional field that objects inherit by a pattern', () => {
    const races = [{ id: 1, constructor: 'McLaren' }]
    const { schemas } = documentOf(createMock({ fixtures: { races } })).components
    const field = { type: 'string' }
    expect(schemas['Race']).toMatchObject({ properties: { constructor: field } })
    expect(schemas['RacePatch']).toMatchObject({ patternProperties: { '^constructor$': field } })
    const validate = new Ajv2020({ strict: false }).compile(schemas['RacePatch'] as object)
    expect([{}, { constructor: 'Lotus' }, { constructor: 1 }].map((one) => validate(one))).toEqual([
      true,
      true,
      false,
    ])
  })

  it('leaves out what changes the shape of responses on request', () => {
    const document = documentOf(createMock({ fixtures }), { plain: true })
    const operation = document.paths['/posts']?.get
    const response = operation && responseOf(document, operation, 200)
    const schema = { type: 'array', items: { $ref: '#/components/schemas/PostWithRelations' } }
    expect(response).toMatchObject({ content: { 'application/json': { schema } } })
  })

  it('replaces a field by the field that a version gives its name', () => {
    const all = {
      posts: [{ id: 1, title: 'Hello', headline: 'Hi' }],
      users: [{ id: 1, headline: 'Hi' }],
    }
    const fields = { posts: { title: 'headline' }, users: { title: 'headline' } }
    const use = [versions({ versions: { v1: { fields } } })]
    const { schemas } = documentOf(createMock({ fixtures: all, use })).components
    expect(schemas['Post']).toMatchObject({ required: ['id', 'headline'] })
    expect(schemas['User']).toMatchObject({ properties: { headline: { type: 'string' } } })
  })

  it('renames the fields of a field that has the name of a keyword', () => {
    const dialect = rest({ key: 'snake_case' })
    const all = { shops: [{ id: 1, default: { maxPrice: 1 } }] }
    const { schemas } = documentOf(createMock({ fixtures: all, dialect })).components
    expect(schemas['Shop']).toMatchObject({
      properties: { default: { required: ['max_price'], properties: { max_price: {} } } },
    })
  })

  it('lists the transitions of states and their actions', () => {
    const use = [
      states({ posts: { transitions: { draft: ['live'] }, actions: { publish: 'live' } } }),
    ]
    const { paths } = documentOf(createMock({ fixtures, use }))
    expect(paths['/posts/{id}/publish']?.post?.operationId).toBe('runPublishOnPosts')
    expect(paths['/posts/{id}']?.patch?.description).toContain('`draft` → `live`')
  })

  it.each([
    ['a dialect with other functions', { dialect: { ...rest, render: simpleRest.render } }, 'rest'],
    ['a behaviour without describe', { use: [{ name: 'mine', create: () => ({}) }] }, 'mine'],
  ])('marks %s as not described', (_title, options, name) => {
    const { info } = documentOf(createMock({ fixtures, ...options }))
    expect(info['x-not-described']).toEqual([name])
    expect(info.description).toContain(`Not described: \`${name}\``)
  })

  it('gives routes of functions open schemas', () => {
    const mock = createMock({ fixtures, use: [routes({ 'GET /hello/:name': () => ({}) })] })
    const { paths, info } = documentOf(mock)
    expect(info['x-not-described']).toBe(undefined)
    expect(paths['/hello/{name}']?.get).toMatchObject({
      'x-not-described': true,
      parameters: [{ name: 'name', in: 'path' }],
      responses: { default: { content: { '*/*': { schema: {} } } } },
    })
  })
})
