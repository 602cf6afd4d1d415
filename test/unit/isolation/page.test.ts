import { expect, it, vi } from 'vitest'

import { createMock } from '../../../src/index.ts'
import { isolate } from '../../../src/node.ts'
import { mockTest } from '../../../src/vitest.ts'

// What a bundler for pages makes of it, as in the browser mode of Vitest.
vi.mock('node:async_hooks', () => ({ AsyncLocalStorage: undefined }))

const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
const expected =
  'Failed to isolate a test: that takes Node, and this is a page. Please use "startMock" of fixtura/browser, and "mock.reset()" after each test.'

it.each([
  ['mockTest', () => mockTest(mock)],
  ['isolate', () => isolate(mock, () => {})],
])('says that %s is not for pages', (_title, make) => {
  expect(make).toThrow(expected)
})
