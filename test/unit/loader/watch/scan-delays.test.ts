import type * as timersModule from 'node:timers'

import { expect, it, vi } from 'vitest'

import { watchFiles } from '../../../../src/loader/watch/watch-files.ts'
import type { Scanner } from '../../../../src/loader/watch/scanner.ts'

const delays = vi.hoisted((): number[] => [])

vi.mock('node:timers', async (load) => {
  const timers = await load<typeof timersModule>()
  const setTimeout = (callback: () => void, delay: number): NodeJS.Timeout => {
    delays.push(delay)
    return timers.setTimeout(callback, 1)
  }
  return { ...timers, setTimeout }
})

// Node 24 warns of a negative delay.
it('waits no negative time when a scan is overdue', async () => {
  // A second passes between the end of a scan and the next look at the clock.
  let calls = 0
  vi.spyOn(performance, 'now').mockImplementation(() => 1000 * Math.floor(++calls / 3))
  let scans = 0
  const scanner = { scan: async () => void scans++, computeOutlines: () => undefined }
  const close = await watchFiles(scanner as unknown as Scanner, [], { poll: true })
  await expect.poll(() => scans).toBeGreaterThan(3)
  await close()
  expect(Math.min(...delays)).toBe(0)
  vi.restoreAllMocks()
})
