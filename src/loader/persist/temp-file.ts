import type { Stats } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { createDigest, toDigestText } from '../read/file-content.ts'
import { withFolder, type StatePaths } from './state-folder.ts'
import { writePieces } from './write-pieces.ts'

/**
 * Writes the pieces of a text to the temporary file that will replace a fixture file, with the owner and the
 * permissions in `like`, and waits for fsync(2). Returns the digest of the bytes. Removes the temporary file
 * if the write fails.
 * @throws the error of the file system, or one with the code `FILE_READ_ONLY`
 */
export async function writeTempFile(
  paths: StatePaths,
  pieces: Iterable<string>,
  like: Stats,
): Promise<string> {
  // The file is replaced by a rename, which the permissions of the file do not prevent.
  if ((like.mode & ANY_WRITE) === 0) {
    throw Object.assign(new Error('the file is read-only'), { code: 'FILE_READ_ONLY' })
  }
  // A process whose lock was taken over while it was suspended may have the file open.
  await unlink(paths.temp).catch(() => undefined)
  const handle = await withFolder(paths.folder, () => open(paths.temp, 'w', like.mode))
  try {
    const hash = createDigest()
    await writePieces(pieces, async (bytes) => {
      hash.update(bytes)
      for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten
    })
    await handle.chmod(like.mode)
    // Only root may change the owner; the files of other users have the right owner already.
    await handle.chown(like.uid, like.gid).catch(() => undefined)
    await handle.sync()
    return toDigestText(hash)
  } catch (error) {
    await unlink(paths.temp).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

/** The bits of a mode that let the owner, the group or others write. */
const ANY_WRITE = 0o222
