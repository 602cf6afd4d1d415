import type { Stats } from 'node:fs'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { createDigest, toDigestText } from '../read/digest.ts'
import { withFolder, type StatePaths } from './state-folder.ts'

/**
 * Writes the pieces of a text to the temporary file that will replace a fixture file, with the owner and the
 * permissions in `like`, and waits for fsync(2). Returns the digest of the bytes. Removes the temporary file
 * if the write fails.
 * @throws the error of the file system
 */
export async function writeTempFile(
  paths: StatePaths,
  pieces: Iterable<string>,
  like: Stats,
): Promise<string> {
  const handle = await withFolder(paths.folder, () => open(paths.temp, 'w', like.mode))
  try {
    const hash = await writePieces(handle, pieces)
    await handle.chmod(like.mode)
    // Only root may change the owner; the files of other users have the right owner already.
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

/** In UTF-16 code units. */
const CHUNK_SIZE = 256 * 1024

/** Writes in chunks of 256 KiB, so that requests are answered while a large file is written. */
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
    if (chunk.length >= CHUNK_SIZE) await flush()
  }
  await flush()
  return toDigestText(hash)
}
