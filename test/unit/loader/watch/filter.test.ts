import { win32 } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createFilter } from '../../../../src/loader/watch/watch-files.ts'

describe('on Windows, with slashes of both kinds', () => {
  const isWanted = createFilter(
    {
      folders: new Set(['C:\\app\\fixtures', 'C:\\app\\fixtures\\v1']),
      targets: new Set(['C:\\app\\fixtures', 'C:\\app\\db.json']),
    },
    win32,
  )
  const paths: [path: string, expected: boolean][] = [
    ['C:/app/fixtures', true],
    ['C:\\app\\fixtures', true],
    ['C:/app', false],
    ['C:/app/db.json', true],
    ['C:/app/fixtures/v1/posts.json', true],
    ['C:\\app\\fixtures\\v1\\posts.json', true],
    ['C:/app/fixtures/_scenarios', true],
    ['C:/app/fixtures/.git/posts.json', false],
    ['C:/app/node_modules', false],
    ['C:/app/fixtures2/posts.json', false],
  ]

  it.each(paths)('%s is watched: %s', (path, expected) => {
    expect(isWanted(path)).toBe(expected)
  })
})
