import { rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, realpath, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
// Imports the timers of Node, because the globals of Jest's jsdom return numbers, which have no `unref`.
import { clearInterval, setInterval } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord } from '../../core/json/json.ts'
import { discover, toLabel } from '../discover/discover.ts'
import { codeOf } from '../../core/errors/error-details.ts'
import { removeIfEmpty, STATE_FOLDER, withFolder } from './state-folder.ts'

/**
 * The lock of a process on some fixture paths. Other processes cannot persist into the same fixtures until
 * the lock is released or the process has ended.
 */
export interface Lock {
  release(): Promise<void>
}

/**
 * Locks the fixtures at some paths for writing. The locks of a killed process are taken over.
 * @throws MockError when another process has locked a path, a file in its folder, or a folder above it
 */
export async function lockFixtures(paths: readonly string[], cwd: string): Promise<Lock> {
  const files: string[] = []
  // A recent modification time says that the owner is alive: a process id may have been reused.
  const heartbeat = setInterval(() => {
    const now = new Date()
    for (const file of files) void utimes(file, now, now).catch(() => undefined)
  }, HEARTBEAT)
  heartbeat.unref()
  const release = async (): Promise<void> => {
    clearInterval(heartbeat)
    for (const file of files.splice(0)) {
      ownLocks.delete(file)
      if ((await readOwner(file))?.pid === process.pid) await rm(file, { force: true })
      await removeIfEmpty(dirname(file))
    }
  }
  try {
    for (const path of paths) {
      const label = toLabel(resolve(cwd, path), cwd)
      const real = await realpath(resolve(cwd, path))
      const file = await lockOf(real)
      if (files.includes(file)) continue
      await acquire(file, label)
      files.push(file)
      // Checked after acquiring the lock, so that two processes that start at once cannot both succeed.
      const other = await findOverlapOwner(real, files)
      if (other !== undefined) throw toLockedError(label, other)
    }
    return { release }
  } catch (error) {
    await release()
    throw error
  }
}

/** The lock files that this process has written. */
const ownLocks = new Set<string>()

function addOwnLock(file: string): void {
  // Removes the locks of a program that exits without releasing them.
  if (!hasExitListener) process.once('exit', removeOwnLocks)
  hasExitListener = true
  ownLocks.add(file)
}

let hasExitListener = false

function removeOwnLocks(): void {
  for (const file of ownLocks) {
    rmSync(file, { force: true })
    try {
      rmdirSync(dirname(file))
    } catch {
      // The folder contains a journal.
    }
  }
}

/** The interval at which a process touches its locks, in milliseconds. */
const HEARTBEAT = 2000

async function lockOf(real: string): Promise<string> {
  return (await stat(real)).isDirectory() ? lockOfFolder(real) : lockOfFile(real)
}

function lockOfFolder(folder: string): string {
  return join(folder, STATE_FOLDER, 'lock')
}

function lockOfFile(file: string): string {
  return join(dirname(file), STATE_FOLDER, `${basename(file)}.lock`)
}

async function acquire(file: string, label: string): Promise<void> {
  while (!(await tryCreate(file))) {
    const owner = await findOwner(file)
    if (owner === 'unknown') {
      await setTimeout(50)
      continue
    }
    if (owner !== undefined) throw toLockedError(label, owner)
    if (await tryTakeOver(file)) return
  }
}

/** Finds another process that has locked a fixture file at a path, or a folder above such a file. */
async function findOverlapOwner(path: string, own: readonly string[]): Promise<number | undefined> {
  const { files } = await discover([path], path)
  const locks = new Set<string>()
  for (const file of files) {
    const real = await realpath(file.path).catch(() => file.path)
    locks.add(lockOfFile(real))
    let folder = real
    do {
      folder = dirname(folder)
      locks.add(lockOfFolder(folder))
    } while (folder !== dirname(folder))
  }
  for (const file of own) locks.delete(file)
  for (const file of locks) {
    const owner = await findOwner(file)
    if (typeof owner === 'number') return owner
  }
  return undefined
}

function toLockedError(label: string, owner: number): MockError {
  return new MockError(
    `Failed to persist "${label}": process ${owner} persists it already. Please stop that process, or start without --persist.`,
    { code: 'PERSIST_LOCKED' },
  )
}

/** Creates a lock file; false if the file exists already. A failed attempt leaves no file. */
async function tryCreate(file: string): Promise<boolean> {
  try {
    // Writes synchronously, so that `ownLocks` has every lock file of this process at any time.
    await withFolder(dirname(file), async () => writeLock(file, 'wx'))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    await rm(file, { force: true }).catch(() => undefined)
    throw error
  }
}

function writeLock(file: string, flag: 'w' | 'wx'): void {
  const owner: Owner = { pid: process.pid, host: hostname() }
  writeFileSync(file, JSON.stringify(owner), { flag })
  addOwnLock(file)
}

/**
 * Takes over an abandoned lock. A second lock file guards the check, so that of several processes only one
 * takes over. The lock file is overwritten and never removed, because on Windows a removed file that
 * another process has open keeps its name.
 */
async function tryTakeOver(file: string): Promise<boolean> {
  const guard = `${file}.taking`
  if (!(await tryCreate(guard))) {
    // `ageOf` is 0 if the guard is gone; then another process may have created the next guard already.
    if ((await ageOf(guard)) > HEARTBEAT) await rm(guard, { force: true })
    await setTimeout(10)
    return false
  }
  const isFree = (await findOwner(file)) === undefined
  if (isFree) writeLock(file, 'w')
  ownLocks.delete(guard)
  await rm(guard, { force: true })
  return isFree
}

interface Owner {
  pid: number
  host: string
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const owner: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isRecord(owner) ? (owner as unknown as Owner) : undefined
  } catch {
    return undefined
  }
}

/** The process that owns a lock; `unknown` while the lock is being written or removed, undefined if it is free. */
async function findOwner(file: string): Promise<number | 'unknown' | undefined> {
  if (ownLocks.has(file)) return process.pid
  const owner = await readOwner(file)
  const age = await ageOf(file)
  if (!owner) return age < HEARTBEAT ? 'unknown' : undefined
  if (age > 5 * HEARTBEAT) return undefined
  if (owner.host !== hostname()) return owner.pid
  return owner.pid !== process.pid && isAlive(owner.pid) ? owner.pid : undefined
}

/** The time since a file was written, in ms, also if the clock was set back since; 0 if there is no file. */
function ageOf(file: string): Promise<number> {
  return stat(file).then(
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
