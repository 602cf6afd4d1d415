import { EventEmitter } from 'node:events'
import fs, { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type FSWatcher, watch } from 'chokidar'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Diagnostic } from '../../../../src/core/fixtures/source.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'
import type { FixtureChange } from '../../../../src/loader/watch/change.ts'
import { createFolderEvents } from '../../../../src/loader/watch/folder-events.ts'
import { createScanner, type Scanner } from '../../../../src/loader/watch/scanner.ts'
import { watchFiles } from '../../../../src/loader/watch/watch-files.ts'
import { createFolder } from '../folder.ts'
import { settle } from '../world.ts'

vi.mock('node:fs', { spy: true })
vi.mock('chokidar', { spy: true })

const count = 120

beforeEach(() => void vi.clearAllMocks())
afterEach(() => void vi.mocked(watch).mockReset())

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
})

describe('the watches of folders', () => {
  it('are one for each folder, however many files there are', async () => {
    const { scanner, cwd } = await open()
    const close = await watchFiles(scanner, ['f'], { cwd })
    onTestFinished(close)
    expect(vi.mocked(watch).mock.calls.map(([folders]) => folders)).toEqual([[join(cwd, 'f'), cwd]])
    const handles = process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap')
    expect(handles).toHaveLength(2)
  })

  it('begin again for a folder that gets the inode of the removed folder', async () => {
    const folder = join(createFolder({ 'a/x.json': [] }), 'a')
    const stats = statSync(folder)
    const show = (birthtimeMs: number): void =>
      void vi.mocked(statSync).mockReturnValue(Object.assign(stats, { birthtimeMs }))
    onTestFinished(() => void vi.mocked(statSync).mockReset())
    const events = createFolderEvents(() => undefined)
    onTestFinished(events.close)
    show(1)
    expect([await events.watch([folder]), await events.watch([folder])]).toEqual([true, false])
    show(2)
    expect([await events.watch([folder]), await events.watch([folder])]).toEqual([true, false])
  })

  const limits: [code: string, advice: string][] = [
    ['ENOSPC', 'fs.inotify.max_user_watches'],
    ['EMFILE', 'ulimit -n'],
    ['EIO', '--poll'],
  ]

  it.each(limits)('that fail with %s are reported once, until they work', async (code, advice) => {
    const { scanner, cwd, changes, path } = await open()
    vi.mocked(watch).mockImplementation(() => {
      const watcher = Object.assign(new EventEmitter(), { close: () => Promise.resolve() })
      const error = Object.assign(new Error('no'), { code, filename: join(cwd, 'f') })
      process.nextTick(() => watcher.emit('error', error))
      return watcher as unknown as FSWatcher
    })
    const problems: Diagnostic[] = []
    const onProblem = (problem: Diagnostic): void => void problems.push(problem)
    const close = await watchFiles(scanner, ['f'], { cwd, onProblem })
    onTestFinished(close)
    expect(problems).toMatchObject([{ severity: 'warning', file: 'f' }])
    expect(problems[0]?.advice).toContain(advice)
    writeFileSync(path(1), '[2]')
    // The next scan without an event finds the change, and tries to watch again.
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
