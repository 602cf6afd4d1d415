import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { FixtureWriter, WriteOutcome } from '../../../../src/loader/persist/fixture-writer.ts'
import { createWriteQueue, type WriteQueue } from '../../../../src/loader/persist/write-queue.ts'

const entry = { name: 'posts', id: '1', from: null, to: { id: 1 } }

/** Creates a queue whose writes have these outcomes in turn, and then succeed; `calls` is the log of all calls. */
function create(
  outcomes: (WriteOutcome | Error)[] = [],
  took = 0,
): { queue: WriteQueue; calls: string[] } {
  const calls: string[] = []
  const note = (text: string): unknown => calls.push(`${performance.now()} ${text}`)
  const writer = {
    journal: { append: () => undefined, settled: () => undefined },
    duration: 0,
    async write(onCapture: (source: never) => void) {
      const outcome = outcomes.shift() ?? 'written'
      if (outcome !== 'invalid' && outcome !== 'removed') onCapture(undefined as never)
      if (took > 0) await new Promise((done) => setTimeout(done, took))
      writer.duration = took
      note(outcome instanceof Error ? 'failed' : outcome)
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    async discard() {
      note('discarded')
    },
    async close() {
      note('closed')
      return { kept: [], lost: [] }
    },
  }
  const queue: WriteQueue = createWriteQueue({
    writer: writer as unknown as FixtureWriter,
    scan: async () => note('scan'),
    onCapture: () => undefined,
    onResult: (error) => error !== undefined && note('reported'),
    async onRemoved() {
      await queue.discard()
      note('removed')
    },
  })
  return { queue, calls }
}

describe('a write queue', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
  })

  it('writes once requests have paused', async () => {
    const { queue, calls } = create()
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(60)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(1000)
    expect(calls).toEqual(['160 scan', '160 written'])
  })

  it('waits for a pause for a second at most', async () => {
    const { queue, calls } = create()
    for (let at = 0; at < 1100; at += 50) {
      queue.append([entry])
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(calls).toEqual(['1000 scan', '1000 written'])
  })

  it('rests for twenty times as long as a write took', async () => {
    const { queue, calls } = create([], 100)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(250)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(5000)
    expect(calls).toEqual(['100 scan', '200 written', '2200 scan', '2300 written'])
  })

  const rows: [title: string, outcomes: (WriteOutcome | Error)[], calls: string[]][] = [
    [
      'writes a stale file again',
      ['stale', 'stale'],
      ['100 scan', '100 stale', '100 scan', '100 stale', '100 scan', '100 written'],
    ],
    [
      'waits if the file stays stale',
      Array.from({ length: 5 }, () => 'stale' as const),
      [
        ...Array.from({ length: 5 }, () => ['100 scan', '100 stale']).flat(),
        '200 scan',
        '200 written',
      ],
    ],
    [
      'waits while the file is invalid',
      ['invalid', 'invalid'],
      ['100 scan', '100 invalid', '600 scan', '600 invalid', '1100 scan', '1100 written'],
    ],
    [
      'waits longer after each failure',
      [new Error('a'), new Error('b')],
      [
        '100 scan',
        '100 failed',
        '100 reported',
        '1100 scan',
        '1100 failed',
        '1100 reported',
        '3100 scan',
        '3100 written',
      ],
    ],
    [
      'discards a file that was removed',
      ['removed'],
      ['100 scan', '100 removed', '100 discarded', '100 removed'],
    ],
  ]

  it.each(rows)('%s', async (_, outcomes, expected) => {
    const { queue, calls } = create(outcomes)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls).toEqual(expected)
  })

  it('neither hastens nor delays a retry because of changes', async () => {
    const { queue, calls } = create(['invalid'])
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(200)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(350)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(5000)
    expect(calls).toEqual(['100 scan', '100 invalid', '600 scan', '600 written'])
  })

  it('does not hasten a retry because of changes during a failure', async () => {
    const { queue, calls } = create([new Error('a')], 50)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(120)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(5000)
    expect(calls.slice(0, 4)).toEqual(['100 scan', '150 failed', '150 reported', '1150 scan'])
  })

  it('never waits longer than ten seconds', async () => {
    const { queue, calls } = create(Array.from({ length: 6 }, () => new Error('a')))
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(40_000)
    const scans = calls.filter((text) => text.endsWith('scan')).map((text) => Number.parseInt(text))
    expect(scans).toEqual([100, 1100, 3100, 7100, 15_100, 25_100, 35_100])
  })

  it('writes changes that arrived during a write when it is closed', async () => {
    const { queue, calls } = create([], 50)
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(120)
    queue.append([entry])
    const closed = queue.close()
    await vi.advanceTimersByTimeAsync(100)
    await closed
    expect(calls).toEqual(['100 scan', '150 written', '150 scan', '200 written', '200 closed'])
  })

  it('writes remaining changes when it is closed, and nothing afterwards', async () => {
    const { queue, calls } = create()
    queue.append([entry])
    await queue.close()
    queue.append([entry])
    await vi.advanceTimersByTimeAsync(5000)
    expect(calls).toEqual(['0 scan', '0 written', '0 closed'])
  })

  it('does not retry after close', async () => {
    const { queue, calls } = create([new Error('a')])
    queue.append([entry])
    await queue.close()
    expect(calls).toEqual(['0 scan', '0 failed', '0 reported', '0 closed'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('writes nothing if nothing has changed', async () => {
    const { queue, calls } = create()
    await queue.flush()
    await queue.close()
    expect(calls).toEqual(['0 closed'])
  })
})
