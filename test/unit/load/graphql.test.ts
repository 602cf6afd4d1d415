import { join } from 'node:path'

import { expect, it } from 'vitest'

import { loadMock } from '../../../src/node.ts'
import { documentOf } from '../../openapi/document.ts'
import { createFolder } from '../loader/folder.ts'

const posts = [{ id: 1, title: 'Tea' }]

it('reads the schema that a configuration names, from the folder of the configuration', async () => {
  const cwd = createFolder({
    'fixtures/posts.json': posts,
    'mock.config.json': { use: { graphql: { schema: './schema.graphql' } } },
    'schema.graphql': 'type Query { post(id: ID!): Post } type Post { title: String! }',
  })
  const mock = await loadMock(join(cwd, 'mock.config.json'))
  const query = encodeURIComponent('{ post(id: 1) { title } }')
  const response = await mock.fetch(new Request(`http://x/graphql?query=${query}`))
  expect(await response.json()).toEqual({ data: { post: { title: 'Tea' } } })
})

it('shows GraphiQL to a browser, and names the endpoint in the OpenAPI document', async () => {
  const cwd = createFolder({
    'fixtures/posts.json': posts,
    'mock.config.json': { use: { graphql: true } },
  })
  const mock = await loadMock(join(cwd, 'mock.config.json'))
  const headers = { Accept: 'text/html,*/*;q=0.8' }
  const response = await mock.fetch(new Request('http://x/graphql', { headers }))
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(await response.text()).toContain('{"endpoint":"/graphql"}')
  const { paths } = documentOf(mock)
  expect(Object.keys(paths['/graphql'] ?? {}).toSorted()).toEqual(['get', 'options', 'post'])
})

it.each([
  ['a missing file', { schema: './nope.graphql' }, /Failed to read the schema "\.\/nope\.graphql"/],
  [
    'a wrong schema',
    { schema: 'type Query {' },
    /Failed to read the schema of "graphql": Syntax Error/,
  ],
  ['an unknown option', { shema: 'x' }, /there is no "shema". Did you mean "schema"\?/],
])('reports %s', async (_, graphql, expected) => {
  const cwd = createFolder({
    'fixtures/posts.json': posts,
    'mock.config.json': { use: { graphql } },
  })
  await expect(loadMock(join(cwd, 'mock.config.json'))).rejects.toThrow(expected)
})
