import { resolve } from 'node:path'
// The globals may be a page's, as in Jest's jsdom.
import { clearTimeout, setTimeout } from 'node:timers'
import { openEvents, type Events } from './file-events.ts'
import { createPacer } from './scan-scheduler.ts'
import type { Scanner } from './scanner.ts'

/** How files are watched. */
export interface WatchOptions {
  /** The folder that relative paths start from. @default process.cwd() */
  cwd?: string | undefined
  /** Look at the disk every 100 ms instead of waiting for its events, as network drives need. @default false */
  poll?: boolean | undefined
}

/**
 * Lets a scanner look whenever the disk has moved, and once more when it has gone quiet. Events only say
 * when to look: what changed is told by the disk itself, so that an event that is lost costs time only.
 * Resolves, when nothing that is saved from then on can be missed, to the end of it.
 */
export async function watchScanner(
  scanner: Scanner,
  paths: readonly string[],
  options: WatchOptions,
): Promise<() => Promise<void>> {
  const roots = paths.map((path) => resolve(options.cwd ?? process.cwd(), path))
  const pacer = createPacer(scanner)
  const open = (): Promise<Events> => openEvents(roots, scanner, (path) => void pacer.hint(path))
  let events = options.poll ? undefined : await open()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined

  // Rounds that no event asks for find what the events have missed.
  const runRound = async (): Promise<void> => {
    const began = performance.now()
    await pacer.hint()
    if (events && !(await events.isCurrent())) {
      await events.close()
      events = await open()
    }
    scanner.prepare()
    const took = performance.now() - began
    if (!pacer.isClosed()) schedule(Math.max(pause, options.poll ? took * 2 : toRest(took)))
  }
  const pause = options.poll ? POLL : SWEEP
  const schedule = (after: number): void => {
    timer = setTimeout(() => {
      round = runRound()
    }, after)
    if (!options.poll) timer.unref()
  }
  schedule(pause)
  await pacer.hint()
  return async () => {
    await pacer.close()
    clearTimeout(timer)
    await round
    await events?.close()
  }
}

const POLL = 100
const SWEEP = 1000

/** How long to rest after a round, in ms: a twentieth of the time at most, but where that is for too long. */
function toRest(took: number): number {
  return Math.max(Math.min(took * 20, 5 * SWEEP), took * 4)
}
