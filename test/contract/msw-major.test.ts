import * as msw from 'msw'
import { expect, it } from 'vitest'

// Guards the alias in vitest.config.ts: were it lost, msw 2 would be tested twice and msw 3 never.
it('runs with the major version of msw that the environment names', () => {
  const isMajor3 = !('graphql' in msw)
  expect(isMajor3).toBe(process.env['MSW'] === '3')
})
