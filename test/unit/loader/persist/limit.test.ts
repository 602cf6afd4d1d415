import { expect, it } from 'vitest'

import { createLimit } from '../../../../src/loader/persist/limit.ts'

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
