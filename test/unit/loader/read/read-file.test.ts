import { expect, it } from 'vitest'

import type { FixtureFile } from '../../../../src/loader/discover/discover.ts'
import { parseFixture } from '../../../../src/loader/read/read-file.ts'

it('reports more mistakes than a function can have parameters', () => {
  const file: FixtureFile = {
    path: '/db.mjs',
    label: 'db',
    kind: 'database',
    name: 'db',
    named: 'alone',
  }
  const names = Array.from({ length: 130_000 }, (_, at) => `posts${at}`)
  const value = Object.fromEntries(names.map((name) => [name, [{ id: 1 }, 2]]))
  const { diagnostics } = parseFixture(file, Buffer.from(''), undefined, undefined, { value })
  expect(diagnostics).toHaveLength(names.length)
})
