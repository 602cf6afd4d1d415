import { existsSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord } from '../../core/json/json.ts'
import { discover, toLabel } from '../discover/discover.ts'
import { ensureFolder, STATE_FOLDER } from './state-folder.ts'

/** The lock of a process on some fixture paths, until the lock is released or the process ends. */
export interface Lock {
  /** The error of the file system if no lock file could be created at the start, as in a read-only folder. */
  readonly refusal: unknown
  /** Creates each missing lock file. @throws MockError when another process has one, or the file system's error */
  acquire(): void
  release(): Promise<void>
}

/**
 * Locks the fixtures at some paths for this process, so that no other process persists writes into the same
 * files. Takes over the locks of processes that have ended.
 * @throws MockError when another process has locked a path, a file in its folder, or a folder above it
 */
export async function lockFixtures(paths: readonly string[], cwd: string): Promise<Lock> {
  /** The labels of the paths by lock file. */
  const labels = new Map<string, string>()
  /** The lock files that this process has created. */
  const created = new Set<string>()
  let refusal: unknown

  const acquireFile = (file: string, label: string): void => {
    if (created.has(file) && existsSync(file)) return
    const owner = createLockFile(file)
    if (owner) throw toLockedError(label, owner, file, cwd)
    if (created.size === 0) process.once('exit', removeFiles)
    created.add(file)
  }
  const acquire = (): void => {
    for (const [file, label] of labels) acquireFile(file, label)
  }
  const removeFiles = (): void => {
    for (const file of created) {
      if (isOwn(readOwner(file))) rmSync(file, { force: true })
      try {
        rmdirSync(dirname(file))
      } catch {
        // The folder contains a journal, or is gone.
      }
    }
    created.clear()
    process.off('exit', removeFiles)
  }

  const lockPath = async (path: string): Promise<void> => {
    const label = toLabel(resolve(cwd, path), cwd)
    const real = await realpath(resolve(cwd, path))
    const file = (await stat(real)).isDirectory() ? lockOfFolder(real) : lockOfFile(real)
    if (labels.has(file)) return
    labels.set(file, label)
    const isTakeover = existsSync(file)
    acquireFile(file, label)
    // Of several processes that take over a lock at once, the last one to write it has it.
    if (isTakeover) await setTimeout(TAKEOVER)
    const owner = readOwner(file)
    if (owner && !isOwn(owner)) throw toLockedError(label, owner, file, cwd)
    // Checked after acquiring the lock, so that two processes that start at once cannot both succeed.
    const other = await findOverlap(real, labels)
    if (other) throw toLockedError(label, other.owner, other.file, cwd)
  }

  for (const path of paths) {
    try {
      await lockPath(path)
    } catch (error) {
      refusal ??= error
      if (!(error instanceof MockError)) continue
      removeFiles()
      throw error
    }
  }
  return {
    refusal,
    acquire,
    async release() {
      removeFiles()
    },
  }
}

/** The content of a lock file: the process that has the lock. */
interface Owner {
  pid: number
  host: string
  /** When the process started, in seconds since the epoch. */
  start: number
}

/** How long a process waits for others that take over the same lock, in milliseconds. */
const TAKEOVER = 50

function lockOfFolder(folder: string): string {
  return join(folder, STATE_FOLDER, 'lock')
}

function lockOfFile(file: string): string {
  return join(dirname(file), STATE_FOLDER, `${basename(file)}.lock`)
}

/** Creates a lock file, or replaces that of a process that has ended. Returns the owner if it is alive. */
function createLockFile(file: string): Owner | undefined {
  const text = JSON.stringify(currentOwner())
  try {
    ensureFolder(dirname(file))
    writeFileSync(file, text, { flag: 'wx' })
    return undefined
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const owner = readOwner(file)
  if (owner && isAlive(owner)) return owner
  const next = `${file}.${process.pid}`
  writeFileSync(next, text)
  renameSync(next, file)
  return undefined
}

function currentOwner(): Owner {
  const start = Math.round(Date.now() / 1000 - process.uptime())
  return { pid: process.pid, host: hostname(), start }
}

/** Reads a lock file; undefined if it has no owner, because its process was killed while it wrote the file. */
function readOwner(file: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isRecord(owner)) return undefined
    const { pid, host, start } = owner
    const isOwner = typeof pid === 'number' && typeof host === 'string' && typeof start === 'number'
    return isOwner ? { pid, host, start } : undefined
  } catch {
    return undefined
  }
}

/** Whether this process has written a lock file; an earlier process with the same id started at another time. */
function isOwn(owner: Owner | undefined): boolean {
  const { pid, host, start } = currentOwner()
  return owner?.pid === pid && owner.host === host && Math.abs(owner.start - start) <= CLOCK_ERROR
}

/** Whether the owner of a lock may be running: nothing is known of the processes of another host. */
function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname() || isOwn(owner)) return true
  const bootedAt = Date.now() / 1000 - uptime()
  if (owner.pid === process.pid || owner.start < bootedAt - CLOCK_ERROR) return false
  try {
    process.kill(owner.pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** In seconds. */
const CLOCK_ERROR = 2

async function findOverlap(
  path: string,
  own: ReadonlyMap<string, unknown>,
): Promise<{ owner: Owner; file: string } | undefined> {
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
      const owner = readOwner(file)
      if (owner && isAlive(owner)) return { owner, file }
    }
  }
  return undefined
}

function toLockedError(label: string, { pid, host }: Owner, file: string, cwd: string): MockError {
  const advice =
    host === hostname()
      ? 'Please stop that process'
      : `Please stop that process on "${host}" (delete "${toLabel(file, cwd)}" if it has ended)`
  return new MockError(
    `Failed to persist "${label}": process ${pid} persists it already. ${advice}, or start without --persist.`,
    { status: 503, code: 'PERSIST_LOCKED' },
  )
}
