import { schema } from '@octokit/graphql-schema'
import { expect, it } from 'vitest'

import { graphql } from '../../../src/graphql.ts'
import { createMock } from '../../../src/index.ts'

const day = (at: number): string => `2026-01-${String(at).padStart(2, '0')}T12:00:00Z`
const fixtures = {
  users: [
    {
      id: 'U_1',
      login: 'octocat',
      name: 'The Octocat',
      bio: 'A cat',
      email: 'cat@github.com',
      createdAt: day(1),
    },
    {
      id: 'U_2',
      login: 'hubot',
      name: 'Hubot',
      bio: null,
      email: 'bot@github.com',
      createdAt: day(2),
    },
  ],
  organizations: [{ id: 'O_1', login: 'github', name: 'GitHub' }],
  repositories: [
    {
      id: 'R_1',
      name: 'hello-world',
      ownerId: 'U_1',
      description: 'My first',
      stargazerCount: 80,
      isPrivate: false,
      primaryLanguage: { name: 'TypeScript', color: '#3178c6' },
      licenseId: 'L_1',
      createdAt: day(3),
      updatedAt: day(9),
    },
    {
      id: 'R_2',
      name: 'spoon-knife',
      ownerId: 'U_1',
      description: 'Fork me',
      stargazerCount: 12,
      isPrivate: false,
      primaryLanguage: null,
      licenseId: null,
      createdAt: day(4),
      updatedAt: day(8),
    },
    {
      id: 'R_3',
      name: 'bot',
      ownerId: 'U_2',
      description: 'Beep',
      stargazerCount: 3,
      isPrivate: true,
      primaryLanguage: null,
      licenseId: null,
      createdAt: day(5),
      updatedAt: day(7),
    },
  ],
  licenses: [{ id: 'L_1', key: 'mit', name: 'MIT License', spdxId: 'MIT' }],
  issues: [
    {
      id: 'I_1',
      number: 1,
      title: 'It breaks',
      body: 'Help',
      state: 'OPEN',
      repositoryId: 'R_1',
      authorId: 'U_2',
      createdAt: day(10),
    },
    {
      id: 'I_2',
      number: 2,
      title: 'It is slow',
      body: 'Very',
      state: 'CLOSED',
      repositoryId: 'R_1',
      authorId: 'U_1',
      createdAt: day(11),
    },
    {
      id: 'I_3',
      number: 3,
      title: 'Add tea',
      body: 'Please',
      state: 'OPEN',
      repositoryId: 'R_1',
      authorId: 'U_1',
      createdAt: day(12),
    },
  ],
  labels: [
    { id: 'LA_1', name: 'bug', color: 'ff0000', repositoryId: 'R_1' },
    { id: 'LA_2', name: 'wish', color: '00ff00', repositoryId: 'R_1' },
  ],
  issueComments: [
    { id: 'C_1', body: 'Me too', issueId: 'I_1', authorId: 'U_1', createdAt: day(13) },
    { id: 'C_2', body: 'Fixed', issueId: 'I_1', authorId: 'U_2', createdAt: day(14) },
  ],
  pullRequests: [
    {
      id: 'P_1',
      number: 4,
      title: 'Fix it',
      state: 'MERGED',
      repositoryId: 'R_1',
      authorId: 'U_2',
      additions: 10,
      deletions: 2,
      createdAt: day(15),
    },
    {
      id: 'P_2',
      number: 5,
      title: 'Tea',
      state: 'OPEN',
      repositoryId: 'R_1',
      authorId: 'U_1',
      additions: 5,
      deletions: 0,
      createdAt: day(16),
    },
  ],
  releases: [
    { id: 'RE_1', name: 'One', tagName: 'v1.0.0', repositoryId: 'R_1', createdAt: day(17) },
  ],
  milestones: [{ id: 'M_1', title: 'Soon', number: 1, state: 'OPEN', repositoryId: 'R_1' }],
  gists: [{ id: 'G_1', name: 'gist', description: 'A note', ownerId: 'U_1', isPublic: true }],
}

const author = { to: 'users', as: 'author' }
const mock = createMock({
  fixtures,
  relations: {
    repositories: {
      ownerId: { to: 'users', as: 'owner' },
      licenseId: { to: 'licenses', as: 'licenseInfo' },
    },
    issues: { authorId: author },
    issueComments: { authorId: author },
    pullRequests: { authorId: author },
    gists: { ownerId: { to: 'users', as: 'owner' } },
  },
  use: [graphql({ schema: schema.idl })],
})

async function ask(query: string, variables?: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ query, variables })
  const response = await mock.fetch(
    new Request('http://x/graphql', { method: 'POST', headers, body }),
  )
  return response.json()
}

