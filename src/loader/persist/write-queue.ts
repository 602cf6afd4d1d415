import type { Source } from '../../core/fixtures/source.ts'
import type { JournalEntry } from './journal.ts'
import type { Keeper } from './fixture-writer.ts'

/** Decides when a file is written: soon, but not for every change. */
export interface Saver {
  /** Takes changes into the journal, and the file a moment later. */
  append(entries: readonly JournalEntry[]): void
  settled(): Promise<void> | undefined
  /** Writes the file now if it has changes. */
  flush(): Promise<void>
  /** Gives the number of writes that nothing has kept. */
  close(): Promise<number>
}

/** What a saver works with. */
export interface SaverOptions {
  keeper: Keeper
  /** Takes in what others have done to the file. */
  look(): Promise<unknown>
  onCapture(source: Source): void
  /** Hears how a write went. */
  onResult(error: unknown): void
  /** Hears that the file is not there any more. */
  onGone(): void
  /** How long requests have to pause before the file is written, in milliseconds. @default 100 */
  pause?: number | undefined
}

/**
 * Makes a saver. It waits until requests pause, but no longer than a second, and for twenty times as long as
 * the last write took, so that a large file costs a twentieth of the time at most.
 */
export function createSaver(options: SaverOptions): Saver {
  const { keeper, look, onCapture, onResult, onGone, pause = 100 } = options
  let isDirty = false
  let isClosed = false
  let firstAt = 0
  let lastAt = 0
  let savedAt = 0
  let cost = 0
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> | undefined

  const arm = (after: number): void => {
    if (isClosed || timer) return
    timer = setTimeout(() => {
      timer = undefined
      const now = performance.now()
      const rest = cost * 20
      const wanted = Math.min(lastAt + pause, firstAt + Math.max(LONGEST, pause, rest))
      const due = Math.max(wanted, savedAt + rest)
      if (now < due && failures === 0) arm(due - now)
      else void flush()
    }, after)
  }

  /** One attempt; how long to wait until the next, if one is needed. */
  const save = async (): Promise<number | undefined> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await look()
      const began = performance.now()
      const outcome = await keeper.write((source) => {
        isDirty = false
        onCapture(source)
      })
      if (outcome === 'moved') continue
      if (outcome === 'broken') return RETRY
      if (outcome === 'gone') {
        isDirty = false
        await keeper.discard()
        onGone()
      }
      savedAt = performance.now()
      cost = savedAt - began
      return undefined
    }
    return RETRY / 5
  }

  const run = async (): Promise<void> => {
    let retry: number | undefined
    try {
      retry = await save()
      if (retry === undefined) onResult(undefined)
    } catch (error) {
      retry = Math.min(RETRY * 2 ** (failures + 1), SLOWEST)
      onResult(error)
    }
    failures = retry === undefined ? 0 : failures + 1
    if (retry !== undefined) {
      isDirty = true
      // Changes that came meanwhile do not make it try sooner.
      clearTimeout(timer)
      timer = undefined
    }
    if (isDirty) arm(retry ?? pause)
  }

  const flush = async (): Promise<void> => {
    await saving
    if (!isDirty) return
    saving ??= run().finally(() => {
      saving = undefined
    })
    await saving
  }

  return {
    append(entries) {
      lastAt = performance.now()
      if (!isDirty) firstAt = lastAt
      isDirty = true
      for (const entry of entries) keeper.journal.append(entry)
      arm(pause)
    },
    settled: () => keeper.journal.settled(),
    flush,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await flush()
      return keeper.close()
    },
  }
}

const LONGEST = 1000
const RETRY = 500
const SLOWEST = 10_000
const ATTEMPTS = 5
