import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, win32 } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createFilter, openFileEvents } from '../../../../src/loader/watch/file-events.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'
import { createScanner } from '../../../../src/loader/watch/scanner.ts'
import { createFolder } from '../folder.ts'

it.each([
  ['a folder', 'f', 'f/a.json'],
  ['a file named by hand', 'g/db.json', 'g/db.json'],
])('events tell that %s is back without another look', async (_title, root, file) => {
  const cwd = createFolder({ 'f/a.json': [], 'g/db.json': {} })
  const loaded = await loadFixtures([root], { cwd })
  const scanner = createScanner([root], loaded, () => undefined, { cwd })
  const seen = new Set<string>()
  const events = openFileEvents([join(cwd, root)], scanner, () => {
    seen.add(existsSync(join(cwd, file)) ? 'back' : 'gone')
  })
  onTestFinished(events.close)
  rmSync(join(cwd, root), { recursive: true })
  await expect.poll(() => [...seen]).toContain('gone')
  seen.clear()
  mkdirSync(join(cwd, file, '..'), { recursive: true })
  writeFileSync(join(cwd, file), '[]')
  await expect.poll(() => [...seen]).toContain('back')
})

it('no paths have no events', async () => {
  const scanner = createScanner([], await loadFixtures([]), () => undefined)
  openFileEvents([], scanner, () => undefined).close()
})

describe('on Windows, with slashes of both kinds', () => {
  const isWanted = createFilter(
    { folders: new Set(['C:\\app\\fixtures']), files: new Set(['C:\\app\\db.json']) },
    win32,
  )
  const paths: [path: string, expected: boolean][] = [
    ['C:/app/fixtures', true],
    ['C:\\app\\fixtures', true],
    ['C:/app', true],
    ['C:/app/db.json', true],
    ['C:/app/fixtures/v1/posts.json', true],
    ['C:\\app\\fixtures\\v1\\posts.json', true],
    ['C:/app/fixtures/_scenarios/empty/posts.json', true],
    ['C:/app/fixtures/.git/posts.json', false],
    ['C:/app/fixtures/v1/_scenarios/posts.json', false],
    ['C:/app/node_modules', false],
    ['C:/app/fixtures2/posts.json', false],
  ]

  it.each(paths)('%s is watched: %s', (path, expected) => {
    expect(isWanted(path)).toBe(expected)
  })
})
