import { realpathSync, renameSync, type Stats } from 'node:fs'
import { mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../core/errors/error-details.ts'
import { ensureFolder, removeIfEmpty, statePathsOf } from './persist/state-folder.ts'

/** Replaces a file, or the target of a link, as a whole, and keeps its permissions. @throws the file system's error */
export async function writeAtomically(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const like = await stat(path).catch(() => undefined)
  const real = like ? realpathSync(path) : path
  const next = await writeNext(real, content, like)
  try {
    await retryOnWindows(next.rename)
  } catch (error) {
    await next.discard()
    throw error
  }
  await removeIfEmpty(statePathsOf(real).folder)
}

/** Writes a text to a file, unless it has the text already (line ends aside). Resolves to whether it was written. */
export async function writeChanged(path: string, text: string): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before === text || before?.replaceAll('\r\n', '\n') === text) return false
  await writeAtomically(path, text)
  return true
}

/** Writes the next content to a temporary file like the old one, with fsync(2). @throws the file system's error */
export async function writeNext(
  real: string,
  content: string | Buffer,
  like: Pick<Stats, 'mode' | 'uid' | 'gid'> | undefined,
): Promise<NextContent> {
  // The file is replaced by a rename, which the permissions of the file do not prevent.
  if (like && (like.mode & ANY_WRITE) === 0) {
    throw Object.assign(new Error('the file is read-only'), { code: 'FILE_READ_ONLY' })
  }
  const { folder, temp } = statePathsOf(real)
  const discard = (): Promise<void> => unlink(temp).catch(() => undefined)
  ensureFolder(folder)
  const handle = await open(temp, 'w', like?.mode)
  try {
    await handle.writeFile(content)
    if (like) await handle.chmod(like.mode)
    // Only root may change the owner; the files of other users have the right owner already.
    if (like) await handle.chown(like.uid, like.gid).catch(() => undefined)
    await handle.sync()
  } catch (error) {
    await discard()
    throw error
  } finally {
    await handle.close()
  }
  return { rename: () => renameSync(temp, real), discard }
}

/** The next content of a file, in a temporary file. */
export interface NextContent {
  /** Replaces the file. @throws the error of the file system */
  rename(): void
  discard(): Promise<void>
}

/** Replaces a file, up to six times in 315 ms, as Windows refuses while a virus scanner has it open. */
export async function retryOnWindows<T>(run: () => T | Promise<T>): Promise<T> {
  for (const pause of process.platform === 'win32' ? PAUSES : []) {
    try {
      return await run()
    } catch (error) {
      if (!RETRIED.has(codeOf(error))) throw error
      await setTimeout(pause)
    }
  }
  return run()
}

/** The bits of a mode that let the owner, the group or others write. */
const ANY_WRITE = 0o222
/** The pauses before each retry, in milliseconds. */
const PAUSES = [5, 10, 20, 40, 80, 160]
/** The error codes of Windows for a file that another program has open. */
const RETRIED = new Set(['EACCES', 'EBUSY', 'EPERM'])
