import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createWriteSchedule } from '../../../../src/record/session/write-schedule.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A write that takes a time in milliseconds. */
function createWrite(milliseconds: number): () => Promise<void> {
  return vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)))
}

describe('the schedule of writes', () => {
  it('writes once, a tenth of a second after the first of several requests', async () => {
    const write = createWrite(1)
    const schedule = createWriteSchedule(write, () => undefined)
    for (let count = 0; count < 3; count++) {
      schedule.request()
      await vi.advanceTimersByTimeAsync(30)
    }
    expect(write).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10)
    expect(write).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(write).toHaveBeenCalledTimes(1)
  })

  it('writes again and again while requests arrive', async () => {
    const write = createWrite(50)
    const schedule = createWriteSchedule(write, () => undefined)
    for (let count = 0; count < 100; count++) {
      schedule.request()
      await vi.advanceTimersByTimeAsync(30)
    }
    expect(write).toHaveBeenCalledTimes(20)
  })

  it('waits after a write a quarter of the time that the write took', async () => {
    const write = createWrite(1000)
    const schedule = createWriteSchedule(write, () => undefined)
    schedule.request()
    await vi.advanceTimersByTimeAsync(150)
    schedule.request()
    await vi.advanceTimersByTimeAsync(1150)
    expect(write).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(write).toHaveBeenCalledTimes(2)
  })

  it('is settled after the last write', async () => {
    const schedule = createWriteSchedule(createWrite(100), () => undefined)
    let isSettled = false
    schedule.request()
    void schedule.settled().then(() => (isSettled = true))
    await vi.advanceTimersByTimeAsync(190)
    expect(isSettled).toBe(false)
    await vi.advanceTimersByTimeAsync(10)
    expect(isSettled).toBe(true)
  })

  it('reports a failed write and tries again', async () => {
    const onError = vi.fn()
    const write = vi.fn(() => Promise.reject(new Error('disk full')))
    const schedule = createWriteSchedule(write, onError)
    schedule.request()
    await vi.advanceTimersByTimeAsync(500)
    expect(onError).toHaveBeenCalledWith(new Error('disk full'))
    schedule.request()
    await vi.advanceTimersByTimeAsync(500)
    expect(write).toHaveBeenCalledTimes(2)
  })

  it('waits for a write in progress when it closes, and begins no other', async () => {
    const write = createWrite(100)
    const schedule = createWriteSchedule(write, () => undefined)
    schedule.request()
    await vi.advanceTimersByTimeAsync(150)
    schedule.request()
    let isClosed = false
    void schedule.close().then(() => (isClosed = true))
    await vi.advanceTimersByTimeAsync(40)
    expect(isClosed).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(isClosed).toBe(true)
    expect(write).toHaveBeenCalledTimes(1)
  })
})
