import { describe, expect, it } from 'vitest'

import { resolveDots } from '../../../../src/core/url/pattern.ts'

describe('the dots of a path', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['/a/./b', '/a/b'],
    ['/a/%2E/b', '/a/b'],
    ['/a/../b', '/b'],
    ['/x/%2e./admin/1', '/admin/1'],
    ['/../../a', '/a'],
    ['/.well-known/a..b', '/.well-known/a..b'],
    ['//a', '//a'],
  ])('of %s are resolved to %s', (path, resolved) => {
    expect(resolveDots(path)).toBe(resolved)
  })
})
