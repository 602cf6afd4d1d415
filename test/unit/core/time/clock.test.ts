import { describe, expect, it } from 'vitest'

import { delay } from '../../../../src/behaviours.ts'
import { createManualClock, createMock, type Mock } from '../../../../src/index.ts'

const start = Date.UTC(2026, 0, 1)

describe('a manual clock', () => {
  it('calls back in order, including calls that are added while it advances', () => {
    const clock = createManualClock()
    const calls: string[] = []
    const note = (name: string): void => void calls.push(`${name} ${clock.now() - start}`)
    clock.after(20, () => note('b'))
    clock.after(10, () => {
      note('a')
      clock.after(5, () => note('c'))
    })
    const cancel = clock.after(15, () => note('never'))
    cancel()
    clock.advance(30)
    expect(calls).toEqual(['a 10', 'c 15', 'b 20'])
    expect(clock.now()).toBe(start + 30)
  })

  it('resets the time to the start and keeps pending calls', () => {
    const clock = createManualClock()
    let isCalled = false
    clock.advance(100)
    clock.after(20, () => (isCalled = true))
    clock.advance(15)
    clock.reset()
    expect(clock.now()).toBe(start)
    clock.advance(4)
    expect(isCalled).toBe(false)
    clock.advance(1)
    expect(isCalled).toBe(true)
  })

  it('advances its forks; a fork advances only itself', () => {
    const clock = createManualClock()
    const fork = clock.fork()
    const calls: number[] = []
    fork.after(30, () => calls.push(fork.now() - start))
    fork.advance(10)
    expect(clock.now()).toBe(start)
    clock.advance(15)
    expect(fork.now()).toBe(start + 25)
    expect(calls).toEqual([])
    clock.advance(10)
    expect(calls).toEqual([30])
    fork.reset()
    expect([fork.now(), clock.now()]).toEqual([start, start + 25])
  })
})

describe('the clock of a mock', () => {
  it('is reset with the mock', () => {
    const clock = createManualClock()
    const mock = createMock({ fixtures: { posts: [] }, clock })
    clock.advance(1000)
    mock.reset()
    expect(mock.clock.now()).toBe(start)
  })

  it('is independent in a fork', async () => {
    const mock = createMock({
      fixtures: { posts: [] },
      clock: createManualClock(),
      use: [delay('1s')],
    })
    const fork = mock.fork()
    const answers = [status(mock), status(fork)]
    fork.clock.advance?.(1000)
    expect(await answers[1]).toBe(200)
    expect(mock.clock.now()).toBe(start)
    mock.clock.advance?.(1000)
    expect(await answers[0]).toBe(200)
    fork.reset()
    expect([fork.clock.now(), mock.clock.now()]).toEqual([start, start + 1000])
  })
})

async function status(mock: Pick<Mock, 'fetch'>): Promise<number> {
  return (await mock.fetch('/posts')).status
}
