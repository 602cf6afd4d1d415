import { serverAudits } from 'graphql-http'
import { expect, it } from 'vitest'

import { graphql } from '../../../src/graphql.ts'
import { createMock } from '../../../src/index.ts'

const mock = createMock({ fixtures: { posts: [{ id: 1 }] }, use: [graphql()] })

/** The audit of GraphQL over HTTP that `graphql-http` publishes. */
const audits = serverAudits({
  url: 'http://localhost/graphql',
  fetchFn: (url: string, init: RequestInit) => mock.fetch(new Request(url, init)),
})

it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
  const { status, ...result } = await audit.fn()
  expect(status, 'reason' in result ? result.reason : '').toBe('ok')
})
