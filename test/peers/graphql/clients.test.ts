import { createRequire } from 'node:module'

import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs'
import { Client, fetchExchange, gql as urqlGql } from '@urql/core'
import { GraphQLClient } from 'graphql-request'
import { setupServer } from 'msw/node'
import type * as simple from 'ra-data-graphql-simple'
import { beforeEach, expect, it, onTestFinished } from 'vitest'

import { files } from '../../../src/behaviours.ts'
import { graphql } from '../../../src/graphql.ts'
import { createMock, type Mock } from '../../../src/index.ts'
import { handlers } from '../../../src/msw.ts'

// The ES module of the package imports Apollo Client 3 in a way that bundlers alone accept.
const { default: buildDataProvider } = createRequire(import.meta.url)(
  'ra-data-graphql-simple',
) as typeof simple

const url = 'http://localhost/graphql'
let mock: Mock
const fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
  mock.fetch(new Request(input, init))

beforeEach(() => {
  const fixtures = {
    posts: [
      { id: 1, title: 'Tea', views: 5, user_id: 1 },
      { id: 2, title: 'Milk', views: 7, user_id: 2 },
      { id: 3, title: 'Cup', views: 9, user_id: 1 },
    ],
    users: [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bo' },
    ],
  }
  mock = createMock({ fixtures, use: [graphql()] })
})

it('serves react-admin through ra-data-graphql-simple', async () => {
  const server = setupServer(...handlers(mock))
  server.listen()
  onTestFinished(() => server.close())
  const provider = buildDataProvider({ clientOptions: { uri: url } })
  const list = await provider.getList('Post', {
    pagination: { page: 1, perPage: 2 },
    sort: { field: 'views', order: 'DESC' },
    filter: { views_gt: 5 },
  })
  expect(list).toMatchObject({ total: 2, data: [{ id: '3', title: 'Cup' }, { id: '2' }] })
  expect((await provider.getOne('Post', { id: 1 })).data).toMatchObject({
    title: 'Tea',
    User: { id: '1' },
  })
  expect((await provider.getMany('Post', { ids: [1, 3] })).data).toMatchObject([
    { id: '1' },
    { id: '3' },
  ])
  const children = await provider.getManyReference('Post', {
    target: 'user_id',
    id: 1,
    pagination: { page: 1, perPage: 10 },
    sort: { field: 'id', order: 'ASC' },
    filter: {},
  })
  expect(children).toMatchObject({ total: 2, data: [{ id: '1' }, { id: '3' }] })
  const created = await provider.create('Post', { data: { title: 'Oat', views: 1, user_id: 2 } })
  expect(created.data).toMatchObject({ id: '4', title: 'Oat' })
  const previousData = { id: '4', title: 'Oat' }
  const updated = await provider.update('Post', { id: 4, data: { title: 'Oats' }, previousData })
  expect(updated.data).toMatchObject({ id: '4', title: 'Oats', views: 1 })
  await provider.delete('Post', { id: '4', previousData })
  expect(
    (
      await provider.getList('Post', {
        pagination: { page: 1, perPage: 5 },
        sort: { field: 'id', order: 'ASC' },
        filter: {},
      })
    ).total,
  ).toBe(3)
})

it('keeps the list of Apollo Client in step after a mutation', async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: url, fetch }),
    cache: new InMemoryCache(),
  })
  const query = gql`
    query List {
      allPosts {
        id
        title
        User {
          id
          name
        }
      }
    }
  `
  const first = await client.query<{ allPosts: { title: string }[] }>({ query })
  expect(first.data?.allPosts).toHaveLength(3)
  await client.mutate({
    mutation: gql`
      mutation {
        updatePost(id: 1, title: "Coffee") {
          id
          title
        }
      }
    `,
  })
  expect(client.readQuery({ query })).toMatchObject({
    allPosts: [{ id: '1', title: 'Coffee' }, {}, {}],
  })
  const failed = client.query({
    query: gql`
      {
        nope
      }
    `,
  })
  await expect(failed).rejects.toThrow('Cannot query field "nope"')
})

it('serves urql', async () => {
  const client = new Client({ url, fetch, exchanges: [fetchExchange], preferGetMethod: true })
  const listed = await client
    .query(urqlGql`query ($views: Int) { allPosts(filter: { views_lte: $views }) { title } }`, {
      views: 7,
    })
    .toPromise()
  expect(listed.data).toEqual({
    allPosts: [
      { title: 'Tea', __typename: 'Post' },
      { title: 'Milk', __typename: 'Post' },
    ].map(({ title }) => ({ title })),
  })
  const removed = await client
    .mutation(urqlGql`mutation { removePost(id: 3) { title } }`, {})
    .toPromise()
  expect(removed.data).toEqual({ removePost: { title: 'Cup' } })
  const failed = await client.query(urqlGql`{ nope }`, {}).toPromise()
  expect(failed.error?.graphQLErrors[0]?.message).toContain('Cannot query field "nope"')
})

it('serves graphql-request, also with lists of operations', async () => {
  const client = new GraphQLClient(url, { fetch })
  expect(await client.request('query ($id: ID!) { Post(id: $id) { title } }', { id: 2 })).toEqual({
    Post: { title: 'Milk' },
  })
  const both = await client.batchRequests([
    { document: '{ Post(id: 1) { title } }' },
    { document: '{ User(id: 1) { name } }' },
  ])
  expect(both).toEqual([{ data: { Post: { title: 'Tea' } } }, { data: { User: { name: 'Ada' } } }])
  await expect(client.request('{ nope }')).rejects.toThrow('Cannot query field "nope"')
})

it('takes files of apollo-upload-client', async () => {
  mock = createMock({
    fixtures: { posts: [{ id: 1, title: 'Tea' }] },
    use: [graphql(), files({ posts: { cover: true } })],
  })
  const link = new UploadHttpLink({
    uri: url,
    fetch,
    headers: { 'Apollo-Require-Preflight': 'true' },
  })
  const client = new ApolloClient({ cache: new InMemoryCache(), link })
  const { data } = await client.mutate<{ updatePost: { cover: string } }>({
    mutation: gql`
      mutation Set($file: Upload) {
        updatePost(id: 1, cover: $file) {
          cover
        }
      }
    `,
    variables: { file: new File(['Alpha'], 'a.txt', { type: 'text/plain' }) },
  })
  const stored = await fetch(data?.updatePost.cover ?? '')
  expect(await stored.text()).toBe('Alpha')
})
