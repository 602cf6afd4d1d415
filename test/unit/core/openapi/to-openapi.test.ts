import { describe, expect, it } from 'vitest'

import { auth, routes, states } from '../../../../src/behaviours.ts'
import { rest, simpleRest } from '../../../../src/dialects.ts'
import { createMock, type Mock } from '../../../../src/index.ts'
import { documentOf, operationsOf } from '../../../openapi/document.ts'

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
      updateUser deleteUser listUserPosts createUserPost getProfile replaceProfile updateProfile`.split(
        /\s+/,
      ),
    )
    const { schemas } = documentOf(mock).components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Post', 'PostInput', 'Problem', 'User', 'Profile']),
    )
  })

  it('has real records as examples, without the fields that nobody reads', () => {
    const mock = createMock({ fixtures, use: [auth()] })
    const { schemas } = documentOf(mock).components
    expect(schemas['Post']).toMatchObject({ examples: [fixtures.posts[0]] })
    expect(schemas['User']).toMatchObject({ examples: [{ id: 1, name: 'Ada' }] })
    expect(JSON.stringify(documentOf(mock))).not.toContain('"secret"')
  })

  it('leaves out what changes the shape of responses on request', () => {
    const { paths } = documentOf(createMock({ fixtures }), { plain: true })
    const response = paths['/posts']?.get?.responses['200']
    const schema = { type: 'array', items: { $ref: '#/components/schemas/PostWithRelations' } }
    expect(response).toMatchObject({ content: { 'application/json': { schema } } })
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
