import { expect, it, vi } from 'vitest'

import { createMock } from '../../../src/index.ts'
import { isolate } from '../../../src/node.ts'
import { mockTest } from '../../../src/vitest.ts'

// Bundlers for pages, as in Vitest's browser mode, replace Node's modules by empty ones.
vi.mock('node:async_hooks', () => ({ AsyncLocalStorage: undefined }))

const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
const expected =
  'Failed to isolate a test: isolation requires Node, and this is a page. Please use "startMock" from fixtura/browser, and call "mock.reset()" after each test.'

it.each([
  ['mockTest', () => mockTest(mock)],
  ['isolate', () => isolate(mock, () => {})],
])('throws in a page for %s', (_title, make) => {
  expect(make).toThrow(expected)
})
