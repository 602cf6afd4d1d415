import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { Keeper, Outcome } from '../../../../src/loader/persist/fixture-writer.ts'
import { createSaver, type Saver } from '../../../../src/loader/persist/write-queue.ts'

const entry = { name: 'posts', id: '1', from: null, to: { id: 1 } }

/** A saver whose attempts come to these outcomes, one after the other, and then are written. */
function create(outcomes: (Outcome | Error)[] = [], took = 0): { saver: Saver; said: string[] } {
  const said: string[] = []
  const tell = (text: string): unknown => said.push(`${performance.now()} ${text}`)
  const keeper = {
    journal: { append: () => undefined, settled: () => undefined },
    async write(onCapture: (source: never) => void) {
      const outcome = outcomes.shift() ?? 'written'
      if (outcome !== 'broken' && outcome !== 'gone') onCapture(undefined as never)
      if (took > 0) await new Promise((done) => setTimeout(done, took))
      tell(outcome instanceof Error ? 'failed' : outcome)
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    async discard() {
      tell('discarded')
    },
    async close() {
      tell('closed')
      return 0
    },
  } as unknown as Keeper
  const saver = createSaver({
    keeper,
    look: async () => tell('look'),
    onCapture: () => undefined,
    onResult: (error) => error !== undefined && tell('told'),
    onGone: () => tell('gone'),
  })
  return { saver, said }
}

describe('a saver', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
  })

  it('writes once requests have paused', async () => {
    const { saver, said } = create()
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(60)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(1000)
    expect(said).toEqual(['160 look', '160 written'])
  })

  it('waits for no pause longer than a second', async () => {
    const { saver, said } = create()
    for (let at = 0; at < 1100; at += 50) {
      saver.append([entry])
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(said).toEqual(['1000 look', '1000 written'])
  })

  it('rests for twenty times as long as a write took', async () => {
    const { saver, said } = create([], 100)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(250)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(5000)
    expect(said).toEqual(['100 look', '200 written', '2200 look', '2300 written'])
  })

  const rows: [title: string, outcomes: (Outcome | Error)[], said: string[]][] = [
    [
      'writes again what has moved',
      ['moved', 'moved'],
      ['100 look', '100 moved', '100 look', '100 moved', '100 look', '100 written'],
    ],
    [
      'waits where it keeps moving',
      Array.from({ length: 5 }, () => 'moved' as const),
      [
        ...Array.from({ length: 5 }, () => ['100 look', '100 moved']).flat(),
        '200 look',
        '200 written',
      ],
    ],
    [
      'waits for a file that is broken',
      ['broken', 'broken'],
      ['100 look', '100 broken', '600 look', '600 broken', '1100 look', '1100 written'],
    ],
    [
      'waits ever longer where it fails',
      [new Error('a'), new Error('b')],
      [
        '100 look',
        '100 failed',
        '100 told',
        '1100 look',
        '1100 failed',
        '1100 told',
        '3100 look',
        '3100 written',
      ],
    ],
    [
      'forgets a file that is gone',
      ['gone'],
      ['100 look', '100 gone', '100 discarded', '100 gone'],
    ],
  ]

  it.each(rows)('%s', async (_, outcomes, expected) => {
    const { saver, said } = create(outcomes)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(said).toEqual(expected)
  })

  it('is neither hurried nor kept by changes while it waits', async () => {
    const { saver, said } = create(['broken'])
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(200)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(350)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(5000)
    expect(said).toEqual(['100 look', '100 broken', '600 look', '600 written'])
  })

  it('is not hurried by changes that came while it failed', async () => {
    const { saver, said } = create([new Error('a')], 50)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(120)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(5000)
    expect(said.slice(0, 4)).toEqual(['100 look', '150 failed', '150 told', '1150 look'])
  })

  it('never waits longer than ten seconds', async () => {
    const { saver, said } = create(Array.from({ length: 6 }, () => new Error('a')))
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(40_000)
    const looks = said.filter((text) => text.endsWith('look')).map((text) => Number.parseInt(text))
    expect(looks).toEqual([100, 1100, 3100, 7100, 15_100, 25_100, 35_100])
  })

  it('writes what came while it wrote, when it is closed', async () => {
    const { saver, said } = create([], 50)
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(120)
    saver.append([entry])
    const closed = saver.close()
    await vi.advanceTimersByTimeAsync(100)
    await closed
    expect(said).toEqual(['100 look', '150 written', '150 look', '200 written', '200 closed'])
  })

  it('writes what is left when it is closed, and nothing afterwards', async () => {
    const { saver, said } = create()
    saver.append([entry])
    await saver.close()
    saver.append([entry])
    await vi.advanceTimersByTimeAsync(5000)
    expect(said).toEqual(['0 look', '0 written', '0 closed'])
  })

  it('tries no more where its last attempt fails', async () => {
    const { saver, said } = create([new Error('a')])
    saver.append([entry])
    await saver.close()
    expect(said).toEqual(['0 look', '0 failed', '0 told', '0 closed'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('writes nothing where nothing has changed', async () => {
    const { saver, said } = create()
    await saver.flush()
    await saver.close()
    expect(said).toEqual(['0 closed'])
  })
})
