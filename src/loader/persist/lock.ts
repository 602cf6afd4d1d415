import { rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, realpath, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
// The globals may be a page's, as in Jest's jsdom.
import { clearInterval, setInterval } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord } from '../../core/json/json.ts'
import { discover, toLabel } from '../discover/discover.ts'
import { codeOf } from '../../core/errors/error-details.ts'
import { removeIfEmpty, STATE_FOLDER, withFolder } from './state-folder.ts'

/** The sole right to write what stands at some paths. */
export interface Lock {
  release(): Promise<void>
}

/**
 * Takes the sole right to write the fixtures at some paths. What a killed process holds is free.
 * @throws MockError when another process holds one of them, something in it, or a folder around it
 */
export async function lockFixtures(paths: readonly string[], cwd: string): Promise<Lock> {
  const files: string[] = []
  // The time of a lock says that its holder lives, also after another process has got its number.
  const beat = setInterval(() => {
    const now = new Date()
    for (const file of files) void utimes(file, now, now).catch(() => undefined)
  }, BEAT)
  beat.unref()
  const release = async (): Promise<void> => {
    clearInterval(beat)
    for (const file of files.splice(0)) {
      held.delete(file)
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
      await take(file, label)
      files.push(file)
      // After its own is there for all to see, so that of two at once not both go on.
      const other = await findOverlap(real, files)
      if (other !== undefined) throw locked(label, other)
    }
    return { release }
  } catch (error) {
    await release()
    throw error
  }
}

/** The locks of this process, whose number says nothing about them. */
const held = new Set<string>()

function hold(file: string): void {
  // A program that ends without closing anything leaves no lock either.
  if (!isAttended) process.once('exit', dropAll)
  isAttended = true
  held.add(file)
}

let isAttended = false

function dropAll(): void {
  for (const file of held) {
    rmSync(file, { force: true })
    try {
      rmdirSync(dirname(file))
    } catch {
      // A journal waits in it.
    }
  }
}
const BEAT = 2000

async function lockOf(real: string): Promise<string> {
  return (await stat(real)).isDirectory() ? lockOfFolder(real) : lockOfFile(real)
}

function lockOfFolder(folder: string): string {
  return join(folder, STATE_FOLDER, 'lock')
}

function lockOfFile(file: string): string {
  return join(dirname(file), STATE_FOLDER, `${basename(file)}.lock`)
}

async function take(file: string, label: string): Promise<void> {
  while (!(await claim(file))) {
    const holder = await findHolder(file)
    if (holder === 'unknown') {
      await setTimeout(50)
      continue
    }
    if (holder !== undefined) throw locked(label, holder)
    if (await inherit(file)) return
  }
}

/** The process that writes a file at or below a path, or a folder around one; undefined where there is none. */
async function findOverlap(path: string, own: readonly string[]): Promise<number | undefined> {
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
    const holder = await findHolder(file)
    if (typeof holder === 'number') return holder
  }
  return undefined
}

function locked(label: string, holder: number): MockError {
  return new MockError(
    `Failed to persist "${label}": process ${holder} does so already. Please stop it, or start without --persist.`,
    { code: 'PERSIST_LOCKED' },
  )
}

/** Makes a lock where there is none; nothing of it stays where that fails. */
async function claim(file: string): Promise<boolean> {
  try {
    // At one go, so that nobody else in this process sees a lock that is not known to be held.
    await withFolder(dirname(file), async () => sign(file, 'wx'))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    await rm(file, { force: true }).catch(() => undefined)
    throw error
  }
}

function sign(file: string, flag: 'w' | 'wx'): void {
  const owner: Owner = { pid: process.pid, host: hostname() }
  writeFileSync(file, JSON.stringify(owner), { flag })
  hold(file)
}

/**
 * Takes over a lock that was left behind. Of several that have found it so only one at a time looks again.
 * It is never removed on the way: the name of a file that others have open may outlast it on Windows.
 */
async function inherit(file: string): Promise<boolean> {
  const guard = `${file}.taking`
  if (!(await claim(guard))) {
    // One that is gone has just been given back, and the next may hold it by now.
    if ((await ageOf(guard)) > BEAT) await rm(guard, { force: true })
    await setTimeout(10)
    return false
  }
  const isFree = (await findHolder(file)) === undefined
  if (isFree) sign(file, 'w')
  held.delete(guard)
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

/** The process that holds a lock; unknown where it is just being taken or given back, undefined where it is free. */
async function findHolder(file: string): Promise<number | 'unknown' | undefined> {
  if (held.has(file)) return process.pid
  const owner = await readOwner(file)
  const age = await ageOf(file)
  if (!owner) return age < BEAT ? 'unknown' : undefined
  if (age > 5 * BEAT) return undefined
  if (owner.host !== hostname()) return owner.pid
  return owner.pid !== process.pid && isAlive(owner.pid) ? owner.pid : undefined
}

/** How long ago a file was written, in ms, by a clock that may have gone back since; 0 where there is none. */
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
