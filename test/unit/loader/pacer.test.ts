import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { createPacer } from '../../../src/loader/pacer.ts'
import type { Scanner } from '../../../src/loader/scanner.ts'

type Look = Awaited<ReturnType<Scanner['look']>>

const still: Look = { hasMoved: false, isOpen: false }

/** A scanner whose looks end when they are told to. */
function createScanner(): {
  scanner: Scanner
  looks: [isSettled: boolean, path: string | undefined][]
  end(look?: Look): Promise<void>
  fail(error: Error): void
} {
  const looks: [boolean, string | undefined][] = []
  let resolve: (look: Look) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const look: Scanner['look'] = (isSettled, path) => {
    looks.push([isSettled, path])
    return new Promise((done, failed) => {
      resolve = done
      reject = failed
    })
  }
  return {
    scanner: { look } as Scanner,
    looks,
    async end(seen = still) {
      resolve(seen)
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
    expect(looks).toEqual([
      [false, 'a'],
      [false, 'b'],
    ])
    void hint('c')
    void hint('d')
    await end()
    await end()
    await first
    expect(looks.slice(2)).toEqual([[false, undefined]])
  })

  const rows: [title: string, seen: Look, isSettled: boolean][] = [
    ['what has moved', { hasMoved: true, isOpen: false }, true],
    ['what may be half a save', { hasMoved: false, isOpen: true }, true],
    ['nothing', still, false],
  ]

  it.each(rows)('looks for good once the disk is quiet at %s', async (_, seen, isSettled) => {
    useClock()
    const { scanner, looks, end } = createScanner()
    const { hint } = createPacer(scanner)
    void hint()
    await end(seen)
    await vi.advanceTimersByTimeAsync(149)
    expect(looks).toEqual([[false, undefined]])
    await vi.advanceTimersByTimeAsync(1)
    expect(looks.slice(1)).toEqual(isSettled ? [[true, undefined]] : [])
  })

  it('waits on where something moves again, but not for a hint of what has not', async () => {
    useClock()
    const { scanner, looks, end } = createScanner()
    const { hint } = createPacer(scanner)
    void hint()
    await end({ hasMoved: true, isOpen: true })
    await vi.advanceTimersByTimeAsync(100)
    void hint()
    await end({ hasMoved: true, isOpen: true })
    await vi.advanceTimersByTimeAsync(100)
    void hint()
    await end({ hasMoved: false, isOpen: true })
    await vi.advanceTimersByTimeAsync(49)
    expect(looks.filter(([isSettled]) => isSettled)).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(looks.at(-1)).toEqual([true, undefined])
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
    await end({ hasMoved: true, isOpen: true })
    await closed
    await vi.advanceTimersByTimeAsync(1000)
    expect(looks).toHaveLength(1)
  })
})
