import { expect, it } from 'vitest'

import { limit } from '../../../../../src/behaviours.ts'
import { createMock } from '../../../../../src/index.ts'

it('tells clients apart by the end of a long header', async () => {
  const use = [limit({ requests: 1, per: '1m', by: 'Authorization' })]
  const mock = createMock({ fixtures: { posts: [] }, use })
  const statusOf = async (client: string): Promise<number> => {
    const { status } = await mock.fetch('/posts', { headers: { Authorization: client } })
    return status
  }
  const long = 'x'.repeat(1000)
  expect(await statusOf(`${long}1`)).toBe(200)
  expect(await statusOf(`${long}2`)).toBe(200)
  expect(await statusOf(`y${long}1`)).toBe(429)
})
