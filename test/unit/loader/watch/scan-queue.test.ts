import { setImmediate } from 'node:timers/promises'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { createScanQueue } from '../../../../src/loader/watch/scan-queue.ts'
import type { Scanner } from '../../../../src/loader/watch/scanner.ts'

/** A scanner whose scans end when the test ends them. */
function createScanner(): {
  scanner: Pick<Scanner, 'scan' | 'scanPending'>
  /** The paths of each scan; undefined in a full scan. */
  scans: (string | undefined)[]
  end(rest?: number): Promise<void>
  fail(error: Error): void
} {
  const scans: (string | undefined)[] = []
  let resolve: (rest: number | undefined) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const start = (title: string | undefined): Promise<number | undefined> => {
    scans.push(title)
    return new Promise((done, failed) => {
      resolve = done
      reject = failed
    })
  }
  return {
    scanner: {
      scan: (...paths) => start(paths.length === 0 ? undefined : paths.join(' ')),
      scanPending: () => start('pending'),
    },
    scans,
    async end(rest) {
      resolve(rest)
      await setImmediate()
      await vi.advanceTimersByTimeAsync(0)
    },
    fail: (error) => reject(error),
  }
}

function useClock(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

describe('a scan queue', () => {
  it('scans again after requests during a scan, only their files if all name a file', async () => {
    useClock()
    const { scanner, scans, end } = createScanner()
    const { request } = createScanQueue(scanner)
    const first = request('a')
    void request('b')
    void request('b')
    await end()
    expect(scans).toEqual(['a', 'b'])
    void request('c')
    void request('d')
    await end()
    void request('e')
    void request()
    void request('f')
    await end()
    await end()
    await first
    expect(scans.slice(2)).toEqual(['c d', undefined])
  })

  it('settles after the time that a scan returned', async () => {
    useClock()
    const { scanner, scans, end } = createScanner()
    const { request } = createScanQueue(scanner)
    void request('a')
    await end(150)
    await vi.advanceTimersByTimeAsync(149)
    expect(scans).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1)
    expect(scans).toEqual(['a', 'pending'])
    await end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(scans).toHaveLength(2)
  })

  it.each([
    ['waits as long as the last scan returned', 150, [149, 1]],
    ['does not wait longer where a scan found no change', 50, [49, 1]],
  ])('%s', async (_, rest, [before = 0, after = 0]) => {
    useClock()
    const { scanner, scans, end } = createScanner()
    const { request } = createScanQueue(scanner)
    void request('a')
    await end(150)
    await vi.advanceTimersByTimeAsync(100)
    void request('a')
    await end(rest)
    await vi.advanceTimersByTimeAsync(before)
    expect(scans).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(after)
    expect(scans).toEqual(['a', 'a', 'pending'])
  })

  it('does not scan again when the last scan returned no time', async () => {
    useClock()
    const { scanner, scans, end } = createScanner()
    const { request } = createScanQueue(scanner)
    void request('a')
    await end(150)
    void request('a')
    await end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(scans).toEqual(['a', 'a'])
  })

  it('goes on after a failed scan, with the requests during the scan and the settling', async () => {
    useClock()
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    onTestFinished(() => warn.mockRestore())
    const { scanner, scans, end, fail } = createScanner()
    const { request } = createScanQueue(scanner)
    const next = async (): Promise<void> => {
      await setImmediate()
      await setImmediate()
    }
    void request()
    void request('a')
    fail(new Error('no'))
    await next()
    expect(scans).toEqual([undefined, 'a'])
    fail(new Error('no'))
    await next()
    await vi.advanceTimersByTimeAsync(1)
    expect(scans).toEqual([undefined, 'a', 'pending'])
    await end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(scans).toHaveLength(3)
    expect(warn).toHaveBeenCalledTimes(2)
  })

  it('does not scan once it is closed, and closes after the running scan', async () => {
    useClock()
    const { scanner, scans, end } = createScanner()
    const { request, close, isClosed } = createScanQueue(scanner)
    void request()
    let hasEnded = false
    const closed = close().then(() => (hasEnded = true))
    await request('a')
    expect([isClosed(), hasEnded]).toEqual([true, false])
    await end(150)
    await closed
    await vi.advanceTimersByTimeAsync(1000)
    expect(scans).toHaveLength(1)
  })
})
