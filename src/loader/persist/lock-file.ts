import { readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../../core/errors/error-details.ts'
import { isRecord } from '../../core/json/json.ts'
import { isSameStamp, type Stamp, toStamp } from '../read/stable-read.ts'
import { removeIfEmpty, withFolder } from './state-folder.ts'

/**
 * Creates a lock file, which keeps other processes from writing the same fixtures, or takes over the lock file
 * of a process that has ended. Returns the id of the owner if a living process has the lock.
 */
export async function acquireLock(path: string): Promise<number | undefined> {
  while (!(await tryCreate(path))) {
    const owner = await findOwner(path)
    if (owner === 'unknown') {
      await setTimeout(50)
      continue
    }
    if (owner !== undefined) return owner
    if (await tryTakeOver(path)) return undefined
  }
  return undefined
}

/** Deletes a lock file unless another process has taken it over, and the state folder if it is empty. */
export async function releaseLock(path: string): Promise<void> {
  const state = stateOfLock(path)
  ownLocks.delete(path)
  if (state === 'own') await rm(path, { force: true })
  await removeIfEmpty(dirname(path))
}

/** Returns the state of a lock file that this process has written. */
export function stateOfLock(path: string): LockState {
  const own = ownLocks.get(path)
  if (!own) return 'missing'
  try {
    const stamp = toStamp(statSync(path))
    if (own.stamp && isSameStamp(own.stamp, stamp)) return 'own'
    // The stamp is older than the content, so that a later write changes the stamp.
    if (readFileSync(path, 'utf8') !== own.text) return 'taken'
    own.stamp = stamp
    return 'own'
  } catch {
    return 'missing'
  }
}

/** Touches a lock file of this process as a sign that the process is alive. */
export function touchLock(path: string): void {
  const own = ownLocks.get(path)
  if (!own) return
  try {
    const now = new Date()
    utimesSync(path, now, now)
    own.stamp = undefined
  } catch {
    // The next check finds the file missing.
  }
}

/**
 * Returns the id of the process that owns a lock; `unknown` while the lock is being written or removed,
 * undefined if the lock is free.
 */
export async function findOwner(path: string): Promise<number | 'unknown' | undefined> {
  if (ownLocks.has(path) && stateOfLock(path) !== 'taken') return process.pid
  const owner = await readOwner(path)
  const age = await ageOf(path)
  if (!owner) return age < HEARTBEAT ? 'unknown' : undefined
  if (age > TIMEOUT) return undefined
  if (owner.host !== hostname()) return owner.pid
  return owner.pid !== process.pid && isAlive(owner.pid) ? owner.pid : undefined
}

/** The interval at which a process touches its locks, in milliseconds. */
export const HEARTBEAT = 2000

/** How long a lock is valid without a heartbeat, in milliseconds. */
export const TIMEOUT: number = 5 * HEARTBEAT

/** The content of a lock file: the process that has the lock. */
interface Owner {
  pid: number
  host: string
  /** A random string: two containers may have processes with the same id on hosts with the same name. */
  token: string
}

/** A lock file that this process has written. */
interface OwnLock {
  /** The content of the file. */
  text: string
  /** The stamp at which the file had the content; undefined if that has to be checked. */
  stamp: Stamp | undefined
}

/** The lock files that this process has written, by path. */
const ownLocks = new Map<string, OwnLock>()

/**
 * The state of a lock file that this process has written: `own`, `missing` if the file was removed since, or
 * `taken` if another process has taken over the lock.
 */
export type LockState = 'own' | 'missing' | 'taken'

/** Creates a lock file; false if the file exists already. A failed attempt leaves no file. */
async function tryCreate(path: string): Promise<boolean> {
  try {
    // Writes synchronously, so that `ownLocks` has every lock file of this process at any time.
    await withFolder(dirname(path), async () => writeLock(path, 'wx'))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

function writeLock(path: string, flag: 'w' | 'wx'): void {
  const token = Math.random().toString(36).slice(2)
  const owner: Owner = { pid: process.pid, host: hostname(), token }
  const text = JSON.stringify(owner)
  writeFileSync(path, text, { flag })
  // Removes the locks of a program that exits without releasing them.
  if (!hasExitListener) process.once('exit', removeOwnLocks)
  hasExitListener = true
  ownLocks.set(path, { text, stamp: undefined })
}

let hasExitListener = false

function removeOwnLocks(): void {
  for (const path of ownLocks.keys()) {
    if (stateOfLock(path) !== 'own') continue
    rmSync(path, { force: true })
    try {
      rmdirSync(dirname(path))
    } catch {
      // The folder contains a journal.
    }
  }
}

/**
 * Takes over an abandoned lock. A second lock file guards the check, so that only one of several processes
 * takes over. The lock file is overwritten and never removed, because on Windows a removed file that
 * another process has open keeps its name.
 */
async function tryTakeOver(path: string): Promise<boolean> {
  const guard = `${path}.taking`
  if (!(await tryCreate(guard))) {
    // `ageOf` is 0 if the guard is gone; then another process may have created the next guard already.
    if ((await ageOf(guard)) > HEARTBEAT) await rm(guard, { force: true })
    await setTimeout(10)
    return false
  }
  const isFree = (await findOwner(path)) === undefined
  if (isFree) writeLock(path, 'w')
  ownLocks.delete(guard)
  await rm(guard, { force: true })
  return isFree
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const owner: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isRecord(owner) ? (owner as unknown as Owner) : undefined
  } catch {
    return undefined
  }
}

/** The time since a file was written, in ms, also if the clock was set back since; 0 if there is no file. */
function ageOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs),
    () => 0,
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