/** Queries as GitHub's documentation, its command line and applications send them, and what the fixtures say. */
const rows: readonly [title: string, query: string, data: unknown, variables?: object][] = [
  [
    'the user of a login',
    'query { user(login: "octocat") { id name bio createdAt } }',
    { user: { id: 'U_1', name: 'The Octocat', bio: 'A cat', createdAt: day(1) } },
  ],
  [
    'a repository by owner and name',
    'query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id description stargazerCount owner { login } primaryLanguage { name color } licenseInfo { spdxId } } }',
    {
      repository: {
        id: 'R_1',
        description: 'My first',
        stargazerCount: 80,
        owner: { login: 'octocat' },
        primaryLanguage: { name: 'TypeScript', color: '#3178c6' },
        licenseInfo: { spdxId: 'MIT' },
      },
    },
    { owner: 'octocat', name: 'hello-world' },
  ],
  [
    'no repository of another owner',
    'query { repository(owner: "hubot", name: "hello-world") { id } }',
    { repository: null },
  ],
  [
    'the repositories of a user, the newest first',
    'query { user(login: "octocat") { repositories(first: 10, orderBy: { field: CREATED_AT, direction: DESC }) { totalCount nodes { name } } } }',
    {
      user: {
        repositories: { totalCount: 2, nodes: [{ name: 'spoon-knife' }, { name: 'hello-world' }] },
      },
    },
  ],
  [
    'open issues, page by page',
    'query { repository(owner: "octocat", name: "hello-world") { issues(first: 1, states: OPEN, orderBy: { field: CREATED_AT, direction: DESC }) { totalCount edges { node { number title author { login } } } pageInfo { hasNextPage } } } }',
    {
      repository: {
        issues: {
          totalCount: 2,
          edges: [{ node: { number: 3, title: 'Add tea', author: { login: 'octocat' } } }],
          pageInfo: { hasNextPage: true },
        },
      },
    },
  ],
  [
    'the last issues',
    'query { repository(owner: "octocat", name: "hello-world") { issues(last: 2) { nodes { title state } } } }',
    {
      repository: {
        issues: {
          nodes: [
            { title: 'It is slow', state: 'CLOSED' },
            { title: 'Add tea', state: 'OPEN' },
          ],
        },
      },
    },
  ],
  [
    'an issue and its comments',
    'query { repository(owner: "octocat", name: "hello-world") { issue(number: 1) { title comments(first: 5) { nodes { body author { login ... on User { name } } } } } } }',
    {
      repository: {
        issue: {
          title: 'It breaks',
          comments: {
            nodes: [
              { body: 'Me too', author: { login: 'octocat', name: 'The Octocat' } },
              { body: 'Fixed', author: { login: 'hubot', name: 'Hubot' } },
            ],
          },
        },
      },
    },
  ],
  [
    'merged pull requests',
    'query { repository(owner: "octocat", name: "hello-world") { pullRequests(states: [MERGED], first: 5) { nodes { number title additions deletions author { login } } } } }',
    {
      repository: {
        pullRequests: {
          nodes: [
            { number: 4, title: 'Fix it', additions: 10, deletions: 2, author: { login: 'hubot' } },
          ],
        },
      },
    },
  ],
  [
    'a node by its id',
    'query { node(id: "I_2") { __typename id ... on Issue { title } } }',
    { node: { __typename: 'Issue', id: 'I_2', title: 'It is slow' } },
  ],
  [
    'several nodes',
    'query { nodes(ids: ["R_2", "U_2"]) { id __typename } }',
    {
      nodes: expect.arrayContaining([
        { id: 'R_2', __typename: 'Repository' },
        { id: 'U_2', __typename: 'User' },
      ]),
    },
  ],
  [
    'labels, releases and milestones',
    'query { repository(owner: "octocat", name: "hello-world") { labels(first: 10) { nodes { name color } } releases(first: 1) { nodes { tagName } } milestones(first: 1) { nodes { title } } } }',
    {
      repository: {
        labels: {
          nodes: [
            { name: 'bug', color: 'ff0000' },
            { name: 'wish', color: '00ff00' },
          ],
        },
        releases: { nodes: [{ tagName: 'v1.0.0' }] },
        milestones: { nodes: [{ title: 'Soon' }] },
      },
    },
  ],
  [
    'a search',
    'query { search(query: "knife", type: REPOSITORY, first: 10) { nodes { ... on Repository { name } } } }',
    { search: { nodes: [{ name: 'spoon-knife' }] } },
  ],
  [
    'an organization',
    'query { organization(login: "github") { name } }',
    { organization: { name: 'GitHub' } },
  ],
]

it.each(rows)('answers %s', async (_, query, data, variables) => {
  expect(await ask(query, variables)).toEqual({ data })
})

it('generates what no fixture has, the same every time', async () => {
  const query =
    '{ viewer { login websiteUrl followers(first: 2) { totalCount } } rateLimit { limit remaining resetAt } repository(owner: "octocat", name: "hello-world") { sshUrl forkCount viewerPermission pushedAt defaultBranchRef { name target { oid } } } }'
  const first = await ask(query)
  expect(first).toMatchObject({
    data: {
      viewer: { login: 'octocat', websiteUrl: expect.stringMatching(/^http/) as unknown },
      rateLimit: { limit: expect.any(Number) as unknown },
      repository: {
        forkCount: expect.any(Number) as unknown,
        defaultBranchRef: { name: expect.any(String) as unknown },
      },
    },
  })
  expect(first).not.toHaveProperty('errors')
  expect(await ask(query)).toEqual(first)
})

it('runs mutations with inputs and payloads', async () => {
  const created = await ask(
    'mutation { createIssue(input: { repositoryId: "R_2", title: "New", clientMutationId: "x" }) { clientMutationId issue { title repository { name } } } }',
  )
  expect(created).toEqual({
    data: {
      createIssue: {
        clientMutationId: 'x',
        issue: { title: 'New', repository: { name: 'spoon-knife' } },
      },
    },
  })
  const updated = await ask(
    'mutation { updateIssue(input: { id: "I_1", title: "It broke" }) { issue { id title state } } }',
  )
  expect(updated).toEqual({
    data: { updateIssue: { issue: { id: 'I_1', title: 'It broke', state: 'OPEN' } } },
  })
  await ask(
    'mutation { deleteIssue(input: { issueId: "I_1" }) { clientMutationId repository { name } } }',
  )
  expect(await ask('{ node(id: "I_1") { id } }')).toEqual({ data: { node: null } })
})
