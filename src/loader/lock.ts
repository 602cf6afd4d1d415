import { rmdirSync, rmSync } from 'node:fs'
import { readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { MockError } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import { toLabel } from './discover.ts'
import { codeOf } from './path-problem.ts'
import { removeIfEmpty, STATE_FOLDER, withFolder } from './state-folder.ts'

/** The sole right to write what stands at some paths. */
export interface Lock {
  release(): Promise<void>
}

/**
 * Takes the sole right to write the fixtures at some paths. What a killed process holds is free.
 * @throws MockError when another process holds one of them
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
      const file = await lockFileOf(resolve(cwd, path))
      await take(file, toLabel(resolve(cwd, path), cwd))
      hold(file)
      files.push(file)
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

async function lockFileOf(path: string): Promise<string> {
  const real = await realpath(path)
  const isFolder = (await stat(real)).isDirectory()
  return isFolder
    ? join(real, STATE_FOLDER, 'lock')
    : join(dirname(real), STATE_FOLDER, `${basename(real)}.lock`)
}

async function take(file: string, label: string): Promise<void> {
  const owner: Owner = { pid: process.pid, host: hostname() }
  for (;;) {
    try {
      await withFolder(dirname(file), () => writeFile(file, JSON.stringify(owner), { flag: 'wx' }))
      return
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = await findHolder(file)
    if (holder === 'unknown') {
      await setTimeout(50)
      continue
    }
    if (holder !== undefined) {
      throw new MockError(
        `Failed to persist "${label}": process ${holder} does so already. Please stop it, or start without --persist.`,
        { code: 'PERSIST_LOCKED' },
      )
    }
    await rm(file, { force: true })
  }
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

/** The process that holds a lock; unknown where it is just being taken, undefined where it is free. */
async function findHolder(file: string): Promise<number | 'unknown' | undefined> {
  if (held.has(file)) return process.pid
  const owner = await readOwner(file)
  const beatAt = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  const age = Date.now() - beatAt
  if (!owner) return age < BEAT ? 'unknown' : undefined
  if (age > 5 * BEAT) return undefined
  if (owner.host !== hostname()) return owner.pid
  return owner.pid !== process.pid && isAlive(owner.pid) ? owner.pid : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
