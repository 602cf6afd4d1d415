import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { openEvents } from '../../../src/loader/events.ts'
import { loadFixtures } from '../../../src/loader/load.ts'
import { createScanner } from '../../../src/loader/scanner.ts'
import { createFolder } from './folder.ts'

it.each([
  ['a folder', 'f', 'f/a.json'],
  ['a file named by hand', 'g/db.json', 'g/db.json'],
])('events tell that %s is back without another look', async (_title, root, file) => {
  const cwd = createFolder({ 'f/a.json': [], 'g/db.json': {} })
  const loaded = await loadFixtures([root], { cwd })
  const scanner = createScanner([root], loaded, () => undefined, { cwd })
  const seen = new Set<string>()
  const events = await openEvents([join(cwd, root)], scanner, () => {
    seen.add(existsSync(join(cwd, file)) ? 'back' : 'gone')
  })
  onTestFinished(events.close)
  rmSync(join(cwd, root), { recursive: true })
  await expect.poll(() => [...seen], { timeout: 10_000 }).toContain('gone')
  seen.clear()
  mkdirSync(join(cwd, file, '..'), { recursive: true })
  writeFileSync(join(cwd, file), '[]')
  await expect.poll(() => [...seen], { timeout: 10_000 }).toContain('back')
})
