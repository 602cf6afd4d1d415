import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
// Imports the timers of Node, because the globals of Jest's jsdom return numbers, which have no `unref`.
import { clearInterval, setInterval } from 'node:timers'
import { MockError } from '../../core/errors/mock-error.ts'
import { discover, toLabel } from '../discover/discover.ts'
import { createExclusive } from '../watch/exclusive.ts'
import {
  acquireLock,
  findOwner,
  HEARTBEAT,
  releaseLock,
  stateOfLock,
  TIMEOUT,
  touchLock,
} from './lock-file.ts'
import { STATE_FOLDER } from './state-folder.ts'

/**
 * Locks the fixtures at some paths for this process, so that no other process persists writes into the same
 * files. The locks of a killed process are taken over. A lock whose file cannot be created, for example in a
 * read-only folder, is tried again by `ensure`.
 * @throws MockError when another process has locked a path, a file in its folder, or a folder above it
 */
export async function lockFixtures(paths: readonly string[], cwd: string): Promise<Lock> {
  /** The labels of the paths by lock file. */
  const labels = new Map<string, string>()
  let isAcquired = false
  let lost: MockError | undefined
  let checkedAt = 0
  let heartbeat: NodeJS.Timeout | undefined
  let acquiring: Promise<void> | undefined
  /** Runs acquisitions and releases one after the other. */
  const exclusive = createExclusive()
  let notify: (error: MockError | undefined) => void = () => undefined

  const lose = (error: MockError): void => {
    lost = error
    notify(error)
  }
  const isHeld = (): boolean => {
    checkedAt = performance.now()
    if (!isAcquired || lost) return false
    for (const [file, label] of labels) {
      const state = stateOfLock(file)
      if (state === 'own') continue
      if (state === 'taken') lose(toTakenError(label))
      return false
    }
    return true
  }
  const beat = (): void => {
    if (lost) return
    if (isHeld()) for (const file of labels.keys()) touchLock(file)
    else if (!lost)
      void ensure()
        ?.then(() => notify(undefined))
        .catch(() => undefined)
  }
  const releaseAll = async (): Promise<void> => {
    clearInterval(heartbeat)
    isAcquired = false
    for (const file of labels.keys()) await releaseLock(file)
    labels.clear()
  }
  const acquire = async (): Promise<void> => {
    try {
      for (const path of paths) {
        const label = toLabel(resolve(cwd, path), cwd)
        const real = await realpath(resolve(cwd, path))
        const file = await lockOf(real)
        if (labels.has(file) && stateOfLock(file) === 'own') continue
        const owner = await acquireLock(file)
        if (owner !== undefined) throw toLockedError(label, owner)
        labels.set(file, label)
        // Checked after acquiring the lock, so that two processes that start at once cannot both succeed.
        const other = await findOverlapOwner(real, labels)
        if (other !== undefined) throw toLockedError(label, other)
      }
    } catch (error) {
      await releaseAll()
      throw error
    }
    isAcquired = true
    clearInterval(heartbeat)
    heartbeat = setInterval(beat, HEARTBEAT).unref()
  }
  const acquireOnce = (): Promise<void> => {
    acquiring ??= exclusive(acquire).finally(() => {
      acquiring = undefined
    })
    return acquiring
  }
  const ensure = (): Promise<void> | undefined => {
    if (isHeld()) return undefined
    if (lost) return Promise.reject(lost)
    return acquireOnce().catch((error: unknown) => {
      if (error instanceof MockError) lose(error)
      throw error
    })
  }

  let refusal: unknown
  await acquireOnce().catch((error: unknown) => {
    if (error instanceof MockError) throw error
    refusal = error
  })
  return {
    refusal,
    isHeld,
    isLost: () => lost !== undefined,
    ensure,
    checkOwner() {
      if (performance.now() - checkedAt > CHECK_PAUSE) isHeld()
      if (lost) throw lost
    },
    onChange(listener) {
      notify = listener
    },
    release: () => exclusive(releaseAll),
  }
}

/** The lock of a process on some fixture paths, until the lock is released or the process ends. */
export interface Lock extends WriteLock {
  /** The error of the file system if no lock file could be created at the start, as in a read-only folder. */
  readonly refusal: unknown
  /** Checks the lock, at most once a second. @throws MockError when another process has taken over the lock */
  checkOwner(): void
  /** Calls back with the error when another process has taken over the lock, and with undefined when the lock is held again. */
  onChange(listener: (error: MockError | undefined) => void): void
  release(): Promise<void>
}

/** The part of a lock that a writer of fixture files checks. */
export interface WriteLock {
  /**
   * Whether this process has the lock now. Reads the lock file, because another process takes over the lock of
   * a process that is suspended for more than 10 seconds.
   */
  isHeld(): boolean
  /** Whether another process has taken over the lock; it has the writes that were acknowledged until then. */
  isLost(): boolean
  /**
   * Locks again if the lock file was removed or the lock was released; undefined if the lock is held.
   * @throws MockError when another process has the lock, or the error of the file system
   */
  ensure(): Promise<void> | undefined
}

/** In milliseconds. A process is suspended for longer before its lock is taken over. */
const CHECK_PAUSE = 1000

async function lockOf(real: string): Promise<string> {
  return (await stat(real)).isDirectory() ? lockOfFolder(real) : lockOfFile(real)
}

function lockOfFolder(folder: string): string {
  return join(folder, STATE_FOLDER, 'lock')
}

function lockOfFile(file: string): string {
  return join(dirname(file), STATE_FOLDER, `${basename(file)}.lock`)
}

/** Finds another process that has locked a fixture file at a path, or a folder above such a file. */
async function findOverlapOwner(
  path: string,
  own: ReadonlyMap<string, unknown>,
): Promise<number | undefined> {
  const { files } = await discover([path], path)
  const locks = new Set<string>()
  const folders = new Set<string>()
  for (const file of files) {
    const real = await realpath(file.path).catch(() => file.path)
    locks.add(lockOfFile(real))
    // The folders above a known folder are known too.
    let folder = dirname(real)
    while (!folders.has(folder)) {
      folders.add(folder)
      locks.add(lockOfFolder(folder))
      folder = dirname(folder)
    }
  }
  for (const folder of folders) {
    const state = join(folder, STATE_FOLDER)
    const names = await readdir(state).catch(() => [])
    for (const file of names.map((name) => join(state, name))) {
      if (!locks.has(file) || own.has(file)) continue
      const owner = await findOwner(file)
      if (typeof owner === 'number') return owner
    }
  }
  return undefined
}

function toLockedError(label: string, owner: number): MockError {
  return new MockError(
    `Failed to persist "${label}": process ${owner} persists it already. Please stop that process, or start without --persist.`,
    { status: 503, code: 'PERSIST_LOCKED' },
  )
}

function toTakenError(label: string): MockError {
  return new MockError(
    `Failed to persist "${label}": another process persists it now, because this process was suspended for more than ${TIMEOUT / 1000} seconds. Please restart this process.`,
    { status: 503, code: 'PERSIST_LOCKED' },
  )
}
