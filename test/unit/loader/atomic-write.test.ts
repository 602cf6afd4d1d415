import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { retryOnWindows, writeAtomically, writeChanged } from '../../../src/loader/atomic-write.ts'
import { createFolder } from './folder.ts'
import { listAll } from './world.ts'

describe('replacing a file', () => {
  const rows: [title: string, platform: string, codes: string[], runs: number, result: string][] = [
    ['is done once if it succeeds', 'win32', [], 1, 'done'],
    ['is retried on Windows', 'win32', ['EPERM', 'EBUSY', 'EACCES'], 4, 'done'],
    ['fails on Windows after six retries', 'win32', Array(9).fill('EPERM') as string[], 7, 'EPERM'],
    ['is not retried if the disk is full', 'win32', ['ENOSPC'], 1, 'ENOSPC'],
    ['is not retried on other systems', 'linux', ['EPERM'], 1, 'EPERM'],
  ]

  it.each(rows)('%s', async (_, platform, codes, runs, result) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform)
    onTestFinished(() => void vi.restoreAllMocks())
    const left = [...codes]
    const replace = vi.fn(() => {
      const code = left.shift()
      if (code !== undefined) throw Object.assign(new Error(code), { code })
      return 'done'
    })
    expect(await retryOnWindows(replace).catch((error: Error) => error.message)).toBe(result)
    expect(replace).toHaveBeenCalledTimes(runs)
  })
})

describe('writing a file as a whole', () => {
  it('creates folders, keeps permissions, and leaves no temporary file', async () => {
    const cwd = createFolder({ 'a.txt': 'old' })
    chmodSync(join(cwd, 'a.txt'), 0o640)
    const { mode } = statSync(join(cwd, 'a.txt'))
    await writeAtomically(join(cwd, 'a.txt'), 'new')
    await writeAtomically(join(cwd, 'x/y/b.txt'), 'new')
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('new')
    expect(statSync(join(cwd, 'a.txt')).mode).toBe(mode)
    expect(listAll(cwd)).toEqual(['a.txt', 'x', 'x/y', 'x/y/b.txt'])
  })

  it('leaves a text with other line ends alone', async () => {
    const cwd = createFolder({ 'a.txt': 'a\r\nb\r\n' })
    expect(await writeChanged(join(cwd, 'a.txt'), 'a\nb\n')).toBe(false)
    expect(await writeChanged(join(cwd, 'a.txt'), 'a\n')).toBe(true)
  })
})
