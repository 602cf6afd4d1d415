import type { Stats } from 'node:fs'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { createDigest, toDigestText } from '../read/digest.ts'
import { withFolder, type StatePaths } from './state-folder.ts'

/**
 * Writes a text beside the file whose place it is to take, with the owner and the permissions of that file,
 * and waits until the disk has it. Gives the digest of its bytes. What a failure has begun is removed.
 * @throws the error of the file system
 */
export async function writeDraft(
  paths: StatePaths,
  pieces: Iterable<string>,
  like: Stats,
): Promise<string> {
  const handle = await withFolder(paths.folder, () => open(paths.temp, 'w', like.mode))
  try {
    const hash = await writePieces(handle, pieces)
    await handle.chmod(like.mode)
    // Only root may give a file away; for everyone else it is theirs already.
    await handle.chown(like.uid, like.gid).catch(() => undefined)
    await handle.sync()
    return hash
  } catch (error) {
    await unlink(paths.temp).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

const CHUNK = 256 * 1024

/** Writes piece by piece, so that a large file does not keep requests from being answered. */
async function writePieces(handle: FileHandle, pieces: Iterable<string>): Promise<string> {
  const hash = createDigest()
  let chunk = ''
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(chunk)
    chunk = ''
    hash.update(bytes)
    for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten
  }
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length >= CHUNK) await flush()
  }
  await flush()
  return toDigestText(hash)
}
