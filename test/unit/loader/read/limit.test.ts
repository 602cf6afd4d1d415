import { expect, it } from 'vitest'

import { createLimit } from '../../../../src/loader/read/limit.ts'

it('runs at most so many functions at the same time, in the order of the calls', async () => {
  const limit = createLimit(3)
  const started: number[] = []
  const ends: (() => void)[] = []
  const calls = Array.from({ length: 8 }, (_, call) =>
    limit(async () => {
      started.push(call)
      await new Promise<void>((end) => ends.push(end))
      return call
    }),
  )
  for (let ended = 0; ended < 8; ended++) {
    await new Promise(setImmediate)
    expect(started).toEqual(Array.from({ length: Math.min(8, 3 + ended) }, (_, call) => call))
    ends[ended]?.()
  }
  expect(await Promise.all(calls)).toEqual(started)
})

it('continues after a function has failed', async () => {
  const limit = createLimit(1)
  const failed = limit(() => Promise.reject(new Error('a')))
  const next = limit(async () => 'b')
  await expect(failed).rejects.toThrow('a')
  expect(await next).toBe('b')
  expect(await limit(async () => 'c')).toBe('c')
})

it('keeps the limit when a call comes between the end of a function and the next start', async () => {
  const limit = createLimit(1)
  let running = 0
  const counts: number[] = []
  const run = async (): Promise<void> => {
    counts.push(++running)
    await new Promise(setImmediate)
    running--
  }
  let end = (): void => undefined
  const first = limit(() => new Promise<void>((ended) => (end = ended)))
  const second = limit(run)
  end()
  let third: Promise<void> | undefined
  queueMicrotask(() => (third = limit(run)))
  await Promise.all([first, second])
  await third
  expect(counts).toEqual([1, 1])
})
