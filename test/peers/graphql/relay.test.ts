import {
  commitMutation,
  ConnectionHandler,
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getRequest,
  Network,
  type OperationType,
  RecordSource,
  Store,
} from 'relay-runtime'
import { expect, it } from 'vitest'

import { graphql } from '../../../src/graphql.ts'
import { createMock } from '../../../src/index.ts'
import artifacts from './relay-artifacts.json' with { type: 'json' }

// The schema of which `relay-compiler` has made `relay-artifacts.json`.
const schema = `
  type Query { node(id: ID!): Node, posts(first: Int, after: String): PostConnection! }
  type Mutation { createPost(input: CreatePostInput!): CreatePostPayload! }
  input CreatePostInput { title: String!, authorId: ID!, clientMutationId: String }
  type CreatePostPayload { post: Post!, clientMutationId: String }
  interface Node { id: ID! }
  type User implements Node { id: ID!, name: String! }
  type Post implements Node { id: ID!, title: String!, author: User }
  type PostConnection { edges: [PostEdge], pageInfo: PageInfo! }
  type PostEdge { cursor: String!, node: Post }
  type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
`
const request = (name: keyof typeof artifacts): ConcreteRequest =>
  getRequest(artifacts[name] as unknown as ConcreteRequest)

interface List extends OperationType {
  response: {
    posts: {
      edges: { node: { id: string; title: string; author: { name: string } } }[]
      pageInfo: { endCursor: string; hasNextPage: boolean }
    }
  }
}

function createEnvironment(): Environment {
  const mock = createMock({
    fixtures: {
      posts: ['Tea', 'Milk', 'Cup', 'Oat', 'Rye'].map((title, at) => ({
        id: `p${at + 1}`,
        title,
        authorId: at % 2 === 0 ? 'u1' : 'u2',
      })),
      users: [
        { id: 'u1', name: 'Ada' },
        { id: 'u2', name: 'Bo' },
      ],
    },
    relations: { posts: { authorId: { to: 'users', as: 'author' } } },
    use: [graphql({ schema })],
  })
  const network = Network.create(async ({ text }, variables) => {
    const response = await mock.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      }),
    )
    return response.json()
  })
  return new Environment({ network, store: new Store(new RecordSource()) })
}

it('serves Relay: a connection page by page, nodes, and a mutation that appends to the connection', async () => {
  const environment = createEnvironment()
  const list = request('appListQuery')
  const descriptor = createOperationDescriptor(list, { count: 2 })
  environment.retain(descriptor)
  const ask = (variables: object) => fetchQuery<List>(environment, list, variables).toPromise()
  /** The connection as Relay has merged its pages. */
  const titles = (): (readonly [string, string])[] => {
    const { posts } = environment.lookup(descriptor.fragment).data as List['response']
    return posts.edges.map(({ node }) => [node.title, node.author.name] as const)
  }
  let page = await ask({ count: 2 })
  expect(titles()).toEqual([
    ['Tea', 'Ada'],
    ['Milk', 'Bo'],
  ])
  while (page?.posts.pageInfo.hasNextPage) {
    page = await ask({ count: 2, cursor: page.posts.pageInfo.endCursor })
  }
  expect(titles().map(([title]) => title)).toEqual(['Tea', 'Milk', 'Cup', 'Oat', 'Rye'])

  const node = await fetchQuery(environment, request('appNodeQuery'), { id: 'u2' }).toPromise()
  expect(node).toEqual({ node: { __typename: 'User', id: 'u2', name: 'Bo' } })

  const connections = [ConnectionHandler.getConnectionID('client:root', 'List_posts')]
  await new Promise((resolve, reject) => {
    commitMutation(environment, {
      mutation: request('appCreateMutation'),
      variables: { input: { title: 'Fig', authorId: 'u2' }, connections },
      onCompleted: resolve,
      onError: reject,
    })
  })
  expect(titles().at(-1)).toEqual(['Fig', 'Bo'])
})
