import type { PathLike, Stats } from 'node:fs'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import type { FixtureChange } from '../../../src/loader/change.ts'
import { loadFixtures } from '../../../src/loader/load.ts'
import { createScanner, type Scanner } from '../../../src/loader/scanner.ts'
import { createFolder, type Files } from './folder.ts'

/** What the disk says about a file for ever, as if its clock stood still. */
const frozen = new Map<string, Stats>()

const { stat } = promises
const statFrozen = async (path: PathLike): Promise<Stats> =>
  frozen.get(String(path)) ?? (await stat(path))

beforeAll(() => {
  Object.assign(promises, { stat: statFrozen })
  syncBuiltinESMExports()
})
afterAll(() => {
  Object.assign(promises, { stat })
  syncBuiltinESMExports()
})

describe('a scanner', () => {
  it('takes a file away only when it is still gone on a settled look', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[]', 'f/b.json': '[]' })
    rmSync(path('f/a.json'))
    expect(await scanner.look(false)).toMatchObject({ hasMoved: true })
    expect(await scanner.look(false)).toEqual({ hasMoved: false, isOpen: true })
    expect(changes).toEqual([])
    writeFileSync(path('f/a.json'), '[]')
    await settle(scanner)
    expect(changes).toEqual([])
    rmSync(path('f/a.json'))
    await scanner.look(true)
    expect(changes).toEqual([])
    await scanner.look(true)
    expect(changes).toMatchObject([{ removed: ['a'] }])
  })

  it('tells of a broken file only on a settled look', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[]' })
    writeFileSync(path('f/a.json'), '[')
    await scanner.look(false)
    await scanner.look(false)
    expect(changes).toEqual([])
    await scanner.look(true)
    expect(changes).toMatchObject([{ reported: [{ file: 'f/a.json' }] }])
  })

  it('finds a save that the clock of the disk was too slow for', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[0]' })
    writeFileSync(path('f/a.json'), '[1]')
    frozen.set(path('f/a.json'), statSync(path('f/a.json')))
    onTestFinished(() => frozen.clear())
    await scanner.look(false)
    writeFileSync(path('f/a.json'), '[2]')
    await settle(scanner)
    expect(changes.flatMap(({ sources }) => sources.map(({ value }) => value))).toEqual([[1], [2]])
  })

  it('reads nothing again that it is sure of', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[0]' })
    await settle(scanner)
    frozen.set(path('f/a.json'), statSync(path('f/a.json')))
    onTestFinished(() => frozen.clear())
    writeFileSync(path('f/a.json'), '[1]')
    await settle(scanner)
    expect(changes).toEqual([])
  })

  it('looks one look at a time, and not during what excludes it', async () => {
    const { scanner } = await open({ 'f/a.json': '[0]' })
    const order: string[] = []
    const first = scanner.exclusive(async () => {
      await new Promise(setImmediate)
      order.push('first')
    })
    const second = scanner.look(false).then(() => order.push('second'))
    const third = scanner.exclusive(() => order.push('third'))
    await Promise.all([first, second, third])
    expect(order).toEqual(['first', 'second', 'third'])
  })
})

async function open(files: Files) {
  const cwd = createFolder(files)
  const loaded = await loadFixtures(['f'], { cwd })
  const changes: FixtureChange[] = []
  const scanner = createScanner(['f'], loaded, (change) => changes.push(change), { cwd })
  return { scanner, changes, path: (name: string) => join(cwd, name) }
}

async function settle(scanner: Scanner): Promise<void> {
  let look = await scanner.look(true)
  while (look.hasMoved || look.isOpen) look = await scanner.look(true)
}
