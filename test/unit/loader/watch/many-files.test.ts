import fs, { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Diagnostic } from '../../../../src/core/fixtures/source.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'
import type { FixtureChange } from '../../../../src/loader/watch/change.ts'
import { createFolderWatches } from '../../../../src/loader/watch/folder-watches.ts'
import { createScanner, type Scanner } from '../../../../src/loader/watch/scanner.ts'
import { watchFiles } from '../../../../src/loader/watch/watch-files.ts'
import { createFolder } from '../folder.ts'
import { settle } from '../world.ts'

vi.mock('node:fs', { spy: true })

const count = 120

beforeEach(() => void vi.clearAllMocks())
afterEach(() => void vi.mocked(fs.watch).mockReset())

describe('a scan of many files', () => {
  it('takes one step for each unchanged file', async () => {
    const { scanner, changes } = await open()
    await settle(scanner)
    const before = scanner.current()
    const steps = await countSteps(() => scanner.scan())
    expect(steps.reads).toBe(0)
    expect(steps.stats).toBeLessThan(count + 10)
    expect(scanner.current()).toBe(before)
    expect(changes).toEqual([])
  })

  it.each([15, 30, 60])('publishes %i saves as one, in steps for each of them', async (saved) => {
    const { scanner, changes, path } = await open()
    await settle(scanner)
    const paths = Array.from({ length: saved }, (_, at) => path(at))
    for (const file of paths) writeFileSync(file, '[2]')
    const steps = await countSteps(() => scanner.scan(...paths))
    expect(steps).toEqual({ reads: saved, stats: 2 * saved })
    expect(changes.map(({ sources }) => sources.length)).toEqual([saved])
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now + 1000)
    const later = await countSteps(() => scanner.scanPending())
    vi.mocked(performance.now).mockRestore()
    expect(later).toEqual({ reads: saved, stats: 2 * saved })
    expect(changes).toHaveLength(1)
  })

  it('does not scan for files that are no fixtures', async () => {
    const { scanner, path, cwd } = await open()
    await settle(scanner)
    writeFileSync(join(cwd, 'f/n1.json.tmp'), '[2]')
    renameSync(join(cwd, 'f/n1.json.tmp'), path(1))
    const paths = [join(cwd, 'f/n1.json.tmp'), path(1), join(cwd, 'f/notes.md')]
    writeFileSync(join(cwd, 'f/notes.md'), '')
    expect((await countSteps(() => scanner.scan(...paths))).stats).toBeLessThan(10)
  })
})

describe('the watches of folders', () => {
  it('are one for each folder, however many files there are', async () => {
    const { scanner, cwd } = await open()
    const close = await watchFiles(scanner, ['f'], { cwd })
    onTestFinished(close)
    const watched = vi.mocked(fs.watch).mock.calls.map(([folder]) => folder)
    expect(watched).toEqual([join(cwd, 'f'), cwd])
  })

  it('begin again for a folder that is replaced, and end with a folder that is gone', () => {
    const cwd = createFolder({ 'a/x.json': [], 'b/x.json': [] })
    const [a, b] = [join(cwd, 'a'), join(cwd, 'b')]
    const watches = createFolderWatches(() => undefined)
    onTestFinished(watches.close)
    expect([watches.update([a, b]), watches.update([a, b])]).toEqual([true, false])
    renameSync(a, join(cwd, 'old'))
    mkdirSync(a)
    rmSync(b, { recursive: true })
    expect([watches.update([a, b]), watches.update([a, b])]).toEqual([true, false])
    expect(vi.mocked(fs.watch).mock.calls.map(([folder]) => folder)).toEqual([a, b, a])
    expect(watches.failure()).toBeUndefined()
  })

  it('begin again for a folder that gets the inode of the removed folder', () => {
    const folder = join(createFolder({ 'a/x.json': [] }), 'a')
    const stats = statSync(folder)
    const show = (birthtimeMs: number): void =>
      void vi.mocked(statSync).mockReturnValue(Object.assign(stats, { birthtimeMs }))
    onTestFinished(() => void vi.mocked(statSync).mockReset())
    const watches = createFolderWatches(() => undefined)
    onTestFinished(watches.close)
    show(1)
    expect([watches.update([folder]), watches.update([folder])]).toEqual([true, false])
    show(2)
    expect([watches.update([folder]), watches.update([folder])]).toEqual([true, false])
  })

  const limits: [code: string, advice: string][] = [
    ['ENOSPC', 'fs.inotify.max_user_watches'],
    ['EMFILE', 'ulimit -n'],
    ['EIO', '--poll'],
  ]

  it.each(limits)('that fail with %s are reported once, until they work', async (code, advice) => {
    const { scanner, cwd, changes, path } = await open()
    const fail = (): never => {
      throw Object.assign(new Error('no'), { code })
    }
    vi.mocked(fs.watch).mockImplementation(fail)
    const problems: Diagnostic[] = []
    const onProblem = (problem: Diagnostic): void => void problems.push(problem)
    const close = await watchFiles(scanner, ['f'], { cwd, onProblem })
    onTestFinished(close)
    expect(problems).toMatchObject([{ severity: 'warning', file: 'f' }])
    expect(problems[0]?.advice).toContain(advice)
    writeFileSync(path(1), '[2]')
    // The periodic scan finds the change, and tries to watch again.
    await expect.poll(() => changes.length).toBe(1)
    expect(problems).toHaveLength(1)
  })
})

async function open(): Promise<{
  cwd: string
  scanner: Scanner
  changes: FixtureChange[]
  path: (at: number) => string
}> {
  const names = Array.from({ length: count }, (_, at) => [`f/n${at}.json`, '[1]'])
  const cwd = createFolder(Object.fromEntries(names))
  const loaded = await loadFixtures(['f'], { cwd })
  const changes: FixtureChange[] = []
  const scanner = createScanner(['f'], loaded, (change) => changes.push(change), { cwd })
  return { cwd, scanner, changes, path: (at) => join(cwd, `f/n${at}.json`) }
}

/** Counts the files that are looked at and that are read. */
async function countSteps(run: () => Promise<unknown>): Promise<{ reads: number; stats: number }> {
  vi.clearAllMocks()
  await run()
  return {
    reads: vi.mocked(fs.readFileSync).mock.calls.length,
    stats: vi.mocked(statSync).mock.calls.length,
  }
}
