import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { createPacer } from '../../../../src/loader/watch/scan-scheduler.ts'
import type { Scanner } from '../../../../src/loader/watch/scanner.ts'

/** A scanner whose looks end when they are told to. */
function createScanner(): {
  scanner: Pick<Scanner, 'look'>
  looks: (string | undefined)[]
  end(rest?: number): Promise<void>
  fail(error: Error): void
} {
  const looks: (string | undefined)[] = []
  let resolve: (rest: number | undefined) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const look: Scanner['look'] = (path) => {
    looks.push(path)
    return new Promise((done, failed) => {
      resolve = done
      reject = failed
    })
  }
  return {
    scanner: { look },
    looks,
    async end(rest) {
      resolve(rest)
      await vi.advanceTimersByTimeAsync(0)
    },
    fail: (error) => reject(error),
  }
}

function useClock(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

describe('a pacer', () => {
  it('looks again for what came during a look, at its path alone where that is one', async () => {
    useClock()
    const { scanner, looks, end } = createScanner()
    const { hint } = createPacer(scanner)
    const first = hint('a')
    void hint('b')
    void hint('b')
    await end()
    expect(looks).toEqual(['a', 'b'])
    void hint('c')
    void hint('d')
    await end()
    await end()
    await first
    expect(looks.slice(2)).toEqual([undefined])
  })

  it('looks at everything again when a look has asked for it', async () => {
    useClock()
    const { scanner, looks, end } = createScanner()
    const { hint } = createPacer(scanner)
    void hint('a')
    await end(150)
    await vi.advanceTimersByTimeAsync(149)
    expect(looks).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1)
    expect(looks).toEqual(['a', undefined])
    await end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(looks).toHaveLength(2)
  })

  it.each([
    ['waits on where the last look asked for it', 150, [149, 1]],
    ['does not wait longer for a hint of what has not moved', 50, [49, 1]],
  ])('%s', async (_, rest, [before = 0, after = 0]) => {
    useClock()
    const { scanner, looks, end } = createScanner()
    const { hint } = createPacer(scanner)
    void hint('a')
    await end(150)
    await vi.advanceTimersByTimeAsync(100)
    void hint('a')
    await end(rest)
    await vi.advanceTimersByTimeAsync(before)
    expect(looks).toEqual(['a', 'a'])
    await vi.advanceTimersByTimeAsync(after)
    expect(looks).toEqual(['a', 'a', undefined])
  })

  it('looks no more where nothing waits any longer', async () => {
    useClock()
    const { scanner, looks, end } = createScanner()
    const { hint } = createPacer(scanner)
    void hint('a')
    await end(150)
    void hint('a')
    await end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(looks).toEqual(['a', 'a'])
  })

  it('outlives a look that fails', async () => {
    useClock()
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    onTestFinished(() => warn.mockRestore())
    const { scanner, looks, end, fail } = createScanner()
    const { hint } = createPacer(scanner)
    const failed = hint()
    fail(new Error('no'))
    await failed
    void hint('a')
    await end()
    expect(looks).toHaveLength(2)
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it('looks no more once it is closed, and ends with the last look', async () => {
    useClock()
    const { scanner, looks, end } = createScanner()
    const { hint, close, isClosed } = createPacer(scanner)
    void hint()
    let hasEnded = false
    const closed = close().then(() => (hasEnded = true))
    await hint('a')
    expect([isClosed(), hasEnded]).toEqual([true, false])
    await end(150)
    await closed
    await vi.advanceTimersByTimeAsync(1000)
    expect(looks).toHaveLength(1)
  })
})
