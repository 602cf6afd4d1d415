import { expect, it } from 'vitest'

import type { FixtureFile } from '../../../../src/loader/discover/discover.ts'
import { parseFixture } from '../../../../src/loader/read/read-file.ts'

it('reports more mistakes than a function can have parameters', () => {
  const file: FixtureFile = { path: '/posts.mjs', label: 'posts', kind: 'resource', name: 'posts' }
  const value = Array.from({ length: 130_000 }, () => ({ id: {} }))
  const { diagnostics } = parseFixture(file, Buffer.from(''), undefined, undefined, { value })
  expect(diagnostics).toHaveLength(value.length)
})
