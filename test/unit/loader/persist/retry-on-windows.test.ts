import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { retryOnWindows } from '../../../../src/loader/atomic-write.ts'

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
