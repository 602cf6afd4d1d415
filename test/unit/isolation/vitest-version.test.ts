import { expect, it, test, vi } from 'vitest'

import { createMock } from '../../../src/index.ts'
import { mockTest } from '../../../src/vitest.ts'

it('says which version of Vitest it requires', () => {
  const { aroundEach: _, ...before } = test.extend({})
  vi.spyOn(test, 'extend').mockReturnValueOnce(before as object as typeof test)
  expect(() => mockTest(createMock({ fixtures: {} }))).toThrow(
    'Failed to isolate a test: "mockTest" requires Vitest 4.1 or later. Please update Vitest, or use "isolate" from fixtura/node.',
  )
})
