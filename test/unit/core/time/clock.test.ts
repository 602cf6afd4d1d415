import { describe, expect, it } from 'vitest'

import { delay } from '../../../../src/behaviours.ts'
import { type Clock, createManualClock, createMock, type Mock } from '../../../../src/index.ts'

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

  it('starts at a time that is given as milliseconds, as a text or as a date', () => {
    const starts = [start, '2026-01-01T00:00:00Z', new Date(start)]
    expect(starts.map((one) => createManualClock(one).now())).toEqual([start, start, start])
  })

  it.each([
    ['a text that is no date', 'text', '"text"'],
    ['a number that is none', NaN, 'NaN'],
    ['an invalid date', new Date('text'), 'a Date'],
  ])('refuses %s as the start and as a new time', (_, time, shown) => {
    const message = `Failed to read the time: it cannot be ${shown}. Please give milliseconds since 1970`
    expect(() => createManualClock(time)).toThrow(message)
    expect(() => createManualClock().set(time)).toThrow(message)
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

describe('a clock that runs', () => {
  it('is movable, and keeps running', () => {
    const { clock, source } = run()
    source.advance(5)
    clock.advance('1m')
    source.advance(5)
    expect(clock.now()).toBe(start + 60_010)
    clock.set('2827-01-01T00:00:00Z')
    source.advance(5)
    expect(clock.now()).toBe(Date.UTC(2827, 0, 1) + 5)
    clock.reset()
    expect(clock.now()).toBe(source.now())
  })

  it('calls back early where it is advanced, and in time where it is not', () => {
    const { clock, source } = run()
    const calls: string[] = []
    clock.after(100, () => calls.push('a'))
    const cancel = clock.after(100, () => calls.push('never'))
    clock.after(50, () => calls.push('b'))
    source.advance(10)
    cancel()
    clock.advance(40)
    expect(calls).toEqual(['b'])
    source.advance(49)
    expect(calls).toEqual(['b'])
    source.advance(1)
    expect(calls).toEqual(['b', 'a'])
    source.advance(1000)
    clock.advance(1000)
    expect(calls).toEqual(['b', 'a'])
  })

  it('keeps the remaining time of calls after an earlier time, and makes calls up to a later time', () => {
    const { clock } = run()
    const calls: number[] = []
    clock.after(100, () => calls.push(clock.now()))
    clock.set(start - 1000)
    expect(calls).toEqual([])
    clock.set(start - 901)
    expect(calls).toEqual([])
    clock.set(new Date(start))
    expect(calls).toEqual([start - 900])
  })

  it('moves its forks forward; a fork moves only itself', () => {
    const { clock, source } = run()
    const fork = clock.fork()
    const calls: string[] = []
    clock.after(100, () => calls.push('original'))
    fork.after(100, () => calls.push('fork'))
    fork.advance(100)
    expect([calls, fork.now(), clock.now()]).toEqual([['fork'], start + 100, start])
    clock.advance(99)
    expect(fork.now()).toBe(start + 199)
    source.advance(1)
    expect(calls).toEqual(['fork', 'original'])
    clock.set(start)
    expect([fork.now(), clock.now()]).toEqual([start + 200, start])
  })

  const wrong: [title: string, move: (mock: Mock) => void, message: string][] = [
    ['a duration', ({ clock }) => clock.advance('5x'), 'Failed to read the duration: it cannot be'],
    ['a negative duration', ({ clock }) => clock.advance(-1), 'it cannot be -1'],
    [
      'a duration to a time that no date can have',
      ({ clock }) => {
        clock.set(8.64e15 - 1)
        clock.advance(5)
      },
      'it cannot be 5. Please give a shorter one.',
    ],
    ['a date', ({ clock }) => clock.set('soon'), 'Failed to read the time: it cannot be "soon"'],
    [
      'a time that no date can have',
      ({ clock }) => clock.set(9e15),
      'it cannot be 9000000000000000',
    ],
    ['what is no time', ({ clock }) => clock.set(null as never), 'it cannot be null'],
  ]
  it.each(wrong)('refuses %s', (_title, move, message) => {
    expect(() => move(createMock({ fixtures: {} }))).toThrow(message)
  })
})

describe('the clock of a mock', () => {
  it('is the given clock where it is movable', () => {
    const clock = createManualClock()
    expect(createMock({ fixtures: {}, clock }).clock).toBe(clock)
  })

  it('sets real time, and a fork moves alone', () => {
    const mock = createMock({ fixtures: {} })
    const fork = mock.fork()
    fork.clock.set(start)
    expect(fork.clock.now() - start).toBeLessThan(mock.clock.now() - start)
    fork.reset()
    expect(fork.clock.now()).toBeGreaterThan(start + 1000)
  })

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
    fork.clock.advance(1000)
    expect(await answers[1]).toBe(200)
    expect(mock.clock.now()).toBe(start)
    mock.clock.advance(1000)
    expect(await answers[0]).toBe(200)
    fork.reset()
    expect([fork.clock.now(), mock.clock.now()]).toEqual([start, start + 1000])
  })
})

/** A clock that runs with a source, which a test advances. */
function run() {
  const source = createManualClock()
  const { now, after }: Clock = source
  return { source, clock: createMock({ fixtures: {}, clock: { now, after } }).clock }
}

async function status(mock: Pick<Mock, 'fetch'>): Promise<number> {
  return (await mock.fetch('/posts')).status
}
